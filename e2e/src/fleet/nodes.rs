//! API nodes and workers, each with links of its own to the servers.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use super::database::{PASSWORD, free_port};
use super::links::{Link, Mode};
use super::objects::{ACCESS_KEY, SECRET};
use super::plan::{Nodes, Service};
use super::processes::{Process, die_with_us};
use super::{APIS, WORKERS};
use crate::aerie;

/// How soon a node that has ended by itself is started again, as a service manager does.
const RESTART_WAIT: Duration = Duration::from_millis(500);

/// A node that ends so late has not failed to start.
const STARTED: Duration = Duration::from_secs(20);

/// Where nodes find what they share.
pub(super) struct Shared {
    /// Ports of the database servers.
    pub(super) database: [u16; 2],
    /// Port of the S3 server.
    pub(super) objects: Option<u16>,
    /// Folder for media, where there is no S3 server.
    pub(super) media: PathBuf,
    /// Prefix of the media in the bucket.
    pub(super) prefix: String,
    /// Whether clients are redirected to the bucket.
    pub(super) redirects: bool,
}

/// An API node or a worker.
pub(super) struct Node {
    arguments: Vec<String>,
    log: PathBuf,
    process: Option<Process>,
    /// When to start it again.
    restart: Option<Instant>,
    database: Vec<Link>,
    objects: Option<Link>,
    /// How often it has ended by itself.
    pub(super) exits: u32,
    /// How long it had run each time that it ended by itself although it had started.
    ends: Vec<Duration>,
}

/// All nodes.
pub(super) struct Fleet {
    pub(super) apis: Vec<Node>,
    pub(super) workers: Vec<Node>,
    /// Base URLs of the API nodes.
    pub(super) urls: Vec<String>,
}

/// The configuration of a node.
pub(super) fn configuration(name: &str, database: &str, media: &str) -> String {
    format!(
        "worker_memory = 1024\n\
         [plans.campaign]\nper_minute = 1000000000\nper_day = 1000000000\n\
         [store]\nurl = \"postgres://postgres:{PASSWORD}@{database}/postgres?application_name={name}\"\n\
         connections = 8\n\
         [media]\nreserve_gib = 0.01\n{media}\n[credentials]\nenabled = false\n"
    )
}

/// The configuration of media on the S3 server at a port.
fn bucket(shared: &Shared, port: u16) -> String {
    let (prefix, delivery) = (&shared.prefix, if shared.redirects { "redirect" } else { "proxy" });
    format!(
        "url = \"s3://aerie/{prefix}\"\ndelivery = \"{delivery}\"\nendpoint = \"http://127.0.0.1:{port}\"\nregion = \"us-east-1\"\n\
         access_key_id = \"{ACCESS_KEY}\"\nsecret_access_key = \"{SECRET}\"\nallow_http = true"
    )
}

impl Fleet {
    /// Starts all nodes; they may not be ready yet.
    pub(super) fn start(runtime: &Handle, folder: &Path, shared: &Shared) -> Self {
        let mut urls = Vec::new();
        let apis = (0..APIS).map(|number| {
            let address = format!("127.0.0.1:{}", free_port());
            urls.push(format!("http://{address}"));
            Node::new(
                runtime,
                folder,
                shared,
                &format!("api-{number}"),
                &["serve", "--workers", "0", "--listen", &address],
            )
        });
        let apis = apis.collect();
        let workers = (0..WORKERS).map(|n| Node::new(runtime, folder, shared, &format!("worker-{n}"), &["worker"]));
        let mut fleet = Self { apis, workers: workers.collect(), urls };
        for node in fleet.nodes() {
            node.start();
        }
        fleet
    }

    fn nodes(&mut self) -> impl Iterator<Item = &mut Node> {
        self.apis.iter_mut().chain(&mut self.workers)
    }

    /// Starts nodes again that have ended by themselves.
    pub(super) fn tend(&mut self) {
        for node in self.nodes() {
            node.tend();
        }
    }

    /// Sets what the links of these nodes to a server do.
    pub(super) fn set_links(&mut self, nodes: Nodes, service: Service, mode: Mode) {
        for (number, node) in self.apis.iter().enumerate().filter(|(number, _)| nodes.has_api(*number)) {
            node.set_links(service, mode).unwrap_or_else(|error| panic!("links of API node {number}: {error}"));
        }
        for (number, node) in self.workers.iter().enumerate().filter(|(number, _)| nodes.has_worker(*number)) {
            node.set_links(service, mode).unwrap_or_else(|error| panic!("links of worker {number}: {error}"));
        }
    }

