//! Engines, called as a worker calls them.

#![cfg(test)]

mod films;
mod image_enhance;
mod inspect_room;
mod markup;
mod panoramas;
mod preview;
mod video_clip;
mod virtual_staging;
