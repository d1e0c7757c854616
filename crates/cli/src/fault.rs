//! What is wrong with a backup.

use std::fmt;

use serde::Serialize;

/// Maximum number of faults in a message.
const SHOWN: usize = 5;

/// A damaged file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Fault {
    /// Path relative to the backup.
    pub(crate) file: String,
    /// What is wrong with it: a verb and what follows.
    pub(crate) fault: String,
}

impl Fault {
    pub(crate) fn new(file: &str, fault: impl Into<String>) -> Self {
        Self { file: file.to_owned(), fault: fault.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.file, self.fault)
    }
}

/// Joins faults to one line.
pub(crate) fn describe(faults: &[Fault]) -> String {
    let mut shown: Vec<String> = faults.iter().take(SHOWN).map(ToString::to_string).collect();
    if faults.len() > SHOWN {
        shown.push(format!("and {} more", faults.len() - SHOWN));
    }
    shown.join("; ")
}
