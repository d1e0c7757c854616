//! What a process may do, as the kernel shows it in `/proc`.

use std::fs;

/// What the kernel says about a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// Whether its system calls are filtered.
    pub is_filtered: bool,
    /// Whether programs that it starts can gain privileges.
    pub can_gain_privileges: bool,
    /// Targets of its open files, such as `/data/aerie.db` and `socket:[123]`.
    pub files: Vec<String>,
    /// Limit of its data segment in bytes.
    pub memory: Option<u64>,
    /// Names of the variables in its environment.
    pub variables: Vec<String>,
}

/// Inspects a process; `None` if it has ended.
#[must_use]
pub fn inspect(pid: u32) -> Option<Inspection> {
    let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).ok();
    let status = read("status")?;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let limits = read("limits")?;
    let memory = limits.lines().find_map(|line| line.strip_prefix("Max data size"));
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
    let files = entries.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    let files = files.map(|target| target.to_string_lossy().into_owned()).collect();
    let environment = read("environ")?;
    Some(Inspection {
        is_filtered: field("Seccomp:")? == "2",
        can_gain_privileges: field("NoNewPrivs:")? != "1",
        files,
        memory: memory.and_then(|limits| limits.split_whitespace().next()?.parse().ok()),
        variables: environment.split('\0').filter_map(|pair| Some(pair.split_once('=')?.0.to_owned())).collect(),
    })
}

impl Inspection {
    /// Open files that a process that decodes pictures of strangers must not have: the database, sockets, files of the configuration.
    #[must_use]
    pub fn forbidden_files(&self) -> Vec<&str> {
        let is_forbidden = |file: &&str| file.contains(".db") || file.starts_with("socket:") || file.ends_with(".toml");
        self.files.iter().map(String::as_str).filter(is_forbidden).collect()
    }
}
