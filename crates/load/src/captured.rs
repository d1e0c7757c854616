//! The statements that the storage code sends, read from the server's log.

use std::time::Duration;

use aerie_storage_postgres::PostgresStore;
use serde_json::Value;

use crate::server::Server;

/// How often the log is read until nothing is added to it.
const READS: usize = 10;

/// A statement with its values as text; `$1` is the first.
pub(crate) struct Statement {
    pub(crate) text: String,
    pub(crate) values: Vec<Option<String>>,
}

/// The statements that `action` causes, in their order, without notifications, which many submits share.
///
/// # Panics
/// When the server does not log as `bench/queue.sh` has it.
pub(crate) async fn statements<T>(
    server: &Server,
    action: impl AsyncFnOnce(&PostgresStore) -> T,
) -> (T, Vec<Statement>) {
    let store = server.store_with("?application_name=captured&options=-c%20log_statement%3Dall", 1).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let from = server.number("SELECT size FROM pg_stat_file(pg_current_logfile('jsonlog'))").await;
    let done = action(&store).await;
    drop(store);
    // The server writes its log a moment later, and on a busy machine much later.
    let (mut found, mut before) = (Vec::new(), 0);
    for _ in 0..READS {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        found = logged(server, from).await;
        if !found.is_empty() && found.len() == before {
            break;
        }
        before = found.len();
    }
    assert!(!found.is_empty(), "the server has not logged what the storage code sent");
    (done, found)
}

/// The statements in the server's log from a position on.
async fn logged(server: &Server, from: i64) -> Vec<Statement> {
    let log = server.rows(&format!("SELECT pg_read_file(pg_current_logfile('jsonlog'), {from}, 10000000)")).await;
    let log: String = log[0].get(0);
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines
        .filter(|line| line["application_name"].as_str().is_some_and(|name| name.ends_with("captured")))
        .filter_map(|line| {
            let message = line["message"].as_str()?;
            let text = message
                .strip_prefix("statement: ")
                .or_else(|| message.strip_prefix("execute ")?.split_once(": ").map(|(_, text)| text))?;
            let values = values(line["detail"].as_str().unwrap_or_default());
            (!text.contains("pg_notify")).then(|| Statement { text: text.to_owned(), values })
        })
        .collect()
}

/// The values of `parameters: $1 = 'it''s', $2 = NULL`.
fn values(detail: &str) -> Vec<Option<String>> {
    let (mut values, mut rest) = (Vec::new(), detail);
    while let Some((_, value)) = rest.split_once(" = ") {
        let (value, after) = value.strip_prefix('\'').map_or((None, value), |quoted| {
            let (text, after) = unquoted(quoted);
            (Some(text), after)
        });
        values.push(value);
        rest = after;
    }
    values
}

/// A text up to its closing quote, and what follows.
fn unquoted(mut quoted: &str) -> (String, &str) {
    let mut text = String::new();
    while let Some((piece, after)) = quoted.split_once('\'') {
        text.push_str(piece);
        let Some(more) = after.strip_prefix('\'') else { return (text, after) };
        text.push('\'');
        quoted = more;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_their_quotes() {
        let detail = "parameters: $1 = 'a = b', $2 = NULL, $3 = 'it''s', $4 = '', $5 = '''', $6 = '{\"a\":\"b\"}'";
        let expected = [Some("a = b"), None, Some("it's"), Some(""), Some("'"), Some("{\"a\":\"b\"}")];
        assert_eq!(values(detail), expected.map(|value| value.map(str::to_owned)));
        assert!(values("").is_empty());
    }
}
