//! Enhancement of a photo: decode, enhance, encode, and tell what was done.

use std::path::Path;

use aerie_domain::{EnhancePreset, FailureCode, ImageEnhanceRequest};
use aerie_photo::{DecodeError, EncodeError, Enhanced, Finish, Preset, Wishes};
use serde_json::json;

use crate::engine::{EngineContext, EngineError, Notes, Produced, ProducedFile, Progress};

/// Enhances the photo at `image_url`. Makes `image_url` and `thumbnail_url`, both JPEG, and the fields `width`,
/// `height`, `adjustments` (an [`aerie_photo::Account`]) and `disclosure` (an [`aerie_photo::Disclosure`]). `original_url` is the photo as it came.
///
/// # Errors
/// [`EngineError::Fail`] with `IMAGE_UNREADABLE`, [`EngineError::Retry`] when the disk failed,
/// [`EngineError::Cancelled`].
pub fn run(request: &ImageEnhanceRequest, context: &EngineContext<'_>) -> Result<Produced, EngineError> {
    let options = request.options.clone().unwrap_or_default();
    let next = |stage| {
        (context.progress)(Progress { stage, done: 0, total: 0 });
        if context.cancel.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(()) }
    };
    next("reading the photo")?;
    let photo = aerie_photo::decode_file(context.input("image_url")?).map_err(unreadable)?;
    next("enhancing")?;
    let exif = photo.exif.clone();
    let wishes = Wishes::of(preset(options.preset.unwrap_or_default()), options.prompt.as_deref());
    let Enhanced { picture, account, .. } = aerie_photo::enhance(photo, &wishes, None);
    next("writing the photo")?;
    let disclosure = account.disclosure();
    let image = context.out_dir.join("image.jpg");
    let thumbnail = context.out_dir.join("thumbnail.jpg");
    let write = |path: &Path, bytes: Result<Vec<u8>, EncodeError>| {
        let bytes = bytes.map_err(unwritable)?;
        std::fs::write(path, bytes).map_err(|e| EngineError::Retry(format!("cannot write the photo: {e}")))
    };
    let finish = Finish::default();
    let written = aerie_photo::encode(&picture, &finish, &disclosure, &account.told(), exif.as_deref());
    write(&image, written.map(|w| w.bytes))?;
    write(&thumbnail, aerie_photo::thumbnail(&picture, &disclosure))?;
    // Through text, where an amount of 1.6 is that and not the double nearest to a float.
    let adjustments: serde_json::Value = serde_json::to_string(&account)
        .and_then(|told| serde_json::from_str(&told))
        .map_err(|e| EngineError::Retry(format!("cannot tell what was done: {e}")))?;
    let fields = [
        ("width", json!(picture.width)),
        ("height", json!(picture.height)),
        ("adjustments", adjustments),
        ("disclosure", json!(disclosure)),
    ];
    Ok(Produced {
        files: vec![
            ProducedFile { field: "image_url", path: image, content_type: "image/jpeg" },
            ProducedFile { field: "thumbnail_url", path: thumbnail, content_type: "image/jpeg" },
        ],
        originals: vec![("original_url", "image_url")],
        notes: Notes::new(),
        fields: fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    })
}

/// Every refusal is the file's own fault: another attempt would end the same way.
fn unreadable(error: DecodeError) -> EngineError {
    EngineError::Fail { code: FailureCode::ImageUnreadable, message: error.to_string() }
}

fn unwritable(error: EncodeError) -> EngineError {
    EngineError::Fail { code: FailureCode::ImageUnreadable, message: error.to_string() }
}

fn preset(preset: EnhancePreset) -> Preset {
    match preset {
        EnhancePreset::Natural => Preset::Natural,
        EnhancePreset::Bright => Preset::Bright,
        EnhancePreset::Warm => Preset::Warm,
    }
}
