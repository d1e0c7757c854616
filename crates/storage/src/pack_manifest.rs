//! What a published pack consists of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aerie_domain::ContentHash;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Folders of a data folder that a pack has: maps with terrain and imagery, and the operator's own furniture.
pub const FOLDERS: [&str; 2] = ["pack", "furniture"];

/// The form of manifests that this version writes and reads.
const VERSION: u32 = 1;

/// Maximum number of files in a pack.
pub const MAX_FILES: usize = 200_000;

/// Maximum length of a manifest in bytes.
pub const MAX_MANIFEST: usize = 64 << 20;

/// Maximum length of a path in bytes, and of its parts.
const MAX_PATH: usize = 1024;
const MAX_NAME: usize = 255;
/// Maximum number of parts of a path.
const MAX_DEPTH: usize = 8;

/// The list of the files of a pack. Its own hash names the pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackManifest {
    version: u32,
    files: Vec<PackFile>,
}

/// A file of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackFile {
    /// Where it is in the data folder: `pack/region.gpkg`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Hash of its content.
    pub sha256: ContentHash,
}

/// Why a manifest is refused. It comes from a store that others may write to, so that nothing in it is believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is not what its name says.
    #[error("the manifest is damaged: its checksum differs")]
    Damaged,
    /// It is not a manifest.
    #[error("the manifest cannot be read: {0}")]
    Malformed(String),
    /// It has another form.
    #[error("the manifest has the form {0}, which this version of Aerie does not know: upgrade")]
    OtherVersion(u32),
    /// A path leads out of the pack, or is ambiguous.
    #[error("the manifest has a path that no pack has: {0:?}")]
    BadPath(String),
    /// Two files have one path, or one is in another.
    #[error("the manifest has two files in one place: {0:?}")]
    Repeated(String),
    /// There are too many files, or none.
    #[error("a pack has from 1 to {MAX_FILES} files, and not {0}")]
    Count(usize),
}

impl PackManifest {
    /// Lists files; the order does not matter.
    ///
    /// # Errors
    /// When a path is not one of a pack, or occurs twice.
    pub fn new(mut files: Vec<PackFile>) -> Result<Self, ManifestError> {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let manifest = Self { version: VERSION, files };
        manifest.check()?;
        Ok(manifest)
    }

    /// Reads the manifest that has the name `id`.
    ///
    /// # Errors
    /// When it is another one, or malformed.
    pub fn parse(id: ContentHash, text: &[u8]) -> Result<Self, ManifestError> {
        if hash(text) != id {
            return Err(ManifestError::Damaged);
        }
        let manifest: Self =
            serde_json::from_slice(text).map_err(|error| ManifestError::Malformed(error.to_string()))?;
        if manifest.version != VERSION {
            return Err(ManifestError::OtherVersion(manifest.version));
        }
        manifest.check()?;
        Ok(manifest)
    }

