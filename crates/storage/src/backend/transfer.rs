//! Rows that move from one backend to another: the same tables, columns and values, whatever the databases call or store them.
//!
//! Not moved: what the new database counts itself (jobs by status), turns, duties, the nodes that use it, and sessions of both consoles.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::media_link::hex;

/// A table. Its rows are ordered by their key; texts by their bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns; the first of them are the key.
    pub columns: &'static [Column],
    /// Number of columns that are the key.
    pub key: usize,
}

/// A column.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The type of its values, which may also be [`Value::Null`].
    pub kind: Kind,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A UUID.
    Uuid,
    /// Text without the character U+0000.
    Text,
    /// An integer.
    Integer,
    /// Yes or no.
    Boolean,
    /// Bytes.
    Bytes,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Nothing.
    Null,
    /// See [`Kind::Uuid`].
    Uuid(Uuid),
    /// See [`Kind::Text`].
    Text(String),
    /// See [`Kind::Integer`].
    Integer(i64),
    /// See [`Kind::Boolean`].
    Boolean(bool),
    /// See [`Kind::Bytes`].
    Bytes(Vec<u8>),
}

/// A row: a value for each column of its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// The values of the key.
    #[must_use]
    pub fn key(&self, table: &Table) -> &[Value] {
        &self.0[..table.key.min(self.0.len())]
    }

    /// The key as text, such as `org_id 01980c7e-…, month 2026-03`.
    #[must_use]
    pub fn describe_key(&self, table: &Table) -> String {
        let parts = table.columns.iter().zip(self.key(table)).map(|(column, value)| match value {
            Value::Uuid(id) => format!("{} {id}", column.name),
            Value::Text(text) => format!("{} {text}", column.name),
            other => format!("{} {other:?}", column.name),
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// Number and SHA-256 of the rows of a table, in the order of their keys. Two tables have the same if and only if they have the
/// same rows.
#[derive(Debug, Clone, Default)]
pub struct Checksum {
    rows: u64,
    digest: Sha256,
}

impl Checksum {
    /// Adds the next row.
    pub fn add(&mut self, row: &Row) {
        self.rows += 1;
        for value in &row.0 {
            let (kind, bytes): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Uuid(id) => (1, id.as_bytes()),
                Value::Text(text) => (2, text.as_bytes()),
                Value::Integer(number) => (3, &number.to_be_bytes()),
                Value::Boolean(yes) => (4, &[u8::from(*yes)]),
                Value::Bytes(bytes) => (5, bytes),
            };
            self.digest.update([kind]);
            self.digest.update((bytes.len() as u64).to_be_bytes());
            self.digest.update(bytes);
        }
    }

    /// The number of rows, and the SHA-256 in hexadecimal digits.
    #[must_use]
    pub fn finish(self) -> (u64, String) {
        (self.rows, hex(&self.digest.finalize()))
    }
}

const fn uuid(name: &'static str) -> Column {
    Column { name, kind: Kind::Uuid }
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text }
}

const fn integer(name: &'static str) -> Column {
    Column { name, kind: Kind::Integer }
}

/// The tables, each after those that it refers to.
pub const TABLES: &[Table] = &[
    Table {
        name: "organizations",
        key: 1,
        columns: &[
            uuid("id"),
            text("name"),
            text("plan"),
            text("disabled"),
            integer("monthly_quota"),
            text("prices"),
            Column { name: "reject_duplicates", kind: Kind::Boolean },
            integer("keep_days"),
            text("disclosure_profile"),
            Column { name: "truth_pages", kind: Kind::Boolean },
            integer("created_at"),
        ],
    },
    Table {
        name: "api_keys",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            Column { name: "hash", kind: Kind::Bytes },
            text("hint"),
            text("scopes"),
            integer("created_at"),
            integer("expires_at"),
            integer("revoked_at"),
        ],
    },
    Table {
        name: "operator_keys",
        key: 1,
        columns: &[
            uuid("id"),
            Column { name: "hash", kind: Kind::Bytes },
            text("name"),
            text("hint"),
            integer("created_at"),
            integer("expires_at"),
            integer("revoked_at"),
        ],
    },
    Table {
        name: "jobs",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            text("job_type"),
            text("status"),
            text("input"),
            text("input_media"),
            text("output"),
            text("media"),
            text("notes"),
            // As JSON.
            text("listing"),
            uuid("parent_id"),
            text("annotation"),
            integer("unit_price_cents"),
            uuid("request_id"),
            integer("attempt"),
            integer("runs"),
            text("worker"),
            integer("lease_expires_at"),
            integer("created_at"),
            integer("updated_at"),
            integer("completed_at"),
            integer("expired_at"),
            text("pack"),
        ],
    },
    Table {
        name: "usage_events",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            uuid("job_id"),
            text("event_type"),
            integer("unit_price_cents"),
            integer("created_at"),
        ],
    },
    Table {
        name: "uploads",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            integer("size"),
            text("name"),
            text("parts"),
            uuid("stored_as"),
            Column { name: "sha256", kind: Kind::Bytes },
            text("extension"),
            integer("width"),
            integer("height"),
            integer("created_at"),
            integer("expires_at"),
        ],
    },
    Table { name: "upload_use", key: 2, columns: &[uuid("org_id"), text("month"), integer("bytes")] },
    Table {
        name: "listings",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            text("reference"),
            text("address"),
            text("style_prompt"),
            text("photos"),
            integer("photo_count"),
            integer("created_at"),
            integer("updated_at"),
        ],
    },
    Table { name: "listing_jobs", key: 1, columns: &[uuid("job_id"), uuid("listing_id"), text("photo_id")] },
    Table { name: "listing_uploads", key: 2, columns: &[uuid("upload_id"), uuid("listing_id")] },
    Table {
        name: "share_links",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            uuid("listing_id"),
            Column { name: "token_hash", kind: Kind::Bytes },
            text("name"),
            Column { name: "show_address", kind: Kind::Boolean },
            Column { name: "allow_approval", kind: Kind::Boolean },
            Column { name: "allow_comments", kind: Kind::Boolean },
            integer("created_at"),
            integer("expires_at"),
            integer("revoked_at"),
        ],
    },
    Table {
        name: "reviews",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("share_link_id"),
            uuid("listing_id"),
            text("photo_id"),
            text("decision"),
            text("comment"),
            text("name"),
            integer("created_at"),
        ],
    },
    Table { name: "quota_use", key: 2, columns: &[uuid("org_id"), text("month"), integer("jobs")] },
    Table { name: "failed_jobs", key: 1, columns: &[uuid("org_id"), text("day"), integer("jobs")] },
    Table {
        name: "answers",
        key: 3,
        columns: &[
            uuid("org_id"),
            text("route"),
            text("key"),
            Column { name: "digest", kind: Kind::Bytes },
            uuid("job_id"),
            integer("status"),
            text("data"),
            integer("created_at"),
        ],
    },
    Table {
        name: "engine_time",
        key: 2,
        columns: &[text("job_type"), text("stage"), integer("runs"), integer("milliseconds")],
    },
    Table {
        name: "webhooks",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            text("url"),
            text("events"),
            text("description"),
            Column { name: "secret", kind: Kind::Bytes },
            Column { name: "old_secret", kind: Kind::Bytes },
            integer("old_secret_until"),
            integer("created_at"),
            integer("disabled_at"),
            text("disabled_because"),
            integer("failing_since"),
        ],
    },
    Table {
        name: "webhook_deliveries",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("webhook_id"),
            text("event"),
            uuid("job_id"),
            text("job_type"),
            integer("at"),
            integer("next_at"),
            Column { name: "delivered", kind: Kind::Boolean },
            integer("attempts"),
            integer("last_at"),
            integer("last_status"),
            text("last_error"),
            integer("last_took"),
            Column { name: "last_gone", kind: Kind::Boolean },
            text("review"),
        ],
    },
    Table {
        name: "truth_pages",
        key: 1,
        columns: &[
            uuid("id"),
            uuid("org_id"),
            uuid("job_id"),
            text("code"),
            text("facts"),
            text("files"),
            integer("bytes"),
            Column { name: "indexable", kind: Kind::Boolean },
            integer("created_at"),
            integer("expires_at"),
            integer("revoked_at"),
            integer("erased_at"),
            integer("held_at"),
        ],
    },
    Table { name: "leftovers", key: 1, columns: &[uuid("job_id"), uuid("org_id"), integer("due_at")] },
    Table {
        name: "secrets",
        key: 1,
        columns: &[text("name"), Column { name: "value", kind: Kind::Bytes }, integer("created_at")],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum(rows: &[&[&str]]) -> (u64, String) {
        let mut checksum = Checksum::default();
        for row in rows {
            checksum.add(&Row(row.iter().map(|text| Value::Text((*text).to_owned())).collect()));
        }
        checksum.finish()
    }

    #[test]
    fn a_checksum_changes_with_every_value_its_place_and_its_type() {
        let (rows, digest) = checksum(&[&["a", "b"], &["c", "d"]]);
        assert_eq!((rows, digest.len()), (2, 64));
        assert_eq!(checksum(&[&["a", "b"], &["c", "d"]]).1, digest);
        for other in [&[&["ab", ""][..], &["c", "d"]][..], &[&["c", "d"], &["a", "b"]], &[&["a", "b"]]] {
            assert_ne!(checksum(other).1, digest, "{other:?}");
        }
        let one = |value: Value| {
            let mut checksum = Checksum::default();
            checksum.add(&Row(vec![value]));
            checksum.finish().1
        };
        assert_ne!(one(Value::Null), one(Value::Text(String::new())));
        assert_ne!(one(Value::Bytes(b"a".to_vec())), one(Value::Text("a".into())));
    }

    #[test]
    fn keys_are_ordered_as_both_databases_order_them() {
        let text = |text: &str| Value::Text(text.into());
        assert!(text("B") < text("a") && text("a") < text("ab") && text("z") < text("é"));
        let uuid = |first: u8| Value::Uuid(Uuid::from_bytes([first; 16]));
        assert!(uuid(9) < uuid(10) && uuid(0x7f) < uuid(0x80));
        assert!([uuid(1), text("b")] < [uuid(2), text("a")]);
    }

    #[test]
    fn a_key_is_described_by_its_columns_alone() {
        let secrets = TABLES.iter().find(|table| table.name == "secrets").unwrap();
        let row = Row(vec![Value::Text("media_links".into()), Value::Bytes(vec![7; 32]), Value::Integer(1)]);
        assert_eq!(row.describe_key(secrets), "name media_links");
    }
}
