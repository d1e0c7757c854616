//! The contract of every media store, in a local folder and in memory.

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
