//! Detects work that stalls the runtime.

use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Processor time that a request may take between two points where it lets others run. Tests are compiled with less
/// optimization and their machines are slow, so this is far more than the millisecond to aim at. Where a request could take about
/// as long, a test compares [`longest_poll`] with the work itself.
pub(crate) const LONGEST: Duration = Duration::from_millis(20);

/// Completes `task`.
///
/// # Panics
/// When one of its polls takes more processor time of this thread than [`LONGEST`]. Time in which the thread waits for the
/// processor does not count.
pub(crate) async fn without_stalls<F: Future>(what: &str, task: F) -> F::Output {
    let (result, longest) = longest_poll(task).await;
    assert!(longest <= LONGEST, "{what} kept a thread of the runtime for {longest:?}");
    result
}

/// Completes `task`; also returns the longest processor time of one of its polls.
pub(crate) async fn longest_poll<F: Future>(task: F) -> (F::Output, Duration) {
    Measured { task: pin!(task), longest: Duration::ZERO }.await
}

struct Measured<'a, F> {
    task: Pin<&'a mut F>,
    longest: Duration,
}

impl<F: Future> Future for Measured<'_, F> {
    type Output = (F::Output, Duration);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let begun = processor_time();
        let polled = self.task.as_mut().poll(context);
        self.longest = self.longest.max(processor_time() - begun);
        polled.map(|result| (result, self.longest))
    }
}

pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
