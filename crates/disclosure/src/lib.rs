//! What has to be said about an altered picture, and where: disclosure profiles ([`Profiles`]), one TOML file for each set of rules; what
//! was done in words ([`ledger`]); and for public pages originals without metadata ([`public_original`]) and QR codes ([`qr`]).
//!
//! # Invariants
//!
//! - A public original has the bytes that are needed to show the picture, unchanged, and no others. Test:
//!   `a_jpeg_keeps_its_picture_byte_for_byte_and_nothing_else`.
//!
//! # Add a profile
//!
//! Put a TOML file into `profiles/`, with its sources, and list it in `profiles.rs`. An operator puts one into the folder that the
//! configuration names (`[truth_pages] profiles`).
mod ledger;
mod original;
mod profile;
mod profiles;
pub mod qr;

pub use ledger::ledger;
pub use original::{NotPublic, PublicFile, public_original};
pub use profile::{Caption, Disclosed, Label, Profile, Source, Use};
pub use profiles::{BadProfile, Profiles};
