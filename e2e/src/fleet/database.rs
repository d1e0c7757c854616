//! A PostgreSQL server with a synchronous replica, and what a failover manager does.

use std::io::Write;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::processes::{Process, die_with_us};

pub(super) const PASSWORD: &str = "test";
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Two servers, of which one accepts writes.
pub(super) struct Database {
    servers: [Server; 2],
    primary: usize,
    replica: Replica,
}

struct Server {
    data: PathBuf,
    port: u16,
    process: Option<Process>,
}

/// The state of the other server.
enum Replica {
    /// Every commit waits for it.
    Synchronous,
    /// A copy of the primary is being made.
    Copied(Child),
    /// It starts; then commits begin to wait for it.
    Joins,
    /// It has been promoted; the other server is dead.
    Promoted,
}

/// Where a program of PostgreSQL is: servers are usually in a folder that is not searched.
fn program(name: &str) -> PathBuf {
    let find = "command -v \"$0\" || ls -d /usr/lib/postgresql/*/bin/\"$0\" | tail -n 1";
    let found = Command::new("sh").args(["-c", find, name]).output().expect("sh starts");
    PathBuf::from(String::from_utf8_lossy(&found.stdout).trim())
}

/// A command that runs as a user who may run PostgreSQL, which refuses to run as root, and that ends with this process.
fn postgres(program: &str) -> Command {
    let mut command = die_with_us();
    if rustix::process::getuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
    }
    command.arg(self::program(program)).stdin(Stdio::null()).env("PGPASSWORD", PASSWORD);
    command
}

fn succeed(command: &mut Command) {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn copy(from: &Path, to: &Path) {
    succeed(Command::new("cp").arg("--archive").arg(from).arg(to));
}

/// Gives a folder to the user who runs PostgreSQL.
pub(super) fn own(folder: &Path) {
    if rustix::process::getuid().is_root() {
        succeed(Command::new("chown").arg("postgres:postgres").arg(folder));
    }
}

/// Creates an empty database in `folder/template`, and has `prepare` fill it over this port.
pub(super) fn create_template(folder: &Path, prepare: impl FnOnce(u16)) {
    let mut server = Single::create(folder);
    prepare(server.port());
    server.stop();
}

/// A server without a replica.
pub(super) struct Single(Server);

impl Single {
    /// Creates an empty database in `folder/template`, and starts its server.
    pub(super) fn create(folder: &Path) -> Self {
        let (data, password) = (folder.join("template"), folder.join("password"));
        std::fs::write(&password, PASSWORD).expect("a file");
        own(folder);
        let initdb =
            ["--username", "postgres", "--encoding", "UTF8", "--auth", "scram-sha-256", "--locale", "C", "--no-sync"];
        succeed(postgres("initdb").args(initdb).arg("--pgdata").arg(&data).arg("--pwfile").arg(&password));
        let access = "host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n";
        std::fs::write(data.join("pg_hba.conf"), access).expect("a file");
        let mut server = Server::new(data);
        server.start();
        server.wait_until("select 1", "1");
        Self(server)
    }

    pub(super) fn port(&self) -> u16 {
        self.0.port
    }

    /// Runs a statement; returns its values, or `None` if it fails.
    pub(super) fn query(&self, statement: &str) -> Option<String> {
        self.0.query(statement)
    }

    /// Begins to run a statement.
    pub(super) fn spawn(&self, statement: &str) -> Child {
        self.0.psql(statement).stdout(Stdio::null()).spawn().expect("psql starts")
    }

    pub(super) fn stop(&mut self) {
        succeed(postgres("pg_ctl").arg("--pgdata").arg(&self.0.data).args(["--mode", "fast", "--wait", "stop"]));
        self.0.process.take().expect("it runs").wait();
    }
}

impl Database {
    /// Starts both servers with copies of the template.
    pub(super) fn start(template: &Path, folder: &Path) -> Self {
        own(folder);
        let servers = ["one", "two"].map(|name| {
            let data = folder.join(name);
            copy(template, &data);
            Server::new(data)
        });
        let mut database = Self { servers, primary: 0, replica: Replica::Synchronous };
        database.servers[0].configure("synchronous_standby_names = '*'");
        database.servers[0].start();
        database.follow();
        database.servers[0].wait_until("select 1", "1");
        database.servers[0].wait_until(STREAMS, "sync");
        database
    }

    pub(super) fn ports(&self) -> [u16; 2] {
        [self.servers[0].port, self.servers[1].port]
    }

    /// Starts the replica as one of the primary.
    fn follow(&mut self) {
        let (port, replica) = (self.servers[self.primary].port, &mut self.servers[1 - self.primary]);
        replica.configure(&format!(
            "synchronous_standby_names = ''\nprimary_conninfo = 'host=127.0.0.1 port={port} user=postgres \
             password={PASSWORD} connect_timeout=2'"
        ));
        std::fs::write(replica.data.join("standby.signal"), "").expect("a file");
        replica.start();
    }

    /// Whether every commit waits for the replica, so that a fault may follow.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.replica, Replica::Synchronous)
    }

    pub(super) fn primary(&mut self) -> &mut Process {
        self.servers[self.primary].process.as_mut().expect("it was started")
    }

    pub(super) fn standby(&mut self) -> &mut Process {
        self.servers[1 - self.primary].process.as_mut().expect("it was started")
    }

    pub(super) fn restart_primary(&mut self) {
        self.servers[self.primary].start();
    }

    pub(super) fn restart_standby(&mut self) {
        self.servers[1 - self.primary].start();
    }

    /// Promotes the replica. The primary has been killed before, which is what a failover manager makes sure of.
    pub(super) fn promote(&mut self) {
        self.primary = 1 - self.primary;
        succeed(
            postgres("pg_ctl").arg("--pgdata").arg(&self.servers[self.primary].data).args(["--no-wait", "promote"]),
        );
        self.replica = Replica::Promoted;
    }

    /// Continues what a failover has begun, without waiting.
    pub(super) fn tend(&mut self) {
        match &mut self.replica {
            Replica::Synchronous => {}
            Replica::Promoted => {
                if self.query("select pg_is_in_recovery()").as_deref() == Some("f") {
                    let (from, to) = (self.servers[self.primary].port, &self.servers[1 - self.primary].data);
                    std::fs::remove_dir_all(to).expect("the folder of the dead server");
                    let mut copying = postgres("pg_basebackup");
                    copying.args([
                        "--host",
                        "127.0.0.1",
                        "--username",
                        "postgres",
                        "--checkpoint",
                        "fast",
                        "--no-sync",
                    ]);
                    copying.args(["--port", &from.to_string(), "--pgdata"]).arg(to);
                    let copying = copying.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
                    self.replica = Replica::Copied(copying.expect("the program starts"));
                }
            }
            Replica::Copied(copying) => match copying.try_wait().expect("our child process") {
                Some(status) if status.success() => {
                    self.follow();
                    self.replica = Replica::Joins;
                }
                Some(_) => {
                    // The folder may be there in part, or not.
                    let _ = std::fs::create_dir(&self.servers[1 - self.primary].data);
                    self.replica = Replica::Promoted;
                }
                None => {}
            },
            Replica::Joins => {
                if self.query(STREAMS).as_deref() == Some("async") {
                    let wait = "alter system set synchronous_standby_names = '*'";
                    if self.query(wait).is_some() && self.query("select pg_reload_conf()").is_some() {
                        self.replica = Replica::Synchronous;
                    }
                }
            }
        }
    }

    /// Runs a statement on the primary; returns its values, or `None` if it fails.
    pub(super) fn query(&self, statement: &str) -> Option<String> {
        self.servers[self.primary].query(statement)
    }

    /// Ends both servers.
    pub(super) fn stop(&mut self) {
        if let Replica::Copied(copying) = &mut self.replica {
            let _ = (copying.kill(), copying.wait());
        }
        for process in self.servers.iter_mut().filter_map(|server| server.process.as_mut()) {
            process.kill_with_children();
        }
    }
}

