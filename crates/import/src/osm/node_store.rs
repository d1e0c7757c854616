//! Node locations on disk: sorted runs with a sparse index, so that memory stays the same for an extract of any size.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;

/// Number of nodes sorted in memory before they are written: 16 MiB.
const RUN: usize = 1 << 20;
/// Number of nodes per entry of the sparse index: one read of 16 KiB.
const BLOCK: usize = 1024;
const RECORD: usize = 16;
/// Number of nodes of the buffer per entry of its index.
const STRETCH: usize = 64;
/// Number of blocks cached in memory: 8 MiB.
const CACHED: usize = 512;

#[derive(Clone, Copy)]
struct Node {
    id: i64,
    lon: i32,
    lat: i32,
}

struct Run {
    file: File,
    /// First id of every block.
    index: Vec<i64>,
    len: usize,
    last: i64,
}

/// Node locations of one file during its import; the temporary files are removed with it.
pub(crate) struct NodeStore {
    folder: std::path::PathBuf,
    buffer: Vec<Node>,
    sorted: bool,
    runs: Vec<Run>,
    cache: Vec<Option<(usize, usize, Vec<Node>)>>,
    /// First id of every stretch of the buffer: small enough to stay in the processor's cache.
    stretches: Vec<i64>,
}

impl NodeStore {
    pub(crate) fn new(folder: &std::path::Path) -> Self {
        Self {
            folder: folder.to_owned(),
            buffer: Vec::new(),
            sorted: true,
            runs: Vec::new(),
            cache: (0..CACHED).map(|_| None).collect(),
            stretches: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, id: i64, lon: i32, lat: i32) -> io::Result<()> {
        self.sorted &= self.buffer.last().is_none_or(|last| last.id < id);
        self.buffer.push(Node { id, lon, lat });
        if self.buffer.len() == RUN { self.spill() } else { Ok(()) }
    }

    /// Prepares for lookups; nothing may be added after it.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.sort();
        if !self.runs.is_empty() {
            self.spill()?;
        }
        self.stretches = self.buffer.iter().step_by(STRETCH).map(|n| n.id).collect();
        Ok(())
    }

    fn in_buffer(&self, id: i64) -> Option<usize> {
        let first = self.stretches.partition_point(|first| *first <= id).checked_sub(1)? * STRETCH;
        let stretch = &self.buffer[first..self.buffer.len().min(first + STRETCH)];
        stretch.binary_search_by_key(&id, |n| n.id).ok().map(|at| first + at)
    }

