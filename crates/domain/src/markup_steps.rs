//! The markup state machine: which step is legal at which stage, and why others are refused. Endpoints consult it before they
//! fetch anything, and the store consults it again inside the transaction of the step.

use serde_json::{Map, Value};
use strum::VariantArray;

use crate::JobStatus;

/// Stage of a markup job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum MarkupStage {
    /// Waits for a worker.
    Queued,
    /// A worker has it.
    Running,
    /// `awaiting_input`: the variants are ready, none is selected.
    Unselected,
    /// `awaiting_input`: a variant is selected.
    Selected,
    /// Annotated.
    Completed,
    /// Given up.
    Failed,
    /// Its pictures were removed.
    Expired,
}

/// A step that its owner requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkupStep {
    /// Select a variant.
    Select {
        /// Whether the job has a variant of that key.
        known: bool,
    },
    /// Submit the annotation.
    Annotate {
        /// Whether it equals the one submitted before.
        same: bool,
    },
    /// Make a video.
    Video {
        /// Whether one of the same markup is queued or running.
        active: bool,
    },
}

/// What a legal step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkupEffect {
    /// The selection is written; the job stays `awaiting_input`.
    Select,
    /// The annotation is written and the job completed.
    Complete,
    /// Nothing: it repeats an earlier step and gets the same response.
    Repeat,
    /// A video job is submitted.
    SubmitVideo,
}

/// Why a step is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MarkupRefusal {
    /// The variants are not ready yet.
    #[error("The markup job is still in progress; try again when its status is awaiting_input")]
    InProgress,
    /// A video of the same markup is queued or running.
    #[error("A video of this markup is already queued or running")]
    VideoInProgress,
    /// The job has failed.
    #[error("The markup job has failed; submit the address again")]
    Failed,
    /// Its pictures were removed.
    #[error("The markup's pictures were removed because of their age; submit the address again")]
    Expired,
    /// No variant has that key.
    #[error("`orientation` must be the key of one of the job's orientation variants")]
    UnknownOrientation,
    /// Annotate before select.
    #[error("Select an orientation before annotating")]
    NotSelected,
    /// Select after annotate.
    #[error("The markup job is already annotated, so its orientation cannot be changed")]
    AlreadyAnnotated,
    /// Annotate again with another body.
    #[error("The markup job is already annotated with other images")]
    OtherAnnotation,
    /// Video before annotate.
    #[error("The markup job is not completed; annotate it before making a video")]
    NotAnnotated,
}

impl MarkupStage {
    /// Every stage.
    pub const ALL: [Self; Self::VARIANTS.len()] = match Self::VARIANTS.first_chunk() {
        Some(all) => *all,
        None => unreachable!(),
    };

    /// The stage of a markup job with this status and output, and with its media removed or not.
    #[must_use]
    pub fn new(status: JobStatus, output: &Map<String, Value>, is_expired: bool) -> Self {
        match status {
            JobStatus::Queued => MarkupStage::Queued,
            JobStatus::Running => MarkupStage::Running,
            JobStatus::AwaitingInput | JobStatus::Completed if is_expired => MarkupStage::Expired,
            JobStatus::AwaitingInput if output.contains_key("selected_orientation") => MarkupStage::Selected,
            JobStatus::AwaitingInput => MarkupStage::Unselected,
            JobStatus::Completed => MarkupStage::Completed,
            JobStatus::Failed => MarkupStage::Failed,
        }
    }

    /// The effect of `step` at this stage.
    ///
    /// # Errors
    /// When it is not legal here.
    pub const fn take(self, step: MarkupStep) -> Result<MarkupEffect, MarkupRefusal> {
        use MarkupStage::{Completed, Expired, Failed, Queued, Running, Selected, Unselected};
        use MarkupStep::{Annotate, Select, Video};
        match (self, step) {
            (Queued | Running, _) => Err(MarkupRefusal::InProgress),
            (Failed, _) => Err(MarkupRefusal::Failed),
            (Expired, Annotate { same: true }) => Ok(MarkupEffect::Repeat),
            (Expired, _) => Err(MarkupRefusal::Expired),
            (Unselected | Selected, Select { known: true }) => Ok(MarkupEffect::Select),
            (Unselected | Selected, Select { known: false }) => Err(MarkupRefusal::UnknownOrientation),
            (Completed, Select { .. }) => Err(MarkupRefusal::AlreadyAnnotated),
            (Unselected, Annotate { .. }) => Err(MarkupRefusal::NotSelected),
            (Selected, Annotate { .. }) => Ok(MarkupEffect::Complete),
            (Completed, Annotate { same: true }) => Ok(MarkupEffect::Repeat),
            (Completed, Annotate { same: false }) => Err(MarkupRefusal::OtherAnnotation),
            (Unselected | Selected, Video { .. }) => Err(MarkupRefusal::NotAnnotated),
            (Completed, Video { active: true }) => Err(MarkupRefusal::VideoInProgress),
            (Completed, Video { active: false }) => Ok(MarkupEffect::SubmitVideo),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [MarkupStep; 6] = [
        MarkupStep::Select { known: true },
        MarkupStep::Select { known: false },
        MarkupStep::Annotate { same: true },
        MarkupStep::Annotate { same: false },
        MarkupStep::Video { active: true },
        MarkupStep::Video { active: false },
    ];

    #[test]
    fn every_step_at_every_stage_is_as_the_table_says() {
        use MarkupEffect::{Complete, Repeat, Select, SubmitVideo};
        use MarkupRefusal::{
            AlreadyAnnotated, Expired, Failed, InProgress, NotAnnotated, NotSelected, OtherAnnotation,
            UnknownOrientation, VideoInProgress,
        };
        // Columns: select with a known key, with an unknown one; annotate as before, otherwise; video beside an active
        // one, alone.
        let table: [(MarkupStage, [Result<MarkupEffect, MarkupRefusal>; 6]); 7] = [
            (MarkupStage::Queued, [Err(InProgress); 6]),
            (MarkupStage::Running, [Err(InProgress); 6]),
            (
                MarkupStage::Unselected,
                [
                    Ok(Select),
                    Err(UnknownOrientation),
                    Err(NotSelected),
                    Err(NotSelected),
                    Err(NotAnnotated),
                    Err(NotAnnotated),
                ],
            ),
            (
                MarkupStage::Selected,
                [Ok(Select), Err(UnknownOrientation), Ok(Complete), Ok(Complete), Err(NotAnnotated), Err(NotAnnotated)],
            ),
            (
                MarkupStage::Completed,
                [
                    Err(AlreadyAnnotated),
                    Err(AlreadyAnnotated),
                    Ok(Repeat),
                    Err(OtherAnnotation),
                    Err(VideoInProgress),
                    Ok(SubmitVideo),
                ],
            ),
            (MarkupStage::Failed, [Err(Failed); 6]),
            (MarkupStage::Expired, [Err(Expired), Err(Expired), Ok(Repeat), Err(Expired), Err(Expired), Err(Expired)]),
        ];
        assert_eq!(table.map(|(stage, _)| stage), MarkupStage::ALL);
        for (stage, row) in table {
            for (step, expected) in STEPS.into_iter().zip(row) {
                assert_eq!(stage.take(step), expected, "{stage:?}, {step:?}");
            }
        }
    }
}
