//! Clips of rooms and houses.

#![cfg(test)]

mod exteriors;
mod houses;
mod two_view;
