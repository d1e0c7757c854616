//! What the child that runs an engine may access.

use std::fs::{DirEntry, FileType};
use std::path::{Path, PathBuf};

use aerie_confinement::{Confinement, find_program};
use aerie_engines::Sources;

use super::messages::Request;

/// Ports to which sources may redirect.
const USUAL_PORTS: [u16; 2] = [80, 443];
/// Variables with the proxy for requests to sources, as the HTTP client reads them.
pub(crate) const PROXIES: [&str; 6] =
    ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"];
/// Variables with files of trusted certificates.
pub(crate) const CERTIFICATES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The confinement of a job: its own files, and of the data folder what its kind needs. Never the database, other media, or
/// the configuration.
pub(crate) fn confinement(request: &Request) -> Confinement {
    let needs = aerie_engines::needs(request.kind);
    let data_dir = &request.data_dir;
    let mut read: Vec<PathBuf> = request.inputs.values().cloned().collect();
    read.extend(request.parent.iter().flat_map(|parent| parent.pictures.values().cloned()));
    let mut write = vec![request.out_dir.clone(), request.temp_dir.clone()];
    if needs.maps {
        read.extend(with_links(&request.pack_dir.join("pack")));
        read.extend(with_links(&data_dir.join("sample")));
    }
    if needs.furniture {
        read.extend(furniture(&request.pack_dir));
    }
    let mut ports = Vec::new();
    if !request.sources.is_empty() {
        write.push(cache(data_dir));
        // Each is a file, or a list of folders.
        for value in CERTIFICATES.iter().filter_map(std::env::var_os) {
            read.extend(std::env::split_paths(&value));
        }
        ports = ports_of(&request.sources);
    }
    Confinement {
        read,
        write,
        execute: if needs.encoder { find_program("ffmpeg").into_iter().collect() } else { Vec::new() },
        graphics: needs.graphics,
        ports,
        memory: Some(request.memory),
    }
}

/// The confinement of a child that checks the graphics device and the encoder: as that of jobs, without files.
pub(crate) fn of_checks() -> Confinement {
    Confinement { execute: find_program("ffmpeg").into_iter().collect(), graphics: true, ..Confinement::default() }
}

/// The operator's own furniture in a data folder or published pack.
pub(crate) fn furniture(pack_dir: &Path) -> Vec<PathBuf> {
    with_links(&pack_dir.join(aerie_engines::virtual_staging::FURNITURE))
}

/// A folder of the operator's, and the links in it and in its folders: what these lead to is elsewhere.
pub(crate) fn with_links(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    let kind_is = |entry: &DirEntry, is: fn(&FileType) -> bool| entry.file_type().is_ok_and(|kind| is(&kind));
    let mut inside = entries(folder);
    let folders: Vec<PathBuf> =
        inside.iter().filter(|entry| kind_is(entry, FileType::is_dir)).map(DirEntry::path).collect();
    inside.extend(folders.iter().flat_map(|folder| entries(folder)));
    let links = inside.iter().filter(|entry| kind_is(entry, FileType::is_symlink)).map(DirEntry::path);
    links.chain([folder.to_owned()]).collect()
}

/// The cache of online sources.
pub(crate) fn cache(data_dir: &Path) -> PathBuf {
    data_dir.join("cache")
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
