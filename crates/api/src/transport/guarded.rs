//! A connection whose client must take responses at a minimum rate.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::pace::Pace;
use super::slots::Slot;

/// Fails with [`io::ErrorKind::TimedOut`] when the client takes a response too slowly, and notes when all is sent.
pub(super) struct Guarded<S> {
    stream: S,
    slot: Slot,
    pace: Pace,
}

impl<S> Guarded<S> {
    pub(super) fn new(stream: S, slot: Slot, pace: Pace) -> Self {
        Self { stream, slot, pace }
    }

    fn wrote(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(result) => self.pace.moved(result.as_ref().copied().unwrap_or(0)),
            Poll::Pending => {
                ready!(self.pace.poll_too_slow(context));
                let error = io::Error::new(io::ErrorKind::TimedOut, "the client takes the response too slowly");
                return Poll::Ready(Err(error));
            }
        }
        written
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
        this.wrote(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.wrote(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    // Called only when all that was to be written is. Neither this nor `poll_shutdown` waits for the client, because the stream
    // is a socket: TLS is above it.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        if let Poll::Ready(Ok(())) = flushed {
            this.slot.flushed();
        }
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;
    use crate::transport::limits::ConnectionLimits;
    use crate::transport::slots::Slots;

    fn guarded<S>(stream: S) -> Guarded<S> {
        let slot = Slots::new(&ConnectionLimits::default()).take(None).unwrap();
        Guarded::new(stream, slot, Pace::new(Duration::from_secs(1), 10))
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let (ours, theirs) = duplex(16);
        let error = guarded(ours).write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_at_the_minimum_rate_stays_connected_and_a_slower_one_does_not() {
        for (pause, stays) in [(90, true), (300, false)] {
            let (ours, mut theirs) = duplex(1);
            let writes = tokio::spawn(async move { guarded(ours).write_all(&[0; 50]).await });
            for _ in 0..50 {
                tokio::time::sleep(Duration::from_millis(pause)).await;
                if theirs.read_u8().await.is_err() {
                    break;
                }
            }
            assert_eq!(writes.await.unwrap().is_ok(), stays, "{pause}");
        }
    }
}
