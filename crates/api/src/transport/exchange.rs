//! Bodies of a request and of its response, as far as the transport watches them.

use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;

use super::pace::Pace;
use super::slots::Answering;

/// Why a request's body was not read to its end.
#[derive(Debug, thiserror::Error)]
#[error("the body arrives too slowly")]
pub(crate) struct TooSlow;

type ReadError = Box<dyn Error + Send + Sync>;

/// Maximum size of a body that is read and discarded after its request was answered, bytes: more than the largest upload.
const MAX_DRAINED: u64 = 144 << 20;

/// Time limit for it. The connection counts as waiting meanwhile, so that another client can take its slot.
const DRAINS_WITHIN: Duration = Duration::from_secs(180);

/// A request's body, which fails with [`TooSlow`] when the client sends it below the minimum rate.
///
/// When it is dropped, the rest of it is read and discarded: most clients read the response only after they have sent the whole request, and
/// lose it if the connection is closed before.
pub(super) struct Paced {
    /// `None` once it has ended or failed.
    reading: Option<Reading>,
    is_drained: bool,
}

struct Reading {
    body: Incoming,
    pace: Pace,
}

impl Paced {
    /// `waits`: the client sends the body only when it is asked to (`Expect: 100-continue`), so that what is not read is not sent; or nothing is
    /// to be read for it.
    pub(super) fn new(body: Incoming, pace: Pace, waits: bool) -> Self {
        Self { reading: Some(Reading { body, pace }), is_drained: !waits }
    }
}

impl Reading {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, ReadError>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(frame) => {
                if let Some(Ok(data)) = frame.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref)) {
                    self.pace.moved(data.map_or(0, Bytes::len));
                }
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                ready!(self.pace.poll_too_slow(context));
                Poll::Ready(Some(Err(Box::new(TooSlow))))
            }
        }
    }

    async fn drain(mut self) {
        let mut drained = 0;
        while let (true, Some(Ok(frame))) = (drained < MAX_DRAINED, poll_fn(|context| self.poll(context)).await) {
            drained += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
    }
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = ReadError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.get_mut();
        let Some(reading) = &mut this.reading else { return Poll::Ready(None) };
        let frame = ready!(reading.poll(context));
        // Now it is asked for, and will be sent.
        this.is_drained = true;
        if !matches!(frame, Some(Ok(_))) {
            this.reading = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.reading.as_ref().is_none_or(|reading| reading.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.reading.as_ref().map_or_else(|| SizeHint::with_exact(0), |reading| reading.body.size_hint())
    }
}

impl Drop for Paced {
    fn drop(&mut self) {
        let rest = self.reading.take().filter(|rest| {
            self.is_drained && !rest.body.is_end_stream() && rest.body.size_hint().lower() <= MAX_DRAINED
        });
        if let (Some(rest), Ok(runtime)) = (rest, Handle::try_current()) {
            runtime.spawn(tokio::time::timeout(DRAINS_WITHIN, rest.drain()));
        }
    }
}

/// A response's body. While it exists, the connection is busy.
pub(super) struct Answer {
    body: Body,
    _answering: Answering,
}

impl Answer {
    pub(super) fn new(body: Body, answering: Answering) -> Self {
        Self { body, _answering: answering }
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
