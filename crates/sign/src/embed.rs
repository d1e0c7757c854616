//! Writes a signed statement into a file.

use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use aerie_credentials::{Action, Certificate, Format, Ingredient, Statement, file_hash};
use c2pa::{Builder, SigningAlg};
use serde_json::{Value, json};

use crate::library::{ACTIONS, DISCLOSURE, without_network};
use crate::verify::{ReadError, verify_stream};

/// Greatest size of an ingredient's own Content Credentials that are passed on, in bytes. Strangers write them, and they become part
/// of every output.
const MAX_PASSED_ON: usize = 1 << 20;
/// Maximum length of the URL of an ingredient's Content Credentials that is repeated, bytes.
const MAX_URL: usize = 2000;
/// Room for a signature and its headers, without the certificates.
const SIGNATURE_SIZE: usize = 4096;

/// Why Content Credentials were not written.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The file is in no format that can carry them.
    #[error("this format cannot carry Content Credentials")]
    Format,
    /// A file cannot be read or written.
    // Only its kind: clients read this, and the rest may name folders of the server.
    #[error("the file cannot be read or written: {}", .0.kind())]
    File(#[from] std::io::Error),
    /// The statement cannot be signed or written.
    #[error("{0}")]
    Refused(String),
}

/// Why bytes were not signed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SignError(pub String);

/// Signs bytes with the key of a certificate.
pub type Sign<'a> = dyn Fn(&[u8]) -> Result<Vec<u8>, SignError> + 'a;

/// Signs with a key that may be in another process.
struct Signer<'a> {
    certificate: &'a Certificate,
    algorithm: SigningAlg,
    sign: &'a Sign<'a>,
}

impl c2pa::Signer for Signer<'_> {
    fn sign(&self, data: &[u8]) -> c2pa::Result<Vec<u8>> {
        (self.sign)(data).map_err(|error| c2pa::Error::OtherError(Box::new(error)))
    }

    fn alg(&self) -> SigningAlg {
        self.algorithm
    }

    fn certs(&self) -> c2pa::Result<Vec<Vec<u8>>> {
        Ok(self.certificate.chain.clone())
    }

    fn reserve_size(&self) -> usize {
        SIGNATURE_SIZE + self.certificate.chain.iter().map(Vec::len).sum::<usize>()
    }
}

