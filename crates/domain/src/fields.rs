//! Reads a request body field by field, so that every error names its field by its path in the same words.
//!
//! Unknown fields are ignored, and `null` counts as absent. Bodies are not deserialized into structs directly, because Serde's
//! messages describe Rust types ("invalid type: map, expected a string at line 1").

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// Maximum length of an address, characters.
pub const MAX_ADDRESS: usize = 500;

/// Maximum length of a URL, characters.
pub const MAX_URL: usize = 2048;

/// Maximum size of an object that is kept as it was sent, bytes of JSON.
pub const MAX_KEPT: usize = 8 << 10;

/// An invalid field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", if path.is_empty() { message.clone() } else { format!("`{path}` {message}") })]
pub struct ValidationError {
    /// Path of the field (`options.direction`). Empty for the request as a whole.
    pub path: String,
    /// What is wrong and what is allowed: a predicate that follows the path.
    pub message: String,
}

impl ValidationError {
    /// An error in the field at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// The members of one JSON object of a request.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    members: &'a Map<String, Value>,
    path: String,
}

impl<'a> Fields<'a> {
    /// The members of a body.
    ///
    /// # Errors
    /// When the body is not a JSON object.
    pub fn of_body(body: &'a Value) -> Result<Self, ValidationError> {
        match body {
            Value::Object(members) => Ok(Self { members, path: String::new() }),
            _ => Err(ValidationError::new("", "The body must be a JSON object")),
        }
    }

    /// The members of the object `name`, if present.
    ///
    /// # Errors
    /// When it is not an object.
    pub fn object(&self, name: &str) -> Result<Option<Fields<'a>>, ValidationError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(Fields { members, path: self.path(name) })),
            Some(_) => Err(self.error(name, "must be an object")),
        }
    }

    /// The object `options` as `read` reads it, if present.
    ///
    /// # Errors
    /// When it is not an object, and the errors of `read`.
    pub fn options<T>(
        &self,
        read: impl FnOnce(&Fields<'a>) -> Result<T, ValidationError>,
    ) -> Result<Option<T>, ValidationError> {
        self.object("options")?.as_ref().map(read).transpose()
    }

    /// The text `name`, if present. Blank text counts as absent.
    ///
    /// # Errors
    /// When it is not a string, or longer than `most` characters.
    pub fn text(&self, name: &str, most: usize) -> Result<Option<&'a str>, ValidationError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) if text.chars().count() > most => {
                Err(self.error(name, format!("must be at most {most} characters long")))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.error(name, "must be a string")),
        }
    }

    /// The required text `name`.
    ///
    /// # Errors
    /// When it is missing, blank, not a string, or longer than `most` characters.
    pub fn required_text(&self, name: &str, most: usize) -> Result<&'a str, ValidationError> {
        self.text(name, most)?.ok_or_else(|| {
            self.error(name, format!("is required: a string of 1 to {most} characters that is not blank"))
        })
    }

    /// The required URL `name`. It is fetched later.
    ///
    /// # Errors
    /// When it is missing, blank, not a string, or longer than [`MAX_URL`] characters.
    pub fn required_url(&self, name: &str) -> Result<&'a str, ValidationError> {
        self.text(name, MAX_URL)?.ok_or_else(|| {
            self.error(name, format!("is required: an HTTP or HTTPS URL of at most {MAX_URL} characters"))
        })
    }

    /// The object `name` as it was sent, if present, for options that are kept whole.
    ///
    /// # Errors
    /// When it is not an object, or larger than [`MAX_KEPT`] bytes of JSON.
    pub fn kept_object(&self, name: &str) -> Result<Option<&'a Map<String, Value>>, ValidationError> {
        let Some(fields) = self.object(name)? else { return Ok(None) };
        let size = serde_json::to_vec(fields.members).map_or(usize::MAX, |json| json.len());
        if size > MAX_KEPT {
            return Err(self.error(name, format!("must be at most {MAX_KEPT} bytes of JSON")));
        }
        Ok(Some(fields.members))
    }

    /// The choice `name` from `allowed`, if present.
    ///
    /// # Errors
    /// When it is not one of those allowed.
    pub fn choice<T: Copy>(&self, name: &str, allowed: &[(&str, T)]) -> Result<Option<T>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let chosen = value.as_str().and_then(|text| allowed.iter().find(|(allowed, _)| *allowed == text));
        match chosen {
            Some((_, choice)) => Ok(Some(*choice)),
            None => {
                let names: Vec<&str> = allowed.iter().map(|(name, _)| *name).collect();
                Err(self.error(name, format!("must be one of {}", names.join(", "))))
            }
        }
    }

    /// The boolean `name`, if present.
    ///
    /// # Errors
    /// When it is neither `true` nor `false`.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, ValidationError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(_) => Err(self.error(name, "must be true or false")),
        }
    }

    /// The color `name`, if present: red, green and blue in sRGB.
    ///
    /// # Errors
    /// When it is not a string of `#` and six hexadecimal digits.
    pub fn color(&self, name: &str) -> Result<Option<[u8; 3]>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let digits = value.as_str().and_then(|text| text.strip_prefix('#'));
        let digits = digits.filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match number.map(u32::to_be_bytes) {
            Some([_, red, green, blue]) => Ok(Some([red, green, blue])),
            None => Err(self.error(name, "must be a color as `#` and six hexadecimal digits, such as #FFD400")),
        }
    }

    /// The integer `name`, if present. `5.0` counts as an integer.
    ///
    /// # Errors
    /// When it is not a whole number, or not within `range`.
    pub fn integer(&self, name: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and far inside the range of i64")]
        let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
        let number = value.as_i64().or_else(|| value.as_f64().and_then(whole));
        match number {
            Some(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(self.error(name, format!("must be an integer from {} to {}", range.start(), range.end()))),
        }
    }

    /// The number `name`, if present.
    ///
    /// # Errors
    /// When it is not a number, or not within `range`.
    pub fn number(&self, name: &str, range: RangeInclusive<f64>) -> Result<Option<f64>, ValidationError> {
        match self.get(name).map(Value::as_f64) {
            None => Ok(None),
            Some(Some(number)) if range.contains(&number) => Ok(Some(number)),
            Some(_) => Err(self.error(name, format!("must be a number from {} to {}", range.start(), range.end()))),
        }
    }

    /// The points `name`, `[x, y]` in pixels of a picture, if present.
    ///
    /// # Errors
    /// When they are not a list of that many pairs of plausible numbers.
    pub fn points(&self, name: &str, count: RangeInclusive<usize>) -> Result<Option<Vec<[f64; 2]>>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let points: Option<Vec<[f64; 2]>> = value.as_array().and_then(|list| list.iter().map(pair).collect());
        match points.filter(|points| count.contains(&points.len())) {
            Some(points) => Ok(Some(points)),
            None => Err(self.error(
                name,
                format!("must be a list of {} to {} points [x, y] in pixels of the photo", count.start(), count.end()),
            )),
        }
    }

    /// The point `name`, `[x, y]` in pixels of a picture, if present.
    ///
    /// # Errors
    /// When it is not a pair of plausible numbers.
    pub fn point(&self, name: &str) -> Result<Option<[f64; 2]>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        pair(value).map(Some).ok_or_else(|| self.error(name, "must be a point [x, y] in pixels of the photo"))
    }

    /// The error that the field `name` is missing, with what it must be.
    #[must_use]
    pub fn missing(&self, name: &str, what: &str) -> ValidationError {
        self.error(name, format!("is required: {what}"))
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn error(&self, name: &str, message: impl Into<String>) -> ValidationError {
        ValidationError::new(self.path(name), message)
    }
}

