//! The SQLite store.

#![cfg(test)]

mod contract;
mod sqlite;
