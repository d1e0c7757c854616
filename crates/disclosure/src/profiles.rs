//! The disclosure profiles of an installation: those of the program, and the operator's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::profile::Profile;

/// Maximum number of the operator's profiles, and of the bytes of each.
const MAX_OWN: usize = 200;
const MAX_BYTES: u64 = 64 << 10;

macro_rules! profiles {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../profiles/", $name, ".toml")))),*]
    };
}

const BUILT_IN: [(&str, &str); 6] =
    profiles!["bay-east-mls", "california-ab-723", "metadata-only", "none", "san-diego-mls", "uk-consumer-law",];

/// The profiles by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profiles(BTreeMap<String, Profile>);

/// An operator's profile that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadProfile {
    /// What is wrong with a file.
    #[error("the disclosure profile {0} cannot be used: {1}")]
    File(PathBuf, String),
    /// The folder cannot be read.
    #[error("the folder of disclosure profiles {0} cannot be read: {1}")]
    Folder(PathBuf, std::io::Error),
}

impl Default for Profiles {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Profiles {
    /// Those of the program.
    #[must_use]
    pub fn built_in() -> Self {
        let parse = |(name, text): (&str, &str)| Some((name.to_owned(), Profile::parse(name, text).ok()?));
        // Each can be parsed: a test says so.
        Self(BUILT_IN.into_iter().filter_map(parse).collect())
    }

    /// Those of the program and of a folder, where each file `NAME.toml` is one; it replaces one of the program with the same name.
    ///
    /// # Errors
    /// The first file that cannot be used, and why.
    pub fn with_own(folder: &Path) -> Result<Self, BadProfile> {
        let mut profiles = Self::built_in();
        let unreadable = |error| BadProfile::Folder(folder.to_owned(), error);
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .map_err(unreadable)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(unreadable)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
        files.sort();
        for (at, file) in files.into_iter().enumerate() {
            let bad = |why: String| BadProfile::File(file.clone(), why);
            if at >= MAX_OWN {
                return Err(bad(format!("the folder has more than {MAX_OWN}")));
            }
            let size = std::fs::metadata(&file).map_err(|error| bad(error.to_string()))?.len();
            if size > MAX_BYTES {
                return Err(bad(format!("it has more than {MAX_BYTES} bytes")));
            }
            let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let text = std::fs::read_to_string(&file).map_err(|error| bad(error.to_string()))?;
            let profile = Profile::parse(name, &text).map_err(bad)?;
            profiles.0.insert(name.to_owned(), profile);
        }
        Ok(profiles)
    }

    /// The profile of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Profile> {
        self.0.get(name)
    }

    /// All profiles, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.0.values()
    }

    /// The names, separated by commas.
    #[must_use]
    pub fn names(&self) -> String {
        self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}
