//! Fetching of pictures from untrusted URLs.

#![cfg(test)]

mod fetching;
mod hosts;
mod name_server;
mod names;
mod picture_server;
