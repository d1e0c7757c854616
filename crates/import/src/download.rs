//! Downloads files before they are imported: resumable, through a part file, and limited in size.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use ureq::Body;
use ureq::http::Response;

use aerie_geodata::online::client;

use crate::options::ImportProgress;

/// Maximum size of a file, bytes: more than the whole planet has.
const LARGEST: u64 = 256 << 30;
/// Maximum number of attempts when the connection is lost.
const TRIES: u32 = 5;
/// Maximum wait for the next bytes.
const STALLED: Duration = Duration::from_secs(60);
/// Interval between checks for cancellation.
const LOOK: Duration = Duration::from_millis(100);
/// Size of a read, bytes.
const PIECE: usize = 1 << 18;

/// Why a file could not be downloaded. The part that was downloaded is kept, and the next attempt resumes from it.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// The URL does not name a file.
    #[error("\"{0}\" is no URL of a file; give one like https://example.org/region.osm.pbf")]
    NoFile(String),
    /// The server does not provide it, or the connection keeps failing.
    #[error("{name} cannot be fetched: {why}")]
    Refused {
        /// Name of the file.
        name: String,
        /// The server's answer or the reason for the failure, without the URL.
        why: String,
    },
    /// A file or folder could not be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Its path.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The caller asked to stop.
    #[error("the download was canceled; the same command goes on with it")]
    Canceled,
}

/// Notes kept next to a part file.
#[derive(Default, Serialize, Deserialize)]
struct Known {
    /// Version of the server's file: its ETag, or else its Last-Modified time.
    version: Option<String>,
    /// Hash of the URL, because the URL may contain a key.
    url: String,
}

/// Whether a text is a URL rather than the path of a file.
#[must_use]
pub fn is_url(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// Downloads a file into `folder`, which is created if missing, and returns its path; the caller removes it. Resumes an
/// earlier attempt if the server's file has not changed since.
///
/// # Errors
/// The server does not provide the file, it is too large, the disk is full, or `canceled` returned `true`.
pub fn download(
    url: &str,
    folder: &Path,
    progress: &(dyn Fn(ImportProgress) + Sync),
    canceled: &(dyn Fn() -> bool + Sync),
) -> Result<PathBuf, DownloadError> {
    let name = name_of(url).ok_or_else(|| DownloadError::NoFile(url.chars().take(80).collect()))?;
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| DownloadError::Io { path, source }
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    let fetch = Fetch {
        url,
        name: &name,
        part: folder.join(format!("{name}.part")),
        notes: folder.join(format!("{name}.part.json")),
        agent: client::agent(&format!("Aerie/{}", env!("CARGO_PKG_VERSION")), None),
        progress,
        canceled,
    };
    let mut lost = 0;
    loop {
        match fetch.go_on() {
            Ok(()) => break,
            Err(Fault::Final(error)) => return Err(error),
            Err(Fault::Lost(why)) => {
                lost += 1;
                if lost == TRIES {
                    return Err(fetch.refused(format!("{why}; the same command goes on with it")));
                }
                fetch.wait(Duration::from_millis(500) * lost)?;
            }
        }
    }
    let whole = folder.join(&name);
    fs::rename(&fetch.part, &whole).map_err(io(&whole))?;
    // Harmless if it fails: notes are read only together with a part file of this name.
    fs::remove_file(&fetch.notes).ok();
    Ok(whole)
}

/// The file name in a URL, with unsafe characters replaced; `None` where there is none.
fn name_of(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?.split_once("://")?.1;
    let (_, path) = path.split_once('/')?;
    let name: String = path
        .rsplit('/')
        .next()?
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' })
        .collect();
    (!name.trim_matches('.').is_empty() && name.len() <= 200).then_some(name)
}

enum Fault {
    /// Another attempt would fail in the same way.
    Final(DownloadError),
    /// The connection was lost.
    Lost(String),
}

struct Fetch<'a> {
    url: &'a str,
    name: &'a str,
    part: PathBuf,
    notes: PathBuf,
    agent: ureq::Agent,
    progress: &'a (dyn Fn(ImportProgress) + Sync),
    canceled: &'a (dyn Fn() -> bool + Sync),
}

