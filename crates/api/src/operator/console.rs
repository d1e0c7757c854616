//! State of the console for operators.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aerie_storage::{StoreError, StoreSize};

use super::doctor_runs::{Doctor, DoctorRuns};
use crate::ApiState;

/// How long a measured size is shown: it costs more than other figures.
const SIZE_LIFETIME: Duration = Duration::from_secs(60);

/// The console for operators, on the admin listener.
pub struct OperatorConsole {
    pub(super) state: Arc<ApiState>,
    pub(super) doctor: DoctorRuns,
    pub(super) configuration: Option<PathBuf>,
    size: Mutex<Option<(Instant, StoreSize)>>,
}

impl OperatorConsole {
    /// The console of a server. `configuration`: the file that it was started with.
    #[must_use]
    pub fn new(state: Arc<ApiState>, doctor: Arc<dyn Doctor>, configuration: Option<PathBuf>) -> Self {
        Self { state, doctor: DoctorRuns::new(doctor), configuration, size: Mutex::new(None) }
    }

    /// The size of the database and of uploads, as it was at most a minute ago.
    pub(super) async fn size(&self) -> Result<StoreSize, StoreError> {
        let known = *self.size.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, size)) = known
            && at.elapsed() < SIZE_LIFETIME
        {
            return Ok(size);
        }
        let size = self.state.store.store_size().await?;
        *self.size.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), size));
        Ok(size)
    }
}
