//! Clips of rooms and houses.

#![cfg(test)]

mod exteriors;
mod houses;
mod prompts;
mod two_view;