impl Fetch<'_> {
    fn refused(&self, why: String) -> DownloadError {
        DownloadError::Refused { name: self.name.to_owned(), why }
    }

    fn wait(&self, time: Duration) -> Result<(), DownloadError> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            if (self.canceled)() {
                return Err(DownloadError::Canceled);
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn io(&self, path: &Path, source: std::io::Error) -> Fault {
        Fault::Final(DownloadError::Io { path: path.to_owned(), source })
    }

    /// Downloads the rest of the part file.
    fn go_on(&self) -> Result<(), Fault> {
        let url = client::fingerprint(self.url);
        let known: Known =
            fs::read(&self.notes).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let version = known.version.filter(|_| known.url == url);
        let have = fs::metadata(&self.part).map_or(0, |m| m.len());
        let mut request = self.agent.get(self.url);
        if let Some(version) = version.as_ref().filter(|_| have > 0) {
            request = request.header("Range", format!("bytes={have}-")).header("If-Range", version);
        }
        let answer = request.call().map_err(|e| Fault::Lost(client::fault(&e)))?;
        let header = |name: &str| answer.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
        let length = header("Content-Length").and_then(|n| n.parse::<u64>().ok());
        let from = match answer.status().as_u16() {
            200 => 0,
            206 if header("Content-Range").is_some_and(|r| r.starts_with(&format!("bytes {have}-"))) => have,
            // The part file is complete.
            416 if header("Content-Range").is_some_and(|r| r == format!("bytes */{have}")) => return Ok(()),
            206 | 416 => {
                fs::remove_file(&self.part).map_err(|e| self.io(&self.part, e))?;
                return Err(Fault::Lost("it answers with another part than was asked for".into()));
            }
            code @ (429 | 500..) => return Err(Fault::Lost(format!("the server answers with HTTP {code}"))),
            code @ (401 | 403) => {
                return Err(Fault::Final(self.refused(format!("the server wants another key or none (HTTP {code})"))));
            }
            404 | 410 => {
                return Err(Fault::Final(self.refused("there is no such file on the server (HTTP 404)".into())));
            }
            code => return Err(Fault::Final(self.refused(format!("the server answers with HTTP {code}")))),
        };
        let total = length.map(|length| from + length);
        if total.is_some_and(|total| total > LARGEST) {
            return Err(Fault::Final(self.refused("it is larger than 256 GiB".into())));
        }
        // A weak ETag does not promise identical bytes.
        let version = header("ETag").filter(|tag| !tag.starts_with("W/")).or_else(|| header("Last-Modified"));
        let notes = serde_json::to_vec(&Known { version, url }).unwrap_or_default();
        fs::write(&self.notes, notes).map_err(|e| self.io(&self.notes, e))?;
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(from == 0)
            .append(from > 0)
            .open(&self.part)
            .map_err(|e| self.io(&self.part, e))?;
        let done = self.take(answer, from, total, &mut file)?;
        match total {
            Some(total) if done != total => Err(Fault::Lost("the connection ended early".into())),
            _ => file.sync_all().map_err(|e| self.io(&self.part, e)),
        }
    }

    /// Writes the response to the part file; returns the size of the file.
    fn take(&self, answer: Response<Body>, from: u64, total: Option<u64>, file: &mut File) -> Result<u64, Fault> {
        let (send, receive) = sync_channel::<std::io::Result<Vec<u8>>>(4);
        // A read may block indefinitely, so it runs on a thread that can be abandoned.
        std::thread::spawn(move || {
            let mut body = answer.into_body().into_with_config().limit(LARGEST).reader();
            loop {
                let mut piece = vec![0; PIECE];
                let read = body.read(&mut piece).map(|n| {
                    piece.truncate(n);
                    piece
                });
                let is_last = !matches!(&read, Ok(piece) if !piece.is_empty());
                if send.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        let (mut done, mut heard) = (from, Instant::now());
        loop {
            if (self.canceled)() {
                return Err(Fault::Final(DownloadError::Canceled));
            }
            match receive.recv_timeout(LOOK) {
                Ok(Ok(piece)) if piece.is_empty() => return Ok(done),
                Ok(Ok(piece)) => {
                    file.write_all(&piece).map_err(|e| self.io(&self.part, e))?;
                    done += piece.len() as u64;
                    heard = Instant::now();
                    let file = self.name.to_owned();
                    (self.progress)(ImportProgress { file, stage: "fetching", done, total: total.unwrap_or(0) });
                }
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Lost("the connection was lost".into()));
                }
                Err(RecvTimeoutError::Timeout) if heard.elapsed() > STALLED => {
                    return Err(Fault::Lost("nothing came for a minute".into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_its_url_and_nothing_else_gets_into_the_name() {
        let name = |url: &str| name_of(url).unwrap_or_default();
        assert_eq!(name("https://a.example/maps/region.osm.pbf?key=secret#x"), "region.osm.pbf");
        assert_eq!(name("https://a.example/N49E011.hgt.zip"), "N49E011.hgt.zip");
        assert_eq!(name("https://a.example/a/..%2f..%2fetc"), "..%2f..%2fetc".replace('%', "_"));
        for url in ["https://a.example", "https://a.example/", "https://a.example/maps/", "https://a.example/.."] {
            assert_eq!(name_of(url), None, "{url}");
        }
    }
}
