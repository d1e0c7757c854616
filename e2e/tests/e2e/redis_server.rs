//! A Redis server with a password, in a folder of its own, on a free port of this machine.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use aerie_e2e::wait_until;

/// A server, which is killed when it is dropped.
pub(crate) struct Redis {
    port: u16,
    folder: PathBuf,
    process: Option<Child>,
}

impl Redis {
    /// Starts a server that writes what it counts to a file.
    pub(crate) fn start(folder: PathBuf) -> Self {
        std::fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let mut server = Self { port, folder, process: None };
        server.restart();
        server
    }

    pub(crate) fn restart(&mut self) {
        let program = std::env::var("AERIE_TEST_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
        let process = Command::new(program)
            .args(["--bind", "127.0.0.1", "--port", &self.port.to_string(), "--save", "", "--loglevel", "warning"])
            .args(["--requirepass", "s3cr3t", "--appendonly", "yes", "--dir"])
            .arg(&self.folder)
            .stdout(Stdio::null())
            .spawn();
        self.process = Some(process.expect("redis-server starts"));
        wait_until("Redis starts", Duration::from_secs(10), || {
            TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()
        });
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub(crate) fn url(&self, password: &str) -> String {
        format!("redis://:{password}@127.0.0.1:{}", self.port)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}
