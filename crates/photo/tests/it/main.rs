//! Enhancement and understanding of photographs.

#![cfg(test)]

mod asked_changes;
mod avifs;
mod brackets;
mod colors;
mod files_with_several_pictures;
mod heics;
mod honest_enhancement;
mod hostile_files;
mod panoramas;
mod prompts;
mod raws;
mod rooms;
mod scenes;
mod turned_photos;
