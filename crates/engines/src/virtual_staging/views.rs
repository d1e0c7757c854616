//! Several photos of one room: the photo that was furnished first, and whether another one is registered with it.

use aerie_engine_api::kinds::virtual_staging::VirtualStagingOptions;
use aerie_engine_api::{EngineContext, EngineError};
use aerie_photo::Photo;
use aerie_staging::views::{self, Registration};
use aerie_staging::{FirstView, Room, RoomHints};
use serde_json::{Value, json};

use crate::photos;

/// Field of the photo that was furnished first, as errors name it, and its name among the inputs.
const FIELD: (&str, &str) = ("options.first_view_url", "options/first_view_url");

/// The photo that was furnished first, and its room; or why that is not understood.
pub(super) struct FirstPhoto {
    photo: Photo,
    room: Result<Room, String>,
}

impl FirstPhoto {
    /// Reads the photo at `options.first_view_url`; `None` without one.
    ///
    /// # Errors
    /// [`EngineError::Fail`] with `IMAGE_UNREADABLE`.
    pub(super) fn read(
        options: &VirtualStagingOptions,
        hints: &RoomHints,
        context: &EngineContext<'_>,
    ) -> Result<Option<Self>, EngineError> {
        if options.first_view_url.is_none() {
            return Ok(None);
        }
        context.enter("understanding the first view of the room")?;
        let photo = photos::read_input(context, FIELD, None)?;
        // Points and lengths in pixels are those of the other photo.
        let hints = RoomHints { is_empty: hints.is_empty, is_outdoors: hints.is_outdoors, ..RoomHints::default() };
        let room = match photos::not_flat(&photo) {
            Some(why) => Err(why),
            None => Room::analyze(&photo, &hints).map_err(|refusal| refusal.to_string()),
        };
        Ok(Some(Self { photo, room }))
    }

    /// Registers another photo of the room.
    ///
    /// # Errors
    /// Why the photos do not fit together, as the end of a sentence.
    pub(super) fn register(&self, room: &Room, photo: &Photo) -> Result<Registration, String> {
        let first = self.room.as_ref().map_err(|why| {
            let why = why.trim_end_matches('.');
            format!("the room in that photo is not understood ({why})")
        })?;
        views::register(first.view(&self.photo), room.view(photo)).map_err(|why| why.to_string())
    }

    /// The first view for a brief.
    pub(super) fn view(&self, registration: &Registration) -> Option<FirstView<'_>> {
        self.room.as_ref().ok().map(|room| FirstView { room, plan: registration.plan })
    }
}

/// What to tell about a photo that was not registered, and so furnished on its own.
pub(super) fn furnished_apart(why: &str, has_arrangement: bool) -> String {
    let unused = if has_arrangement {
        " `options.arrangement` was not used, because its places are those of the first view."
    } else {
        ""
    };
    format!(
        "This photo was furnished on its own, apart from `options.first_view_url`: {why}.{unused} For the same furniture in both, name \
         a first view that shows more of the same walls, from a place nearer to this one."
    )
}

/// The output field `view`; `None` for a photo that stands alone.
pub(super) fn report(
    options: &VirtualStagingOptions,
    registered: Option<&Result<Registration, String>>,
) -> Option<Value> {
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    let mut view = match registered {
        None if options.room_id.is_none() => return None,
        None => json!({"is_first": true}),
        Some(Ok(registration)) => json!({
            "is_first": false, "registered": true,
            "confidence": rounded(registration.evidence.confidence),
            "residual": rounded(registration.evidence.residual),
            "matches": registration.evidence.matches,
        }),
        Some(Err(why)) => json!({"is_first": false, "registered": false, "reason": why}),
    };
    if let Some(room) = &options.room_id {
        view["room_id"] = json!(room);
    }
    Some(view)
}
