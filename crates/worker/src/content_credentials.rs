//! Content Credentials of what an engine made: embedded after it has run, before anything is published.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use aerie_credentials::messages::ToSign;
use aerie_credentials::{MadeFile, MadeJob, Origin, carries, file_hash, statements};
use aerie_domain::JobInput;
use aerie_engine_api::{Cancel, EngineContext, EngineError, Produced};
use serde::Serialize;

/// The field of `output` that says which files carry Content Credentials.
const FIELD: &str = "credentials";

/// Signs files. A trait, because the program that does so reads strangers' pictures and is confined, and so that tests can fail.
pub trait Signing: Send + Sync {
    /// Embeds Content Credentials in each file, on this thread. A file that cannot be signed is left as it is.
    ///
    /// # Errors
    /// Why no file was signed.
    fn sign(&self, files: &[ToSign], cancel: &Cancel) -> Result<Signed, String>;
}

/// The result of signing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// Name of the signer.
    pub signer: String,
    /// For each file, why it was not signed, if it was not.
    pub failures: Vec<Option<String>>,
}

/// For each file, the index of an earlier file with the same bytes, if there is one. Signed once, they stay the same.
fn originals(made: &[MadeFile<'_>]) -> Vec<Option<usize>> {
    // What cannot be read is reported when it is signed.
    let sizes: Vec<Option<u64>> = made.iter().map(|file| Some(file.path.metadata().ok()?.len())).collect();
    // Only files of the same size can be the same: videos are read for nothing otherwise.
    let hash = |at: usize| {
        let is_alone = sizes.iter().filter(|size| **size == sizes[at]).count() == 1;
        if is_alone { None } else { file_hash(made[at].path).ok() }
    };
    let hashes: Vec<Option<[u8; 32]>> = (0..made.len()).map(hash).collect();
    let earlier = |at: usize| hashes[at].and_then(|hash| hashes[..at].iter().position(|known| *known == Some(hash)));
    (0..made.len()).map(earlier).collect()
}

/// The field `credentials` of an output.
#[derive(Debug, Serialize)]
struct Credentials {
    /// Name of the signer; absent if nothing was signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_by: Option<String>,
    /// Links to files that carry Content Credentials.
    embedded: Vec<String>,
    /// Links to files that do not, and why.
    without: Vec<Without>,
}

#[derive(Debug, Serialize)]
struct Without {
    field: String,
    reason: String,
}

/// Embeds Content Credentials in the files that an engine made, and reports in the output's field `credentials` which carry them and
/// why others do not. Nothing fails for want of them.
///
/// # Errors
/// [`EngineError::Canceled`], and [`EngineError::Retry`] when a file is no longer one: a process that was taken over could replace it
/// with a link.
pub fn embed_credentials(
    signing: &dyn Signing,
    input: &JobInput,
    context: &EngineContext<'_>,
    produced: &mut Produced,
) -> Result<(), EngineError> {
    context.enter("signing")?;
    let mut pictures: BTreeMap<String, PathBuf> = context.inputs.clone();
    pictures.extend(context.parent.iter().flat_map(|parent| parent.pictures.clone()));
    let origin = produced.origin.as_ref().map(|origin| Origin {
        text: origin.text.clone(),
        source_type: origin.digital_source_type.clone().into_owned(),
        attributions: origin.attributions.clone(),
        shown: origin.shown.clone(),
    });
    let job = MadeJob { input, output: &produced.fields, origin: origin.as_ref(), pictures: &pictures };
    let mut credentials = Credentials { signed_by: None, embedded: Vec::new(), without: Vec::new() };
    let mut leave = |field: &str, reason: &str| {
        credentials.without.push(Without { field: field.to_owned(), reason: reason.to_owned() });
    };
    let mut made = Vec::new();
    for file in &produced.files {
        match carries(&file.content_type) {
            Ok(()) => made.push(MadeFile { field: &file.field, path: &file.path }),
            Err(reason) => leave(&file.field, reason),
        }
    }
    let originals = originals(&made);
    let files: Vec<ToSign> = made
        .iter()
        .zip(statements(&job, &made))
        .zip(&originals)
        .filter(|(_, original)| original.is_none())
        .map(|((file, statement), _)| ToSign { path: file.path.to_owned(), statement })
        .collect();
    match signing.sign(&files, context.cancel) {
        Ok(signed) => {
            let mut signed_files = signed.failures.into_iter();
            let mut failures: Vec<Option<String>> = Vec::new();
            for (file, original) in made.iter().zip(&originals) {
                let failure = match original {
                    None => signed_files.next().flatten(),
                    Some(at) => failures[*at].clone().or_else(|| {
                        std::fs::copy(made[*at].path, file.path).err().map(|error| error.kind().to_string())
                    }),
                };
                failures.push(failure.clone());
                match failure {
                    None => credentials.embedded.push(file.field.to_owned()),
                    Some(reason) => {
                        tracing::warn!(field = file.field, reason, "a file was not signed");
                        leave(file.field, &reason);
                    }
                }
            }
            credentials.signed_by = Some(signed.signer).filter(|_| !credentials.embedded.is_empty());
        }
        Err(reason) => {
            tracing::warn!(reason, "no file was signed");
            made.iter().for_each(|file| leave(file.field, &reason));
        }
    }
    context.stop_if_canceled()?;
    let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_file() && found.nlink() == 1);
    if let Some(file) = made.iter().find(|file| !is_file(file.path)) {
        return Err(EngineError::Retry(format!("{} was lost when it was signed", file.path.display())));
    }
    let field = serde_json::to_value(&credentials).unwrap_or_default();
    produced.fields.insert(FIELD.to_owned(), field);
    Ok(())
}
