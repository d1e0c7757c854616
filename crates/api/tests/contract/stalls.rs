//! Detects work that stalls the runtime.

use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Processor time that a request may take between two points where it lets others run. Tests are compiled with less
/// optimization and their machines are busy, so this is far more than the millisecond to aim at; what it must catch, such as
/// a megabyte of JSON or the headers of a hostile picture, takes much longer.
pub(crate) const LONGEST: Duration = Duration::from_millis(50);

/// Completes `task`.
///
/// # Panics
/// When one of its polls takes more processor time of this thread than [`LONGEST`]. Time in which the thread waits for the
/// processor does not count.
pub(crate) async fn without_stalls<F: Future>(what: &str, task: F) -> F::Output {
    let (result, longest) = Measured { task: pin!(task), longest: Duration::ZERO }.await;
    assert!(longest <= LONGEST, "{what} kept a thread of the runtime for {longest:?}");
    result
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
