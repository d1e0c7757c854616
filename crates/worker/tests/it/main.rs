//! The worker with engines of its own.

#![cfg(test)]

mod packs;
mod worker;
