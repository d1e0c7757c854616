//! Publishing a page: the files that it shows are copied, the original without its metadata.

use aerie_disclosure::{PublicFile, ledger, public_original};
use aerie_domain::{Job, JobId, JobStatus, JobType, TruthPageId, ValidationError};
use aerie_storage::truth_pages::new_code;
use aerie_storage::{MediaError, NewTruthPage, TruthPage, TruthPageFile, retention};
use futures_util::TryStreamExt;
use memchr::memmem;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::check::hex;

use crate::auth::Caller;
use crate::envelope::iso;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::requests::truth_pages::TruthPageRequest;
use crate::{ApiState, disclosures, off_runtime};

/// Maximum size of a file of a page, bytes. A photo has 150 MB at most, and a PNG of 100 megapixels little more than twice that.
const MAX_SIZE: u64 = 400_000_000;
/// Greatest number of results of a job.
const MAX_RESULTS: usize = 4;
/// Pages that are published at once: each has a file in memory.
static PUBLISHING: Semaphore = Semaphore::const_new(2);
/// What the metadata of a file with a position contain.
const POSITION: &[u8] = b"GPSL";
/// What precedes the version in the metadata that the engines write.
const MADE_BY: &[u8] = b"CreatorTool=\"Aerie ";

/// A file to be copied: its name in the page, where it is, and the field that names it.
struct Wanted {
    name: String,
    key: String,
    field: String,
}

/// A file to be stored.
struct Prepared {
    bytes: Vec<u8>,
    extension: String,
    sha256: String,
    version: Option<String>,
    has_credentials: bool,
}

/// Publishes the page of a job, or returns the one that it has; `true` if it is new.
pub(crate) async fn publish(
    state: &ApiState,
    caller: &Caller,
    job_id: JobId,
    request: TruthPageRequest,
) -> Result<(TruthPage, bool), ApiError> {
    let job = state.store.job_get(Some(caller.org_id), job_id).await?;
    let job = job.ok_or_else(|| ApiError::new(ApiErrorCode::JobNotFound))?;
    let known = state.store.truth_page_of_job(caller.org_id, job_id).await?;
    if let Some(page) = known.filter(TruthPage::is_public) {
        return Ok((page, false));
    }
    check(state, caller, &job)?;
    state.capacity.check_submit()?;
    let _turn = PUBLISHING.acquire().await.map_err(ApiError::internal)?;
    let id = TruthPageId::new(state.clock.now());
    let prefix = format!("{}/{id}", caller.org_id);
    if state.media.is_remote() {
        // Before the files: if this process is killed before the page has its row, they are found by this note.
        state.store.leftovers_expect(caller.org_id, JobId(id.0), retention::GRACE).await?;
    }
    let created = create(state, &job, (id, &prefix), request).await;
    // If there may be a row, the sweep looks at the files.
    let has_no_row = match &created {
        Ok(page) => page.id != id,
        Err((_, may_have_row)) => !may_have_row,
    };
    if has_no_row && let Err(error) = state.media.media_delete(&prefix, &[]).await {
        tracing::warn!(%error, prefix, "cannot remove files that belong to no page");
    }
    let page = created.map_err(|(error, _)| error)?;
    let is_new = page.id == id;
    if is_new {
        tracing::info!(job = %job_id, page = %id, bytes = page.bytes, "published a truth page");
    }
    Ok((page, is_new))
}

/// Refuses jobs whose page cannot be published.
fn check(state: &ApiState, caller: &Caller, job: &Job) -> Result<(), ApiError> {
    let refused = |message: String| ApiError::with_message(ApiErrorCode::ValidationError, message);
    if !disclosures::has_page(job.job_type) {
        return Err(refused(format!(
            "A truth page shows an altered photo beside its original: jobs of image_enhance and virtual_staging have one, and this is \
             {}. Publish the pages of the jobs that made its photos",
            job.job_type
        )));
    }
    if job.status != JobStatus::Completed {
        return Err(refused(format!("The job is {}: publish its truth page once it is completed", job.status)));
    }
    let org = &caller.credentials.org;
    let of_org = || state.profiles.get(org.disclosure_profile.as_deref()?);
    let profile = disclosures::profile(state, &job.input).or_else(of_org);
    if !org.truth_pages && !profile.is_some_and(aerie_disclosure::Profile::has_page) {
        let message = "Truth pages are off: submit the job with a disclosure profile that has them \
                       (`options.disclosure_profile`; GET /v1/disclosure-profiles lists them), or let the operator turn them on for \
                       the organization (aerie admin org set ORG --truth-pages on)";
        return Err(ApiError::with_message(ApiErrorCode::FeatureDisabled, message));
    }
    if let Some(expired) = job.expired_at {
        return Err(refused(format!(
            "The original is no longer kept: the media of the job were removed on {}. Submit the photo again, and publish its truth \
             page before its media expire",
            iso(expired)
        )));
    }
    Ok(())
}