/// How the primary sees its replica: `sync` or `async` when it streams.
const STREAMS: &str = "select sync_state from pg_stat_replication where state = 'streaming'";

impl Server {
    fn new(data: PathBuf) -> Self {
        Self { data, port: free_port(), process: None }
    }

    /// Overrides settings.
    fn configure(&self, settings: &str) {
        let file = self.data.join("postgresql.auto.conf");
        let mut file = std::fs::OpenOptions::new().append(true).open(file).expect("a configuration file");
        writeln!(file, "{settings}").expect("a write");
    }

    fn start(&mut self) {
        let mut command = postgres("postgres");
        command.arg("-D").arg(&self.data).args(["-p", &self.port.to_string()]);
        // Commits are not synced: a process that dies loses nothing that it has written.
        for setting in [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "fsync=off",
            "max_connections=250",
            "wal_retrieve_retry_interval=200ms",
            "shared_buffers=32MB",
        ] {
            command.args(["-c", setting]);
        }
        self.process = Some(Process::start(command, &self.data.with_extension("log")));
    }

    fn psql(&self, statement: &str) -> Command {
        let url = format!("host=127.0.0.1 port={} user=postgres dbname=postgres connect_timeout=3", self.port);
        let mut command = postgres("psql");
        command.env("PGOPTIONS", "-c statement_timeout=10s -c search_path=aerie,public").current_dir("/");
        command.args(["-X", "-q", "-A", "-t", "-d", &url, "-c", statement]);
        command
    }

    fn query(&self, statement: &str) -> Option<String> {
        let output = self.psql(statement).output().expect("psql starts");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn wait_until(&mut self, statement: &str, value: &str) {
        let begun = Instant::now();
        while self.query(statement).as_deref() != Some(value) {
            let log = || std::fs::read_to_string(self.data.with_extension("log")).unwrap_or_default();
            assert!(begun.elapsed() < START_TIMEOUT, "{statement} is not {value}: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A port that is free now.
pub(super) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}
