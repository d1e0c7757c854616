//! Compares staging with synthetic rooms whose truth is known: `measure [ROOMS [FIRST [each]]]`, by default 60 from
//! seed 0; `each` prints every room.
//!
//! A gray box is placed on the floor of each room that can be analyzed, once by staging and once by the renderer that
//! generated the room, in the room's true light; the two are compared. Furniture itself cannot be compared, because
//! that renderer only supports boxes.

use aerie_furniture::material::{Kind, Material};
use aerie_furniture::mesh::Mesh;
use aerie_furniture::shape::block;
use aerie_math::color::{linear, luminance};
use aerie_photo::Photo;
use aerie_staging::space::{Space, Surface};
use aerie_staging::trace::Scene;
use aerie_staging::{Effort, Monitor, Room, RoomHints};
use aerie_synthetic::room::Block;
use aerie_synthetic::{Developing, Imagined, LitRoom, Style, Surface as True, View, imagine};
use glam::{DVec2, DVec3, Vec2, Vec3};
use rayon::prelude::*;

const SIZE: f64 = 0.5;
const COLOR: f32 = 0.45;

/// Results for one room.
#[derive(Default)]
struct Found {
    is_understood: bool,
    overlap: f64,
    scale: f64,
    scale_known: Option<f64>,
    fit: f64,
    /// Angle between the two shadows, degrees.
    shadow: Option<f64>,
    /// Strength of our shadow relative to the true one.
    strength: Option<f64>,
    /// Root mean square of the box's pixels, of display values; and of their mean, which is exposure alone.
    object: Option<[f64; 2]>,
}

