//! Writes rows to a pack, in order, on a separate thread while the next ones are read.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use aerie_geodata::street_index;
use rusqlite::{Connection, params};

use aerie_geodata::gpkg::{self, Bounds, Layer};

use crate::error::ImportError;

/// Number of rows, and approximate number of bytes, sent to the writing thread at once.
const LOT: (usize, usize) = (512, 1 << 20);
/// Maximum number of lots that wait to be written.
const WAITING: usize = 4;

/// A change to the pack.
pub(super) enum Write {
    /// Removes what an earlier import added for the same object.
    Forget(i64),
    /// A feature of any layer except addresses.
    Feature { layer: Layer, fid: i64, blob: Vec<u8>, bounds: Bounds, kind: String, name: Option<String>, tags: String },
    /// A house number with a position.
    Address(Box<Address>),
}

/// A house number with a position.
pub(super) struct Address {
    pub(super) fid: i64,
    pub(super) blob: Vec<u8>,
    pub(super) bounds: Bounds,
    pub(super) number: String,
    pub(super) street: Option<String>,
    pub(super) place: Option<String>,
    pub(super) postcode: Option<String>,
    pub(super) city: Option<String>,
    pub(super) on_building: bool,
    pub(super) tags: String,
}

impl Write {
    fn bytes(&self) -> usize {
        match self {
            Self::Feature { blob, tags, .. } => blob.len() + tags.len(),
            Self::Address(_) | Self::Forget(_) => 256,
        }
    }

    /// The feature, if it belongs to this layer.
    fn feature(&self, of: Layer) -> Option<gpkg::Feature<'_>> {
        match self {
            Self::Feature { layer, fid, blob, kind, name, tags, .. } if *layer == of => {
                Some(gpkg::Feature { fid: *fid, blob, kind, name: name.as_deref(), tags })
            }
            _ => None,
        }
    }

    /// Applies the change. The spatial indexes of a new pack (`fresh`) are built later, when it is complete.
    /// Returns whether an object of an earlier import was removed.
    pub(super) fn apply(&self, db: &Connection, fresh: bool) -> rusqlite::Result<bool> {
        let (layer, fid, bounds) = match self {
            Self::Forget(fid) => {
                let mut was_there = false;
                for layer in Layer::ALL {
                    was_there |= gpkg::remove(db, layer, *fid)?;
                }
                db.prepare_cached("DELETE FROM aerie_street_index WHERE fid = ?1")?.execute([fid])?;
                return Ok(was_there);
            }
            Self::Feature { layer, fid, blob, bounds, kind, name, tags } => {
                gpkg::put(db, *layer, &[gpkg::Feature { fid: *fid, blob, kind, name: name.as_deref(), tags }])?;
                (*layer, *fid, bounds)
            }
            Self::Address(address) => {
                address.put(db)?;
                (Layer::Addresses, address.fid, &address.bounds)
            }
        };
        if !fresh {
            gpkg::put_bounds(db, layer, fid, *bounds)?;
        }
        Ok(false)
    }
}

impl Address {
    fn put(&self, db: &Connection) -> rusqlite::Result<()> {
        db.prepare_cached(
            "INSERT OR REPLACE INTO addresses (fid, geom, osm_id, housenumber, street, place, postcode, city, on_building, tags)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            self.fid,
            self.blob,
            gpkg::osm_id(self.fid),
            self.number,
            self.street,
            self.place,
            self.postcode,
            self.city,
            self.on_building,
            self.tags
        ])?;
        for name in [&self.street, &self.place].into_iter().flatten() {
            street_index::insert(db, self.fid, name, &self.number)?;
        }
        Ok(())
    }
}

/// Destination of rows: the writing thread while a file is read, the pack itself afterwards.
pub(super) enum Out<'a> {
    Queue {
        give: SyncSender<Vec<Write>>,
        lot: Vec<Write>,
        bytes: usize,
    },
    Pack(&'a Connection),
    /// Nothing may be written now.
    Closed,
}

impl Out<'_> {
    /// A queue, and its other end for [`write_all`].
    pub(super) fn queue() -> (Self, Receiver<Vec<Write>>) {
        let (give, take) = sync_channel(WAITING);
        (Self::Queue { give, lot: Vec::new(), bytes: 0 }, take)
    }

    /// Writes a change, now or later; returns whether it has removed an object of an earlier import.
    pub(super) fn put(&mut self, write: Write, fresh: bool) -> Result<bool, ImportError> {
        match self {
            Self::Closed => Err(ImportError::Pack(rusqlite::Error::InvalidQuery)),
            Self::Pack(db) => Ok(write.apply(db, fresh)?),
            Self::Queue { lot, bytes, .. } => {
                *bytes += write.bytes();
                lot.push(write);
                if lot.len() >= LOT.0 || *bytes >= LOT.1 {
                    self.flush()?;
                }
                Ok(false)
            }
        }
    }

    /// Sends the waiting rows. An error only means that the receiver is gone; the writing thread knows the cause.
    pub(super) fn flush(&mut self) -> Result<(), ImportError> {
        let Self::Queue { give, lot, bytes } = self else { return Ok(()) };
        *bytes = 0;
        give.send(std::mem::take(lot)).map_err(|_| ImportError::Pack(rusqlite::Error::InvalidQuery))
    }
}

/// Writes everything from a queue until its sender is gone. Returns the number of objects of earlier imports that were replaced.
pub(super) fn write_all(db: &Connection, queue: &Receiver<Vec<Write>>, fresh: bool) -> rusqlite::Result<u64> {
    let mut replaced = 0;
    for lot in queue {
        if !fresh {
            for write in &lot {
                replaced += u64::from(write.apply(db, fresh)?);
            }
            continue;
        }
        // Nothing is removed from a new pack, so the order of writes to different layers does not matter.
        for layer in Layer::ALL {
            let features: Vec<_> = lot.iter().filter_map(|write| write.feature(layer)).collect();
            gpkg::put(db, layer, &features)?;
        }
        for write in &lot {
            if let Write::Address(address) = write {
                address.put(db)?;
            }
        }
    }
    Ok(replaced)
}
