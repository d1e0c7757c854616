//! Contract suites of the limiter and of media, in memory.

#![cfg(test)]

mod limiter;
mod media;
