//! Reading `.osm.pbf`, block by block.

use std::io::{BufReader, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use osmpbf::{BlobDecode, BlobReader, Element as Pbf, RelMemberType};

use super::ImportError;
use super::element::{Element, MAX_ID, MAX_MEMBERS, MAX_REFS, MAX_TAGS, Member, Sink, Tags, Wanted};
use crate::gpkg::OsmKind;

/// Features that a reader must know to understand a file; a file that requires another is refused.
const UNDERSTOOD: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];
/// Largest compressed block (the format's own limit), bytes.
const MAX_BLOB: i32 = 32 * 1024 * 1024;

/// Hands every wanted element to the sink. `at` is told how many bytes of the file are behind.
pub(crate) fn read(path: &Path, wanted: Wanted, at: &mut dyn FnMut(u64), sink: Sink<'_>) -> Result<(), ImportError> {
    let damaged = |why: String| ImportError::damaged(path, why);
    let file = std::fs::File::open(path).map_err(|e| ImportError::io(path, e))?;
    let len = file.metadata().map_err(|e| ImportError::io(path, e))?.len();
    let mut blobs =
        BlobReader::new_seekable(BufReader::with_capacity(1 << 16, file)).map_err(|e| damaged(e.to_string()))?;
    let (mut headers, mut end) = (0, 0);
    loop {
        // Sizes are looked at before anything is read into memory.
        let (header, offset) = match blobs.next_header_skip_blob() {
            None => break,
            Some(next) => next.map_err(|e| damaged(e.to_string()))?,
        };
        let Some(offset) = offset else { return Err(damaged("its blocks have no position".into())) };
        if !(0..=MAX_BLOB).contains(&header.get_blob_size()) {
            return Err(damaged(format!("a block claims {} bytes", header.get_blob_size())));
        }
        let blob = blobs.blob_from_offset(offset).map_err(|e| damaged(e.to_string()))?;
        end = blobs.seek_raw(SeekFrom::Current(0)).map_err(|e| damaged(e.to_string()))?;
        at(offset.0);
        // The decoder adds up deltas unchecked, which in a debug build panics on hostile numbers.
        let decoded = catch_unwind(AssertUnwindSafe(|| blob.decode()));
        match decoded.map_err(|_| damaged("numbers out of range".into()))?.map_err(|e| damaged(e.to_string()))? {
            BlobDecode::OsmHeader(header) => {
                headers += 1;
                for feature in header.required_features() {
                    if !UNDERSTOOD.contains(&feature.as_str()) {
                        return Err(ImportError::unsupported(path, format!("it requires the feature \"{feature}\"")));
                    }
                }
            }
            BlobDecode::OsmData(block) => {
                let mut failed = None;
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    block.for_each_element(|element| {
                        if failed.is_none() {
                            failed = hand_over(element, wanted, sink).err();
                        }
                    });
                }));
                if let Some(e) = failed {
                    return Err(e);
                }
                ran.map_err(|_| damaged("numbers out of range".into()))?;
            }
            BlobDecode::Unknown(_) => {}
        }
    }
    if headers == 0 {
        return Err(ImportError::foreign(path));
    }
    if end != len {
        return Err(damaged("it ends within a block".into()));
    }
    Ok(())
}

fn hand_over(element: Pbf<'_>, wanted: Wanted, sink: Sink<'_>) -> Result<(), ImportError> {
    let fits = |id: i64| -MAX_ID < id && id < MAX_ID;
    let place = |nano: i64, limit: i64| i32::try_from(nano / 100).ok().filter(|v| i64::from(*v).abs() <= limit);
    match (element, wanted) {
        (Pbf::DenseNode(node), Wanted::NodesAndRelations) if fits(node.id()) => {
            let (lon, lat) = (place(node.nano_lon(), 1_800_000_000), place(node.nano_lat(), 900_000_000));
            let (Some(lon), Some(lat)) = (lon, lat) else { return Ok(()) };
            sink(Element::Node { id: node.id(), lon, lat, tags: &collect(node.tags()) })
        }
        (Pbf::Node(node), Wanted::NodesAndRelations) if fits(node.id()) => {
            let (lon, lat) = (place(node.nano_lon(), 1_800_000_000), place(node.nano_lat(), 900_000_000));
            let (Some(lon), Some(lat)) = (lon, lat) else { return Ok(()) };
            sink(Element::Node { id: node.id(), lon, lat, tags: &collect(node.tags()) })
        }
        (Pbf::Way(way), Wanted::Ways) if fits(way.id()) => {
            let refs: Vec<i64> = way.refs().take(MAX_REFS + 1).collect();
            sink(Element::Way { id: way.id(), refs: &refs, tags: &collect(way.tags()) })
        }
        (Pbf::Relation(relation), Wanted::NodesAndRelations) if fits(relation.id()) => {
            let members: Vec<Member> = relation
                .members()
                .take(MAX_MEMBERS)
                .filter(|m| fits(m.member_id))
                .map(|m| Member {
                    kind: match m.member_type {
                        RelMemberType::Node => OsmKind::Node,
                        RelMemberType::Way => OsmKind::Way,
                        RelMemberType::Relation => OsmKind::Relation,
                    },
                    id: m.member_id,
                    role: m.role().unwrap_or_default().to_owned(),
                })
                .collect();
            sink(Element::Relation { id: relation.id(), members: &members, tags: &collect(relation.tags()) })
        }
        _ => Ok(()),
    }
}

fn collect<'a>(tags: impl Iterator<Item = (&'a str, &'a str)>) -> Tags {
    Tags(tags.take(MAX_TAGS).map(|(k, v)| (k.to_owned(), v.to_owned())).collect())
}
