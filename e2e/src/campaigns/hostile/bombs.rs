//! Small files that unpack to gigabytes, given to `aerie import`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use aerie_test_data::bombs::{self, Bomb};
use aerie_test_data::pbf;

use crate::ChildGuard;
use crate::campaigns::Finding;

/// Upper bounds on the time and the peak memory of an import.
const MAX_TIME: Duration = Duration::from_secs(5);
const MAX_MEMORY: u64 = 1 << 30;

/// How an import ended.
enum End {
    Refused,
    /// Why that must not be.
    Wrong(String),
}

/// Imports a map and then each bomb, which must be refused with exit code 1.
pub(super) fn check(data: &Path) -> Finding {
    let folder = data.parent().unwrap_or(data);
    let map = folder.join("map.osm.pbf");
    fs::write(&map, pbf::file(&[pbf::house()])).expect("a file");
    let mut imported = import(data, &map, folder);
    assert!(imported.wait().expect("an import").success(), "a map is imported");
    let pack = data.join("pack/region.gpkg");
    let (mut wrong, mut slowest, mut largest) = (Vec::new(), Duration::ZERO, 0);
    let bombs = bombs::all();
    for bomb in &bombs {
        let before = fs::read(&pack).expect("a pack");
        let (end, time, memory) = explode(bomb, data, folder);
        slowest = slowest.max(time);
        largest = largest.max(memory);
        let end = match end {
            End::Refused if fs::read(&pack).ok().as_ref() != Some(&before) => End::Wrong("the pack has changed".into()),
            end => end,
        };
        if let End::Wrong(why) = end {
            wrong.push(format!("{}: {why}", bomb.name));
        }
    }
    Finding {
        held: wrong.is_empty(),
        measured: format!(
            "{} files that unpack to gigabytes, {} refused; the slowest took {slowest:.1?}, the largest {} MiB{}{}",
            bombs.len(),
            bombs.len() - wrong.len(),
            largest >> 20,
            if wrong.is_empty() { "" } else { "; " },
            wrong.join("; ")
        ),
    }
}

/// Imports a bomb, and ends it where it takes too long or too much memory. Returns its time and peak memory, too.
fn explode(bomb: &Bomb, data: &Path, folder: &Path) -> (End, Duration, u64) {
    let path = folder.join(bomb.name);
    fs::write(&path, &bomb.bytes).expect("a file");
    let started = Instant::now();
    let mut child = import(data, &path, folder);
    let (mut memory, mut why) = (0, None);
    let status = loop {
        memory = peak(child.id()).max(memory);
        if let Some(status) = child.try_wait().expect("an import") {
            break status;
        }
        if started.elapsed() > MAX_TIME || memory > MAX_MEMORY {
            why = Some(format!("ended after {:.1?} with {} MiB", started.elapsed(), memory >> 20));
            child.kill().expect("an import");
            break child.wait().expect("an import");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let time = started.elapsed();
    let said = fs::read_to_string(folder.join("stderr")).unwrap_or_default();
    fs::remove_file(&path).expect("a file");
    let end = match why {
        Some(why) => End::Wrong(why),
        None if status.code() != Some(1) => End::Wrong(format!("the import ended with {status}")),
        None if !said.contains(bomb.name) || !said.contains(bomb.refusal) => {
            End::Wrong(format!("refused with: {}", said.trim()))
        }
        None => End::Refused,
    };
    (end, time, memory)
}

fn import(data: &Path, path: &Path, folder: &Path) -> ChildGuard {
    let stderr = fs::File::create(folder.join("stderr")).expect("a file");
    let mut command = Command::new(crate::aerie());
    command.arg("import").arg(path).arg("--data").arg(data);
    ChildGuard::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr))
}

/// Peak memory of a process, bytes; 0 once it has ended.
fn peak(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) << 10
}
