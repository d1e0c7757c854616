//! Answers of the database that hold for a known time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Maximum number of answers. To forget one costs a statement.
const MOST: usize = 10_000;

/// Answers, each with the time until which it holds.
pub(crate) struct Memory<K, V>(Mutex<HashMap<K, (V, Instant)>>);

impl<K, V> Default for Memory<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Memory<K, V> {
    /// The answer, if it holds.
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, until) = answers.get(key)?;
        if *until > Instant::now() {
            return Some(answer.clone());
        }
        answers.remove(key);
        None
    }

    /// Remembers an answer until it no longer holds.
    pub(crate) fn insert(&self, key: K, answer: V, until: Instant) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            let now = Instant::now();
            answers.retain(|_, (_, until)| *until > now);
            if answers.len() > MOST / 2 {
                answers.clear();
            }
        }
        answers.insert(key, (answer, until));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_answer_is_forgotten_when_it_no_longer_holds() {
        let (memory, now) = (Memory::default(), Instant::now());
        memory.insert(1, "held", now + Duration::from_secs(60));
        memory.insert(2, "over", now);
        assert_eq!((memory.get(&1), memory.get(&2), memory.get(&3)), (Some("held"), None, None));
    }

    #[test]
    fn the_number_of_answers_is_bounded() {
        let (memory, now) = (Memory::default(), Instant::now());
        for number in 0..5 * MOST {
            memory.insert(number, (), now + Duration::from_secs(60));
            assert!(memory.0.lock().unwrap().len() <= MOST);
        }
        assert_eq!(memory.get(&(5 * MOST - 1)), Some(()));
    }
}
