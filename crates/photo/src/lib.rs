//! Photographs of property: read safely, enhanced honestly, written with an account of what was done.
//!
//! - [`decode`] takes a file of unknown origin and gives sRGB pixels the right way up, or says what to do about it.
//! - [`enhance`] changes light alone (white balance, exposure, tone, color strength, noise, sharpness), leaves a
//!   finished photo nearly alone, and tells each change with its amount.
//! - [`encode`] writes a JPEG with an sRGB profile, without a position, and with the account in its metadata.
//!
//! The same file and wishes give the same bytes, whatever the number of threads.
pub mod account;
pub mod border;
pub mod color;
pub mod decode;
pub mod encode;
pub mod enhance;
pub mod fill;
pub mod intent;
pub mod layers;
pub mod lines;
pub mod photo;
pub mod room;
pub mod sky;
pub mod upright;
pub mod window;
pub mod wishes;

pub use account::{Account, Adjustment, Disclosure};
pub use decode::{DecodeError, decode, decode_file};
pub use encode::{EncodeError, Finish, Finished, Format, Written, encode, thumbnail};
pub use enhance::{Enhanced, Scene, enhance, noise, scene};
pub use fill::fill;
pub use intent::{Intent, SharedIntent};
pub use layers::Layers;
pub use photo::{Linear, Photo};
pub use window::box_mean;
pub use wishes::{Preset, Wishes};
