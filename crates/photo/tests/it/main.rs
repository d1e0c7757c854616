//! Enhancement and understanding of photographs.

#![cfg(test)]

mod asked_changes;
mod brackets;
mod honest_enhancement;
mod hostile_files;
mod prompts;
mod rooms;
mod scenes;
mod turned_photos;
