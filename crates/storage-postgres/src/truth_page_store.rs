//! Public pages that show altered pictures beside their originals, in the database.

use aerie_domain::{JobId, OrgId, TruthPageId};
use aerie_storage::{NewTruthPage, StoreError, TruthPage, TruthPageHeld, TruthPageStore};
use async_trait::async_trait;

use crate::{PostgresStore, in_transaction, truth_pages, with_client};

#[async_trait]
impl TruthPageStore for PostgresStore {
    async fn truth_page_create(&self, new: NewTruthPage) -> Result<TruthPage, StoreError> {
        in_transaction!(self, db => truth_pages::create(db, &new, self.time.given()))
    }

    async fn truth_page_of_job(&self, org_id: OrgId, job_id: JobId) -> Result<Option<TruthPage>, StoreError> {
        with_client!(self, db => truth_pages::one(db, truth_pages::OF_JOB, &[&org_id.0, &job_id.0]))
    }

    async fn truth_page_find(&self, code: &str) -> Result<Option<TruthPage>, StoreError> {
        with_client!(self, db => truth_pages::one(db, "code = $1", &[&code]))
    }

    async fn truth_page_revoke(
        &self,
        org_id: OrgId,
        job_id: JobId,
        erases: bool,
    ) -> Result<Option<Result<TruthPage, TruthPageHeld>>, StoreError> {
        in_transaction!(self, db => async {
            truth_pages::revoke(db, (org_id, job_id), erases, self.time.now(db).await?.as_millisecond()).await
        })
    }

    async fn truth_page_hold(&self, code: &str, is_held: bool) -> Result<Option<TruthPage>, StoreError> {
        with_client!(self, db => truth_pages::hold(db, code, is_held, self.time.given()))
    }

    async fn truth_page_list(&self, org_id: Option<OrgId>, limit: u32) -> Result<Vec<TruthPage>, StoreError> {
        with_client!(self, db => truth_pages::list(db, org_id, limit))
    }

    async fn truth_page_erase_all(&self, org_id: OrgId) -> Result<Vec<TruthPage>, StoreError> {
        in_transaction!(self, db => async {
            let now = self.time.now(db).await?.as_millisecond();
            truth_pages::erase_where(db, "org_id = $1 AND erased_at IS NULL AND held_at IS NULL", &[&org_id.0], now).await
        })
    }

    async fn truth_page_expire(&self, limit: u32) -> Result<usize, StoreError> {
        in_transaction!(self, db => async {
            let now = self.time.now(db).await?.as_millisecond();
            let condition = "expires_at <= $1 AND erased_at IS NULL AND held_at IS NULL ORDER BY expires_at LIMIT $2";
            truth_pages::erase_where(db, condition, &[&now, &i64::from(limit)], now).await.map(|erased| erased.len())
        })
    }

    async fn truth_page_files(&self, org_id: OrgId, id: TruthPageId) -> Result<Vec<String>, StoreError> {
        let found = with_client!(self, db => truth_pages::one(db, "org_id = $1 AND id = $2", &[&org_id.0, &id.0]))?;
        Ok(found.into_iter().flat_map(|page| page.files).map(|file| file.key).collect())
    }

    async fn truth_page_bytes(&self, org_id: Option<OrgId>) -> Result<u64, StoreError> {
        with_client!(self, db => truth_pages::bytes(db, org_id))
    }
}
