//! Suggesting addresses of the imported map.

use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

/// Suggests addresses. It runs on threads of its own: a request waits for its answer without holding a thread of the runtime.
#[async_trait]
pub trait Addresses: Send + Sync {
    /// Addresses for a text that may be incomplete, the best first.
    ///
    /// # Errors
    /// When too many requests wait, or the map cannot be read.
    async fn suggest(&self, typed: TypedAddress) -> Result<Suggestions, NoSuggestions>;
}

/// What addresses are looked up for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedAddress {
    /// The text so far.
    pub text: String,
    /// Maximum number of addresses.
    pub limit: usize,
    /// Whether houses come with a plan.
    pub with_plans: bool,
}

/// Why there are no suggestions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSuggestions {
    /// Too many requests are waiting.
    Busy,
    /// The map cannot be read.
    Failed(String),
}

/// Suggested addresses.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = AddressSuggestions)]
pub struct Suggestions {
    /// The addresses, the best first.
    #[schema(max_items = 20)]
    pub addresses: Vec<SuggestedAddress>,
    /// The map that they come from; `null` if there is none.
    #[schema(required)]
    pub map: Option<AddressMap>,
    /// What to do, if there is no map.
    #[schema(required)]
    pub hint: Option<String>,
}

/// A suggested address.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SuggestedAddress {
    /// The address. That of a house can be submitted as `address`, and means this house.
    #[schema(example = "Dorfstrasse 24, 9495 Triesen")]
    pub address: String,
    /// Identifier of the house, which can be submitted as `address`, too; `null` for a street.
    #[schema(required, example = "way/123")]
    pub id: Option<String>,
    /// Latitude, degrees (WGS 84).
    pub lat: f64,
    /// Longitude, degrees (WGS 84).
    pub lon: f64,
    /// What it is.
    pub precision: SuggestedPrecision,
    /// Town or village.
    #[schema(required, example = "Triesen")]
    pub locality: Option<String>,
    /// Postcode.
    #[schema(required, example = "9495")]
    pub postcode: Option<String>,
    /// What stands around the house, for a small picture; only with `plan=true`, and not of a street.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<AddressPlan>,
}

/// What stands around a house. Points are meters east and north of the address.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AddressPlan {
    /// How far the plan reaches in each direction, meters.
    #[schema(example = 40.0)]
    pub reach: f64,
    /// Outline of the house; `null` if no building is mapped there.
    #[schema(required)]
    pub house: Option<Vec<[f64; 2]>>,
    /// Outlines of other buildings, the nearest first.
    #[schema(max_items = 60)]
    pub buildings: Vec<Vec<[f64; 2]>>,
    /// Middle lines of roads.
    pub roads: Vec<Vec<[f64; 2]>>,
}

/// How exact a suggested address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestedPrecision {
    /// A building with the number.
    Building,
    /// A point with the number, with no mapped building around it.
    AddressPoint,
    /// A street, to which a house number must be added.
    Street,
}

/// A map that addresses come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AddressMap {
    /// Where it comes from.
    #[schema(example = "OpenStreetMap")]
    pub source: String,
    /// Whether it is the invented sample town, because nothing was imported.
    pub is_sample: bool,
    /// Attributions that must be shown with the addresses.
    #[schema(example = json!(["© OpenStreetMap contributors"]))]
    pub attributions: Vec<String>,
}
