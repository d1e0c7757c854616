//! Aerie: render.
