//! A media store on another machine that can be away.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aerie_storage::{DirectLink, MediaStore, SignsLinks};
use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

/// A media store on another machine that can be away.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remote {
    objects: Arc<InMemory>,
    is_away: Arc<AtomicBool>,
}

impl Remote {
    pub(crate) fn media(&self) -> MediaStore {
        MediaStore::with_signer(Arc::new(self.clone()), Arc::new(self.clone()))
    }

    pub(crate) fn set_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::SeqCst);
    }

    fn reach(&self) -> Result<&InMemory> {
        match self.is_away.load(Ordering::SeqCst) {
            true => Err(Error::Generic { store: "remote", source: "connection refused".into() }),
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
        self.reach()?.put_opts(at, payload, options).await
    }

    async fn put_multipart_opts(&self, at: &Path, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.reach()?.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        self.reach()?.get_opts(at, options).await
    }

    fn delete_stream(&self, at: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        match self.reach() {
            Ok(objects) => objects.delete_stream(at),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.reach() {
            Ok(objects) => objects.list(prefix),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.reach()?.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.reach()?.copy_opts(from, to, options).await
    }
}
