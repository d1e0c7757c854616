//! `options.arrangement` of virtual staging: furniture that a client places.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

use crate::{Fields, ValidationError};

/// Names of the kinds of furniture; those of the engine.
pub const PIECES: [&str; 59] = [
    "armchair",
    "basket",
    "bath mat",
    "bed",
    "bench",
    "blanket ladder",
    "books",
    "bookshelf",
    "bowl",
    "candles",
    "coffee table",
    "console table",
    "cot",
    "curtains",
    "daybed",
    "desk",
    "desk chair",
    "dining chair",
    "dining table",
    "dresser",
    "drying rack",
    "dumbbell rack",
    "exercise bike",
    "exercise mat",
    "floor lamp",
    "framed art",
    "fruit bowl",
    "gym ball",
    "ironing board",
    "lantern",
    "laundry basket",
    "media console",
    "mirror",
    "nightstand",
    "ottoman",
    "pendant lamp",
    "planter",
    "potted plant",
    "pouf",
    "recliner",
    "round table",
    "rug",
    "sectional",
    "side table",
    "sideboard",
    "single bed",
    "small plant",
    "sofa",
    "stool",
    "table lamp",
    "television",
    "towel ladder",
    "towels",
    "toy chest",
    "tray",
    "trolley",
    "vase",
    "wall clock",
    "wardrobe",
];

/// Names of materials that a color can be given; those of the engine.
pub const MATERIALS: [&str; 68] = [
    "wood",
    "dark_wood",
    "metal",
    "dark_metal",
    "sofa",
    "armchair",
    "pillow_one",
    "pillow_two",
    "throw",
    "rug",
    "linen",
    "headboard",
    "ceramic",
    "dark_ceramic",
    "marble",
    "leather",
    "leaf",
    "bark",
    "soil",
    "shade",
    "pages",
    "book_one",
    "book_two",
    "book_three",
    "frame",
    "mount",
    "art_one",
    "art_two",
    "art_three",
    "art_four",
    "art_five",
    "art_six",
    "screen",
    "cane",
    "front",
    "dry",
    "mirror",
    "glass",
    "sheer",
    "terracotta",
    "concrete",
    "brass",
    "rug_trellis",
    "rug_medallion",
    "rug_jute",
    "rug_kilim",
    "rug_abstract",
    "rug_wool",
    "art_seven",
    "art_eight",
    "art_nine",
    "art_ten",
    "art_eleven",
    "art_twelve",
    "art_thirteen",
    "art_fourteen",
    "petal_one",
    "petal_two",
    "wax",
    "olive_leaf",
    "pale_leaf",
    "moss",
    "rubber",
    "duvet",
    "knit",
    "pillow_three",
    "webbing",
    "margin",
];

/// Greatest number of pieces.
pub const MOST_PIECES: usize = 60;
/// Farthest place, meters.
const FARTHEST: f64 = 60.0;

/// A piece of furniture at its place, as in `furniture` of a job's output; other members of that are ignored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlacedPiece {
    /// Kind of furniture.
    #[cfg_attr(feature = "openapi", schema(schema_with = piece_schema))]
    pub piece: String,
    /// Name of one of the installation's own models. Without, the piece is a built-in one.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 120))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Which of the built-in pieces, as a job returned it. Without, one of the usual size.
    #[cfg_attr(
        feature = "openapi",
        schema(
            pattern = r"^[0-9]{1,2}-[0-9]{1,2}(\.[0-9]{1,2})?x[0-9]{1,2}(\.[0-9]{1,2})?-[0-9a-f]{1,8}$",
            example = "0-2.25x0-9c41f07b"
        )
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// Center of its footprint: meters to the right of the camera, and away from it. A third number is ignored.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 3))]
    pub position: Vec<f64>,
    /// Height of its lower edge above the floor, meters. Defaults to 0.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 6))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
    /// Rotation to the left, degrees; 0 faces the camera's side of the room. Defaults to 0.
    #[cfg_attr(feature = "openapi", schema(minimum = -360, maximum = 360))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<f64>,
    /// Colors of its materials, `#rrggbb` by the names that a job returned. Built-in pieces only.
    #[cfg_attr(feature = "openapi", schema(schema_with = colors_schema, required = false))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colors: Option<BTreeMap<String, String>>,
}

/// Reads `arrangement`.
pub(super) fn arrangement(options: &Fields<'_>) -> Result<Option<Vec<PlacedPiece>>, ValidationError> {
    let Some(entries) = options.objects("arrangement", 1..=MOST_PIECES)? else { return Ok(None) };
    entries.iter().map(placed).collect::<Result<_, _>>().map(Some)
}

fn placed(fields: &Fields<'_>) -> Result<PlacedPiece, ValidationError> {
    let model = fields.text("model", 120)?.map(str::to_owned);
    let recipe = fields.formed("recipe", is_recipe, "a recipe that a job returned in `furniture[].recipe`")?;
    let colors = colors(fields)?;
    let allowed = PIECES.map(|name| (name, name));
    let piece = fields.choice("piece", &allowed)?.ok_or_else(|| fields.missing("piece", "a kind of furniture"))?;
    let position = fields.numbers("position", 2..=3, -FARTHEST..=FARTHEST)?;
    let position =
        position.ok_or_else(|| fields.missing("position", "meters to the right of the camera, and away from it"))?;
    Ok(PlacedPiece {
        piece: piece.to_owned(),
        model,
        recipe: recipe.map(str::to_owned),
        position,
        elevation: fields.number("elevation", 0.0..=6.0)?,
        turn: fields.number("turn", -360.0..=360.0)?,
        colors,
    })
}

