//! Rendered worlds for training.

#![cfg(test)]

mod exteriors;
mod views;
