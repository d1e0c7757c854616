//! Content Credentials.

#![cfg(test)]

mod credentials;