/// Whether a text has the form of a recipe; whether there is such a piece, the engine knows.
fn is_recipe(text: &str) -> bool {
    let digits = |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let measure = |text: &str| match text.split_once('.') {
        Some((whole, part)) => digits(whole, 2) && digits(part, 2),
        None => digits(text, 2),
    };
    let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let parts: Vec<&str> = text.split('-').collect();
    let [form, measures, variant] = parts[..] else { return false };
    let Some((width, other)) = measures.split_once('x') else { return false };
    digits(form, 2)
        && measure(width)
        && measure(other)
        && (1..=8).contains(&variant.len())
        && variant.bytes().all(hexadecimal)
}

#[cfg(feature = "openapi")]
fn piece_schema() -> Schema {
    let kinds = ObjectBuilder::new().schema_type(Type::String).description(Some("Kind of furniture."));
    kinds.enum_values(Some(PIECES)).examples(["sofa"]).build().into()
}

#[cfg(feature = "openapi")]
fn colors_schema() -> Schema {
    let color = || ObjectBuilder::new().schema_type(Type::String).pattern(Some("^#[0-9A-Fa-f]{6}$"));
    let colors = ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .description(Some("Colors of its materials by the names that a job returned. Built-in pieces only."));
    MATERIALS.into_iter().fold(colors, |colors, name| colors.property(name, color())).build().into()
}

fn colors(fields: &Fields<'_>) -> Result<Option<BTreeMap<String, String>>, ValidationError> {
    let Some(colors) = fields.object("colors")? else { return Ok(None) };
    let mut read = BTreeMap::new();
    for name in MATERIALS {
        if let Some([red, green, blue]) = colors.color(name)? {
            read.insert(name.to_owned(), format!("#{red:02x}{green:02x}{blue:02x}"));
        }
    }
    Ok(Some(read))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::kinds::virtual_staging::VirtualStagingRequest;

    fn read(arrangement: Value) -> Result<Value, String> {
        let body = json!({"image_url": "u", "room_type": "bedroom", "options": {"arrangement": arrangement}});
        let request = VirtualStagingRequest::from_body(&body).map_err(|error| error.to_string())?;
        Ok(serde_json::to_value(request).unwrap()["options"]["arrangement"].clone())
    }

    #[test]
    fn the_furniture_of_a_job_is_an_arrangement_and_other_members_are_dropped() {
        let placed = json!({
            "piece": "side table", "recipe": "1-0x0-7f3a", "position": [0.5, 2.25, 0.27], "elevation": 0.0, "turn": 90.0,
            "colors": {"wood": "#c8a070"},
        });
        let mut entry = placed.clone();
        for (extra, value) in [("style", json!("modern")), ("size", json!([1, 2, 3])), ("polygon", json!([[1, 2]]))] {
            entry[extra] = value;
        }
        assert_eq!(read(json!([entry])), Ok(json!([placed])));
        let least = json!([{"piece": "rug", "position": [0.0, 3.0]}]);
        assert_eq!(read(least.clone()), Ok(least));
    }

    #[test]
    fn errors_of_an_arrangement_name_the_entry_and_the_member() {
        let wrong = |change: Value| {
            let mut entry = json!({"piece": "rug", "position": [0.0, 3.0]});
            change.as_object().unwrap().iter().for_each(|(key, value)| entry[key] = value.clone());
            read(json!([{"piece": "sofa", "position": [0, 2]}, entry])).unwrap_err()
        };
        for (change, expected) in [
            (json!({"piece": "throne"}), "`options.arrangement[1].piece` must be one of armchair"),
            (json!({"piece": null}), "`options.arrangement[1].piece` is required"),
            (json!({"position": null}), "`options.arrangement[1].position` is required"),
            (json!({"position": [1]}), "`options.arrangement[1].position` must be a list of 2 to 3 numbers"),
            (json!({"position": [1, 900]}), "`options.arrangement[1].position` must be"),
            (json!({"elevation": -1}), "`options.arrangement[1].elevation` must be a number from 0 to 6"),
            (json!({"turn": 1000}), "`options.arrangement[1].turn` must be"),
            (json!({"recipe": "large"}), "`options.arrangement[1].recipe` must be a recipe that a job returned"),
            (json!({"colors": {"wood": "brown"}}), "`options.arrangement[1].colors.wood` must be a color"),
            (json!({"colors": 3}), "`options.arrangement[1].colors` must be"),
        ] {
            let error = wrong(change);
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(read(json!([])).unwrap_err().starts_with("`options.arrangement` must be an array of 1 to 60 objects"));
        let both = json!({"image_url": "u", "room_type": "bedroom", "options": {
            "variations": 2, "arrangement": [{"piece": "rug", "position": [0, 2]}],
        }});
        let error = VirtualStagingRequest::from_body(&both).unwrap_err().to_string();
        assert!(error.starts_with("`options.variations` must be 1 together with `options.arrangement`"), "{error}");
    }
}
