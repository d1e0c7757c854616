//! Fetching of pictures from untrusted URLs.

#![cfg(test)]

mod fetching;
mod hosts;
mod names;