#[expect(clippy::print_stdout, reason = "an example reports on stdout")]
fn main() {
    let rooms: u64 = std::env::args().nth(1).map_or(60, |n| n.parse().expect("a number"));
    let first: u64 = std::env::args().nth(2).map_or(0, |n| n.parse().expect("a seed"));
    let found: Vec<Found> = (first..first + rooms).into_par_iter().map(measured).collect();
    let kept: Vec<&Found> = found.iter().filter(|f| f.is_understood).collect();
    println!("{} of {rooms} rooms understood", kept.len());
    let print = |name: &str, mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((values.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
        println!("{name:34} of {:3}: median {:.3}, 9 of 10 {:.3}", values.len(), at(0.5), at(0.9));
    };
    print("floor IoU, 1 less", kept.iter().map(|f| 1.0 - f.overlap).collect());
    print("scale error, length not known", kept.iter().map(|f| f.scale).collect());
    print("scale error, length known", kept.iter().filter_map(|f| f.scale_known).collect());
    print("light on walls, log error", kept.iter().map(|f| f.fit).collect());
    print("shadow's direction, degrees", kept.iter().filter_map(|f| f.shadow).collect());
    print("shadow's strength to the true one", kept.iter().filter_map(|f| f.strength).collect());
    print("box, RMSE of display values", kept.iter().filter_map(|f| f.object).map(|o| o[0]).collect());
    print("box, error of the mean", kept.iter().filter_map(|f| f.object).map(|o| o[1]).collect());
}

fn measured(seed: u64) -> Found {
    let imagined = imagine(seed, &Style { width: 720, height: 480, casual: 0.1, ..Style::default() });
    let view = LitRoom::new(imagined.room.clone()).view(&imagined.viewpoint, 2);
    let how = Developing { jpeg_quality: None, seed, ..Developing::default() };
    let photo = view.developed(&how);
    let Ok(room) = Room::analyze(&photo, &RoomHints::default()) else { return Found::default() };
    let space = room.space();
    let eye = imagined.viewpoint.place.z;
    let mut found = Found {
        is_understood: true,
        overlap: overlap(space, &view),
        scale: (space.scale.meters / eye - 1.0).abs(),
        fit: f64::from(room.fit.error),
        ..Found::default()
    };
    if let Some(length) = length(&imagined, &view)
        && let Ok(room) = Room::analyze(&photo, &RoomHints { length: Some(length), ..RoomHints::default() })
    {
        found.scale_known = Some((room.space().scale.meters / eye - 1.0).abs());
    }
    compare(&imagined, &view, &photo, &room, &how, &mut found);
    if std::env::args().nth(3).is_some() {
        let light = imagined.room.light;
        eprintln!(
            "{seed}: windows to the true ones {:.2?} shadow {:.0?} strength {:.2?} box {:.3?}; {:?}; sun {} lamp {:.2} sky {:.2} ambient {:.2}",
            room.windows()
                .iter()
                .map(|w| luminance(w.radiance.to_array()) * level(&view) as f32 / 0.36 / light.sky.y)
                .collect::<Vec<_>>(),
            found.shadow,
            found.strength,
            found.object,
            room.fit,
            light.sun.is_some(),
            light.lamp.y,
            light.sky.y,
            light.ambient.y
        );
    }
    found
}

/// Exposure of a picture.
fn level(view: &View) -> f64 {
    let mut levels: Vec<f32> = view.light.iter().map(|c| luminance(c.to_array())).collect();
    levels.sort_by(f32::total_cmp);
    f64::from(levels[levels.len() / 2])
}

fn overlap(space: &Space, view: &View) -> f64 {
    let (mut both, mut either) = (0, 0);
    for (i, shown) in view.shell.iter().enumerate() {
        let pixel = DVec2::new((i % view.width) as f64 + 0.5, (i / view.width) as f64 + 0.5);
        let ours = space.intersect(space.eye, space.ray(pixel)).1 == Surface::Floor;
        let theirs = *shown == True::Floor;
        both += usize::from(ours && theirs);
        either += usize::from(ours || theirs);
    }
    both as f64 / f64::from(u32::try_from(either.max(1)).expect("a picture's pixels"))
}

/// Two places of the true floor in the picture.
fn length(imagined: &Imagined, view: &View) -> Option<([f64; 2], [f64; 2], f64)> {
    let row = view.height * 85 / 100;
    let across: Vec<usize> = (0..view.width).filter(|x| view.shell[row * view.width + x] == True::Floor).collect();
    let ends = [*across.first()?, *across.last()?].map(|x| DVec2::new(x as f64 + 0.5, row as f64 + 0.5));
    let places = ends.map(|p| on_floor(imagined, p));
    (across.len() > 100).then(|| (ends[0].to_array(), ends[1].to_array(), (places[0] - places[1]).length()))
}

fn on_floor(imagined: &Imagined, pixel: DVec2) -> DVec2 {
    let (from, ray) = (imagined.viewpoint.place, imagined.viewpoint.camera.ray(pixel));
    (from + ray * (from.z / -ray.z)).truncate()
}

fn compare(imagined: &Imagined, bare: &View, photo: &Photo, room: &Room, how: &Developing, found: &mut Found) {
    let space = room.space();
    // In the middle of the lower part, wherever the floor has room.
    let (width, height) = (bare.width as f64, bare.height as f64);
    let fits = |pixel: &DVec2| {
        let at = on_floor(imagined, *pixel);
        let is_floor = bare.shell[pixel.y as usize * bare.width + pixel.x as usize] == True::Floor;
        is_floor && imagined.room.holds(at) && imagined.room.clearance(at) > 0.7
    };
    let spots = [(0.5, 0.72), (0.4, 0.78), (0.6, 0.78), (0.3, 0.75), (0.7, 0.75)];
    let Some(pixel) = spots.map(|(x, y)| DVec2::new(x * width, y * height)).into_iter().find(fits) else { return };
    let at = on_floor(imagined, pixel);
    let mut with = imagined.room.clone();
    with.light.shadows = true;
    let low = DVec3::new(at.x - SIZE / 2.0, at.y - SIZE / 2.0, 0.0);
    with.clutter.push(Block { low, high: low + DVec3::splat(SIZE), color: Vec3::splat(COLOR) });
    let number = with.clutter.len() - 1;
    let view = LitRoom::new(with).view(&imagined.viewpoint, 2);
    // Both have the same exposure.
    let exposure = how.exposure + (level(&view) / level(bare)).log2();
    let truth = view.developed(&Developing { exposure, ..*how });
    // Noise is not a shadow, so the true one is taken from pictures without noise.
    let clean = [
        bare.developed(&Developing { noise: 0.0, ..*how }),
        view.developed(&Developing { exposure, noise: 0.0, ..*how }),
    ];

    let ray = space.ray(pixel);
    let foot = (space.eye + ray * (space.eye.z / -ray.z)).truncate();
    let share = space.eye.z / imagined.viewpoint.place.z as f32;
    let size = SIZE as f32 * share;
    let effort = Effort { samples: 9, lit: 1, side: 480, rays: 49 };
    let shown = |color: f32| {
        let mut mesh = Mesh::default();
        mesh.add(block(Vec3::splat(size), 0.004).moved(foot.x, foot.y, 0.0), 0);
        let scene = Scene::new(mesh, vec![Material::new(Kind::Paint, Vec3::splat(color), 0.9)]);
        room.render(photo, scene, &effort, 1, &Monitor::NONE)
    };
    let Some(made) = shown(COLOR) else { return };

    let (mut squares, mut differences, mut count) = (0.0, 0.0, 0.0);
    for i in 0..made.pixels.len() {
        if made.mask[i] == 255 && matches!(view.surfaces[i], True::Block(n, _) if n == number) {
            for c in 0..3 {
                let difference = (f64::from(made.pixels[i][c]) - f64::from(truth.pixels[i][c])) / 65_535.0;
                squares += difference * difference;
                differences += difference;
                count += 1.0;
            }
        }
    }
    if count > 300.0 {
        found.object = Some([f64::sqrt(squares / count), f64::abs(differences / count)]);
    }
    // The other renderer's boxes reflect no light onto the floor; neither do black ones.
    let Some(made) = shown(0.0) else { return };
    let darker = |before: &Photo, after: &[[u16; 3]], i: usize| {
        let light = |p: [u16; 3]| f64::from(luminance(linear(p)));
        (1.0 - light(after[i]) / light(before.pixels[i]).max(1e-3)).max(0.0)
    };
    let reach = 1.1 * share;
    let (mut ours, mut theirs) = ((DVec2::ZERO, 0.0), (DVec2::ZERO, 0.0));
    for k in 0..80 * 80 {
        let off = (Vec2::new((k % 80) as f32, (k / 80) as f32) / 39.5 - 1.0) * reach;
        if off.length() > reach || off.abs().max_element() < size * 0.53 {
            continue;
        }
        let Some(p) = space.pixel((foot + off).extend(0.0)) else { continue };
        if p.x < 0.0 || p.y < 0.0 || p.x >= width || p.y >= height {
            continue;
        }
        let i = p.y as usize * bare.width + p.x as usize;
        if view.surfaces[i] != True::Floor || made.mask[i] == 255 {
            continue;
        }
        let pairs = [(&mut ours, photo, &made.pixels), (&mut theirs, &clean[0], &clean[1].pixels)];
        for (sum, before, after) in pairs {
            let dark = darker(before, after, i);
            sum.0 += off.as_dvec2() * dark;
            sum.1 += dark;
        }
    }
    // A shadow on all sides has no direction.
    let middle = |s: (DVec2, f64)| s.0 / s.1.max(1e-9) / f64::from(share);
    if theirs.1 > 20.0 && middle(theirs).length() > 0.12 {
        let angle = middle(ours).angle_to(middle(theirs)).abs().to_degrees();
        found.shadow = Some(if ours.1 > 2.0 { angle } else { 180.0 });
        found.strength = Some(ours.1 / theirs.1);
    }
}
