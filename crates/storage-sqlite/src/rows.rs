//! Values from rows.

use std::str::FromStr;

use jiff::Timestamp;
use rusqlite::Row;
use rusqlite::types::Type;

/// A text column, by [`FromStr`].
pub(crate) fn parsed<T: FromStr>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    text.parse().map_err(|_| unreadable(column, format!("unexpected value `{text}`")))
}

/// As [`parsed`], or `None` for NULL.
pub(crate) fn parsed_or_none<T: FromStr>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<T>> {
    if row.get_ref(column)?.data_type() == Type::Null { Ok(None) } else { parsed(row, column).map(Some) }
}

pub(crate) fn named<T>(row: &Row<'_>, column: usize, from_name: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    from_name(text).ok_or_else(|| unreadable(column, format!("unexpected value `{text}`")))
}

pub(crate) fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| unreadable(column, error.to_string()))
}

pub(crate) fn json_or_none<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<Option<T>> {
    if row.get_ref(column)?.data_type() == Type::Null { Ok(None) } else { json(row, column).map(Some) }
}

pub(crate) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let milliseconds: i64 = row.get(column)?;
    Timestamp::from_millisecond(milliseconds).map_err(|error| unreadable(column, error.to_string()))
}

pub(crate) fn time_or_none(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    if row.get_ref(column)?.data_type() == Type::Null { Ok(None) } else { time(row, column).map(Some) }
}

fn unreadable(column: usize, why: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, why.into())
}
