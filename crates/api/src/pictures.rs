//! Pictures that requests link to: fetched, or read from the store where they are ours, and kept beside the job.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use aerie_domain::virtual_staging::{LAYERS, LAYERS_ENDING};
use aerie_domain::{ApiErrorCode, OrgId};
use aerie_fetch::{FetchError, Picture};
use aerie_storage::MediaError;
use futures_util::TryStreamExt;
use futures_util::future::try_join_all;

use crate::ApiState;
use crate::auth::Caller;
use crate::error::{ApiError, out_of_space};
use crate::extract::Parameters;

/// Seconds after which a client that found too many fetches under way may come back: what the longest of them takes.
const COME_BACK_AFTER: u32 = 10;

/// Fetches at once for one organization, so that one with slow servers leaves room for the others.
const AT_ONCE_EACH: usize = 16;

/// How many pictures are being fetched, by organization.
#[derive(Debug, Default, Clone)]
pub struct Fetching(Arc<Mutex<HashMap<OrgId, usize>>>);

/// The right to fetch so many pictures, until it is dropped.
struct Seats {
    fetching: Fetching,
    org_id: OrgId,
    count: usize,
}

impl Fetching {
    fn take(&self, org_id: OrgId, count: usize) -> Result<Seats, ApiError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all.entry(org_id).or_default();
        if *taken + count > AT_ONCE_EACH {
            return Err(too_many());
        }
        *taken += count;
        Ok(Seats { fetching: self.clone(), org_id, count })
    }
}

impl Drop for Seats {
    fn drop(&mut self) {
        let mut all = self.fetching.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut taken) = all.entry(self.org_id) {
            *taken.get_mut() -= self.count;
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }
}

fn too_many() -> ApiError {
    let message = "Too many images are being fetched at the moment; try again later";
    ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(COME_BACK_AFTER)
}

/// A field of a request, and the URL in it.
pub(crate) type Link = (&'static str, String);

/// Fetches the pictures, all or none, and keeps them under `prefix`: JSON Pointers to the fields, and media keys.
pub(crate) async fn keep_pictures(
    state: &ApiState,
    caller: &Caller,
    prefix: &str,
    links: &[Link],
) -> Result<BTreeMap<String, String>, ApiError> {
    let _seats = state.fetching.take(caller.org_id, links.len())?;
    // All are here before the first is kept, so that a bad second URL leaves nothing of the first.
    let pictures = try_join_all(links.iter().map(|link| picture(state, caller, link))).await?;
    let mut kept = BTreeMap::new();
    for ((field, _), picture) in links.iter().zip(pictures) {
        let name = field.strip_suffix("_url").unwrap_or(field);
        let key = format!("{prefix}/{name}.{}", picture.format.extension());
        let (bytes, width, height) = (picture.size, picture.width, picture.height);
        if let Err(error) = state.media.media_put_file(&key, picture.file).await {
            forget_pictures(state, prefix).await;
            return Err(error.into());
        }
        tracing::debug!(field, format = picture.format.name(), bytes, width, height, "a picture was taken in");
        kept.insert(format!("/{field}"), key);
    }
    Ok(kept)
}

/// Keeps the layers of a picture under `prefix` where it is one that the caller had staged, and gives where.
pub(crate) async fn keep_layers(
    state: &ApiState,
    caller: &Caller,
    prefix: &str,
    url: &str,
) -> Result<Option<(String, String)>, ApiError> {
    let org = format!("{}/", caller.org_id);
    let Some(link) = own_media(state, url).filter(|link| link.key.starts_with(&org)) else { return Ok(None) };
    let Some((stem, _)) = link.key.rsplit_once('.') else { return Ok(None) };
    let key = format!("{prefix}/{LAYERS}.tif");
    match state.media.media_copy(&format!("{stem}.{LAYERS_ENDING}"), &key).await {
        Ok(()) => Ok(Some((format!("/{LAYERS}"), key))),
        Err(MediaError::NotFound | MediaError::BadKey(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes what was kept under `prefix`, when nothing came of the request after all.
pub(crate) async fn forget_pictures(state: &ApiState, prefix: &str) {
    if let Err(error) = state.media.media_delete(prefix, &[]).await {
        tracing::warn!(%error, prefix, "pictures that belong to no job could not be removed");
    }
}

async fn picture(state: &ApiState, caller: &Caller, (field, url): &Link) -> Result<Picture, ApiError> {
    let found = match own_media(state, url) {
        Some(link) => copy(state, caller, &link).await,
        None => state.intake.fetch(url).await.map_err(Refusal::Fetch),
    };
    found.map_err(|refusal| {
        let message = match refusal {
            Refusal::Fetch(FetchError::Busy) => return too_many(),
            Refusal::Fetch(FetchError::NoRoom) => return out_of_space(),
            Refusal::Fetch(FetchError::Scratch(error)) => return ApiError::internal(error),
            Refusal::Store(error) => return error.into(),
            Refusal::Fetch(error) => error.to_string(),
            Refusal::NotTheirs => "is a link of this service that is not valid, or no longer".to_owned(),
        };
        ApiError::with_message(ApiErrorCode::InvalidUrl, format!("`{field}` {message}"))
    })
}

enum Refusal {
    Fetch(FetchError),
    Store(MediaError),
    NotTheirs,
}

/// A link to media of ours.
struct OwnLink<'a> {
    key: &'a str,
    query: &'a str,
}

/// The key that a link to media of ours names, whoever may use it.
pub(crate) fn own_key<'a>(state: &'a ApiState, url: &'a str) -> Option<&'a str> {
    own_media(state, url).map(|link| link.key)
}

fn own_media<'a>(state: &ApiState, url: &'a str) -> Option<OwnLink<'a>> {
    let link = url.trim().strip_prefix(state.base_url.as_str())?.strip_prefix("/media/")?;
    let link = link.split('#').next().unwrap_or_default();
    let (key, query) = link.split_once('?').unwrap_or((link, ""));
    Some(OwnLink { key, query })
}

/// Media of ours, read from the store: of whoever has a good link, and of the organization that they belong to.
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
        receiving.push(&bytes).map_err(Refusal::Fetch)?;
    }
    receiving.finish().map_err(Refusal::Fetch)
}
