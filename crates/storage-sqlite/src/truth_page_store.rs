//! Public pages that show altered pictures beside their originals, in the database.

use aerie_domain::{JobId, OrgId, TruthPageId};
use aerie_storage::{NewTruthPage, StoreError, TruthPage, TruthPageHeld, TruthPageStore};
use async_trait::async_trait;

use crate::{SqliteStore, truth_pages};

#[async_trait]
impl TruthPageStore for SqliteStore {
    async fn truth_page_create(&self, new: NewTruthPage) -> Result<TruthPage, StoreError> {
        let now = self.now();
        self.writer.write(move |db| truth_pages::create(db, &new, now)).await
    }

    async fn truth_page_of_job(&self, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>, StoreError> {
        self.readers.read(move |db| truth_pages::of_job(db, org_id, job_id)).await
    }

    async fn truth_page_find(&self, code: &str) -> Result<Option<TruthPage>, StoreError> {
        let code = code.to_owned();
        self.readers.look_up(move |db| truth_pages::one(db, "code = ?1", &[&code])).await
    }

    async fn truth_page_revoke(
        &self,
        org_id: OrgId,
        job_id: JobId,
        erases: bool,
    ) -> Result<Option<Result<TruthPage, TruthPageHeld>>, StoreError> {
        let now = self.now();
        self.writer.write(move |db| truth_pages::revoke(db, (org_id, job_id), erases, now)).await
    }

    async fn truth_page_hold(&self, code: &str, is_held: bool) -> Result<Option<TruthPage>, StoreError> {
        let (code, now) = (code.to_owned(), self.now());
        self.writer.write(move |db| truth_pages::hold(db, &code, is_held.then_some(now))).await
    }

    async fn truth_page_list(&self, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>, StoreError> {
        self.readers.read(move |db| truth_pages::list(db, org_id, limit)).await
    }

    async fn truth_page_erase_all(&self, org_id: OrgId) -> Result<Vec<TruthPage>, StoreError> {
        let now = self.now();
        let condition = "org_id = ?1 AND erased_at IS NULL AND held_at IS NULL";
        self.writer.write(move |db| truth_pages::erase_where(db, condition, &[&org_id.to_string()], now)).await
    }

    async fn truth_page_expire(&self, limit: u32) -> Result<usize, StoreError> {
        let now = self.now();
        self.writer
            .write(move |db| {
                let condition =
                    "expires_at <= ?1 AND erased_at IS NULL AND held_at IS NULL ORDER BY expires_at LIMIT ?2";
                Ok(truth_pages::erase_where(db, condition, &[&now, &limit], now)?.len())
            })
            .await
    }

    async fn truth_page_files(&self, org_id: OrgId, id: TruthPageId) -> Result<Vec<String>, StoreError> {
        self.readers
            .read(move |db| {
                let found = truth_pages::one(db, "org_id = ?1 AND id = ?2", &[&org_id.to_string(), &id.to_string()])?;
                Ok(found.into_iter().flat_map(|page| page.files).map(|file| file.key).collect())
            })
            .await
    }

    async fn truth_page_bytes(&self, org_id: Option<OrgId>) -> Result<u64, StoreError> {
        self.readers.read(move |db| truth_pages::bytes(db, org_id)).await
    }
}
