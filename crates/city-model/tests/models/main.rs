//! Small models of every format.
#![cfg(test)]

mod citygml;
mod cityjson;
mod common;
mod hostile;
