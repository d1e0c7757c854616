//! Ground, roofs and trees of surveys.

#![cfg(test)]

mod roof;
mod survey;
