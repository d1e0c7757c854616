//! Reads a request body field by field, so that every error names its field by its path in the same words.
//!
//! Unknown fields are ignored, and `null` counts as absent. Bodies are not deserialized into structs directly, because Serde's
//! messages describe Rust types ("invalid type: map, expected a string at line 1").

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::Layout;

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

    /// The members of the object `options` of a body.
    pub(crate) fn of_options(members: &'a Map<String, Value>) -> Self {
        Self { members, path: "options".to_owned() }
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

    /// The members of each object in the array `name`, if present. An entry's path has its index: `options.photos[0]`.
    ///
    /// # Errors
    /// When it is not an array of that many objects.
    pub fn objects(
        &self,
        name: &str,
        count: RangeInclusive<usize>,
    ) -> Result<Option<Vec<Fields<'a>>>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let Some(entries) = value.as_array().filter(|entries| count.contains(&entries.len())) else {
            return Err(self.error(name, format!("must be an array of {} to {} objects", count.start(), count.end())));
        };
        let fields = entries.iter().enumerate().map(|(at, entry)| {
            let path = format!("{}[{at}]", self.path(name));
            match entry {
                Value::Object(members) => Ok(Fields { members, path }),
                _ => Err(ValidationError::new(path, "must be an object")),
            }
        });
        fields.collect::<Result<_, _>>().map(Some)
    }

    /// The text `name`, one line, if present. Blank text counts as absent.
    ///
    /// # Errors
    /// When it is not a string, longer than `most` characters, or has characters that [`Layout::Line`] does not allow.
    pub fn text(&self, name: &str, most: usize) -> Result<Option<&'a str>, ValidationError> {
        self.laid_out(name, most, Layout::Line)
    }

    /// The prompt `name`, if present. Blank text counts as absent.
    ///
    /// # Errors
    /// When it is not a string, longer than `most` characters, or has characters that [`Layout::Prose`] does not allow.
    pub fn prompt(&self, name: &str, most: usize) -> Result<Option<&'a str>, ValidationError> {
        self.laid_out(name, most, Layout::Prose)
    }

    /// The required text `name`.
    ///
    /// # Errors
    /// When it is missing or blank, and the errors of [`Fields::text`].
    pub fn required_text(&self, name: &str, most: usize) -> Result<&'a str, ValidationError> {
        self.text(name, most)?.ok_or_else(|| {
            self.error(name, format!("is required: a string of 1 to {most} characters that is not blank"))
        })
    }

    /// The URL `name`, if present.
    ///
    /// # Errors
    /// When it is not a text of at most 2048 characters.
    pub fn url(&self, name: &str) -> Result<Option<&'a str>, ValidationError> {
        self.text(name, MAX_URL)
    }

    /// The list `name` of URLs, if present. They are fetched later.
    ///
    /// # Errors
    /// When it is not an array of that many strings, and the errors of [`Fields::required_url`] for each.
    pub fn urls(&self, name: &str, count: RangeInclusive<usize>) -> Result<Option<Vec<&'a str>>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let Some(entries) = value.as_array().filter(|entries| count.contains(&entries.len())) else {
            return Err(self.error(name, format!("must be an array of {} to {} URLs", count.start(), count.end())));
        };
        let read = |(at, entry): (usize, &'a Value)| {
            let name = format!("{name}[{at}]");
            let url = self.read_text(&name, entry, MAX_URL, Layout::Line)?;
            url.ok_or_else(|| self.missing_url(&name))
        };
        entries.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
    }

    /// The required URL `name`. It is fetched later.
    ///
    /// # Errors
    /// When it is missing or blank, and the errors of [`Fields::text`] with [`MAX_URL`] characters.
    pub fn required_url(&self, name: &str) -> Result<&'a str, ValidationError> {
        self.url(name)?.ok_or_else(|| self.missing_url(name))
    }

    fn missing_url(&self, name: &str) -> ValidationError {
        self.error(name, format!("is required: an HTTP or HTTPS URL of at most {MAX_URL} characters"))
    }

    /// The object `name` as it was sent, if present, for options that are kept whole.
    ///
    /// # Errors
    /// When it is not an object, larger than [`MAX_KEPT`] bytes of JSON, or has a name or a text with characters that
    /// [`Layout::Prose`] does not allow.
    pub fn kept_object(&self, name: &str) -> Result<Option<&'a Map<String, Value>>, ValidationError> {
        let Some(fields) = self.object(name)? else { return Ok(None) };
        check_members(fields.members, &fields.path)?;
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

    /// The list `name` of one or more different choices from `allowed`, if present.
    ///
    /// # Errors
    /// When it is not an array of those allowed, is empty, or names one twice.
    pub fn choices(&self, name: &str, allowed: &[&str]) -> Result<Option<Vec<String>>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let names = allowed.join(", ");
        let Some(entries) = value.as_array().filter(|entries| !entries.is_empty()) else {
            return Err(self.error(name, format!("must be an array of one or more of {names}")));
        };
        let mut chosen: Vec<String> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let error = |why: String| ValidationError::new(format!("{}[{at}]", self.path(name)), why);
            let entry = entry.as_str().filter(|entry| allowed.contains(entry));
            let entry = entry.ok_or_else(|| error(format!("must be one of {names}")))?;
            if chosen.iter().any(|chosen| chosen == entry) {
                return Err(error("must not repeat another entry".to_owned()));
            }
            chosen.push(entry.to_owned());
        }
        Ok(Some(chosen))
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

    /// The text `name` of a form of its own, if present; `what` says what it must be.
    ///
    /// # Errors
    /// When it is not a string of that form.
    pub fn formed(
        &self,
        name: &str,
        is_formed: impl Fn(&str) -> bool,
        what: &str,
    ) -> Result<Option<&'a str>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value
            .as_str()
            .filter(|text| is_formed(text))
            .map(Some)
            .ok_or_else(|| self.error(name, format!("must be {what}")))
    }

    /// The list `name` of texts of a form of their own, if present; `what` says what each must be.
    ///
    /// # Errors
    /// When it is not a list of that many strings of that form.
    pub fn formed_list(
        &self,
        name: &str,
        count: RangeInclusive<usize>,
        is_formed: impl Fn(&str) -> bool,
        what: &str,
    ) -> Result<Option<Vec<&'a str>>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let Some(entries) = value.as_array().filter(|entries| count.contains(&entries.len())) else {
            return Err(self.error(name, format!("must be an array of {} to {} strings", count.start(), count.end())));
        };
        let formed = entries.iter().enumerate().map(|(at, entry)| {
            let text = entry.as_str().filter(|text| is_formed(text));
            text.ok_or_else(|| ValidationError::new(format!("{}[{at}]", self.path(name)), format!("must be {what}")))
        });
        formed.collect::<Result<_, _>>().map(Some)
    }

    /// Whether `name` is given as `null`.
    #[must_use]
    pub fn is_null(&self, name: &str) -> bool {
        self.members.get(name).is_some_and(Value::is_null)
    }

    /// The value `name` as it was sent, if present.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.get(name)
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

    /// The numbers `name`, if present.
    ///
    /// # Errors
    /// When they are not a list of that many numbers within `range`.
    pub fn numbers(
        &self,
        name: &str,
        count: RangeInclusive<usize>,
        range: RangeInclusive<f64>,
    ) -> Result<Option<Vec<f64>>, ValidationError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let numbers: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        let good = numbers.filter(|list| count.contains(&list.len()) && list.iter().all(|v| range.contains(v)));
        good.map(Some).ok_or_else(|| {
            let message = format!(
                "must be a list of {} to {} numbers from {} to {}",
                count.start(),
                count.end(),
                range.start(),
                range.end()
            );
            self.error(name, message)
        })
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

    /// The error that the field `name` is wrong for the rest of the request; `why` follows the path.
    #[must_use]
    pub fn wrong(&self, name: &str, why: &str) -> ValidationError {
        self.error(name, why)
    }

    fn laid_out(&self, name: &str, most: usize, layout: Layout) -> Result<Option<&'a str>, ValidationError> {
        self.get(name).map_or(Ok(None), |value| self.read_text(name, value, most, layout))
    }

    /// The text in a value; blank text counts as absent.
    fn read_text(
        &self,
        name: &str,
        value: &'a Value,
        most: usize,
        layout: Layout,
    ) -> Result<Option<&'a str>, ValidationError> {
        let Value::String(text) = value else { return Err(self.error(name, "must be a string")) };
        // Before blank text counts as absent, because some control characters are white space.
        layout.check(text).map_err(|bad| self.error(name, bad.to_string()))?;
        if text.chars().count() > most {
            return Err(self.error(name, format!("must be at most {most} characters long")));
        }
        Ok(Some(text.as_str()).filter(|text| !text.trim().is_empty()))
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

