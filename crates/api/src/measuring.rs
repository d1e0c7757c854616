//! Measuring the boundary that is drawn on a markup's picture.

use aerie_domain::Job;
use aerie_storage::MediaStore;
use async_trait::async_trait;
use futures_util::TryStreamExt;
use serde_json::{Map, Value};

use crate::ApiState;
use crate::pictures::own_key;

/// Measures the boundary drawn on a picture, outside this process: pixels of strangers are not decoded here.
#[async_trait]
pub trait Measuring: Send + Sync {
    /// What an annotation adds to the output: `boundary`, and `boundary_reason` where that is null. What cannot be
    /// measured is so answered, within seconds.
    async fn measure(&self, drawn: &DrawnOn) -> Map<String, Value>;
}

/// Two pictures that were taken in, by their keys in the media store.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnOn {
    /// The one with the boundary.
    pub annotated: String,
    /// The one without.
    pub clean: String,
    /// Where the clean one lies on the ground, as its engine has noted it; none where the picture is not ours.
    pub ground: Option<Value>,
}

/// Where the clean picture of an annotation lies on the ground, if it is one of the markup's own: by its link, or, where
/// it was fetched from elsewhere, by its bytes. `kept` is our copy of it.
pub(crate) async fn ground_of(state: &ApiState, markup: &Job, clean_url: &str, kept: &str) -> Option<Value> {
    let grounds = markup.notes.get("ground")?.as_object()?;
    let linked = own_key(state, clean_url);
    for (pointer, key) in &markup.media {
        let Some(variant) = variant_of(markup, pointer) else { continue };
        let is_it = match linked {
            Some(linked) => linked == key,
            None => is_same(&state.media, key, kept).await,
        };
        if is_it {
            return grounds.get(variant).cloned();
        }
    }
    None
}

/// The key of the variant that a link in the output belongs to.
fn variant_of<'a>(markup: &'a Job, pointer: &str) -> Option<&'a str> {
    let number: usize = pointer.strip_prefix("/orientation_variants/")?.split('/').next()?.parse().ok()?;
    markup.output.get("orientation_variants")?.get(number)?.get("key")?.as_str()
}

/// Whether the same bytes lie under both keys. A picture that cannot be read now counts as another.
async fn is_same(media: &MediaStore, one: &str, other: &str) -> bool {
    let (Ok(mut one), Ok(mut other)) = (media.media_get(one, None).await, media.media_get(other, None).await) else {
        return false;
    };
    if one.size != other.size {
        return false;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        let next = (one.content.try_next().await, other.content.try_next().await);
        let (Ok(a), Ok(b)) = next else { return false };
        if a.is_none() && b.is_none() {
            return left == right;
        }
        left.extend(a.unwrap_or_default());
        right.extend(b.unwrap_or_default());
        let both = left.len().min(right.len());
        if left.drain(..both).ne(right.drain(..both)) {
            return false;
        }
    }
}
