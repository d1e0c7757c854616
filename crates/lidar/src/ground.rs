//! The ground under a point cloud, as a grid of heights.
//!
//! Points of the ground are fed one by one to a [`GroundBuilder`], or [`survey`] reads them from a file: those that the producer
//! classified, or, in a file without classes, those that a [`filter`] finds.

mod fill;
pub mod filter;
mod grid;
mod morphology;

use std::ops::ControlFlow;

use crate::error::LidarError;
use crate::reader::Reader;

pub use grid::{CELL, GroundBuilder, GroundGrid};

/// Classes of ground and water.
const GROUND: u8 = 2;
const WATER: u8 = 9;
/// A file whose share of ground is smaller has no classes.
const LEAST_GROUND: f64 = 0.005;

/// Whether a class is ground, or water, whose surface counts as ground.
#[must_use]
pub fn is_ground(class: u8) -> bool {
    class == GROUND || class == WATER
}

/// The ground of a file, or of a region of it: from its classes, or, if it has none, from the lowest echoes.
///
/// # Errors
///
/// [`LidarError`] if the file cannot be read, or the area is empty or larger than 16 square kilometers.
pub fn survey(reader: &Reader, region: Option<[f64; 4]>) -> Result<GroundGrid, LidarError> {
    let [low, high] = reader.header().bounds;
    let bounds = region.unwrap_or([low[0], low[1], high[0], high[1]]);
    let too_large = || LidarError::Unsupported("an empty area, or one of more than 16 square kilometers".into());
    let mut builder = GroundBuilder::new(bounds).ok_or_else(too_large)?;
    let mut lowest = filter::Lowest::new(bounds).ok_or_else(too_large)?;
    let mut counts = [0_u64; 2];
    reader.read(region, &mut |points| {
        for point in points {
            counts[0] += 1;
            if is_ground(point.class) {
                counts[1] += 1;
                builder.add(point.at);
            }
            if point.is_last() {
                lowest.add(point.at);
            }
        }
        ControlFlow::Continue(())
    })?;
    if counts[1] as f64 >= LEAST_GROUND * counts[0] as f64 {
        return Ok(builder.finish());
    }
    drop(builder);
    let surface = lowest.finish();
    let mut builder = GroundBuilder::new(bounds).ok_or_else(too_large)?;
    reader.read(region, &mut |points| {
        for point in points.iter().filter(|point| point.is_last() && surface.is_ground(point.at)) {
            builder.add(point.at);
        }
        ControlFlow::Continue(())
    })?;
    Ok(builder.finish())
}

#[cfg(test)]
mod tests;
