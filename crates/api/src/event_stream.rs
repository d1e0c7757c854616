//! Streams of events.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{JobId, KeyHash, OrgId, REVIEW_EVENT, SessionHash, event_message, job_data};
use aerie_storage::{Event, EventPosition, EventSubject, JobProgress, StoreError, retention};
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use tokio::time::Instant;

use crate::auth::Caller;
use crate::error::ApiError;
use crate::error_code::ApiErrorCode;
use crate::per_organization::Permit;
use crate::transport::Stopping;
use crate::{ApiState, sessions};

/// How often the database is asked for news.
const EVERY: Duration = Duration::from_secs(1);

/// How often a stream checks whether its key is still valid, and its session not over.
const CHECK_KEY_EVERY: Duration = Duration::from_secs(10);

/// How often something is sent, so that nobody on the way takes the connection for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// When a client connects again after its stream has ended.
const CONNECT_AGAIN: Duration = Duration::from_secs(2);

/// Events read at once, and jobs whose progress is shown.
const PAGE: u32 = 100;

/// `Retry-After` for a client with too many streams, seconds.
const RETRY_AFTER: u32 = 10;

/// A stream that a client follows.
struct Following {
    state: Arc<ApiState>,
    org_id: OrgId,
    key: KeyHash,
    session: Option<SessionHash>,
    key_checked: Instant,
    position: EventPosition,
    progress: HashMap<JobId, (String, u8)>,
    waiting: VecDeque<Sent>,
    stopping: Option<Stopping>,
    is_idle: bool,
    _permit: Permit,
}

/// The response that streams what happens after a position, or from now on.
pub(crate) async fn respond(
    state: Arc<ApiState>,
    caller: &Caller,
    after: Option<EventPosition>,
    stopping: Option<Stopping>,
) -> Result<Response, ApiError> {
    let permit = state.streams.open(caller.org_id).ok_or_else(|| {
        let message = "Too many streams of events are open; close one, or try again later";
        ApiError::with_message(ApiErrorCode::RateLimited, message).retry_after(RETRY_AFTER)
    })?;
    let now = state.store.event_position().await?;
    // A restored database is behind its clients: they would wait until it has as many events again.
    let is_ahead = |after: &EventPosition| (after.transaction, after.number) > (now.transaction, now.number);
    let kept = i64::try_from(retention::EVENTS.as_millis()).unwrap_or(i64::MAX);
    let mut waiting = VecDeque::new();
    if after.is_some_and(|after| is_ahead(&after) || after.at < now.at - kept) {
        waiting.push_back(missed());
    }
    // Of its time, so that a gap is reported once.
    let position = EventPosition { at: now.at, ..after.filter(|after| !is_ahead(after)).unwrap_or(now) };
    waiting.push_back(ready(position));
    let following = Following {
        org_id: caller.org_id,
        key: caller.key,
        session: caller.session,
        key_checked: Instant::now(),
        position,
        progress: HashMap::new(),
        waiting,
        stopping,
        is_idle: false,
        _permit: permit,
        state,
    };
    let events = stream::unfold(following, |mut following| async move {
        let next = following.next().await?;
        Some((Ok::<_, Infallible>(next), following))
    });
    // Proxies such as nginx pass on what has this header without buffering it.
    let headers = [("x-accel-buffering", "no"), ("cache-control", "no-store")];
    Ok((headers, Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))).into_response())
}

impl Following {
    /// The next event; `None` ends the stream, and the client connects again.
    async fn next(&mut self) -> Option<Sent> {
        loop {
            if let Some(next) = self.waiting.pop_front() {
                return Some(next);
            }
            if self.is_idle && self.wait_or_stop().await {
                return None;
            }
            if self.key_checked.elapsed() >= CHECK_KEY_EVERY {
                self.key_checked = Instant::now();
                match self.may_follow().await {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(error) => tracing::warn!(%error, "the key of a stream cannot be checked"),
                }
            }
            if let Err(error) = self.read().await {
                tracing::warn!(%error, "events cannot be read; the stream ends");
                return None;
            }
        }
    }

    async fn may_follow(&self) -> Result<bool, StoreError> {
        let is_open = match self.session {
            Some(session) => sessions::CLIENTS.is_open(&*self.state.store, session).await?,
            None => true,
        };
        Ok(is_open && self.state.store.key_find(self.key).await?.is_some())
    }

    /// Waits for a while; `true` as soon as the service stops.
    async fn wait_or_stop(&mut self) -> bool {
        let stopped = async {
            match &mut self.stopping {
                Some(stopping) => stopping.stopped().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stopped => true,
            () = tokio::time::sleep(EVERY) => false,
        }
    }

    async fn read(&mut self) -> Result<(), StoreError> {
        let events = self.state.store.event_list(self.org_id, self.position, PAGE).await?;
        self.is_idle = events.len() < PAGE as usize;
        for event in events {
            self.position = event.position;
            if let EventSubject::Job(job_id, ..) = event.subject {
                self.progress.remove(&job_id);
            }
            self.waiting.push_back(of(&event));
        }
        if self.is_idle {
            for progress in self.state.store.progress_list(self.org_id, PAGE).await?.into_iter().rev() {
                let reached = (progress.stage.clone(), progress.percent);
                if self.progress.get(&progress.job_id) != Some(&reached) {
                    self.waiting.push_back(of_progress(&progress));
                    self.progress.insert(progress.job_id, reached);
                }
            }
        }
        Ok(())
    }
}

fn ready(position: EventPosition) -> Sent {
    let message = json!({"type": "ready", "data": {}});
    Sent::default().event("ready").id(position.to_string()).retry(CONNECT_AGAIN).data(message.to_string())
}

fn missed() -> Sent {
    let message = "Events since the given Last-Event-ID may have been removed: list the jobs";
    let message = json!({"type": "events.missed", "data": {"message": message}});
    Sent::default().event("events.missed").data(message.to_string())
}

fn of(event: &Event) -> Sent {
    let (kind, data) = match &event.subject {
        EventSubject::Job(id, kind, status) => (format!("job.{status}"), job_data(*id, *kind, status.as_str())),
        EventSubject::Review(ids) => (REVIEW_EVENT.to_owned(), ids.data()),
    };
    let message = event_message(&kind, event.at(), &data);
    Sent::default().event(kind).id(event.position.to_string()).data(message.to_string())
}

/// Without an id: a client that connects again gets the progress of that time.
fn of_progress(progress: &JobProgress) -> Sent {
    let mut data = job_data(progress.job_id, progress.job_type, "running");
    data["stage"] = json!(progress.stage);
    data["percent"] = json!(progress.percent);
    let message = event_message("job.progress", progress.at, &data);
    Sent::default().event("job.progress").data(message.to_string())
}
