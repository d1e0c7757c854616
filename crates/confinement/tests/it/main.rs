//! Confined processes.

#![cfg(test)]

mod confined;
