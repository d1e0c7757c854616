//! Bodies of a request and of its response, as far as the transport watches them.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};

use super::pace::Pace;
use super::slots::Answering;

/// Why a request's body was not read to its end.
#[derive(Debug, thiserror::Error)]
#[error("the body arrives too slowly")]
pub(crate) struct TooSlow;

/// A request's body, which fails with [`TooSlow`] when the client sends it below the minimum rate.
pub(super) struct Paced {
    body: Incoming,
    pace: Pace,
}

impl Paced {
    pub(super) fn new(body: Incoming, pace: Pace) -> Self {
        Self { body, pace }
    }
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.get_mut();
        match Pin::new(&mut this.body).poll_frame(context) {
            Poll::Ready(frame) => {
                if let Some(Ok(data)) = frame.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref)) {
                    this.pace.moved(data.map_or(0, Bytes::len));
                }
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                ready!(this.pace.poll_too_slow(context));
                Poll::Ready(Some(Err(Box::new(TooSlow))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
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
