//! Disclosure profiles.

#![cfg(test)]

mod profiles;
