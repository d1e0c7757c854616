//! Recognizing the job's own pictures in an annotation.

use aerie_domain::Job;
use aerie_storage::MediaStore;
use futures_util::TryStreamExt;
use serde_json::Value;

use crate::ApiState;
use crate::pictures::own_key;

/// Where the clean picture of an annotation lies on the ground, if it is one of the markup's own: recognized by its link or,
/// where it was fetched from elsewhere, by its bytes. `kept` is the key of the stored copy.
pub(super) async fn ground_of(state: &ApiState, markup: &Job, clean_url: &str, kept: &str) -> Option<Value> {
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

/// Whether both keys hold the same bytes. A picture that cannot be read counts as different.
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
