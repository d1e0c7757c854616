//! The light of a room, estimated from its photo: the radiance of each surface, and how much brighter windows are than
//! a photo can record.

mod capture;
mod fit;
mod floor;
mod openings;
mod shell;
mod walls;

pub use fit::Fit;
pub(crate) use shell::inside;
pub use shell::{Shell, Window};
