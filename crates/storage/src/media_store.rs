//! Media files, on any backend of `object_store`.

use std::fmt::Debug;
use std::io::{ErrorKind, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::OrgId;
use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use jiff::Timestamp;
use object_store::memory::InMemory;
use object_store::path::Path as Key;
use object_store::{
    Attribute, AttributeValue, Attributes, GetOptions, GetRange, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload,
};
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

use crate::media_link::hex;
use crate::media_requests::{MediaOperation, MediaRequests};

/// Size of an upload's parts in bytes; smaller files are one PUT. S3 accepts no parts below 5 MiB but the last, and a slow
/// uplink sends a small part within the time-out of a request.
pub const PART_SIZE: usize = 5 << 20;

/// Keeps media under keys such as `ORGANIZATION/JOB/ATTEMPT/video.mp4`. The attempt in the key keeps a worker that has
/// lost its lease from overwriting what the winner publishes.
#[derive(Debug, Clone)]
pub struct MediaStore {
    objects: Arc<dyn ObjectStore>,
    /// Signs links to the backend itself; with it, objects carry their type and checksum.
    signer: Option<Arc<dyn SignsLinks>>,
    requests: Arc<MediaRequests>,
}

/// Signs links that let clients download directly from the backend.
#[async_trait]
pub trait SignsLinks: Debug + Send + Sync {
    /// A link to the object that is valid for so long, and whose response has these headers.
    async fn signed_link(&self, link: DirectLink<'_>) -> Result<String, object_store::Error>;
}

/// A link to an object on its backend.
#[derive(Debug)]
pub struct DirectLink<'a> {
    /// The object.
    pub key: &'a Key,
    /// Whether the link is for `HEAD` instead of `GET`: signatures cover the method.
    pub head: bool,
    /// How long it is valid.
    pub lifetime: Duration,
    /// `Content-Type` of the response.
    pub content_type: &'static str,
    /// `Content-Disposition` of the response.
    pub disposition: String,
    /// `Cache-Control` of the response.
    pub cache_control: &'static str,
}

/// `Cache-Control` of media: the content under a key never changes.
pub const MEDIA_CACHE_CONTROL: &str = "private, max-age=604800, immutable";

/// How long a link to the backend is valid.
pub const DIRECT_LINK_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// Name of the object's SHA-256, in hexadecimal digits, among its metadata.
const CHECKSUM: &str = "sha256";

/// Key that [`MediaStore::media_check_use`] writes. It belongs to no organization, so that sweeps leave it alone.
const PROBE: &str = "aerie-probe";

/// Prefix of what [`MediaStore::media_check_upkeep`] writes and deletes.
const PROBE_FOLDER: &str = "aerie-probes";

/// A media file, or a range of it.
pub struct Media {
    /// Size of the whole file in bytes.
    pub size: u64,
    /// Changes when the content does.
    pub etag: String,
    /// When it was stored.
    pub modified: Timestamp,
    /// The range of bytes in `content`.
    pub range: Range<u64>,
    /// The bytes.
    pub content: BoxStream<'static, Result<Bytes, MediaError>>,
}

/// A stored media file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFile {
    /// Its key.
    pub key: String,
    /// Size in bytes.
    pub size: u64,
    /// When it was stored.
    pub modified: Timestamp,
}

/// Why an operation on media failed.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// No media are stored under the key.
    #[error("no such media")]
    NotFound,
    /// The key is malformed.
    #[error("not a media key: {0}")]
    BadKey(String),
    /// The local file could not be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// What was read is not what was stored.
    #[error("the media under {0} are damaged: their checksum differs")]
    Damaged(String),
    /// The backend failed.
    #[error("the media store failed: {0}")]
    Backend(#[source] object_store::Error),
}

