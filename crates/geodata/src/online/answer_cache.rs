//! A service's answers on disk, and the rate limit for requests, shared by all processes of the data folder.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aerie_sources::Service;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::client::Client;

use crate::GeodataError;

/// Milliseconds of a day.
const DAY: i64 = 24 * 3600 * 1000;

/// A service and its cached answers.
pub struct Answers<'a> {
    name: &'a str,
    service: &'a Service,
    kept: Connection,
}

/// An answer of a service.
pub struct Answer {
    /// Body of the response.
    pub body: Vec<u8>,
    /// When it was fetched, milliseconds since 1970.
    pub at: i64,
}

impl<'a> Answers<'a> {
    /// Opens the cache in `folder`, which is created when missing.
    pub fn open(folder: &Path, name: &'a str, service: &'a Service) -> Result<Self, GeodataError> {
        std::fs::create_dir_all(folder).map_err(|e| GeodataError::io(folder, e))?;
        let kept = Connection::open(folder.join(format!("{name}.sqlite")))?;
        kept.busy_timeout(Duration::from_secs(20))?;
        kept.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
             CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, body BLOB NOT NULL, at INTEGER NOT NULL);
             CREATE INDEX IF NOT EXISTS answers_by_age ON answers (at);
             CREATE TABLE IF NOT EXISTS pace (id INTEGER PRIMARY KEY CHECK (id = 0), next INTEGER NOT NULL);
             INSERT OR IGNORE INTO pace VALUES (0, 0);",
        )?;
        Ok(Self { name, service, kept })
    }

    /// The error of this service.
    #[must_use]
    pub fn fails(&self, why: String) -> GeodataError {
        GeodataError::Source { name: self.name.to_owned(), why }
    }

    /// The answer to a question: the cached one, or else that of `fetch`, which is cached if `sound` accepts it. If the
    /// service fails, an expired answer is returned.
    pub fn to(
        &self,
        question: &str,
        fetch: impl Fn(&dyn Fn()) -> Result<Vec<u8>, String>,
        sound: impl Fn(&[u8]) -> Result<(), String>,
    ) -> Result<Answer, GeodataError> {
        let kept: Option<Answer> = self
            .kept
            .prepare_cached("SELECT body, at FROM answers WHERE question = ?1")?
            .query_row([question], |r| Ok(Answer { body: r.get(0)?, at: r.get(1)? }))
            .optional()?;
        let is_fresh = |a: &Answer| (0..i64::from(self.service.keep_days) * DAY).contains(&(now() - a.at));
        let kept = match kept {
            Some(answer) if is_fresh(&answer) => return Ok(answer),
            kept => kept,
        };
        // A database error here returns at the next statement.
        let turn = || self.take_turn().unwrap_or_default();
        match fetch(&turn).and_then(|body| sound(&body).map(|()| body)) {
            Ok(body) => {
                let answer = Answer { body, at: now() };
                self.keep(question, &answer)?;
                Ok(answer)
            }
            Err(why) => kept.ok_or_else(|| self.fails(why)),
        }
    }

    /// An answer that the caller caches.
    pub fn fetched(&self, fetch: impl Fn(&dyn Fn()) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, GeodataError> {
        let turn = || self.take_turn().unwrap_or_default();
        fetch(&turn).map_err(|why| self.fails(why))
    }

    fn keep(&self, question: &str, answer: &Answer) -> Result<(), GeodataError> {
        self.kept.prepare_cached("INSERT OR REPLACE INTO answers VALUES (?1, ?2, ?3)")?.execute((
            question,
            &answer.body,
            answer.at,
        ))?;
        let size = |pragma: &str| self.kept.query_row(pragma, [], |r| r.get::<_, i64>(0));
        let used = size("PRAGMA page_count")? - size("PRAGMA freelist_count")?;
        if used * size("PRAGMA page_size")? > i64::from(self.service.cache_mib) << 20 {
            self.kept.execute(
                "DELETE FROM answers WHERE question IN (SELECT question FROM answers ORDER BY at LIMIT \
                 (SELECT 1 + count(*) / 10 FROM answers)) AND question <> ?1",
                [question],
            )?;
        }
        Ok(())
    }

    /// Waits until the rate limit allows a request.
    fn take_turn(&self) -> rusqlite::Result<()> {
        let gap = (1000.0 / self.service.requests_per_second).ceil() as i64;
        let turn = rusqlite::Transaction::new_unchecked(&self.kept, TransactionBehavior::Immediate)?;
        let now = now();
        // A clock that was set back must not cause a wait of days.
        let next: i64 = turn.query_row("SELECT next FROM pace", [], |r| r.get(0))?;
        let next = if next > now + 100 * gap { now } else { next.max(now) };
        turn.execute("UPDATE pace SET next = ?1", [next + gap])?;
        turn.commit()?;
        std::thread::sleep(Duration::from_millis(u64::try_from(next - now).unwrap_or(0)));
        Ok(())
    }

    /// Asks by the query of a URL.
    pub fn get(&self, client: &Client, query: &str, turn: &dyn Fn()) -> Result<Vec<u8>, String> {
        let mark = if self.service.url.contains('?') { '&' } else { '?' };
        let url = format!("{}{mark}{query}", self.service.url);
        client.get(&url, turn)?.ok_or_else(|| "its url leads nowhere (HTTP 404)".to_owned())
    }

    /// Asks by a form.
    pub fn post(&self, client: &Client, form: &str, turn: &dyn Fn()) -> Result<Vec<u8>, String> {
        client.post(&self.service.url, form, turn)?.ok_or_else(|| "its url leads nowhere (HTTP 404)".to_owned())
    }
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
}
