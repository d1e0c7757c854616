//! Measuring the boundary that was drawn on a picture.

use async_trait::async_trait;
use serde_json::{Map, Value};

/// Measures the boundary drawn on a picture. It runs outside this process, which decodes no pixels of untrusted pictures.
#[async_trait]
pub trait Measuring: Send + Sync {
    /// Returns, within seconds, what an annotation adds to the output: `boundary`, and `boundary_reason` where that is null.
    ///
    /// # Errors
    /// When the polygon is not one in the picture.
    async fn measure(&self, drawn: &DrawnOn) -> Result<Map<String, Value>, BadPolygon>;
}

/// What is wrong with a polygon: a predicate that follows its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPolygon(pub String);

/// Two pictures by their keys in the media store.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnOn {
    /// The one with the boundary.
    pub annotated: String,
    /// The one without.
    pub clean: String,
    /// Where the clean one lies on the ground, as its engine noted it. `None` where the picture is not the job's own.
    pub ground: Option<Value>,
    /// The boundary, if it was sent as such: corners in pixels of the clean picture.
    pub polygon: Option<Vec<[f64; 2]>>,
}
