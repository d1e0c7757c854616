//! Evidence for regions of a room: the network's classes, and the planes of its layout.

use crate::room::{Face, Layout};
use crate::segmentation::{Class, Segmentation};

use super::canvas::Canvas;
use super::evidence::Evidence;
use super::region::Region;

/// The network's classes as regions, with the prior share of a region in its class.
const OF_CLASS: [(Class, Region); 7] = [
    (Class::Floor, Region::Floor),
    (Class::Wall, Region::Wall),
    (Class::Ceiling, Region::Ceiling),
    (Class::Window, Region::Window),
    (Class::Door, Region::Door),
    (Class::Fixture, Region::Furniture),
    (Class::Furniture, Region::Furniture),
];

/// Log odds by which a plane of a layout beyond doubt excludes the others.
const PLANE: f32 = 1.5;

/// Evidence for what each cell shows if the photo is a room.
#[must_use]
pub fn evidence(canvas: &Canvas, segmentation: &Segmentation, layout: Option<&Layout>) -> Evidence {
    let count = canvas.lab.len();
    let regions = [
        (Region::Floor, 1.0),
        (Region::Wall, 1.0),
        (Region::Ceiling, 1.0),
        (Region::Window, 1.0),
        (Region::Door, 1.0),
        (Region::Lamp, 1e-3),
        (Region::Furniture, 1.0),
        (Region::Other, 1e-3),
    ];
    let mut evidence = Evidence::prior(count, &regions);
    for region in regions.iter().map(|r| r.0).filter(|r| OF_CLASS.iter().any(|(_, of)| of == r)) {
        let classes: Vec<Class> = OF_CLASS.iter().filter(|(_, of)| *of == region).map(|(class, _)| *class).collect();
        evidence = evidence.with(&[region], |i| {
            let sum: f32 = classes.iter().map(|c| segmentation.class(*c, canvas.place(i))).sum();
            libm::logf(sum + 1e-3)
        });
    }
    let Some(layout) = layout.filter(|l| l.is_confident()) else { return evidence };
    let strength = PLANE * layout.confidence as f32;
    let (width, height) = (layout.frame.camera.width as f64, layout.frame.camera.height as f64);
    let planes: Vec<Region> = (0..count)
        .map(|i| {
            let [x, y] = canvas.place(i);
            match layout.face_at([x * width, y * height]) {
                Face::Floor => Region::Floor,
                Face::Ceiling => Region::Ceiling,
                _ => Region::Wall,
            }
        })
        .collect();
    for region in [Region::Floor, Region::Wall, Region::Ceiling] {
        evidence = evidence.with(&[region], |i| if planes[i] == region { strength } else { -strength });
    }
    evidence
}
