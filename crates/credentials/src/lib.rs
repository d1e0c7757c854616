//! Content Credentials (C2PA) of output files: what was made from what, and who signs it.
//!
//! The inputs are plain: a [`Statement`] says what was done, and an [`Identity`] signs it. [`statements`] is the one place that turns a
//! job's output into statements. The program `aerie-sign` writes them into files and verifies them; it is another process because it
//! reads untrusted files ([`messages`]). Nothing here uses the network.
mod authority;
mod certificate;
mod format;
mod hash;
mod identity;
mod job;
mod key;
mod report;
mod statement;

pub mod messages;

pub use authority::{Authority, AuthorityError};
pub use certificate::Certificate;
pub use format::{Format, carries};
pub use hash::file_hash;
pub use identity::{Identity, IdentityError};
pub use job::{MadeFile, MadeJob, Origin, statements};
pub use report::{Report, ReportedAction, ReportedIngredient, Signer, State};
pub use statement::{Action, ActionName, Disclosure, Ingredient, Relationship, Statement};
