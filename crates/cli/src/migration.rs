//! Moving an installation to other backends: `aerie migrate`.
mod media;
mod progress;
mod rows;
mod source;
mod target;

pub(crate) use media::{MediaReport, copy_media, copy_missing};
pub(crate) use progress::Progress;
pub(crate) use rows::{TableReport, copy_rows, sum_rows, verify_rows};
pub(crate) use source::Source;
pub(crate) use target::of_target;
