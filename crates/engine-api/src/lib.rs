//! What the service and its engines say to each other: the kinds of jobs and their requests, why a job fails, and the messages between
//! two programs.
//!
//! `aerie` keeps secrets and the database, `aerie-engine` reads pictures that clients send and is confined to the files of
//! one task. This crate links neither pictures nor maps. With the feature `openapi`, it has the schemas of the requests, which only a
//! service that documents them needs.
//!
//! To add a generation kind, start at [`kinds`].
//!
//! # Invariants
//!
//! - Texts of requests and names have no control characters. `text.rs` has the rule. Test:
//!   `exactly_the_characters_of_the_documented_class_are_refused`.
mod answers;
pub mod direction;
mod engine;
mod error_text;
pub mod failure;
pub mod fields;
pub mod film;
pub mod kind;
pub mod kinds;
pub mod layers;
pub mod messages;
mod needs;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod photo;
pub mod picture_link;
pub mod text;

pub use aerie_sources::Sources;
pub use answers::{
    BAD_POLYGON, FURNITURE, FURNITURE_MANIFEST, Finding, Furniture, PieceOfFurniture, SAMPLE_ADDRESSES, SampleTown,
};
pub use direction::Direction;
pub use engine::{
    Cancel, CancelOnDrop, EngineContext, EngineError, Notes, Origin, Parent, Produced, ProducedFile, Progress,
};
pub use error_text::describe;
pub use failure::{AddressCandidate, AddressPosition, Failure, FailureCode};
pub use fields::{Fields, ValidationError};
pub use film::{AspectRatio, FilmOptions, Resolution};
pub use kind::{JobRequest, Kind, Labels, Medium, Speed};
pub use kinds::{BadInput, JobInput, JobType};
pub use needs::Needs;
pub use photo::PhotoFormat;
pub use picture_link::{PictureLink, UPLOAD};
pub use text::{BadCharacter, Layout};