impl MediaError {
    /// Whether the cause is a full disk.
    #[must_use]
    pub fn is_full_disk(&self) -> bool {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            let io = error.downcast_ref::<std::io::Error>();
            if io.is_some_and(|io| matches!(io.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl From<object_store::Error> for MediaError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => MediaError::NotFound,
            other => MediaError::Backend(other),
        }
    }
}

impl MediaStore {
    /// Media on a backend of `object_store`. What is written must be durable when the backend returns. Media in a local
    /// folder: [`LocalMedia`](crate::LocalMedia).
    #[must_use]
    pub fn new(objects: Arc<dyn ObjectStore>) -> Self {
        Self { objects, signer: None, requests: Arc::default() }
    }

    /// Media on a backend that signs links to itself, keeps attributes of objects, and verifies what is uploaded. They are
    /// stored with their type and checksum, and the checksum is verified whenever they are read whole.
    #[must_use]
    pub fn with_signer(objects: Arc<dyn ObjectStore>, signer: Arc<dyn SignsLinks>) -> Self {
        Self { objects, signer: Some(signer), requests: Arc::default() }
    }

    /// Whether listing all media is too slow or costly to find what can be deleted, as it is on another machine.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.signer.is_some()
    }

    /// Number of requests to the backend that succeeded, and that failed, since this process opened it.
    #[must_use]
    pub fn requests(&self, operation: MediaOperation) -> [u64; 2] {
        self.requests.of(operation)
    }

