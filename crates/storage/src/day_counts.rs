//! Counts the requests of each key per day, in a file that survives a killed process.
//!
//! The file consists of fixed slots, each written in place as a request is counted. Written bytes survive the process; only
//! a power failure can lose the last few. Slots are aligned so that each lies within one page.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;

use uuid::Uuid;

/// Key (16 bytes), day since 1970 (4), count (4), unused (8).
const SLOT: usize = 32;

/// Counts of requests per key and day, and their file.
#[derive(Debug, Default)]
pub struct DayCounts {
    file: Option<File>,
    counts: HashMap<Uuid, Count>,
    free: Vec<u64>,
    slots: u64,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    slot: u64,
    day: u32,
    requests: u32,
}

impl DayCounts {
    /// Counts without a file, lost when the process ends.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// Opens the file, or creates it; counts of days before `today` (days since 1970) are dropped.
    ///
    /// # Errors
    /// When the file cannot be opened or read, or another process has locked it (`WouldBlock`).
    pub fn open(path: &Path, today: u32) -> std::io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        file.try_lock()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut counts = Self { file: Some(file), ..Self::default() };
        for slot in bytes.chunks_exact(SLOT) {
            let number = |at: usize| u32::from_le_bytes([slot[at], slot[at + 1], slot[at + 2], slot[at + 3]]);
            let count = Count { slot: counts.slots, day: number(16), requests: number(20) };
            counts.slots += 1;
            match Uuid::from_slice(&slot[..16]) {
                Ok(key) if !key.is_nil() && count.day >= today => {
                    counts.counts.insert(key, count);
                }
                _ => counts.free.push(count.slot),
            }
        }
        Ok(counts)
    }

    /// Requests of the key on that day.
    #[must_use]
    pub fn get(&self, key: Uuid, day: u32) -> u32 {
        self.counts.get(&key).filter(|count| count.day == day).map_or(0, |count| count.requests)
    }

    /// Counts one more request of the key on that day.
    ///
    /// # Errors
    /// When the file cannot be written; the request is then counted in memory only.
    pub fn add(&mut self, key: Uuid, day: u32) -> std::io::Result<()> {
        let (free, slots) = (&mut self.free, &mut self.slots);
        let count = self.counts.entry(key).or_insert_with(|| {
            let slot = free.pop().unwrap_or(*slots);
            *slots = (*slots).max(slot + 1);
            Count { slot, day, requests: 0 }
        });
        if count.day != day {
            (count.day, count.requests) = (day, 0);
        }
        count.requests = count.requests.saturating_add(1);
        let Some(file) = &self.file else { return Ok(()) };
        let mut slot = [0; SLOT];
        slot[..16].copy_from_slice(key.as_bytes());
        slot[16..20].copy_from_slice(&day.to_le_bytes());
        slot[20..24].copy_from_slice(&count.requests.to_le_bytes());
        file.write_all_at(&slot, count.slot * SLOT as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_survive_reopening_and_slots_of_earlier_days_are_reused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts");
        let keys: Vec<Uuid> = (1..4).map(Uuid::from_u128).collect();
        let mut counts = DayCounts::open(&path, 7).unwrap();
        for _ in 0..5 {
            counts.add(keys[0], 7).unwrap();
        }
        counts.add(keys[1], 8).unwrap();
        drop(counts);
        let mut counts = DayCounts::open(&path, 8).unwrap();
        assert_eq!((counts.get(keys[0], 8), counts.get(keys[1], 8), counts.get(keys[1], 9)), (0, 1, 0));
        counts.add(keys[2], 8).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 2 * SLOT as u64, "yesterday's slot is reused");
        drop(counts);
        let counts = DayCounts::open(&path, 8).unwrap();
        assert_eq!((counts.get(keys[1], 8), counts.get(keys[2], 8)), (1, 1));
    }

    #[test]
    fn a_file_can_be_opened_by_one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts");
        let first = DayCounts::open(&path, 0).unwrap();
        assert!(DayCounts::open(&path, 0).is_err());
        drop(first);
        assert!(DayCounts::open(&path, 0).is_ok());
    }
}
