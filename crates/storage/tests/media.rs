//! The contract of every media store, in a local folder, in memory, and on an S3 server.

#![cfg(test)]

use std::path::Path;

use aerie_storage::{LocalMedia, MediaStore};

mod local {
    use super::*;

    async fn open(folder: &Path) -> MediaStore {
        LocalMedia::open(folder).unwrap().store().clone()
    }

    aerie_storage::media_contract_tests!(open);
}

mod memory {
    use super::*;

    async fn open(_: &Path) -> MediaStore {
        MediaStore::in_memory()
    }

    aerie_storage::media_contract_tests!(open);
}

/// On the server that `AERIE_TEST_S3` names, with a prefix for each test in the bucket `aerie`: `e2e/s3.sh` starts one.
mod s3 {
    use std::sync::Arc;

    use object_store::aws::AmazonS3Builder;
    use object_store::prefix::PrefixStore;

    use super::*;

    async fn open(folder: &Path) -> MediaStore {
        let url = std::env::var("AERIE_TEST_S3").expect("AERIE_TEST_S3 is the URL of an S3 server");
        // Fails when another test has installed it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let bucket = AmazonS3Builder::new()
            .with_endpoint(url)
            .with_allow_http(true)
            .with_region("us-east-1")
            .with_bucket_name("aerie")
            .with_access_key_id("test")
            .with_secret_access_key("test")
            .build()
            .unwrap();
        // The name of a temporary folder is unique.
        let prefix = folder.parent().and_then(Path::file_name).unwrap().to_str().unwrap().replace('.', "");
        MediaStore::new(Arc::new(PrefixStore::new(bucket, prefix)))
    }

    aerie_storage::media_contract_tests!(
        #[ignore = "needs an S3 server: AERIE_TEST_S3=http://..."]
        open
    );
}