    /// Media in memory, for tests.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::new(Arc::new(InMemory::new()))
    }

    /// Stores a file under `key`; returns its size in bytes.
    ///
    /// # Errors
    /// When the file cannot be read or the backend fails. Nothing is visible under the key then.
    pub async fn media_put(&self, key: &str, file: &Path) -> Result<u64, MediaError> {
        // Before the file is opened: a bad key is the caller's mistake, whatever the file.
        let key = parse(key)?;
        self.put(&key, File::open(file).await?).await
    }

    /// Stores the rest of an open file under `key`; returns its size in bytes.
    ///
    /// # Errors
    /// As [`MediaStore::media_put`].
    pub async fn media_put_file(&self, key: &str, file: std::fs::File) -> Result<u64, MediaError> {
        self.put(&parse(key)?, File::from_std(file)).await
    }

    /// Stores content that is in memory under `key`, in one request.
    ///
    /// # Errors
    /// As [`MediaStore::media_put`].
    pub async fn media_put_bytes(&self, key: &str, content: Vec<u8>) -> Result<(), MediaError> {
        let key = parse(key)?;
        let attributes = match self.signer {
            Some(_) => attributes(&key, &Sha256::digest(&content)),
            None => Attributes::new(),
        };
        let options = PutOptions { attributes, ..PutOptions::default() };
        self.requests.count(MediaOperation::Put, self.objects.put_opts(&key, content.into(), options).await)?;
        Ok(())
    }

    async fn put(&self, key: &Key, mut source: File) -> Result<u64, MediaError> {
        let attributes = match self.signer {
            Some(_) => described(key, &mut source).await?,
            None => Attributes::new(),
        };
        let first = next_part(&mut source).await?;
        if first.len() < PART_SIZE {
            let size = first.len() as u64;
            let options = PutOptions { attributes, ..PutOptions::default() };
            self.requests.count(MediaOperation::Put, self.objects.put_opts(key, first.into(), options).await)?;
            return Ok(size);
        }
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let mut upload =
            self.requests.count(MediaOperation::Put, self.objects.put_multipart_opts(key, options).await)?;
        match put_parts(&mut *upload, first, &mut source, &self.requests).await {
            Ok(size) => Ok(size),
            Err(error) => {
                if let Err(error) = upload.abort().await {
                    tracing::warn!(%error, %key, "a failed upload could not be aborted");
                }
                Err(error)
            }
        }
    }

    /// Size, tag and age of the media under `key`, without content.
    ///
    /// # Errors
    /// When there are none, or the backend fails.
    pub async fn media_head(&self, key: &str) -> Result<Media, MediaError> {
        let meta = self.requests.count(MediaOperation::Head, self.objects.head(&parse(key)?).await)?;
        Ok(media(meta, 0..0, futures_util::stream::empty().boxed()))
    }

    /// The media under `key`, or a range of their bytes, streamed.
    ///
    /// # Errors
    /// When there are none, the range begins beyond the end, or the backend fails.
    pub async fn media_get(&self, key: &str, range: Option<Range<u64>>) -> Result<Media, MediaError> {
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.requests.count(MediaOperation::Get, self.objects.get_opts(&parse(key)?, options).await)?;
        let (meta, range) = (found.meta.clone(), found.range.clone());
        let checksum = found.attributes.get(&Attribute::Metadata(CHECKSUM.into())).map(|sum| sum.as_ref().to_owned());
        let content = found.into_stream().map_err(MediaError::from).boxed();
        let content = match checksum.filter(|_| range == (0..meta.size)) {
            Some(checksum) => verified(content, key.to_owned(), checksum, Arc::clone(&self.requests)),
            None => content,
        };
        Ok(media(meta, range, content))
    }

    /// A link to the media under `key` on the backend itself, which it answers with this type, for showing in a browser;
    /// valid for [`DIRECT_LINK_LIFETIME`]. `None` where the backend has no such links.
    ///
    /// # Errors
    /// When the backend has no credentials to sign with.
    pub async fn media_direct_link(&self, key: &str, head: bool) -> Result<Option<String>, MediaError> {
        let Some(signer) = &self.signer else { return Ok(None) };
        let link = DirectLink {
            key: &parse(key)?,
            head,
            lifetime: DIRECT_LINK_LIFETIME,
            content_type: media_type(key),
            disposition: disposition(key),
            cache_control: MEDIA_CACHE_CONTROL,
        };
        Ok(Some(signer.signed_link(link).await?))
    }

    /// Reads the small object that [`MediaStore::media_check_use`] writes. Checks are not counted as requests.
    ///
    /// # Errors
    /// When the backend fails, or the object is missing.
    pub async fn media_check(&self) -> Result<(), MediaError> {
        let found = self.objects.get(&parse(PROBE)?).await?.bytes().await?;
        if found == PROBE { Ok(()) } else { Err(MediaError::Damaged(PROBE.to_owned())) }
    }

    /// Writes and reads a small object, as jobs and clients do.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn media_check_use(&self) -> Result<(), MediaError> {
        self.objects.put(&parse(PROBE)?, PutPayload::from_static(PROBE.as_bytes())).await?;
        self.media_check().await
    }

    /// Lists, deletes, and aborts the upload of a small object, as sweeps and failed runs do.
    ///
    /// # Errors
    /// When the backend fails: with the name of the operation.
    pub async fn media_check_upkeep(&self) -> Result<(), (&'static str, MediaError)> {
        let (folder, key) = (Key::from(PROBE_FOLDER), Key::from(format!("{PROBE_FOLDER}/{PROBE}")));
        let failed = |operation| move |error: object_store::Error| (operation, MediaError::from(error));
        self.objects.put(&key, PutPayload::from_static(PROBE.as_bytes())).await.map_err(failed("write"))?;
        self.objects.list(Some(&folder)).try_for_each(async |_| Ok(())).await.map_err(failed("list"))?;
        self.objects.delete(&key).await.map_err(failed("delete"))?;
        let mut upload = self.objects.put_multipart(&key).await.map_err(failed("begin an upload of parts"))?;
        upload.abort().await.map_err(failed("abort an upload"))
    }

    /// Writes the media under `key` into a new file.
    ///
    /// # Errors
    /// When there are none, the backend fails, or the file exists or cannot be written.
    pub async fn media_fetch(&self, key: &str, file: &Path) -> Result<(), MediaError> {
        let mut media = self.media_get(key, None).await?;
        let mut file = File::create_new(file).await?;
        while let Some(bytes) = media.content.try_next().await? {
            file.write_all(&bytes).await?;
        }
        // Tokio's files write behind: this waits for the last write and its error.
        Ok(file.flush().await?)
    }

    /// Copies the media under `from` to `to`.
    ///
    /// # Errors
    /// When there are none, or the backend fails.
    pub async fn media_copy(&self, from: &str, to: &str) -> Result<(), MediaError> {
        let copied = self.objects.copy(&parse(from)?, &parse(to)?).await;
        Ok(self.requests.count(MediaOperation::Copy, copied)?)
    }

    /// Deletes the media under `prefix`, except those under the prefixes `keep`; returns how many there were.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn media_delete(&self, prefix: &str, keep: &[&str]) -> Result<usize, MediaError> {
        let keep = keep.iter().map(|keep| parse(keep)).collect::<Result<Vec<_>, _>>()?;
        let mut found: Vec<Key> =
            self.objects.list(Some(&parse(prefix)?)).map_ok(|object| object.location).try_collect().await?;
        found.retain(|key| !keep.iter().any(|keep| key.prefix_matches(keep)));
        self.delete_all(found).await
    }

    /// Deletes the media under these keys; returns how many there were, where the backend can know.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn media_delete_files(&self, keys: &[String]) -> Result<usize, MediaError> {
        self.delete_all(keys.iter().map(|key| parse(key)).collect::<Result<_, _>>()?).await
    }

    async fn delete_all(&self, keys: Vec<Key>) -> Result<usize, MediaError> {
        let mut results = self.objects.delete_stream(futures_util::stream::iter(keys.into_iter().map(Ok)).boxed());
        let mut deleted = 0;
        while let Some(result) = results.next().await {
            match self.requests.count(MediaOperation::Delete, result).map_err(MediaError::from) {
                Ok(_) => deleted += 1,
                // Another process was faster.
                Err(MediaError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(deleted)
    }

    /// The media under `prefix`, in any order.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn media_list(&self, prefix: &str) -> Result<Vec<MediaFile>, MediaError> {
        let found = self.objects.list(Some(&parse(prefix)?)).map_ok(MediaFile::from).try_collect().await;
        Ok(self.requests.count(MediaOperation::List, found)?)
    }

    /// Names one level below `prefix` under which there are media; the empty prefix is the top.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn media_prefixes(&self, prefix: &str) -> Result<Vec<String>, MediaError> {
        let prefix = if prefix.is_empty() { None } else { Some(parse(prefix)?) };
        let found = self.objects.list_with_delimiter(prefix.as_ref()).await;
        let found = self.requests.count(MediaOperation::List, found)?.common_prefixes;
        Ok(found.iter().filter_map(|key| Some(key.parts().next_back()?.as_ref().to_owned())).collect())
    }

    /// Total size of all organizations' media in bytes. Lists them all.
    ///
    /// # Errors
    /// When the backend fails.
    pub async fn media_size(&self) -> Result<u64, MediaError> {
        let mut size = 0;
        for org in self.media_prefixes("").await? {
            // Whatever else there is, such as `lost+found` on a disk of its own, is not ours.
            if org.parse::<OrgId>().is_err() {
                continue;
            }
            let mut objects = self.objects.list(Some(&parse(&org)?));
            while let Some(object) = objects.try_next().await? {
                size += object.size;
            }
        }
        Ok(size)
    }
}

