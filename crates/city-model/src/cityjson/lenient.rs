//! Reads JSON whose values may be of any type: what is not expected is skipped, and never fails the file.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::budget::Budget;

/// A number, text, or nothing of these.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scalar<'a> {
    Null,
    Bool,
    Number(f64),
    Text(&'a str),
}

/// What is read of a value. The defaults skip it.
pub(super) trait Shape<'de>: Sized {
    /// What it becomes; the default where the value is of another type.
    type Output: Default;

    fn scalar(self, _scalar: Scalar) -> Self::Output {
        Self::Output::default()
    }

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Output, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::Output::default())
    }

    fn map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Output, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::Output::default())
    }
}

/// Skips the value of a key.
pub(super) fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// Deserializes by a shape.
pub(super) struct Lenient<S>(pub(super) S);

impl<'de, S: Shape<'de>> DeserializeSeed<'de> for Lenient<S> {
    type Value = S::Output;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, S: Shape<'de>> Visitor<'de> for Lenient<S> {
    type Value = S::Output;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(self.0.scalar(Scalar::Bool))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(self.0.scalar(Scalar::Number(value as f64)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(self.0.scalar(Scalar::Number(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(self.0.scalar(Scalar::Number(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(self.0.scalar(Scalar::Text(value)))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(self.0.scalar(Scalar::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        self.0.seq(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        self.0.map(map)
    }
}

/// A text, or a number as text.
pub(super) struct Text;

impl Shape<'_> for Text {
    type Output = Option<String>;

    fn scalar(self, scalar: Scalar) -> Option<String> {
        match scalar {
            Scalar::Text(text) => Some(text.into()),
            Scalar::Number(number) => Some(number.to_string()),
            Scalar::Null | Scalar::Bool => None,
        }
    }
}

/// A number, or a text that is one.
pub(super) struct Number;

impl Shape<'_> for Number {
    type Output = Option<f64>;

    fn scalar(self, scalar: Scalar) -> Option<f64> {
        match scalar {
            Scalar::Text(text) => text.trim().parse().ok(),
            Scalar::Number(number) => Some(number),
            Scalar::Null | Scalar::Bool => None,
        }
    }
}

/// A list of texts.
pub(super) struct Texts<'a>(pub(super) &'a Budget);

impl<'de> Shape<'de> for Texts<'_> {
    type Output = Vec<String>;

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<String>, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = seq.next_element_seed(Lenient(Text))? {
            if self.0.spend() {
                texts.extend(text);
            }
        }
        Ok(texts)
    }
}

/// Three numbers; a number is `None` where it is missing.
pub(super) struct Triple;

impl<'de> Shape<'de> for Triple {
    type Output = [Option<f64>; 3];

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Output, A::Error> {
        let mut triple = [None; 3];
        let mut index = 0;
        while let Some(number) = seq.next_element_seed(Lenient(Number))? {
            if let Some(place) = triple.get_mut(index) {
                *place = number;
            }
            index += 1;
        }
        Ok(triple)
    }
}
