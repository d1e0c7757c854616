//! The light of a room, taken from its photo: what each surface gives off, and how much more windows do than a photo can record.

mod capture;
mod fit;
mod floor;
mod openings;
mod shell;
mod walls;

pub use fit::Fit;
pub(crate) use shell::inside;
pub use shell::{Shell, Window};
