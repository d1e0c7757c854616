//! The rate of a transfer, over the time that it waits for the client.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// Measures a transfer in windows of waiting time. Time in which the server has nothing to send, or does not read, is in no
/// window.
pub(super) struct Pace {
    window: Duration,
    /// Bytes that must move in a window.
    least: u64,
    moved: u64,
    waited: Duration,
    /// Since when the transfer waits for the client.
    since: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    pub(super) fn new(window: Duration, bytes_per_second: u32) -> Self {
        let least = (f64::from(bytes_per_second) * window.as_secs_f64()) as u64;
        Self { window, least: least.max(1), moved: 0, waited: Duration::ZERO, since: None, timer: None }
    }

    /// Counts bytes that the client sent or took.
    pub(super) fn moved(&mut self, bytes: usize) {
        if let Some(since) = self.since.take() {
            self.waited += since.elapsed();
        }
        // What moves before the first wait was in the system's buffers and says nothing about the client.
        if !self.waited.is_zero() {
            self.moved += bytes as u64;
        }
    }

    /// Completes when too little has moved in a window. To be polled whenever the transfer waits for the client.
    pub(super) fn poll_too_slow(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(Duration::ZERO)));
            if self.since.is_none() {
                let now = Instant::now();
                self.since = Some(now);
                timer.as_mut().reset(now + self.window.saturating_sub(self.waited));
            }
            ready!(timer.as_mut().poll(context));
            if self.moved < self.least {
                return Poll::Ready(());
            }
            (self.moved, self.waited, self.since) = (0, Duration::ZERO, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Waits that long for the client; returns whether it was too slow.
    async fn wait(pace: &mut Pace, time: Duration) -> bool {
        tokio::time::timeout(time, poll_fn(|context| pace.poll_too_slow(context))).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn a_transfer_below_the_rate_is_too_slow_at_the_end_of_a_window() {
        let mut pace = Pace::new(10 * SECOND, 100);
        pace.moved(1_000_000);
        for _ in 0..9 {
            assert!(!wait(&mut pace, SECOND).await);
            pace.moved(99);
        }
        assert!(wait(&mut pace, 2 * SECOND).await, "what moved before the first wait does not count");
    }

    #[tokio::test(start_paused = true)]
    async fn a_transfer_at_the_rate_goes_on_and_each_window_counts_alone() {
        let mut pace = Pace::new(10 * SECOND, 100);
        for _ in 0..12 {
            assert!(!wait(&mut pace, 8 * SECOND).await, "few large parts are as good as many small ones");
            pace.moved(2000);
        }
        assert!(wait(&mut pace, 21 * SECOND).await, "earlier windows do not make up for a later one");
    }

    #[tokio::test(start_paused = true)]
    async fn time_that_the_server_needs_does_not_count() {
        let mut pace = Pace::new(10 * SECOND, 100);
        for _ in 0..9 {
            assert!(!wait(&mut pace, SECOND).await);
            pace.moved(1);
            tokio::time::sleep(60 * SECOND).await;
        }
    }
}
