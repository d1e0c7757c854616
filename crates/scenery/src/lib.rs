//! Aerie: scenery.