impl From<ObjectMeta> for MediaFile {
    fn from(meta: ObjectMeta) -> Self {
        Self { key: meta.location.to_string(), size: meta.size, modified: modified(&meta) }
    }
}

/// The type of the media under a key. Aerie chooses the keys, so that their extension is reliable.
#[must_use]
pub fn media_type(key: &str) -> &'static str {
    match key.rsplit_once('.').map(|(_, ending)| ending) {
        Some("mp4") => "video/mp4",
        Some("jpg") => "image/jpeg",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("tif") => "image/tiff",
        Some("heic") => "image/heic",
        Some("avif") => "image/avif",
        Some("dng") => "image/x-adobe-dng",
        Some("nef") => "image/x-nikon-nef",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

fn disposition(key: &str) -> String {
    format!("inline; filename=\"{}\"", key.rsplit('/').next().unwrap_or(key))
}

/// Type and checksum of the rest of a file, which is then read from where it was.
async fn described(key: &Key, source: &mut File) -> Result<Attributes, MediaError> {
    let start = source.stream_position().await?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = source.read(&mut buffer).await?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
    }
    source.seek(SeekFrom::Start(start)).await?;
    Ok(attributes(key, &digest.finalize()))
}

/// Attributes of an object with this SHA-256.
fn attributes(key: &Key, digest: &[u8]) -> Attributes {
    let described: [(Attribute, AttributeValue); 3] = [
        (Attribute::ContentType, media_type(key.as_ref()).into()),
        (Attribute::ContentDisposition, disposition(key.as_ref()).into()),
        (Attribute::Metadata(CHECKSUM.into()), hex(digest).into()),
    ];
    described.into_iter().collect()
}