/// Checks the names and texts in an object that is kept as it was sent.
fn check_members(members: &Map<String, Value>, path: &str) -> Result<(), ValidationError> {
    for (name, value) in members {
        if Layout::Prose.check(name).is_err() {
            return Err(ValidationError::new(
                path,
                format!("must not have control characters in a name, as in {name:?}"),
            ));
        }
        check_kept(value, &format!("{path}.{name}"))?;
    }
    Ok(())
}

fn check_kept(value: &Value, path: &str) -> Result<(), ValidationError> {
    match value {
        Value::String(text) => Layout::Prose.check(text).map_err(|bad| ValidationError::new(path, bad.to_string())),
        Value::Array(items) => {
            items.iter().enumerate().try_for_each(|(at, item)| check_kept(item, &format!("{path}[{at}]")))
        }
        Value::Object(members) => check_members(members, path),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
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
    fn an_entry_of_an_array_is_named_by_its_index() {
        let body =
            json!({"options": {"photos": [{"name": "a"}, {"name": 1}], "wrong": [{}, "b"], "one": {}, "none": null}});
        let options = Fields::of_body(&body).unwrap().object("options").unwrap().unwrap();
        let photos = options.objects("photos", 1..=2).unwrap().unwrap();
        assert_eq!(photos[0].text("name", 5), Ok(Some("a")));
        assert_eq!(photos[1].text("name", 5).unwrap_err().path, "options.photos[1].name");
        let error = |name: &str, count| options.objects(name, count).unwrap_err().to_string();
        assert_eq!(error("wrong", 1..=2), "`options.wrong[1]` must be an object");
        assert_eq!(error("photos", 3..=4), "`options.photos` must be an array of 3 to 4 objects");
        assert_eq!(error("one", 1..=2), "`options.one` must be an array of 1 to 2 objects");
        assert!(options.objects("none", 1..=2).unwrap().is_none());
    }

    #[test]
    fn the_length_of_a_text_is_counted_in_characters() {
        let body = json!({"name": "ééééé", "long": "éééééé"});
        let fields = Fields::of_body(&body).unwrap();
        assert_eq!(fields.required_text("name", 5), Ok("ééééé"));
        assert!(fields.required_text("long", 5).is_err());
    }

    #[test]
    fn control_characters_are_refused_even_where_they_are_blank() {
        let body = json!({"a": "1 Main\0St", "b": "\n", "c": "\u{85}", "d": "one\ntwo\tthree", "e": " "});
        let fields = Fields::of_body(&body).unwrap();
        for name in ["a", "b", "c", "d"] {
            let error = fields.text(name, 50).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{name}` must be one line without control characters, but has U+00")));
            assert_eq!(fields.required_url(name).unwrap_err().path, name);
        }
        assert_eq!(fields.text("e", 50), Ok(None));
        assert_eq!(fields.prompt("d", 50), Ok(Some("one\ntwo\tthree")));
        assert_eq!(fields.prompt("b", 50), Ok(None));
        assert_eq!(fields.prompt("a", 50).unwrap_err().path, "a");
    }

    #[test]
    fn an_object_that_is_kept_has_no_control_characters_however_deep() {
        let good = json!({"options": {"note": "one\ntwo", "list": [null, 1, {"x": "y"}]}});
        assert!(Fields::of_body(&good).unwrap().kept_object("options").is_ok());
        for (options, path) in [
            (json!({"note": "a\0b"}), "options.note"),
            (json!({"list": [1, {"x": ["\u{1b}"]}]}), "options.list[1].x[0]"),
            (json!({"a\0": 1}), "options"),
            (json!({"a": {"b\u{9b}": 1}}), "options.a"),
        ] {
            let body = json!({ "options": options });
            assert_eq!(Fields::of_body(&body).unwrap().kept_object("options").unwrap_err().path, path);
        }
    }

    #[test]
    fn a_body_that_is_not_an_object_is_refused() {
        for body in [json!([]), json!(null), json!("x"), json!(1)] {
            assert_eq!(Fields::of_body(&body).unwrap_err().to_string(), "The body must be a JSON object");
        }
    }
}
