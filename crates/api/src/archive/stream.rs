//! Writes an archive while it is sent: one file at a time, uncompressed, through a few buffers.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock};

use aerie_domain::OrgId;
use axum::body::{Body, Bytes};
use futures_util::{TryStreamExt, stream};
use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::ApiState;
use crate::archive::files::MediaFile;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::per_organization::{PerOrganization, Permit};

/// Size of a buffer between the files and the client, bytes, and how many of them wait for the client.
const BUFFER: usize = 32 << 10;
const BUFFERS: usize = 2;

/// Archives that are sent at once, to an organization and in all. Each holds a thread that may block, until its client has read it or is
/// too slow.
const AT_ONCE: [usize; 2] = [4, 16];

static SLOTS: LazyLock<PerOrganization> = LazyLock::new(|| PerOrganization::new(AT_ONCE[0], AT_ONCE[1]));

/// `Retry-After` while that many are being sent, seconds.
const RETRY_AFTER: u32 = 30;

/// The right to send an archive.
pub(crate) struct Slot(Permit);

impl Slot {
    /// # Errors
    /// `RATE_LIMITED` while too many archives are being sent.
    pub(crate) fn take(org_id: OrgId) -> Result<Self, ApiError> {
        SLOTS.acquire(org_id, 1).map(Self).ok_or_else(|| {
            let message = "Too many archives are being sent at the moment; try again later";
            ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER)
        })
    }
}

/// The archive as a body. Its writer waits for the client, and ends with it.
pub(crate) fn body(
    slot: Slot,
    state: Arc<ApiState>,
    described: Vec<(String, Vec<u8>)>,
    files: Vec<MediaFile>,
    now: Timestamp,
) -> Body {
    let (sender, receiver) = mpsc::channel(BUFFERS);
    tokio::task::spawn_blocking(move || {
        let Slot(_permit) = slot;
        let pipe = Pipe { sender, buffer: Vec::with_capacity(BUFFER) };
        match write(&state, pipe, (&described, &files), now) {
            Ok(mut pipe) => pipe.end(),
            // The client is gone.
            Err(ZipError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => tracing::error!(%error, "an archive ended early"),
        }
    });
    Body::from_stream(stream::try_unfold(receiver, next))
}

/// Bytes of the archive, or its end.
type Piece = Option<Bytes>;

/// The next bytes. A client must not take an archive that could not be finished for a whole one, so its connection ends with an error.
async fn next(mut pieces: mpsc::Receiver<Piece>) -> io::Result<Option<(Bytes, mpsc::Receiver<Piece>)>> {
    match pieces.recv().await {
        Some(Some(bytes)) => Ok(Some((bytes, pieces))),
        Some(None) => Ok(None),
        None => Err(io::Error::other("the archive ended early")),
    }
}

/// What the thread writes to.
struct Pipe {
    sender: mpsc::Sender<Piece>,
    buffer: Vec<u8>,
}

impl Pipe {
    fn send(&self, piece: Piece) -> io::Result<()> {
        self.sender.blocking_send(piece).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn end(&mut self) {
        let _ = self.flush().and_then(|()| self.send(None));
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BUFFER - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        if self.buffer.len() == BUFFER {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.buffer, Vec::with_capacity(BUFFER)) {
            empty if empty.is_empty() => Ok(()),
            full => self.send(Some(full.into())),
        }
    }
}

fn write(
    state: &ApiState,
    pipe: Pipe,
    (described, files): (&[(String, Vec<u8>)], &[MediaFile]),
    now: Timestamp,
) -> Result<Pipe, ZipError> {
    let runtime = Handle::current();
    let mut archive = ZipWriter::new_stream(pipe);
    for (name, content) in described {
        archive.start_file(name, options(now))?;
        archive.write_all(content)?;
    }
    for file in files {
        archive.start_file(&file.name, options(file.made_at))?;
        let mut media = runtime.block_on(state.media.media_get(&file.key, None)).map_err(io::Error::other)?;
        while let Some(bytes) = runtime.block_on(media.content.try_next()).map_err(io::Error::other)? {
            archive.write_all(&bytes)?;
        }
    }
    Ok(archive.finish()?.into_inner())
}

fn options(at: Timestamp) -> SimpleFileOptions {
    let at = at.to_zoned(jiff::tz::TimeZone::UTC);
    let number = |value: i8| value.unsigned_abs();
    let year = u16::try_from(at.year()).unwrap_or(1980);
    let time = (number(at.month()), number(at.day()), number(at.hour()), number(at.minute()), number(at.second()));
    let at = DateTime::from_date_and_time(year, time.0, time.1, time.2, time.3, time.4).unwrap_or_default();
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    options.last_modified_time(at).unix_permissions(0o644)
}
