//! Pictures that requests link to: fetched, or read from the media store where the link is one of this service, and stored
//! beside the job.

use std::collections::BTreeMap;

use aerie_domain::PictureLink;
use aerie_engine_api::layers;
use aerie_fetch::{FetchError, Picture};
use aerie_storage::MediaError;
use futures_util::TryStreamExt;
use futures_util::future::try_join_all;

use crate::auth::Caller;
use crate::error::{ApiError, out_of_space};
use crate::error_code::ApiErrorCode;
use crate::extract::Parameters;
use crate::fetching::too_many_fetches;
use crate::uploads::UNKNOWN_UPLOAD;
use crate::{ApiState, uploads};

/// Pictures of a request that are fetched at once.
pub(crate) const AT_ONCE: usize = 8;

/// Fetches the pictures, all or none, and stores them under `prefix`. Returns media keys by JSON Pointers to the fields.
pub(crate) async fn keep_pictures(
    state: &ApiState,
    caller: &Caller,
    prefix: &str,
    links: &[PictureLink],
) -> Result<BTreeMap<String, String>, ApiError> {
    let _permit = state.fetching.acquire(caller.org_id, links.len().min(AT_ONCE))?;
    let mut kept = BTreeMap::new();
    // Some after the others, so that a film's photos are not all in temporary files at once.
    for links in links.chunks(AT_ONCE) {
        if let Err(error) = keep_some(state, caller, prefix, links, &mut kept).await {
            forget_pictures(state, prefix).await;
            return Err(error);
        }
    }
    Ok(kept)
}

/// Fetches pictures at once, and stores them when all are there.
async fn keep_some(
    state: &ApiState,
    caller: &Caller,
    prefix: &str,
    links: &[PictureLink],
    kept: &mut BTreeMap<String, String>,
) -> Result<(), ApiError> {
    let sources = try_join_all(links.iter().map(|link| source(state, caller, link))).await?;
    for (link, source) in links.iter().zip(sources) {
        let key = keep_source(state, prefix, link, source).await?;
        kept.insert(format!("/{}", link.input()), key);
    }
    Ok(())
}

/// Stores a picture under `prefix`. Returns its media key.
pub(crate) async fn keep_source(
    state: &ApiState,
    prefix: &str,
    link: &PictureLink,
    source: Source,
) -> Result<String, ApiError> {
    let picture = match source {
        Source::Received(picture) => picture,
        Source::Uploaded(stored) => return copy_picture(state, &stored, prefix, link).await,
    };
    let key = format!("{prefix}/{}.{}", link.file_stem(), picture.format.extension());
    let (bytes, width, height) = (picture.size, picture.width, picture.height);
    state.media.media_put_file(&key, picture.file).await?;
    tracing::debug!(field = link.path(), format = picture.format.name(), bytes, width, height, "stored a picture");
    Ok(key)
}

/// Copies a picture of the media store, checked before, to `prefix`. Returns the media key of the copy.
pub(crate) async fn copy_picture(
    state: &ApiState,
    stored: &str,
    prefix: &str,
    link: &PictureLink,
) -> Result<String, ApiError> {
    let (_, extension) = stored.rsplit_once('.').unwrap_or_default();
    let key = format!("{prefix}/{}.{extension}", link.file_stem());
    match state.media.media_copy(stored, &key).await {
        // Deleted meanwhile.
        Err(MediaError::NotFound) => return Err(refused(link, UNKNOWN_UPLOAD)),
        copied => copied?,
    };
    tracing::debug!(field = link.path(), "copied a picture");
    Ok(key)
}

