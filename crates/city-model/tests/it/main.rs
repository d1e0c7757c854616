//! Reading of city models: small models of every format, and real ones.

#![cfg(test)]

mod citygml;
mod cityjson;
mod common;
mod hostile;
mod measurements;
mod mutations;
mod real_models;
