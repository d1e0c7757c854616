//! Sending of webhooks.

#![cfg(test)]

mod sending;
