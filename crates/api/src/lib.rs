//! Aerie: api.
