//! Reads LAS 1.0 to 1.4, LAZ and COPC files in chunks.
//!
//! Memory is bounded by the size of a chunk, not by that of the file, and no count of a header is trusted: sizes are compared with the
//! length of the file before anything is allocated.

mod chunks;
mod copc;
mod header;
mod layout;
mod point;
mod records;
mod table;

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;

use las::raw;
use laz::LazVlr;

use crate::error::LidarError;
use chunks::{Chunk, Packing};
use copc::Copc;
use layout::Layout;
use records::Records;

pub use header::Header;
pub use point::Point;

/// A point cloud file.
#[derive(Debug)]
pub struct Reader {
    file: File,
    length: u64,
    header: Header,
    layout: Layout,
    packing: Packing,
    content: Content,
    /// West, south, east and north of each chunk, once it was decoded: a file that is read region by region is not decoded whole
    /// for each.
    extents: Vec<OnceLock<[f64; 4]>>,
    /// Meters per unit of positions and of heights.
    units: [f64; 2],
}

/// Where the points lie.
#[derive(Debug)]
enum Content {
    /// In these chunks.
    Chunks(Vec<Chunk>),
    /// In an octree.
    Octree(Copc),
}

/// Points that are decoded at once on one thread. Larger chunks are decoded in parts.
const PART: usize = 1 << 17;
/// More threads only wait for the consumer of the points.
const MAX_THREADS: usize = 8;

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    ///
    /// [`LidarError`] if the file cannot be read, is not a LAS or LAZ file, or is damaged.
    pub fn open(path: &Path) -> Result<Self, LidarError> {
        let mut file = File::open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut source = BufReader::new(&file);
        let raw = raw::Header::read_from(&mut source).map_err(|error| match error {
            las::Error::InvalidFileSignature(_) => LidarError::NotLas,
            _ => LidarError::truncated("the header is cut off"),
        })?;
        if raw.version.major != 1 || raw.version.minor > 4 {
            let text = format!("LAS {}.{}; versions 1.0 to 1.4 can be read", raw.version.major, raw.version.minor);
            return Err(LidarError::Unsupported(text));
        }
        let layout = Layout::of(&raw)?;
        let records = Records::read(&mut source, &raw, length)?;
        drop(source);
        let start = u64::from(raw.offset_to_point_data);
        let points = header::point_count(&raw);
        let is_compressed = raw.point_data_record_format & 0b1100_0000 != 0;
        let (packing, content) = if is_compressed {
            let data = records.laz.as_deref();
            let data = data.ok_or_else(|| LidarError::damaged("compressed points without the record of LAZ"))?;
            let laz = LazVlr::from_buffer(data)
                .map_err(|error| LidarError::damaged(format!("the record of LAZ cannot be read: {error}")))?;
            let packing = Packing::of_laz(&laz, &layout)?;
            match &records.copc {
                Some(copc) => (packing, Content::Octree(Copc::parse(copc)?)),
                None => {
                    // The first number of the record is the compressor; 1 stands for a single chunk without a table.
                    let is_one_chunk = data.starts_with(&[1, 0]);
                    let chunks = table::compressed(&file, &laz, is_one_chunk, start, points, length)?;
                    (packing, Content::Chunks(chunks))
                }
            }
        } else {
            let chunks = table::plain(&layout, start, points, length)?;
            (Packing::Plain, Content::Chunks(chunks))
        };
        let header = Header::of(&raw, &records)?;
        let extents = match &content {
            Content::Chunks(chunks) => vec![OnceLock::new(); chunks.len()],
            Content::Octree(_) => Vec::new(),
        };
        let mut reader = Self { file, length, header, layout, packing, content, extents, units: [1.0; 2] };
        reader.date()?;
        Ok(reader)
    }

    /// What the header of the file says.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Sets the meters per unit of the file's positions and heights. From then on, points and regions are in meters.
    pub fn set_units(&mut self, positions: f64, heights: f64) {
        self.units = [positions, heights];
    }

    /// Calls `each` with the points inside a region, west, south, east and north, in the file's coordinates. Without a region: with all
    /// points. Points that are withheld, noise (classes 7 and 18), or set aside as overlap (class 12) are left out. The order is that of
    /// the file. `each` ends the reading early with [`ControlFlow::Break`].
    ///
    /// # Errors
    ///
    /// [`LidarError`] if the file cannot be read or is damaged; `each` may have been called before.
    pub fn read(
        &self,
        region: Option<[f64; 4]>,
        each: &mut dyn FnMut(&[Point]) -> ControlFlow<()>,
    ) -> Result<(), LidarError> {
        let region = region.map(|region| region.map(|edge| edge / self.units[0]));
        let nodes;
        let chunks = match &self.content {
            Content::Chunks(chunks) => chunks,
            Content::Octree(copc) => {
                nodes = copc.nodes(&self.file, region, self.length)?;
                &nodes
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let mut ready: Vec<Result<Vec<Point>, LidarError>> = Vec::new();
        let reaches = |&(number, _): &(usize, Chunk)| {
            let extent = self.extents.get(number).and_then(OnceLock::get);
            region.zip(extent).is_none_or(|(region, extent)| overlap(region, *extent))
        };
        let mut chunks = chunks.iter().copied().enumerate().filter(reaches).peekable();
        // While threads decode the next chunks, this one hands over those that are ready.
        loop {
            let mut next = Vec::new();
            while next.len() < threads
                && let Some((number, chunk)) = chunks.next_if(|(_, chunk)| chunk.points <= PART as u64)
            {
                next.push((number, chunk, chunk.load(&self.file)?));
            }
            let is_at_large_chunk = next.is_empty();
            let (decoded, flow) = std::thread::scope(|scope| {
                let start = |(number, chunk, bytes): (usize, Chunk, Vec<u8>)| {
                    scope.spawn(move || self.decode(&bytes, (number, chunk), region))
                };
                let workers: Vec<_> = next.into_iter().map(start).collect();
                let flow = hand_over(std::mem::take(&mut ready), each);
                let decoded: Vec<_> = workers.into_iter().map(join).collect();
                (decoded, flow)
            });
            if flow?.is_break() {
                return Ok(());
            }
            ready = decoded;
            if is_at_large_chunk {
                let Some((_, chunk)) = chunks.next() else { return Ok(()) };
                if self.read_large(chunk, region, each)?.is_break() {
                    return Ok(());
                }
            }
        }
    }

    fn decode(
        &self,
        bytes: &[u8],
        (number, chunk): (usize, Chunk),
        region: Option<[f64; 4]>,
    ) -> Result<Vec<Point>, LidarError> {
        let mut points = Vec::new();
        let [mut west, mut south, mut east, mut north] = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        self.packing.decode(bytes, chunk, &self.layout, &mut |record| {
            let [x, y, _] = point::position(record, &self.layout);
            (west, south, east, north) = (west.min(x), south.min(y), east.max(x), north.max(y));
            points.extend(self.point(record, region));
            true
        })?;
        if let Some(extent) = self.extents.get(number) {
            extent.get_or_init(|| [west, south, east, north]);
        }
        Ok(points)
    }

    fn read_large(
        &self,
        chunk: Chunk,
        region: Option<[f64; 4]>,
        each: &mut dyn FnMut(&[Point]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, LidarError> {
        let mut points = Vec::with_capacity(PART);
        let mut flow = ControlFlow::Continue(());
        self.packing.stream(&self.file, chunk, &self.layout, &mut |record| {
            points.extend(self.point(record, region));
            if points.len() == PART {
                flow = each(&points);
                points.clear();
            }
            flow.is_continue()
        })?;
        if flow.is_continue() && !points.is_empty() {
            flow = each(&points);
        }
        Ok(flow)
    }

    fn point(&self, record: &[u8], region: Option<[f64; 4]>) -> Option<Point> {
        let is_inside = region.is_none_or(|[west, south, east, north]| {
            let [x, y, _] = point::position(record, &self.layout);
            (west..=east).contains(&x) && (south..=north).contains(&y)
        });
        let point = is_inside.then(|| point::decode(record, &self.layout)).flatten()?;
        let [positions, heights] = self.units;
        let [x, y, z] = point.at;
        Some(Point { at: [x * positions, y * positions, z * heights], ..point })
    }

    /// Sets the year of the header from the times of the first points, where those are dates.
    fn date(&mut self) -> Result<(), LidarError> {
        let mut times = Vec::new();
        match &self.content {
            Content::Octree(copc) => times.extend(copc.gps),
            Content::Chunks(chunks) if self.layout.gps.is_some() => {
                if let Some(&chunk) = chunks.first() {
                    self.packing.stream(&self.file, chunk, &self.layout, &mut |record| {
                        times.extend(point::gps_time(record, &self.layout));
                        times.len() < header::DATED_POINTS
                    })?;
                }
            }
            Content::Chunks(_) => {}
        }
        self.header.set_flight_year(&mut times);
        Ok(())
    }
}

/// Whether areas, given as west, south, east and north, have a point in common.
fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

fn hand_over(
    ready: Vec<Result<Vec<Point>, LidarError>>,
    each: &mut dyn FnMut(&[Point]) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, LidarError> {
    for points in ready {
        let points = points?;
        if !points.is_empty() && each(&points).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn join(worker: std::thread::ScopedJoinHandle<'_, Result<Vec<Point>, LidarError>>) -> Result<Vec<Point>, LidarError> {
    worker.join().unwrap_or_else(|_| Err(LidarError::damaged("the points cannot be decoded")))
}

#[cfg(test)]
mod tests;