    /// How often nodes have ended by themselves.
    pub(super) fn exits(&self) -> u32 {
        self.apis.iter().chain(&self.workers).map(|node| node.exits).sum()
    }

    /// Nodes that have ended by themselves although they had started. One that is started while it cannot reach the database
    /// may end.
    pub(super) fn unexpected_ends(&self) -> Vec<String> {
        let nodes = self.apis.iter().chain(&self.workers);
        let ends = nodes.flat_map(|node| node.ends.iter().map(move |end| (node.log.file_stem(), end)));
        let name = |stem: Option<&std::ffi::OsStr>| stem.unwrap_or_default().to_string_lossy().into_owned();
        ends.map(|(stem, end)| format!("ended: {} by itself after {:.0} s", name(stem), end.as_secs_f64())).collect()
    }

    pub(super) fn stop(&mut self) {
        for node in self.nodes() {
            if let Some(mut process) = node.process.take() {
                process.kill_with_children();
            }
        }
    }
}

impl Node {
    fn new(runtime: &Handle, folder: &Path, shared: &Shared, name: &str, arguments: &[&str]) -> Self {
        let link = |port| Link::open(runtime, port).expect("a port");
        let database: Vec<Link> = shared.database.into_iter().map(link).collect();
        let objects = shared.objects.map(link);
        let media = match &objects {
            Some(link) => bucket(shared, link.port),
            None => format!("url = \"file:{}\"", shared.media.display()),
        };
        let (data, file) = (folder.join(name), folder.join(name).with_extension("toml"));
        let hosts: Vec<String> = database.iter().map(|link| format!("127.0.0.1:{}", link.port)).collect();
        std::fs::write(&file, configuration(name, &hosts.join(","), &media)).expect("a file");
        let mut arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        arguments.extend(["--data".to_owned(), data.display().to_string()]);
        arguments.extend(["--config".to_owned(), file.display().to_string()]);
        let log = data.with_extension("log");
        Self { arguments, log, process: None, restart: None, database, objects, exits: 0, ends: Vec::new() }
    }

    fn start(&mut self) {
        let mut command = die_with_us();
        command.arg(aerie()).args(&self.arguments);
        self.process = Some(Process::start(command, &self.log));
    }

    fn tend(&mut self) {
        if self.restart.is_some_and(|at| at <= Instant::now()) {
            self.restart = None;
            self.start();
        } else if let Some(process) = &mut self.process
            && process.has_ended()
        {
            self.ends.extend(Some(process.age()).filter(|age| *age > STARTED));
            self.process = None;
            self.exits += 1;
            self.restart = Some(Instant::now() + RESTART_WAIT);
        }
    }

    /// Has the process end as if by itself, when it has run long enough for that to be a violation.
    pub(super) fn end_unexpectedly(&mut self) {
        if let Some(process) = &self.process {
            std::thread::sleep((STARTED + Duration::from_secs(1)).saturating_sub(process.age()));
            let _ = crate::signal(process.pid(), crate::Signal::KILL);
        }
    }

    /// Kills the process alone; its children must end by themselves.
    pub(super) fn kill(&mut self) {
        self.restart = None;
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// Kills the process, and starts it again at this time.
    pub(super) fn kill_until(&mut self, time: Instant) {
        self.kill();
        self.restart = Some(time);
    }

    pub(super) fn restart(&mut self) {
        if self.process.is_none() {
            self.restart = None;
            self.start();
        }
    }

    pub(super) fn freeze(&mut self) {
        if let Some(process) = &mut self.process {
            process.freeze();
        }
    }

    pub(super) fn thaw(&mut self) {
        if let Some(process) = &mut self.process {
            process.thaw();
        }
    }

    fn set_links(&self, service: Service, mode: Mode) -> std::io::Result<()> {
        match service {
            Service::Database => self.database.iter().try_for_each(|link| link.set(mode)),
            Service::Objects => self.objects.iter().try_for_each(|link| link.set(mode)),
        }
    }
}
