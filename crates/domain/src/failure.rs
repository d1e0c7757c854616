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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// For programs.
    pub code: FailureCode,
    /// For people: what is wrong and how to fix it, without internal details.
    pub message: String,
}

impl Failure {
    /// Why a job failed that its owner canceled.
    #[must_use]
    pub fn canceled() -> Self {
        Self { code: FailureCode::Canceled, message: "The job was canceled. It is not billed.".to_owned() }
    }

    /// The `output` of a job that failed this way.
    #[must_use]
    pub fn output(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut output = serde_json::Map::new();
        output.insert("error".into(), serde_json::json!({ "code": self.code, "message": self.message }));
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_code_and_message() {
        let failure = Failure { code: FailureCode::AddressNotFound, message: "No such house.".into() };
        let expected = serde_json::json!({"error": {"code": "ADDRESS_NOT_FOUND", "message": "No such house."}});
        assert_eq!(serde_json::Value::Object(failure.output()), expected);
    }
}
