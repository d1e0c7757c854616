//! Confines itself as its arguments say, attempts what they list, and prints the outcome of each attempt on a line: "ok", or the name
//! of the error. The tests of this crate run it.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use aerie_confinement::Confinement;

fn main() {
    let mut confinement = Confinement::default();
    let mut attempts = Vec::new();
    for argument in std::env::args().skip(1) {
        let (option, value) = argument.split_once('=').unwrap_or((&argument, ""));
        match option {
            "read" => confinement.read.push(value.into()),
            "write" => confinement.write.push(value.into()),
            "execute" => confinement.execute.push(value.into()),
            "port" => confinement.ports.extend(value.parse::<u16>()),
            "memory" => confinement.memory = value.parse().ok(),
            _ => attempts.push((option.to_owned(), value.to_owned())),
        }
    }
    match confinement.apply() {
        Ok(applied) => println!("{applied}"),
        Err(error) => println!("{error}"),
    }
    for (what, at) in attempts {
        match attempt(&what, &at) {
            Ok(()) => println!("ok"),
            Err(error) => println!("{}", name(&error)),
        }
    }
}

fn attempt(what: &str, at: &str) -> io::Result<()> {
    let pid = || at.parse::<i32>().map_err(io::Error::other);
    match what {
        "open" => std::fs::read(at).map(drop),
        "list" => std::fs::read_dir(at).map(drop),
        "create" => std::fs::write(at, "content"),
        "make-folder" => std::fs::create_dir(at),
        "remove" => std::fs::remove_file(at),
        "symlink" => std::os::unix::fs::symlink("/etc/passwd", at),
        "hardlink" => std::fs::hard_link("/etc/passwd", at),
        "connect" => TcpStream::connect(at).map(drop),
        "listen" => TcpListener::bind(at).map(drop),
        "start" => std::process::Command::new(at).status().map(drop),
        "thread" => std::thread::Builder::new().spawn(|| {})?.join().map_err(|_| io::Error::other("died")),
        // A thread must be as confined as the process.
        "open-in-thread" => {
            let at = at.to_owned();
            let thread = std::thread::spawn(move || std::fs::read(at).map(drop));
            thread.join().map_err(|_| io::Error::other("died"))?
        }
        // SAFETY: these calls pass no pointers; where they succeed, the tests fail.
        "socket" => result(unsafe { libc::socket(pid()?, libc::SOCK_STREAM, 0) }.into()),
        "multipath-tcp" => {
            // SAFETY: as above.
            result(unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_MPTCP) }.into())
        }
        "fast-open" => {
            // SAFETY: as above; without the filter, it fails as its descriptor is none.
            result(unsafe { libc::sendto(-1, std::ptr::null(), 0, libc::MSG_FASTOPEN, std::ptr::null(), 0) } as i64)
        }
        // SAFETY: as above; signal 0 checks whether a signal could be sent.
        "signal" => result(unsafe { libc::kill(pid()?, 0) }.into()),
        // SAFETY: as above.
        "trace" => result(unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid()?, 0, 0) }),
        // SAFETY: as above.
        "unshare" => result(unsafe { libc::unshare(libc::CLONE_NEWUSER) }.into()),
        // SAFETY: as above.
        "session" => result(unsafe { libc::setsid() }.into()),
        // SAFETY: as above; with these null pointers, an allowed call fails with EFAULT.
        "mount" => result(unsafe { libc::syscall(libc::SYS_mount, 0, 0, 0, 0, 0) }),
        // SAFETY: as above.
        "bpf" => result(unsafe { libc::syscall(libc::SYS_bpf, 0, 0, 0) }),
        // SAFETY: as above.
        "io-uring" => result(unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, 0) }),
        // SAFETY: as above.
        "user-fault" => result(unsafe { libc::syscall(libc::SYS_userfaultfd, 0) }),
        // SAFETY: as above; `getpid` by its x32 number.
        "x32" => result(unsafe { libc::syscall(0x4000_0000 | libc::SYS_getpid) }),
        "allocate" => {
            let mut memory: Vec<u8> = Vec::new();
            let size = at.parse().map_err(io::Error::other)?;
            memory.try_reserve_exact(size).map_err(|_| io::Error::from_raw_os_error(libc::ENOMEM))
        }
        "adjust-limit" => {
            // SAFETY: a null pointer asks for no change and stores no limit.
            result(unsafe { libc::prlimit(pid()?, libc::RLIMIT_NOFILE, std::ptr::null(), std::ptr::null_mut()) }.into())
        }
        _ if Path::new(what).is_absolute() => Err(io::Error::other("give what to attempt")),
        _ => Err(io::Error::other(format!("unknown attempt {what}"))),
    }
}

fn result(returned: i64) -> io::Result<()> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn name(error: &io::Error) -> String {
    let names = [
        (libc::EACCES, "EACCES"),
        (libc::EPERM, "EPERM"),
        (libc::ENOENT, "ENOENT"),
        (libc::ENOMEM, "ENOMEM"),
        (libc::ENOSYS, "ENOSYS"),
        (libc::EXDEV, "EXDEV"),
        (libc::ECONNREFUSED, "ECONNREFUSED"),
    ];
    let known = names.iter().find(|(code, _)| error.raw_os_error() == Some(*code));
    known.map_or_else(|| error.to_string(), |(_, name)| (*name).to_owned())
}