/// The content, or an error in place of its last bytes if its SHA-256 is another: a client that knows the length takes a response
/// as complete with its last byte, whatever follows.
fn verified(
    content: BoxStream<'static, Result<Bytes, MediaError>>,
    key: String,
    checksum: String,
    requests: Arc<MediaRequests>,
) -> BoxStream<'static, Result<Bytes, MediaError>> {
    let checking = Checking { content, digest: Sha256::new(), last: Bytes::new(), key, checksum, requests };
    futures_util::stream::unfold(Some(checking), async |checking| checking?.next().await).boxed()
}

/// A stream whose checksum is being computed.
struct Checking {
    content: BoxStream<'static, Result<Bytes, MediaError>>,
    digest: Sha256,
    /// What was read last, held back.
    last: Bytes,
    key: String,
    checksum: String,
    requests: Arc<MediaRequests>,
}

impl Checking {
    async fn next(mut self) -> Option<(Result<Bytes, MediaError>, Option<Self>)> {
        loop {
            match self.content.next().await {
                Some(Ok(bytes)) => {
                    self.digest.update(&bytes);
                    if bytes.is_empty() {
                        continue;
                    }
                    let before = std::mem::replace(&mut self.last, bytes);
                    if !before.is_empty() {
                        return Some((Ok(before), Some(self)));
                    }
                }
                Some(Err(error)) => return Some((Err(error), None)),
                None if hex(&self.digest.finalize()) == self.checksum => {
                    return (!self.last.is_empty()).then_some((Ok(self.last), None));
                }
                None => {
                    tracing::error!(key = self.key, "the media are damaged: their checksum differs");
                    self.requests.fail(MediaOperation::Get);
                    return Some((Err(MediaError::Damaged(self.key)), None));
                }
            }
        }
    }
}

async fn put_parts(
    upload: &mut dyn MultipartUpload,
    first: Vec<u8>,
    source: &mut File,
    requests: &MediaRequests,
) -> Result<u64, MediaError> {
    let (mut part, mut size) = (first, 0);
    while !part.is_empty() {
        size += part.len() as u64;
        requests.count(MediaOperation::Put, upload.put_part(PutPayload::from(part)).await)?;
        part = next_part(source).await?;
    }
    requests.count(MediaOperation::Put, upload.complete().await)?;
    Ok(size)
}

/// The next [`PART_SIZE`] bytes of a file, fewer at its end.
async fn next_part(source: &mut File) -> std::io::Result<Vec<u8>> {
    let mut part = Vec::new();
    source.take(PART_SIZE as u64).read_to_end(&mut part).await?;
    Ok(part)
}

pub(crate) fn parse(key: &str) -> Result<Key, MediaError> {
    let bad = || MediaError::BadKey(key.to_owned());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let segment = |segment: &str| !matches!(segment, "" | "." | "..") && segment.bytes().all(plain);
    if !key.split('/').all(segment) {
        return Err(bad());
    }
    Key::parse(key).map_err(|_| bad())
}

fn media(meta: ObjectMeta, range: Range<u64>, content: BoxStream<'static, Result<Bytes, MediaError>>) -> Media {
    let modified = modified(&meta);
    let etag = meta.e_tag.unwrap_or_else(|| format!("{}-{}", meta.size, modified.as_millisecond()));
    Media { size: meta.size, etag: etag.trim_matches('"').to_owned(), modified, range, content }
}

fn modified(meta: &ObjectMeta) -> Timestamp {
    Timestamp::from_millisecond(meta.last_modified.timestamp_millis()).unwrap_or(Timestamp::UNIX_EPOCH)
}
