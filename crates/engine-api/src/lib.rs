//! What the service and its engines say to each other.
//!
//! They are two programs: `aerie` keeps secrets and the database, `aerie-engine` reads pictures that clients send and is confined to the files of
//! one task. This crate links neither pictures nor maps.
mod answers;
mod engine;
mod error_text;
pub mod messages;
mod needs;

pub use aerie_sources::Sources;
pub use answers::{
    BAD_POLYGON, FURNITURE, FURNITURE_MANIFEST, Finding, Furniture, PieceOfFurniture, SAMPLE_ADDRESSES, SampleTown,
};
pub use engine::{
    Cancel, CancelOnDrop, EngineContext, EngineError, Notes, Origin, Parent, Produced, ProducedFile, Progress,
};
pub use error_text::describe;
pub use needs::{Needs, needs};