/// Writes a statement about the file at `path` into it, signed by `sign` with the key of `certificate`. On an error the file is as it
/// was.
///
/// # Errors
/// When the file has another format, when signing fails, or when the disk does.
pub fn embed(path: &Path, statement: &Statement, certificate: &Certificate, sign: &Sign<'_>) -> Result<(), EmbedError> {
    let format = Format::of_file(path)?.ok_or(EmbedError::Format)?;
    let mut source = BufReader::new(File::open(path)?);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut signed = tempfile::Builder::new().prefix(".signing-").tempfile_in(folder)?;
    copy_signed((&mut source, signed.as_file_mut()), format, statement, (certificate, sign))?;
    signed.as_file_mut().flush()?;
    signed.as_file().set_permissions(std::fs::metadata(path)?.permissions())?;
    signed.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Copies a file of a format with a signed statement about it.
pub(crate) fn copy_signed<R: Read + Seek + Send, W: Read + Write + Seek + Send>(
    (source, signed): (&mut R, &mut W),
    format: Format,
    statement: &Statement,
    (certificate, sign): (&Certificate, &Sign<'_>),
) -> Result<(), EmbedError> {
    let refused = |error: c2pa::Error| EmbedError::Refused(error.to_string());
    let format = format.media_type();
    let algorithm = certificate.algorithm.parse();
    let algorithm =
        algorithm.map_err(|_| EmbedError::Refused(format!("there is no algorithm {}", certificate.algorithm)))?;
    let context = Arc::new(without_network(&json!({})).map_err(refused)?);
    let mut builder =
        Builder::from_shared_context(&context).with_definition(definition(statement, format)).map_err(refused)?;
    for ingredient in &statement.ingredients {
        add(&mut builder, ingredient)?;
    }
    let signer = Signer { certificate, algorithm, sign };
    builder.sign(&signer, format, source, signed).map_err(refused)?;
    Ok(())
}

fn definition(statement: &Statement, format: &str) -> Value {
    let action = |action: &Action| {
        let mut entry = json!({"action": action.name});
        if let Some(text) = &action.description {
            entry["description"] = json!(text);
        }
        if let Some(source_type) = &action.source_type {
            entry["digitalSourceType"] = json!(source_type);
        }
        if !action.ingredients.is_empty() {
            entry["parameters"] = json!({"ingredientIds": action.ingredients});
        }
        entry
    };
    let actions: Vec<Value> = statement.actions.iter().map(action).collect();
    let mut assertions = vec![json!({"label": ACTIONS, "created": true, "data": {"actions": actions}})];
    if let Some(disclosure) = &statement.disclosure {
        assertions.push(json!({"label": DISCLOSURE, "created": true, "data": disclosure}));
    }
    json!({
        "claim_version": 2,
        "claim_generator_info": [{"name": "Aerie", "version": env!("CARGO_PKG_VERSION")}],
        "title": statement.title,
        "format": format,
        "assertions": assertions,
    })
}

/// The Content Credentials of an ingredient.
enum Own {
    /// Embedded, and not too large to be passed on.
    Moderate,
    /// None that are passed on; why, if it has some.
    Without(Option<String>),
}

/// Adds an ingredient: its name, format and hash, and its own Content Credentials, if they can be read. Says where else they are, or why they
/// are left out.
fn add(builder: &mut Builder, ingredient: &Ingredient) -> Result<(), EmbedError> {
    let hash: String = file_hash(&ingredient.path)?.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut described = json!({
        "title": ingredient.title,
        "label": ingredient.id,
        "relationship": ingredient.relationship,
        "description": format!("SHA-256 of the file: {hash}"),
    });
    if let Some(format) = Format::of_file(&ingredient.path)? {
        described["format"] = json!(format.media_type());
        let mut file = BufReader::new(File::open(&ingredient.path)?);
        let why = match own_credentials(format, &mut file)? {
            Own::Moderate => {
                let added = builder.add_ingredient_from_stream(described.to_string(), format.media_type(), &mut file);
                if added.is_ok() {
                    return Ok(());
                }
                Some("cannot be read and are not passed on".to_owned())
            }
            Own::Without(why) => why,
        };
        if let Some(why) = why {
            described["description"] = json!(format!("SHA-256 of the file: {hash}; its Content Credentials {why}"));
        }
    }
    let plain = c2pa::Ingredient::from_json(&described.to_string());
    builder.add_ingredient(plain.map_err(|error| EmbedError::Refused(error.to_string()))?);
    Ok(())
}

/// Finds the Content Credentials of a file, and leaves it at its start.
fn own_credentials(format: Format, file: &mut BufReader<File>) -> Result<Own, EmbedError> {
    let found = c2pa::jumbf_io::load_jumbf_from_stream(format.media_type(), file);
    file.rewind()?;
    let own = match found {
        Ok(credentials) if credentials.len() <= MAX_PASSED_ON => Own::Moderate,
        Ok(_) => Own::Without(Some("are larger than 1 MiB and not passed on".to_owned())),
        Err(c2pa::Error::JumbfNotFound) => Own::Without(match verify_stream(format, &mut *file, None) {
            Err(ReadError::Remote(url)) if url.len() <= MAX_URL => {
                Some(format!("are kept at {}, not fetched", without_secrets(&url)))
            }
            Err(ReadError::Remote(_)) => Some("are kept at a URL, not fetched".to_owned()),
            _ => None,
        }),
        // Not a file of its format, or one that is damaged: whether it has any is unknown.
        Err(_) => Own::Without(None),
    };
    file.rewind()?;
    Ok(own)
}

/// Returns a URL for a public file: without user, password and query, which may open what is kept there to everyone.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (path, mark) = rest.find(['?', '#']).map_or((rest, ""), |at| (&rest[..at], "?…"));
    format!("{scheme}://{host}{path}{mark}")
}
