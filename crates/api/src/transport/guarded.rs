//! A connection with a write timeout: the client may be slow but must not stall.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Fails with [`io::ErrorKind::TimedOut`] when the client reads nothing for a while.
pub(super) struct Guarded<S> {
    stream: S,
    stalled_after: Duration,
    waiting: bool,
    timer: Pin<Box<Sleep>>,
}

impl<S> Guarded<S> {
    pub(super) fn new(stream: S, stalled_after: Duration) -> Self {
        Self { stream, stalled_after, waiting: false, timer: Box::pin(sleep(stalled_after)) }
    }

    fn guard<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = false;
            return written;
        }
        if !self.waiting {
            self.waiting = true;
            self.timer.as_mut().reset(Instant::now() + self.stalled_after);
        }
        ready!(self.timer.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client stopped reading the response")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.guard(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.guard(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        this.guard(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let ended = Pin::new(&mut this.stream).poll_shutdown(context);
        this.guard(context, ended)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let (ours, theirs) = duplex(16);
        let mut guarded = Guarded::new(ours, Duration::from_millis(50));
        let error = guarded.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }

    #[tokio::test]
    async fn a_slow_client_that_keeps_reading_stays_connected() {
        let (ours, mut theirs) = duplex(1);
        let mut guarded = Guarded::new(ours, Duration::from_millis(200));
        let writes = tokio::spawn(async move { guarded.write_all(&[0; 12]).await });
        for _ in 0..12 {
            tokio::time::sleep(Duration::from_millis(30)).await;
            theirs.read_u8().await.unwrap();
        }
        writes.await.unwrap().unwrap();
    }
}
