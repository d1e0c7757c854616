//! A confined process attempts what it may not do. The process is `confinement-probe`.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// Runs the probe; returns what was applied, and the outcome of each attempt.
fn probe(arguments: &[&str]) -> (String, Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_confinement-probe")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().map(str::to_owned);
    let applied = lines.next().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (applied, lines.collect())
}

/// Whether this kernel has Landlock of this version; says so if a test is skipped.
fn has_landlock(version: u32) -> bool {
    let found = aerie_confinement::support().landlock;
    if found < version {
        eprintln!("skipped: it needs Landlock {version}, the kernel has {found}");
    }
    found >= version
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_confined_process_reads_and_writes_only_what_was_listed() {
    if !has_landlock(3) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(folder.path(), name);
    for name in ["work/out", "media/other-tenant"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    for name in ["aerie.db", "media/other-tenant/photo.jpg", "work/photo.jpg", "aerie.toml"] {
        std::fs::write(folder.path().join(name), "content").unwrap();
    }
    let parent = format!("open=/proc/{}/environ", std::process::id());
    let attempts = [
        (format!("open={}", at("work/photo.jpg")), "ok"),
        (format!("create={}", at("work/out/image.jpg")), "ok"),
        (format!("make-folder={}", at("work/out/more")), "ok"),
        (format!("remove={}", at("work/out/image.jpg")), "ok"),
        (format!("open={}", at("aerie.db")), "EACCES"),
        (format!("open-in-thread={}", at("aerie.db")), "EACCES"),
        (format!("open={}", at("aerie.toml")), "EACCES"),
        (format!("open={}", at("media/other-tenant/photo.jpg")), "EACCES"),
        (format!("list={}", at("media")), "EACCES"),
        (format!("create={}", at("work/photo.jpg")), "EACCES"),
        (format!("create={}", at("new")), "EACCES"),
        (format!("remove={}", at("aerie.db")), "EACCES"),
        ("create=/tmp/confinement-probe".to_owned(), "EACCES"),
        ("open=/etc/passwd".to_owned(), "EACCES"),
        ("list=/home".to_owned(), "EACCES"),
        ("list=/proc".to_owned(), "EACCES"),
        (parent, "EACCES"),
        ("open=/dev/null".to_owned(), "ok"),
    ];
    let (read, write) = (format!("read={}", at("work/photo.jpg")), format!("write={}", at("work/out")));
    let mut arguments = vec![read.as_str(), &write];
    arguments.extend(attempts.iter().map(|(attempt, _)| attempt.as_str()));
    let (_, outcomes) = probe(&arguments);
    for ((attempt, expected), outcome) in attempts.iter().zip(&outcomes) {
        assert_eq!(outcome, expected, "{attempt}");
    }
    assert_eq!(outcomes.len(), attempts.len());
}

#[test]
fn without_ports_there_are_no_sockets_and_with_them_only_connections_to_these() {
    let [allowed, other] = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let [to_allowed, to_other] =
        [&allowed, &other].map(|listener| format!("connect={}", listener.local_addr().unwrap()));
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_UNIX, libc::AF_NETLINK, libc::AF_PACKET];
    let sockets = families.map(|family| format!("socket={family}"));
    let mut attempts: Vec<&str> = vec![&to_allowed, "listen=127.0.0.1:0"];
    attempts.extend(sockets.iter().map(String::as_str));
    let (_, outcomes) = probe(&attempts);
    assert!(outcomes.iter().all(|outcome| outcome == "EPERM"), "{outcomes:?}");

    let port = format!("port={}", allowed.local_addr().unwrap().port());
    let (_, outcomes) = probe(&[&[port.as_str()], &attempts[2..]].concat());
    assert_eq!(outcomes, ["ok", "ok", "EPERM", "EPERM", "EPERM"]);
    // Both connect in ways that the ports do not limit.
    assert_eq!(probe(&[&port, "multipath-tcp", "fast-open"]).1, ["EPERM", "EPERM"]);
    if has_landlock(4) {
        let (_, outcomes) = probe(&[&port, &to_allowed, &to_other, "listen=127.0.0.1:0"]);
        assert_eq!(outcomes, ["ok", "EACCES", "EACCES"]);
    }
}

#[test]
fn system_calls_of_attacks_are_denied() {
    let folder = tempfile::tempdir().unwrap();
    let pid = std::process::id();
    let write = format!("write={}", folder.path().display());
    let (symlink, hardlink) = (path(folder.path(), "a"), path(folder.path(), "b"));
    let attempts = [
        format!("trace={pid}"),
        format!("signal={pid}"),
        format!("adjust-limit={pid}"),
        format!("symlink={symlink}"),
        format!("hardlink={hardlink}"),
        "start=/bin/sh".into(),
        "unshare".into(),
        "session".into(),
        "mount".into(),
        "bpf".into(),
        "io-uring".into(),
        "user-fault".into(),
    ];
    let mut arguments = vec![write.as_str()];
    arguments.extend(attempts.iter().map(String::as_str));
    let (_, outcomes) = probe(&arguments);
    for (attempt, outcome) in attempts.iter().zip(&outcomes) {
        assert_eq!(outcome, "EPERM", "{attempt}");
    }
    assert_eq!(outcomes.len(), attempts.len());
    let (_, outcomes) = probe(&["thread"]);
    assert_eq!(outcomes, ["ok"]);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn system_calls_cannot_be_made_by_their_x32_numbers() {
    // Most kernels lack them, which would be ENOSYS.
    assert_eq!(probe(&["x32"]).1, ["EPERM"]);
}

#[test]
fn only_the_listed_programs_can_be_started_and_they_are_confined_too() {
    let probe_itself = env!("CARGO_BIN_EXE_confinement-probe");
    let allowed = aerie_confinement::find_program("true").unwrap();
    let (execute, start) = (format!("execute={}", allowed.display()), format!("start={}", allowed.display()));
    let pid = std::process::id();
    let (signal, itself) = (format!("signal={pid}"), format!("start={probe_itself}"));
    let (_, outcomes) = probe(&[&execute, &start, &itself, "start=/bin/sh", "unshare", &signal]);
    assert_eq!((outcomes[0].as_str(), outcomes[3].as_str()), ("ok", "EPERM"), "{outcomes:?}");
    if has_landlock(1) {
        assert_eq!(outcomes[1..3], ["EACCES", "EACCES"]);
    }
    if has_landlock(6) {
        assert_eq!(outcomes[4], "EPERM");
    }
}

#[test]
fn more_memory_than_the_limit_is_not_given() {
    let limit = format!("memory={}", 256 << 20);
    let (small, large) = (format!("allocate={}", 64 << 20), format!("allocate={}", 512 << 20));
    assert_eq!(probe(&[&limit, &small, &large]).1, ["ok", "ENOMEM"]);
}

#[test]
fn what_is_enforced_agrees_with_what_the_kernel_supports() {
    let (applied, _) = probe(&[]);
    assert_eq!(applied, aerie_confinement::support().to_string());
}
