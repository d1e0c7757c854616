//! Doors, measured in camera heights: rulers for the scale of a room.

use aerie_segmentation::{Class, Segmentation};
use glam::DVec3;

use super::camera::Camera;
use super::layout::Wall;

/// Step between columns, radians.
const STEP: f64 = 0.012;
/// Step between heights, camera heights.
const RISE: f64 = 0.02;
/// Greatest height that is looked at, camera heights.
const HIGHEST: f64 = 3.2;
/// Least width and height of a door, camera heights.
const WIDTH: f64 = 0.25;
const HEIGHT: f64 = 0.8;
/// Greatest mean deviation of the height among the columns of a door, as a share of it: the lintel is level.
const SPREAD: f64 = 0.05;
/// Share of the picture's sides within which nothing is measured.
const MARGIN: f64 = 0.012;

/// Heights of the doors and passages in the walls, from the floor to the top of the casing, camera heights.
pub(super) fn doors(segmentation: &Segmentation, camera: &Camera, walls: &[Wall]) -> Vec<f64> {
    let mut doors = Vec::new();
    for wall in walls {
        let mut run: Vec<[f64; 2]> = Vec::new();
        let count = ((wall.azimuths[1] - wall.azimuths[0]) / STEP) as usize;
        for i in 0..count {
            let azimuth = wall.azimuths[0] + STEP * (i as f64 + 0.5);
            let reach = wall.reach(azimuth);
            let foot = DVec3::new(azimuth.sin() * reach, azimuth.cos() * reach, -1.0);
            let along = if wall.axis == 0 { foot.y } else { foot.x };
            match top(segmentation, camera, foot) {
                Some(top) => run.push([along, top]),
                None => doors.extend(door(&std::mem::take(&mut run))),
            }
        }
        doors.extend(door(&run));
    }
    doors
}

/// Height at which a column over a point of the floor stops being door; `None` where no door stands there, or its top is out of the
/// picture.
fn top(segmentation: &Segmentation, camera: &Camera, foot: DVec3) -> Option<f64> {
    let (width, height) = (camera.width as f64, camera.height as f64);
    let door = |up: f64| {
        let pixel = camera.pixel(foot + DVec3::Z * up)?;
        let at = [pixel.x / width, pixel.y / height];
        at.iter().all(|v| (MARGIN..1.0 - MARGIN).contains(v)).then(|| segmentation.class(Class::Door, at))
    };
    let heights = |from: f64, to: f64| (0..((to - from) / RISE) as usize).map(move |i| from + RISE * i as f64);
    let below: Vec<f32> = heights(0.1, 0.5).filter_map(door).collect();
    if !below.is_empty() && below.iter().sum::<f32>() < 0.4 * below.len() as f32 {
        return None;
    }
    let mut before = door(0.5)?;
    if before < 0.5 {
        return None;
    }
    for up in heights(0.5 + RISE, HIGHEST) {
        let now = door(up)?;
        if now < 0.5 {
            return Some(up - RISE * f64::from((0.5 - now) / (before - now)));
        }
        before = now;
    }
    None
}

/// The height of a door from its columns: positions along the wall, and tops.
fn door(columns: &[[f64; 2]]) -> Option<f64> {
    let wide = (columns.last()?[0] - columns.first()?[0]).abs();
    let mut tops: Vec<f64> = columns.iter().map(|c| c[1]).collect();
    tops.sort_by(f64::total_cmp);
    let tall = tops[tops.len() / 2];
    let spread = tops.iter().map(|t| (t / tall - 1.0).abs()).sum::<f64>() / tops.len() as f64;
    (columns.len() >= 3 && wide > WIDTH && tall > HEIGHT && spread < SPREAD).then_some(tall)
}
