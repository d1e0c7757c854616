//! What a confined task may access.

use std::fs::{DirEntry, FileType};
use std::path::{Path, PathBuf};

use aerie_confinement::environment::{CERTIFICATES, PROXIES};
use aerie_confinement::{Confinement, find_program};
use aerie_engine_api::messages::{DrawnBoundary, JobRun, Request, Task};
use aerie_engine_api::{FURNITURE, Sources};
use aerie_geodata::pack::CACHE;

/// Ports to which sources may redirect.
const USUAL_PORTS: [u16; 2] = [80, 443];

/// The confinement of a task. Tasks that are never confined have none.
pub(crate) fn confinement(request: &Request) -> Confinement {
    match &request.task {
        Task::Job(job) => of_job(job),
        // As that of jobs, without files.
        Task::CheckMachine => Confinement {
            execute: find_program("ffmpeg").into_iter().collect(),
            graphics: true,
            ..Confinement::default()
        },
        Task::ReadFurniture { folder, thumbnails } => Confinement {
            read: with_links(folder),
            write: thumbnails.iter().cloned().collect(),
            ..Confinement::default()
        },
        Task::MeasureBoundary(DrawnBoundary { annotated, clean, transform, .. }) => Confinement {
            read: [annotated, clean].into_iter().chain(transform).cloned().collect(),
            ..Confinement::default()
        },
        _ => Confinement::default(),
    }
}

/// The confinement of a job: its own files, and of the data folder what its kind needs. Never the database, other media, or
/// the configuration.
fn of_job(job: &JobRun) -> Confinement {
    let needs = job.input.job_type().kind().needs;
    let mut read: Vec<PathBuf> = job.inputs.values().cloned().collect();
    read.extend(job.parent.iter().flat_map(|parent| parent.pictures.values().cloned()));
    let mut write = vec![job.out_dir.clone(), job.temp_dir.clone()];
    if needs.maps {
        read.extend(with_links(&job.pack_dir.join("pack")));
        read.extend(with_links(&job.data_dir.join("sample")));
    }
    if needs.furniture {
        read.extend(with_links(&job.pack_dir.join(FURNITURE)));
    }
    let mut ports = Vec::new();
    if !job.sources.is_empty() {
        write.push(job.data_dir.join(CACHE));
        // Each is a file, or a list of folders.
        for value in CERTIFICATES.iter().filter_map(std::env::var_os) {
            read.extend(std::env::split_paths(&value));
        }
        ports = ports_of(&job.sources);
    }
    Confinement {
        read,
        write,
        execute: if needs.encoder { find_program("ffmpeg").into_iter().collect() } else { Vec::new() },
        graphics: needs.graphics,
        ports,
        memory: None,
    }
}

/// A folder of the operator's, and the links in it and in its folders: what these lead to is elsewhere.
fn with_links(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    let kind_is = |entry: &DirEntry, is: fn(&FileType) -> bool| entry.file_type().is_ok_and(|kind| is(&kind));
    let mut inside = entries(folder);
    let folders: Vec<PathBuf> =
        inside.iter().filter(|entry| kind_is(entry, FileType::is_dir)).map(DirEntry::path).collect();
    inside.extend(folders.iter().flat_map(|folder| entries(folder)));
    let links = inside.iter().filter(|entry| kind_is(entry, FileType::is_symlink)).map(DirEntry::path);
    links.chain([folder.to_owned()]).collect()
}

/// The ports of all sources and proxies.
fn ports_of(sources: &Sources) -> Vec<u16> {
    let proxies = PROXIES.iter().filter_map(|name| std::env::var(name).ok());
    let mut ports: Vec<u16> = sources.urls().filter_map(port).chain(proxies.filter_map(|url| port(&url))).collect();
    ports.extend(USUAL_PORTS);
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// The port that a URL names.
fn port(url: &str) -> Option<u16> {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    host.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_operator_are_followed() {
        let data = tempfile::tempdir().unwrap();
        let pack = data.path().join("pack");
        std::fs::create_dir_all(pack.join("imagery")).unwrap();
        std::fs::write(pack.join("imagery/own.mbtiles"), "").unwrap();
        std::os::unix::fs::symlink("/srv/city.mbtiles", pack.join("imagery/city.mbtiles")).unwrap();
        std::os::unix::fs::symlink("/srv/terrain", pack.join("terrain")).unwrap();
        let mut paths = with_links(&pack);
        paths.sort();
        assert_eq!(paths, [pack.clone(), pack.join("imagery/city.mbtiles"), pack.join("terrain")]);
    }

    #[test]
    fn the_port_of_a_url_is_the_one_that_it_names() {
        for (url, expected) in [
            ("http://127.0.0.1:8081/search", Some(8081)),
            ("https://user:pass@tiles.example.com:8443/{z}", Some(8443)),
            ("https://tiles.example.com/a:1/b", None),
            ("http://[::1]:99?x", Some(99)),
            ("proxy.example.com:3128", Some(3128)),
        ] {
            assert_eq!(port(url), expected, "{url}");
        }
    }
}