/// Stores the files and the row. An error says whether there may be a row.
async fn create(
    state: &ApiState,
    job: &Job,
    (id, prefix): (TruthPageId, &str),
    request: TruthPageRequest,
) -> Result<TruthPage, (ApiError, bool)> {
    let code = new_code().map_err(|error| (ApiError::internal(error), false))?;
    let url = state.truth_pages.url(&code);
    let (mut files, mut version, mut has_credentials) = (Vec::new(), None, false);
    for wanted in wanted(job) {
        let stored = store(state, &wanted, prefix).await.map_err(|error| (error, false))?;
        let (file, prepared_version, is_signed) = stored;
        if wanted.name == "result" {
            (version, has_credentials) = (prepared_version, is_signed);
        }
        files.push(file);
    }
    let facts = facts(state, job, &request, (&url, version, has_credentials));
    let new = NewTruthPage {
        id,
        org_id: job.org_id,
        job_id: job.id,
        code,
        facts,
        files,
        indexable: request.indexable.unwrap_or(false),
        keep: state.truth_pages.keep,
    };
    let created = state.store.truth_page_create(new).await;
    created.map_err(|error| {
        let may_have_row = error.may_have_taken_effect();
        (error.into(), may_have_row)
    })
}

/// The files that a page shows, in order.
fn wanted(job: &Job) -> Vec<Wanted> {
    let numbered = |name: &str, at: usize| if at == 0 { name.to_owned() } else { format!("{name}-{}", at + 1) };
    let mut wanted = Vec::new();
    let originals = ["/image_url".to_owned()].into_iter().chain((0..8).map(|at| format!("/options/exposures/{at}")));
    for (at, pointer) in originals.enumerate() {
        if let Some(key) = job.input_media.get(&pointer) {
            let field = pointer.trim_start_matches('/').replace('/', ".");
            wanted.push(Wanted { name: numbered("original", at), key: key.clone(), field });
        }
    }
    let has_variations = job.media.contains_key("/variations/0/image_url");
    let results = if has_variations { MAX_RESULTS } else { 1 };
    for at in 0..results {
        let folder = if has_variations { format!("/variations/{at}") } else { String::new() };
        for (name, member) in [("result", "image_url"), ("mask", "mask_url")] {
            let pointer = format!("{folder}/{member}");
            if let Some(key) = job.media.get(&pointer) {
                wanted.push(Wanted { name: numbered(name, at), key: key.clone(), field: member.to_owned() });
            }
        }
    }
    wanted
}

/// Copies a file; also returns the version that made it, and whether it has Content Credentials.
async fn store(
    state: &ApiState,
    wanted: &Wanted,
    prefix: &str,
) -> Result<(TruthPageFile, Option<String>, bool), ApiError> {
    let bytes = read(state, &wanted.key).await?;
    let is_original = wanted.name.starts_with("original");
    let extension = wanted.key.rsplit_once('.').map_or("bin", |(_, extension)| extension).to_owned();
    let prepared = off_runtime::run(move || prepare(bytes, extension, is_original)).await?;
    let prepared = prepared.map_err(|why| ValidationError::new(&wanted.field, why))?;
    let key = format!("{prefix}/{}.{}", wanted.name, prepared.extension);
    let size = prepared.bytes.len() as u64;
    state.media.media_put_bytes(&key, prepared.bytes).await?;
    let file = TruthPageFile { name: wanted.name.clone(), key, sha256: prepared.sha256, size };
    Ok((file, prepared.version, prepared.has_credentials))
}

