//! Values from rows.

use std::str::FromStr;

use aerie_storage::StoreError;
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::error::{Error, Result};

/// A text column, by [`FromStr`].
pub(crate) fn parsed<T: FromStr>(row: &Row, column: usize) -> Result<T> {
    let text: &str = row.try_get(column)?;
    text.parse().map_err(|_| unexpected(column, text))
}

/// As [`parsed`], or `None` for NULL.
pub(crate) fn parsed_or_none<T: FromStr>(row: &Row, column: usize) -> Result<Option<T>> {
    let text: Option<&str> = row.try_get(column)?;
    text.map(|text| text.parse().map_err(|_| unexpected(column, text))).transpose()
}

pub(crate) fn named<T>(row: &Row, column: usize, from_name: fn(&str) -> Option<T>) -> Result<T> {
    let text: &str = row.try_get(column)?;
    from_name(text).ok_or_else(|| unexpected(column, text))
}

pub(crate) fn json<T: serde::de::DeserializeOwned>(row: &Row, column: usize) -> Result<T> {
    Ok(serde_json::from_str(row.try_get(column)?)?)
}

pub(crate) fn json_or_none<T: serde::de::DeserializeOwned>(row: &Row, column: usize) -> Result<Option<T>> {
    let text: Option<&str> = row.try_get(column)?;
    Ok(text.map(serde_json::from_str).transpose()?)
}

pub(crate) fn time(row: &Row, column: usize) -> Result<Timestamp> {
    let milliseconds: i64 = row.try_get(column)?;
    Timestamp::from_millisecond(milliseconds).map_err(|_| unexpected(column, &milliseconds.to_string()))
}

pub(crate) fn time_or_none(row: &Row, column: usize) -> Result<Option<Timestamp>> {
    let milliseconds: Option<i64> = row.try_get(column)?;
    milliseconds.map(|_| time(row, column)).transpose()
}

/// A count: PostgreSQL has no unsigned numbers.
pub(crate) fn number<T: TryFrom<i64>>(row: &Row, column: usize) -> Result<T> {
    let number: i64 = row.try_get(column)?;
    number.try_into().map_err(|_| unexpected(column, &number.to_string()))
}

pub(crate) fn number_or_none<T: TryFrom<i64>>(row: &Row, column: usize) -> Result<Option<T>> {
    let some: Option<i64> = row.try_get(column)?;
    some.map(|_| number(row, column)).transpose()
}

fn unexpected(column: usize, value: &str) -> Error {
    Error(StoreError::Backend(format!("unexpected value `{value}` in column {column}")))
}
