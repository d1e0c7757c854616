//! The fuzz corpora, replayed.

#![cfg(test)]

mod corpora;