async fn read(state: &ApiState, key: &str) -> Result<Vec<u8>, ApiError> {
    let gone = |error: MediaError| match error {
        MediaError::NotFound => {
            let message = "A file of the job is no longer kept: submit the photo again, and publish its truth page before its media expire";
            ApiError::with_message(ApiErrorCode::ValidationError, message)
        }
        other => other.into(),
    };
    let mut media = state.media.media_get(key, None).await.map_err(gone)?;
    if media.size > MAX_SIZE {
        let message =
            format!("A file of the job has {} bytes; a truth page shows files of at most {MAX_SIZE}", media.size);
        return Err(ApiError::with_message(ApiErrorCode::ValidationError, message));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(media.size).unwrap_or_default());
    while let Some(some) = media.content.try_next().await.map_err(gone)? {
        bytes.extend_from_slice(&some);
    }
    Ok(bytes)
}

/// Removes what must not be public.
fn prepare(bytes: Vec<u8>, extension: String, is_original: bool) -> Result<Prepared, String> {
    let (bytes, extension) = if is_original {
        let PublicFile { bytes, extension } = public_original(&bytes).map_err(|why| why.to_string())?;
        (bytes, extension.to_owned())
    } else if contains(&bytes, POSITION) {
        // The engines keep no position, but the Content Credentials of an original may have one, and are quoted in those of the result.
        match public_original(&bytes) {
            Ok(PublicFile { bytes, extension }) => (bytes, extension.to_owned()),
            Err(why) => return Err(why.to_string()),
        }
    } else {
        (bytes, extension)
    };
    let sha256 = hex(&Sha256::digest(&bytes));
    let has_credentials = contains(&bytes, b"c2pa");
    Ok(Prepared { version: version_of(&bytes), has_credentials, bytes, extension, sha256 })
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memmem::find(bytes, part).is_some()
}

/// The version of Aerie that made a file, from its metadata.
fn version_of(bytes: &[u8]) -> Option<String> {
    let rest = &bytes[memmem::find(bytes, MADE_BY)? + MADE_BY.len()..];
    let end = rest.iter().take(32).position(|byte| *byte == b'"')?;
    std::str::from_utf8(&rest[..end]).ok().map(str::to_owned)
}

/// What the page says.
fn facts(
    state: &ApiState,
    job: &Job,
    request: &TruthPageRequest,
    (url, version, has_credentials): (&str, Option<String>, bool),
) -> Value {
    let profile = disclosures::profile(state, &job.input);
    let disclosed = profile.map(|profile| profile.disclose(job.job_type, &job.output, Some(url)));
    let disclosure = job.output.get("disclosure").cloned().unwrap_or_default();
    json!({
        "job_type": job.job_type,
        "made_at": iso(job.completed_at.unwrap_or(job.updated_at)),
        "version": version,
        "has_credentials": has_credentials,
        "altered": disclosure["altered"].as_bool().unwrap_or(job.job_type == JobType::VirtualStaging),
        "disclosure": disclosure["text"],
        "digital_source_type": disclosure["digital_source_type"],
        "ledger": ledger(job.job_type, &job.output),
        "caption": disclosed.and_then(|disclosed| disclosed.caption),
        "profile": profile.map(|profile| &profile.title),
        "address": request.address,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_metadata() {
        assert_eq!(version_of(b"xmp:CreatorTool=\"Aerie 0.1.0\">"), Some("0.1.0".to_owned()));
        assert_eq!((version_of(b"CreatorTool=\"Aerie 0.1"), version_of(b"")), (None, None));
    }

    #[test]
    fn a_result_that_quotes_a_position_is_published_without_its_metadata() {
        let png = |extra: &[u8]| {
            let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
            for (kind, contents) in [(b"IHDR", &[0; 13][..]), (b"caBX", extra), (b"IEND", b"")] {
                file.extend((contents.len() as u32).to_be_bytes());
                file.extend([&kind[..], contents, &[0; 4]].concat());
            }
            file
        };
        let clean = prepare(png(b"c2pa"), "png".to_owned(), false).unwrap();
        assert!(clean.has_credentials && clean.bytes == png(b"c2pa"));
        let stripped = prepare(png(b"c2pa exif:GPSLatitude"), "png".to_owned(), false).unwrap();
        assert!(!stripped.has_credentials && !contains(&stripped.bytes, POSITION));
    }
}
