//! Moving an installation to other backends: `aerie migrate`.
mod media;
mod progress;
mod rows;
mod source;

pub(crate) use media::{MediaReport, copy_media};
pub(crate) use progress::Progress;
pub(crate) use rows::{TableReport, compare_rows, copy_rows, of_target};
pub(crate) use source::Source;
