//! Prompts as people write them.

#![cfg(test)]

mod camera;
mod furniture;
mod photo;