    fn sort(&mut self) {
        if !self.sorted {
            // A stable sort, and the last of equal ids is kept: a later object in a file replaces an earlier one.
            self.buffer.sort_by_key(|n| n.id);
            let mut write = 0;
            for read in 0..self.buffer.len() {
                if write > 0 && self.buffer[write - 1].id == self.buffer[read].id {
                    self.buffer[write - 1] = self.buffer[read];
                } else {
                    self.buffer[write] = self.buffer[read];
                    write += 1;
                }
            }
            self.buffer.truncate(write);
            self.sorted = true;
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let (Some(first), Some(last)) = (self.buffer.first(), self.buffer.last()) else { return Ok(()) };
        // Extracts are usually sorted, so that every buffer continues the same run.
        let (first, last) = (first.id, last.id);
        let whole = self.runs.last().is_none_or(|run| run.last >= first || run.len % BLOCK != 0);
        if whole {
            self.runs.push(Run { file: tempfile::tempfile_in(&self.folder)?, index: Vec::new(), len: 0, last: 0 });
        }
        let Some(run) = self.runs.last_mut() else { return Ok(()) };
        let mut out = BufWriter::with_capacity(1 << 18, &run.file);
        for (i, node) in self.buffer.iter().enumerate() {
            if (run.len + i) % BLOCK == 0 {
                run.index.push(node.id);
            }
            out.write_all(&node.id.to_le_bytes())?;
            out.write_all(&node.lon.to_le_bytes())?;
            out.write_all(&node.lat.to_le_bytes())?;
        }
        out.flush()?;
        drop(out);
        run.len += self.buffer.len();
        run.last = last;
        self.buffer.clear();
        Ok(())
    }

    /// Longitude and latitude of a node in 1e-7 degrees, if the file contains it.
    pub(crate) fn get(&mut self, id: i64) -> io::Result<Option<(i32, i32)>> {
        if let Some(at) = self.in_buffer(id) {
            return Ok(Some((self.buffer[at].lon, self.buffer[at].lat)));
        }
        // Newest run first: it has the latest version of a repeated node.
        for number in (0..self.runs.len()).rev() {
            let run = &self.runs[number];
            let block = run.index.partition_point(|first| *first <= id);
            if block == 0 || id > run.last {
                continue;
            }
            let nodes = self.block(number, block - 1)?;
            if let Ok(at) = nodes.binary_search_by_key(&id, |n| n.id) {
                return Ok(Some((nodes[at].lon, nodes[at].lat)));
            }
        }
        Ok(None)
    }

    fn block(&mut self, number: usize, block: usize) -> io::Result<&[Node]> {
        let slot = (number * 31 + block) % CACHED;
        let hit = matches!(&self.cache[slot], Some((n, b, _)) if *n == number && *b == block);
        if !hit {
            let run = &self.runs[number];
            let len = BLOCK.min(run.len - block * BLOCK);
            let mut bytes = vec![0; len * RECORD];
            run.file.read_exact_at(&mut bytes, (block * BLOCK * RECORD) as u64)?;
            let (records, _) = bytes.as_chunks::<RECORD>();
            let nodes = records.iter().map(|r| {
                let (id, place) = r.split_at(8);
                let word = |s: &[u8]| i32::from_le_bytes([s[0], s[1], s[2], s[3]]);
                let id = i64::from_le_bytes([id[0], id[1], id[2], id[3], id[4], id[5], id[6], id[7]]);
                Node { id, lon: word(place), lat: word(&place[4..]) }
            });
            self.cache[slot] = Some((number, block, nodes.collect()));
        }
        Ok(self.cache[slot].as_ref().map_or(&[], |(_, _, nodes)| nodes.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(ids: impl Iterator<Item = i64>) -> NodeStore {
        let mut store = NodeStore::new(&std::env::temp_dir());
        for id in ids {
            store.add(id, i32::try_from(id % 1_000_003).unwrap(), -i32::try_from(id % 999).unwrap()).unwrap();
        }
        store.finish().unwrap();
        store
    }

    fn check(store: &mut NodeStore, id: i64) {
        let want = (i32::try_from(id % 1_000_003).unwrap(), -i32::try_from(id % 999).unwrap());
        assert_eq!(store.get(id).unwrap(), Some(want), "node {id}");
    }

    #[test]
    fn sorted_nodes_beyond_one_run_are_found_and_strangers_are_not() {
        let mut store = filled((0..2_500_000).map(|i| i * 2));
        for i in (0..2_500_000).step_by(99_991) {
            check(&mut store, i * 2);
            assert_eq!(store.get(i * 2 + 1).unwrap(), None);
        }
        assert_eq!(store.get(-5).unwrap(), None);
        assert_eq!(store.get(i64::MAX).unwrap(), None);
    }

    #[test]
    fn every_node_of_a_file_that_fits_into_memory_is_found_and_no_other() {
        let mut store = filled((1..1_000).map(|i| i * 3));
        for id in -3..3_003 {
            assert_eq!(store.get(id).unwrap().is_some(), id % 3 == 0 && (3..3_000).contains(&id), "node {id}");
        }
        assert_eq!(filled(0..0).get(1).unwrap(), None);
    }

    #[test]
    fn unsorted_nodes_are_found_and_the_last_of_two_wins() {
        let mut store = NodeStore::new(&std::env::temp_dir());
        for i in 0..1_500_000_i64 {
            store.add((i * 7_919) % 1_500_007, 1, 2).unwrap();
        }
        store.add(7_919, 33, 44).unwrap();
        store.finish().unwrap();
        assert_eq!(store.get(7_919).unwrap(), Some((33, 44)));
        assert_eq!(store.get(2 * 7_919).unwrap(), Some((1, 2)));
    }
}
