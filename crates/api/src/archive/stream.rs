//! Writes an archive while it is sent: one file at a time, uncompressed, through a buffer.

use std::io;
use std::sync::Arc;

use async_zip::base::write::ZipFileWriter;
use async_zip::error::ZipError;
use async_zip::{Compression, ZipDateTime, ZipEntryBuilder};
use axum::body::{Body, Bytes};
use futures_util::{AsyncWriteExt, TryStreamExt, stream};
use jiff::Timestamp;
use tokio::io::{AsyncReadExt, DuplexStream};
use tokio::task::JoinHandle;

use crate::ApiState;
use crate::archive::files::MediaFile;

/// Size of the buffer between the files and the client, bytes.
const BUFFER: usize = 64 << 10;

/// The archive as a body. Its writer waits for the client, and ends with it.
pub(crate) fn body(
    state: Arc<ApiState>,
    described: Vec<(String, Vec<u8>)>,
    files: Vec<MediaFile>,
    now: Timestamp,
) -> Body {
    let (reader, writer) = tokio::io::duplex(BUFFER);
    let writing = tokio::spawn(async move { write(&state, writer, (&described, &files), now).await });
    Body::from_stream(stream::try_unfold((reader, Some(writing)), next))
}

type Sending = (DuplexStream, Option<JoinHandle<Result<(), ZipError>>>);

/// The next bytes. A client must not take an archive that could not be finished for a whole one, so its connection ends with an error.
async fn next((mut reader, writing): Sending) -> io::Result<Option<(Bytes, Sending)>> {
    let mut bytes = Vec::with_capacity(BUFFER / 2);
    if reader.read_buf(&mut bytes).await? > 0 {
        return Ok(Some((bytes.into(), (reader, writing))));
    }
    let Some(writing) = writing else { return Ok(None) };
    match writing.await.map_err(io::Error::other)? {
        Ok(()) => Ok(None),
        Err(error) => {
            tracing::error!(%error, "an archive ended early");
            Err(io::Error::other(error))
        }
    }
}

async fn write(
    state: &ApiState,
    writer: DuplexStream,
    (described, files): (&[(String, Vec<u8>)], &[MediaFile]),
    now: Timestamp,
) -> Result<(), ZipError> {
    // Files that need 64 bits for their size are refused before, because few programs read those of unknown size.
    let mut archive = ZipFileWriter::with_tokio(writer).force_no_zip64();
    for (name, content) in described {
        archive.write_entry_whole(entry(name, now), content).await?;
    }
    for file in files {
        let failed = |error| ZipError::UpstreamReadError(io::Error::other(error));
        let mut media = state.media.media_get(&file.key, None).await.map_err(failed)?;
        let mut entry = archive.write_entry_stream(entry(&file.name, file.made_at)).await?;
        while let Some(bytes) = media.content.try_next().await.map_err(failed)? {
            entry.write_all(&bytes).await?;
        }
        entry.close().await?;
    }
    archive.close().await?;
    Ok(())
}

fn entry(name: &str, at: Timestamp) -> ZipEntryBuilder {
    let at = at.to_zoned(jiff::tz::TimeZone::UTC);
    let number = |value: i8| u32::from(value.unsigned_abs());
    let at = ZipDateTime::builder()
        .year(i32::from(at.year().max(1980)))
        .month(number(at.month()))
        .day(number(at.day()))
        .hour(number(at.hour()))
        .minute(number(at.minute()))
        .second(number(at.second()))
        .build();
    ZipEntryBuilder::new(name.into(), Compression::Stored).last_modification_date(at).unix_permissions(0o100_644)
}
