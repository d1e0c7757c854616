//! Why a job failed, as told in `output.error.code`.

use serde::{Deserialize, Serialize};

/// Failure codes of jobs (not of requests).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureCode {
    /// No source places the address to the building or parcel.
    AddressNotFound,
    /// Several places answer to the address.
    AddressAmbiguous,
    /// The image could not be decoded.
    ImageUnreadable,
    /// The photo does not show a room.
    NotARoom,
    /// The room is furnished already.
    RoomNotEmpty,
    /// The room's geometry could not be told with confidence.
    RoomNotUnderstood,
    /// Every attempt was lost.
    AttemptsExhausted,
    /// The engine failed.
    EngineError,
}
