//! Why a job failed: `output.error`.

use serde::{Deserialize, Serialize};

/// Failure codes of jobs (not of requests).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureCode {
    /// No source resolves the address to a building or parcel.
    AddressNotFound,
    /// Several places match the address.
    AddressAmbiguous,
    /// The image could not be decoded.
    ImageUnreadable,
    /// An exposure does not fit to the photo: it has another size, or shows another scene.
    ExposureMismatch,
    /// The photo does not show a room.
    NotARoom,
    /// The room is already furnished.
    RoomNotEmpty,
    /// The room's geometry could not be reconstructed with confidence.
    RoomNotUnderstood,
    /// Its owner canceled it.
    Canceled,
    /// Every attempt was lost with its worker.
    AttemptsExhausted,
    /// The engine failed.
    EngineError,
}

/// Why a job failed, for its owner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// For programs.
    pub code: FailureCode,
    /// For people: what is wrong and how to fix it, without internal details.
    pub message: String,
    /// The houses that an address fits, where it fits several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<AddressCandidate>,
}

/// A house that an address may mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AddressCandidate {
    /// Its address as mapped.
    pub address: String,
    /// Its identifier on the map, which can be submitted as `address`.
    pub id: String,
    /// Where it is.
    pub position: AddressPosition,
}

/// Coordinates in degrees, WGS 84.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AddressPosition {
    /// Latitude.
    pub lat: f64,
    /// Longitude.
    pub lon: f64,
}

impl Failure {
    /// A failure with no candidates.
    #[must_use]
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), candidates: Vec::new() }
    }

    /// Why a job failed that its owner canceled.
    #[must_use]
    pub fn canceled() -> Self {
        Self::new(FailureCode::Canceled, "The job was canceled. It is not billed.")
    }

    /// The `output` of a job that failed this way.
    #[must_use]
    pub fn output(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut output = serde_json::Map::new();
        output.insert("error".into(), serde_json::to_value(self).unwrap_or_default());
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_code_and_message() {
        let failure = Failure::new(FailureCode::AddressNotFound, "No such house.");
        let expected = serde_json::json!({"error": {"code": "ADDRESS_NOT_FOUND", "message": "No such house."}});
        assert_eq!(serde_json::Value::Object(failure.output()), expected);
    }
}
