//! Content Credentials (C2PA) of output files: what was made from what, signed. Puts them into files, and verifies them.
//!
//! The inputs are plain: a [`Statement`] says what was done, an [`Identity`] signs it, [`embed`] writes both into the file.
//! [`statements`] is the one place that turns a job's output into statements. Nothing here uses the network.
mod authority;
mod certificate;
mod embed;
mod format;
mod identity;
mod job;
mod statement;
mod verify;

pub use authority::{Authority, AuthorityError};
pub use certificate::{Certificate, Sign, SignError};
pub use embed::{EmbedError, embed, file_hash, without_network};
pub use format::{Format, carries};
pub use identity::{Identity, IdentityError};
pub use job::{MadeFile, MadeJob, Origin, statements};
pub use statement::{Action, ActionName, Disclosure, Ingredient, Relationship, Statement};
pub use verify::{ReadError, Report, ReportedAction, ReportedIngredient, Signer, State, verify};
