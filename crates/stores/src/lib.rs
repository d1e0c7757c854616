//! Aerie: stores.
