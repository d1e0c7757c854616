//! The further exposures of a photo.

use aerie_engine_api::{EngineContext, EngineError, FailureCode};
use aerie_photo::Photo;
use aerie_photo::bracket::{self, MergeError, MergeReport, Merged};

use crate::photos;

/// What is being done.
const STAGE: &str = "merging the exposures";

/// Merges the photo at `image_url` with `further` exposures in `options.exposures`.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE` or `EXPOSURE_MISMATCH`, [`EngineError::Canceled`].
pub(super) fn merge(further: usize, context: &EngineContext<'_>) -> Result<(Photo, MergeReport), EngineError> {
    let read = |number: usize, like| match number.checked_sub(1) {
        None => photos::read(context),
        Some(at) => photos::read_input(context, (&field(at), &format!("options/exposures/{at}")), like),
    };
    let step = |done: usize, all: usize| {
        context.report(STAGE, done as u64, all as u64);
        context.stop_if_canceled()
    };
    let Merged { photo, report } = bracket::merge(1 + further, read, step).map_err(refused)?;
    Ok((photo, report))
}

/// An exposure as errors name it.
fn field(at: usize) -> String {
    format!("options.exposures[{at}]")
}

fn refused(error: MergeError<EngineError>) -> EngineError {
    match error {
        MergeError::Stopped(error) => error,
        MergeError::OtherScene(number) => EngineError::fail(
            FailureCode::ExposureMismatch,
            format!(
                "`{}` does not show the view of `image_url`; all exposures must be taken from the same place in the same \
                 direction, as by exposure bracketing",
                field(number.saturating_sub(1))
            ),
        ),
    }
}