/// A pair of numbers.
fn pair(point: &Value) -> Option<[f64; 2]> {
    let [x, y] = point.as_array()?.as_slice() else { return None };
    let within = |v: &Value| v.as_f64().filter(|v| (-100_000.0..=100_000.0).contains(v));
    Some([within(x)?, within(y)?])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_integer_may_arrive_with_a_decimal_point_but_not_with_a_fraction() {
        let body = json!({"a": 5.0, "b": 5.5, "c": 11, "d": "5", "e": null, "f": 1e300, "g": u64::MAX});
        let fields = Fields::of_body(&body).unwrap();
        assert_eq!(fields.integer("a", 3..=10), Ok(Some(5)));
        assert_eq!(fields.integer("e", 3..=10), Ok(None));
        for name in ["b", "c", "d", "f", "g"] {
            let error = fields.integer(name, 3..=10).unwrap_err();
            assert_eq!(error.to_string(), format!("`{name}` must be an integer from 3 to 10"));
        }
    }

    #[test]
    fn a_color_is_a_hash_and_six_digits() {
        let body =
            json!({"a": "#FFd400", "b": "FFD400", "c": "#FFF", "d": "yellow", "e": 5, "f": "#+12345", "g": null});
        let fields = Fields::of_body(&body).unwrap();
        assert_eq!(fields.color("a"), Ok(Some([255, 212, 0])));
        assert_eq!(fields.color("g"), Ok(None));
        for name in ["b", "c", "d", "e", "f"] {
            let error = fields.color(name).unwrap_err().to_string();
            assert_eq!(error, format!("`{name}` must be a color as `#` and six hexadecimal digits, such as #FFD400"));
        }
    }

    #[test]
    fn a_nested_field_is_named_by_its_path() {
        let body = json!({"options": {"inner": {"name": 1}}});
        let options = Fields::of_body(&body).unwrap().object("options").unwrap().unwrap();
        let inner = options.object("inner").unwrap().unwrap();
        assert_eq!(inner.text("name", 5).unwrap_err().path, "options.inner.name");
    }

    #[test]
    fn the_length_of_a_text_is_counted_in_characters() {
        let body = json!({"name": "ééééé", "long": "éééééé"});
        let fields = Fields::of_body(&body).unwrap();
        assert_eq!(fields.required_text("name", 5), Ok("ééééé"));
        assert!(fields.required_text("long", 5).is_err());
    }

    #[test]
    fn a_body_that_is_not_an_object_is_refused() {
        for body in [json!([]), json!(null), json!("x"), json!(1)] {
            assert_eq!(Fields::of_body(&body).unwrap_err().to_string(), "The body must be a JSON object");
        }
    }
}
