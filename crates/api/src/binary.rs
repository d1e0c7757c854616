//! How the OpenAPI document describes files.

use utoipa::ToSchema;

/// The bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it only describes bodies")]
pub(crate) struct Binary(Vec<u8>);
