//! Staging of synthetic and real rooms.

#![cfg(test)]

mod arrangement;
mod campaign;
mod measurements;
mod model_materials;
mod operator_models;
mod staging;
