//! Ceph's S3 server, radosgw, on an in-memory store that outlives its kills.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::database::free_port;
use super::processes::{Process, die_with_us};

pub(super) const ACCESS_KEY: &str = "aerie";
pub(super) const SECRET: &str = "aerieaerie";

const START_TIMEOUT: Duration = Duration::from_secs(120);

pub(super) struct Objects {
    folder: PathBuf,
    pub(super) port: u16,
    pub(super) server: Process,
    /// Monitor, manager and OSD, which end with it.
    _store: Process,
}

impl Objects {
    /// Whether the programs of the server are there.
    pub(super) fn are_installed() -> bool {
        let has = |program: &str| {
            let found = Command::new("sh").args(["-c", "command -v \"$0\"", program]).stdout(Stdio::null()).status();
            found.is_ok_and(|status| status.success())
        };
        ["radosgw", "ceph-mon", "ceph-mgr", "ceph-osd"].into_iter().all(has)
    }

    /// Starts the server with an empty bucket; `None` if it is not installed.
    pub(super) fn start(folder: &Path) -> Option<Self> {
        if !Self::are_installed() {
            return None;
        }
        std::fs::create_dir(folder).expect("a folder");
        let mut store = die_with_us();
        store.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/radosgw.sh")).arg(folder).arg(SECRET);
        let log = folder.with_extension("log");
        let store = Process::start(store, &log);
        let begun = Instant::now();
        while !std::fs::read_to_string(&log).unwrap_or_default().contains("ready") {
            let out = || std::fs::read_to_string(folder.join("out")).unwrap_or_default();
            assert!(begun.elapsed() < START_TIMEOUT, "the store of radosgw does not start: {}", out());
            std::thread::sleep(Duration::from_millis(100));
        }
        let port = free_port();
        let objects = Self { folder: folder.to_owned(), port, server: radosgw(folder, port), _store: store };
        while !objects.create_bucket() {
            assert!(begun.elapsed() < START_TIMEOUT, "radosgw does not start");
            std::thread::sleep(Duration::from_millis(200));
        }
        Some(objects)
    }

    pub(super) fn restart(&mut self) {
        self.server = radosgw(&self.folder, self.port);
    }

    fn create_bucket(&self) -> bool {
        let url = format!("http://127.0.0.1:{}/aerie", self.port);
        let user = format!("{ACCESS_KEY}:{SECRET}");
        let signed = ["--user", &user, "--aws-sigv4", "aws:amz:us-east-1:s3"];
        let mut curl = Command::new("curl");
        curl.args(["-sf", "-m", "5", "--noproxy", "*", "-X", "PUT"]).args(signed);
        // Older versions of curl neither send nor sign this header by themselves.
        curl.args(["-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD"]).arg(url);
        curl.status().is_ok_and(|status| status.success())
    }
}

fn radosgw(folder: &Path, port: u16) -> Process {
    let mut command = die_with_us();
    command
        .args(["radosgw", "-n", "client.rgw", "-f", "--rgw_thread_pool_size", "32", "-c"])
        .arg(folder.join("ceph.conf"));
    command.args(["--rgw_frontends", &format!("beast endpoint=127.0.0.1:{port}")]);
    Process::start(command, &folder.join("radosgw-output.log"))
}