/// Copies the layers of a picture to `prefix` if the picture was staged for the caller. Returns their input and media key.
pub(crate) async fn keep_layers(
    state: &ApiState,
    caller: &Caller,
    prefix: &str,
    picture: &PictureLink,
) -> Result<Option<(String, String)>, ApiError> {
    let org = format!("{}/", caller.org_id);
    let Some(link) = own_media(state, &picture.url).filter(|link| link.key.starts_with(&org)) else { return Ok(None) };
    let Some((stem, _)) = link.key.rsplit_once('.') else { return Ok(None) };
    let input = layers::input_of(picture.input());
    let key = format!("{prefix}/{}.tif", input.replace('/', "-"));
    match state.media.media_copy(&format!("{stem}.{}", layers::ENDING), &key).await {
        Ok(()) => Ok(Some((format!("/{input}"), key))),
        Err(MediaError::NotFound | MediaError::BadKey(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes what was stored under `prefix` for a request that failed.
pub(crate) async fn forget_pictures(state: &ApiState, prefix: &str) {
    if let Err(error) = state.media.media_delete(prefix, &[]).await {
        tracing::warn!(%error, prefix, "cannot remove pictures that belong to no job");
    }
}

/// Where the bytes of a picture are.
pub(crate) enum Source {
    /// In a temporary file.
    Received(Picture),
    /// In the media store, checked when they were uploaded: the media key.
    Uploaded(String),
}

/// Finds out whether the picture was uploaded, or receives it.
pub(crate) async fn source(state: &ApiState, caller: &Caller, link: &PictureLink) -> Result<Source, ApiError> {
    match link.upload() {
        None => picture(state, caller, link).await.map(Source::Received),
        Some(id) => match uploads::used(state, caller.org_id, id).await? {
            Ok(key) => Ok(Source::Uploaded(key)),
            Err(why) => Err(refused(link, &why)),
        },
    }
}

fn refused(link: &PictureLink, why: &str) -> ApiError {
    ApiError::with_message(ApiErrorCode::InvalidUrl, format!("`{}` {why}", link.path()))
}

async fn picture(state: &ApiState, caller: &Caller, link: &PictureLink) -> Result<Picture, ApiError> {
    let found = match own_media(state, &link.url) {
        Some(own) => copy(state, caller, &own).await,
        None => state.intake.fetch(&link.url).await.map_err(Refusal::Fetch),
    };
    found.map_err(|refusal| {
        let message = match refusal {
            Refusal::Fetch(FetchError::Busy) => return too_many_fetches(),
            Refusal::Fetch(FetchError::NoRoom) => return out_of_space(),
            Refusal::Fetch(FetchError::Scratch(error)) => return ApiError::internal(error),
            Refusal::Store(error) => return error.into(),
            Refusal::Fetch(error) => error.to_string(),
            Refusal::NotTheirs => "is a link of this service that is not valid or has expired".to_owned(),
        };
        refused(link, &message)
    })
}

enum Refusal {
    Fetch(FetchError),
    Store(MediaError),
    NotTheirs,
}

/// A link to media of this service.
struct OwnLink<'a> {
    key: &'a str,
    query: &'a str,
}

/// The media key in a link of this service, whether or not the link may be used.
pub(crate) fn own_key<'a>(state: &'a ApiState, url: &'a str) -> Option<&'a str> {
    own_media(state, url).map(|link| link.key)
}

fn own_media<'a>(state: &ApiState, url: &'a str) -> Option<OwnLink<'a>> {
    let link = url.trim().strip_prefix(state.base_url.as_str())?.strip_prefix("/media/")?;
    let link = link.split('#').next().unwrap_or_default();
    let (key, query) = link.split_once('?').unwrap_or((link, ""));
    Some(OwnLink { key, query })
}

/// Reads a picture from the media store. The link must be valid, or the media must belong to the caller's organization.
async fn copy(state: &ApiState, caller: &Caller, link: &OwnLink<'_>) -> Result<Picture, Refusal> {
    let parameters = Parameters::parse(link.query);
    let text = |name: &str| parameters.text(name).ok().flatten().unwrap_or_default();
    let expires = text("expires").parse().unwrap_or(0);
    let is_signed = state.links.check(link.key, expires, text("signature"), state.clock.now()).is_ok();
    let is_callers = link.key.split('/').next() == Some(caller.org_id.to_string().as_str());
    if !is_signed && !is_callers {
        return Err(Refusal::NotTheirs);
    }
    let mut media = match state.media.media_get(link.key, None).await {
        Ok(media) => media,
        Err(MediaError::NotFound | MediaError::BadKey(_)) => return Err(Refusal::NotTheirs),
        Err(error) => return Err(Refusal::Store(error)),
    };
    let mut receiving = state.intake.receive().map_err(Refusal::Fetch)?;
    while let Some(bytes) = media.content.try_next().await.map_err(Refusal::Store)? {
        receiving.push(&bytes).await.map_err(Refusal::Fetch)?;
    }
    receiving.finish().await.map_err(Refusal::Fetch)
}
