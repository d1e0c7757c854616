//! Aerie: worker.