    /// The manifest as text. Equal files have equal texts.
    #[must_use]
    pub fn text(&self) -> String {
        // Strings and numbers always become JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The name of the pack.
    #[must_use]
    pub fn id(&self) -> ContentHash {
        hash(self.text().as_bytes())
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &[PackFile] {
        &self.files
    }

    /// Total size in bytes of the files at their places.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.size))
    }

    /// Sizes by hash: each content is stored once.
    #[must_use]
    pub fn contents(&self) -> BTreeMap<ContentHash, u64> {
        self.files.iter().map(|file| (file.sha256, file.size)).collect()
    }

    /// Whether it has maps: without, workers render the sample town.
    #[must_use]
    pub fn has_maps(&self) -> bool {
        self.files.iter().any(|file| file.path.starts_with("pack/"))
    }

    fn check(&self) -> Result<(), ManifestError> {
        if self.files.is_empty() || self.files.len() > MAX_FILES {
            return Err(ManifestError::Count(self.files.len()));
        }
        let mut paths = BTreeSet::new();
        for PackFile { path, .. } in &self.files {
            if !is_in_a_pack(path) {
                return Err(ManifestError::BadPath(path.clone()));
            }
            if !paths.insert(path.as_str()) {
                return Err(ManifestError::Repeated(path.clone()));
            }
        }
        for path in &paths {
            let above = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
            if above.into_iter().any(|above| paths.contains(above)) {
                return Err(ManifestError::Repeated((*path).to_owned()));
            }
        }
        Ok(())
    }
}

/// Whether a path is that of a file in one of the folders of a pack, and means the same wherever it is joined.
fn is_in_a_pack(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let is_name = |part: &&str| {
        !matches!(*part, "" | "." | "..")
            && part.len() <= MAX_NAME
            && !part.chars().any(|c| c.is_control() || c == '\\')
    };
    path.len() <= MAX_PATH
        && (2..=MAX_DEPTH).contains(&parts.len())
        && FOLDERS.contains(&parts[0])
        && parts.iter().all(is_name)
}

/// The key of a file or manifest of packs.
#[must_use]
pub fn key(content: ContentHash) -> String {
    format!("pack/{content}")
}

fn hash(content: &[u8]) -> ContentHash {
    ContentHash::new(Sha256::digest(content).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> PackFile {
        PackFile { path: path.into(), size: 3, sha256: hash(path.as_bytes()) }
    }

    #[test]
    fn equal_files_have_one_name_and_a_manifest_reads_as_it_was_written() {
        let files = || vec![file("pack/region.gpkg"), file("furniture/Sofa ü.glb"), file("pack/terrain/N46W031.hgt")];
        let manifest = PackManifest::new(files()).unwrap();
        assert_eq!(manifest.id(), PackManifest::new(files().into_iter().rev().collect()).unwrap().id());
        let text = manifest.text();
        assert_eq!(PackManifest::parse(manifest.id(), text.as_bytes()).unwrap(), manifest);
        assert_eq!((manifest.size(), manifest.contents().len(), manifest.has_maps()), (9, 3, true));
        for at in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[at] ^= 1;
            assert_eq!(PackManifest::parse(manifest.id(), &other), Err(ManifestError::Damaged));
        }
    }

    #[test]
    fn a_path_that_leads_out_of_the_pack_is_refused() {
        for path in [
            "../aerie.db",
            "pack/../aerie.db",
            "/etc/passwd",
            "pack",
            "pack/",
            "pack//a",
            "pack/./a",
            "pack/..",
            "sample/region.gpkg",
            "manifest.json",
            "pack/a\0b",
            "pack/a\nb",
            "pack\\a",
            "pack/..\\a",
            "",
            "pack/a/b/c/d/e/f/g/h",
            &format!("pack/{}", "a".repeat(256)),
        ] {
            assert_eq!(PackManifest::new(vec![file(path)]), Err(ManifestError::BadPath(path.into())), "{path:?}");
            // Also where a manifest with a valid name has it.
            let text = serde_json::to_string(&PackManifest { version: 1, files: vec![file(path)] }).unwrap();
            let read = PackManifest::parse(hash(text.as_bytes()), text.as_bytes());
            assert_eq!(read, Err(ManifestError::BadPath(path.into())), "{path:?}");
        }
    }

    #[test]
    fn two_files_in_one_place_are_refused() {
        for paths in [["pack/a", "pack/a"], ["pack/a", "pack/a/b"], ["furniture/a/b/c", "furniture/a"]] {
            let files = paths.map(file).to_vec();
            assert!(matches!(PackManifest::new(files), Err(ManifestError::Repeated(_))), "{paths:?}");
        }
        assert_eq!(PackManifest::new(Vec::new()), Err(ManifestError::Count(0)));
    }

    #[test]
    fn another_form_is_refused_with_the_remedy() {
        let text = PackManifest::new(vec![file("pack/a")]).unwrap().text().replace(r#""version":1"#, r#""version":2"#);
        let error = PackManifest::parse(hash(text.as_bytes()), text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("upgrade"), "{error}");
        let error = PackManifest::parse(hash(b"[]"), b"[]").unwrap_err();
        assert!(matches!(error, ManifestError::Malformed(_)));
    }
}
