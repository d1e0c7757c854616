//! Media on another machine that cannot be reached, or refuses some objects, for tests of their callers.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use crate::{DirectLink, MediaStore, SignsLinks};

/// Objects on another machine.
#[derive(Debug, Clone, Default)]
pub struct Remote {
    objects: Arc<InMemory>,
    is_unreachable: Arc<AtomicBool>,
    refused: Arc<Mutex<Option<Path>>>,
}

impl Remote {
    /// Media in these objects.
    #[must_use]
    pub fn media(&self) -> MediaStore {
        MediaStore::with_signer(Arc::new(self.clone()), Arc::new(self.clone()))
    }

    /// The objects themselves.
    #[must_use]
    pub fn objects(&self) -> &InMemory {
        &self.objects
    }

    /// Sets whether every request fails.
    pub fn set_unreachable(&self, is_unreachable: bool) {
        self.is_unreachable.store(is_unreachable, Ordering::SeqCst);
    }

    /// Has every request for objects under a prefix fail.
    pub fn refuse(&self, prefix: &str) {
        *self.refused.lock().unwrap() = Some(prefix.into());
    }

    fn reach(&self, at: Option<&Path>) -> Result<&InMemory> {
        let refused = self.refused.lock().unwrap();
        let is_refused = at.zip(refused.as_ref()).is_some_and(|(at, refused)| at.prefix_matches(refused));
        match is_refused || self.is_unreachable.load(Ordering::SeqCst) {
            true => Err(Error::Generic { store: "remote", source: "the request was refused".into() }),
            false => Ok(&self.objects),
        }
    }
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("remote")
    }
}

#[async_trait]
impl SignsLinks for Remote {
    async fn signed_link(&self, link: DirectLink<'_>) -> Result<String> {
        Ok(format!("https://bucket.test/{}", link.key))
    }
}

#[async_trait]
impl ObjectStore for Remote {
    async fn put_opts(&self, at: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.reach(Some(at))?.put_opts(at, payload, options).await
    }

    async fn put_multipart_opts(&self, at: &Path, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.reach(Some(at))?.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        self.reach(Some(at))?.get_opts(at, options).await
    }

    fn delete_stream(&self, at: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        match self.reach(None) {
            Ok(objects) => objects.delete_stream(at),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.reach(prefix) {
            Ok(objects) => objects.list(prefix),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.reach(prefix)?.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.reach(Some(from))?.copy_opts(from, to, options).await
    }
}
