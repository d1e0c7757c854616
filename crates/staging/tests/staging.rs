//! Rooms of our own invention, furnished.

mod campaign;

use std::sync::LazyLock;

use aerie_photo::Photo;
use aerie_photo::room::Camera;
use aerie_staging::arrange::known_rooms;
use aerie_staging::composite::composite;
use aerie_staging::light::Shell;
use aerie_staging::mesh::Mesh;
use aerie_staging::space::{Space, boxed};
use aerie_staging::style::Palette;
use aerie_staging::trace::Scene;
use aerie_staging::{Brief, Effort, Known, Own, Refusal, Room, RoomPlan, Watch, Wish};
use aerie_synthetic::room::Block;
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use glam::{DVec2, DVec3, Vec2, Vec3};

/// A seed whose room is understood.
const SEED: u64 = 2;
const QUICK: Effort = Effort { places: 2, lit: 1, side: 120, rays: 9 };

fn photo(seed: u64) -> Photo {
    let style = Style { width: 480, height: 320, casual: 0.0, ..Style::default() };
    let imagined = imagine(seed, &style);
    LitRoom::new(imagined.room).view(&imagined.viewpoint, 2).developed(&Developing::default())
}

static NO_OWN: LazyLock<Own> = LazyLock::new(Own::default);

fn brief(plan: RoomPlan, wish: &Wish, seed: u64) -> Brief<'_> {
    Brief { plan, wish, own: &NO_OWN, seed }
}

#[test]
fn a_picture_without_furniture_is_the_photo_to_the_bit() {
    let photo = photo(SEED);
    let mut shell = Shell::even(boxed(camera(&photo), 1.3, Vec2::splat(-3.0), Vec2::splat(5.0), 2.6), Vec3::splat(0.4));
    let made = composite(&photo, &mut shell, &mut Scene::new(Mesh::default(), Vec::new()), &QUICK, 1, &Watch::NOBODY)
        .expect("a picture");
    assert!(made.pixels == photo.pixels && made.mask.iter().all(|m| *m == 0));
}

fn camera(photo: &Photo) -> Camera {
    Camera::turned(photo.width, photo.height, 400.0, -0.05, 0.0, 0.0)
}

#[test]
fn outside_the_mask_not_one_value_differs_and_inside_furniture_is_seen() {
    let photo = photo(SEED);
    let room = Room::of(&photo, &Known::default()).expect("a room");
    let wish = Wish::of(Some("scandinavian"));
    let staged = room.staged(&photo, &brief(RoomPlan::Living, &wish, 3), &QUICK, &Watch::NOBODY).expect("furniture");
    let (mut same, mut changed) = (0, 0);
    for ((before, after), mask) in photo.pixels.iter().zip(&staged.picture.pixels).zip(&staged.picture.mask) {
        if *mask == 0 {
            assert_eq!(before, after, "a pixel outside the mask");
            same += 1;
        } else if before != after {
            changed += 1;
        }
    }
    assert!(same > 2_000 && changed > 2_000, "{same} pixels kept, {changed} changed");
    assert!(staged.furniture.iter().any(|f| f.piece == "sofa" && f.polygon.len() >= 3), "{:?}", staged.furniture);
}

#[test]
fn layers_put_together_again_are_the_picture_and_behind_furniture_lies_the_empty_room() {
    let photo = photo(SEED);
    let room = Room::of(&photo, &Known::default()).expect("a room");
    let wish = Wish::of(Some("scandinavian"));
    let staged = room.staged(&photo, &brief(RoomPlan::Living, &wish, 3), &QUICK, &Watch::NOBODY).expect("furniture");
    let layers = &staged.layers;
    let width = layers.camera.width;
    assert_eq!((width, layers.camera.height), (photo.width, photo.height), "a small picture keeps its size");
    let shown = |pixel: [u16; 3]| pixel.map(|v| f64::from(v) / 257.0);
    let mut together: Vec<[f64; 3]> = staged.picture.pixels.iter().map(|p| shown(*p)).collect();
    let mut nearest = vec![0.0_f32; together.len()];
    let mut behind = (0.0, 0.0);
    for (i, told) in layers.room.iter().enumerate().filter(|(_, told)| **told != [0; 3]) {
        together[i] = told.map(f64::from);
        // Furniture takes light from the room, and gives little.
        let before = shown(photo.pixels[i]);
        behind = (behind.0 + f64::from(told[1]), behind.1 + before[1]);
    }
    assert!((0.4..1.1).contains(&(behind.0 / behind.1)), "{behind:?}");
    let mut order: Vec<_> = layers.bodies.iter().collect();
    let far = |b: &&aerie_photo::layers::Body| b.nearness.iter().sum::<f32>() / b.nearness.len() as f32;
    order.sort_by(|a, b| far(a).total_cmp(&far(b)));
    for body in order {
        for (i, [r, g, b, cover]) in body.pixels.iter().enumerate() {
            let at = (body.corner[1] + i / body.width) * width + body.corner[0] + i % body.width;
            if *cover > 0 && body.nearness[i] >= nearest[at] {
                let share = f64::from(*cover) / 255.0;
                let own = [*r, *g, *b].map(f64::from);
                together[at] = [0, 1, 2].map(|c| together[at][c] * (1.0 - share) + own[c] * share);
                nearest[at] = body.nearness[i];
            }
        }
    }
    let (mut sum, mut count) = (0.0, 0.0);
    for (made, pixel) in together.iter().zip(&staged.picture.pixels) {
        let off = made.iter().zip(shown(*pixel)).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / 3.0;
        sum += off;
        count += 1.0;
    }
    let psnr = 10.0 * (255.0_f64.powi(2) / (sum / count)).log10();
    assert!(psnr > 32.0, "{psnr} dB");
    let names: Vec<&str> = layers.bodies.iter().map(|b| b.name.as_str()).collect();
    assert!(names.contains(&"sofa") && !names.contains(&"rug"), "{names:?}");
    // Every pixel of it stands in the room: before its walls and on its floor.
    for body in &layers.bodies {
        let covered = body.pixels.iter().zip(&body.nearness).filter(|(p, _)| p[3] > 0);
        assert!(covered.clone().all(|(_, n)| *n > 0.9 / layers.distances.far as f32 * 0.6), "{}", body.name);
    }
}

#[test]
fn the_same_photo_and_seed_give_the_same_pixels_and_another_seed_others() {
    let photo = photo(SEED);
    let room = Room::of(&photo, &Known::default()).expect("a room");
    let wish = Wish::of(None);
    let made = |seed| {
        room.staged(&photo, &brief(RoomPlan::Bedroom, &wish, seed), &QUICK, &Watch::NOBODY)
            .expect("furniture")
            .picture
            .pixels
    };
    let first = made(5);
    assert!(first == made(5));
    assert!(first != made(6));
}

#[test]
fn in_even_light_a_white_thing_is_as_bright_as_its_surroundings() {
    // The furnace: what throws back all light shows the same radiance everywhere.
    let camera = Camera::turned(240, 160, 200.0, -0.1, 0.0, 0.0);
    let space = boxed(camera, 1.3, Vec2::new(-3.0, -1.0), Vec2::new(3.0, 5.0), 2.6);
    let mut mesh = Mesh::default();
    mesh.add(aerie_staging::shape::ball(0.5).moved(0.0, 2.5, 0.9), 0);
    let white = aerie_staging::material::Material::new(aerie_staging::material::Kind::Paint, Vec3::ONE, 0.9);
    let mut shell = Shell::even(space, Vec3::splat(0.5));
    let mut scene = Scene::new(mesh, vec![white]);
    let gray = aerie_photo::color::encoded([0.5; 3]);
    let photo = Photo::new(240, 160, vec![gray; 240 * 160]);
    let effort = Effort { places: 16, lit: 1, side: 60, rays: 16 };
    let made = composite(&photo, &mut shell, &mut scene, &effort, 1, &Watch::NOBODY).expect("a picture");
    let inside: Vec<f32> = made
        .pixels
        .iter()
        .zip(&made.mask)
        .filter(|(_, m)| **m == 255)
        .map(|(p, _)| aerie_photo::color::linear(*p)[1])
        .collect();
    let mean = inside.iter().sum::<f32>() / inside.len() as f32;
    // The photo's black, half of its darkest and at most 0.012, is lifted under the furniture as under all else.
    let mean = (mean - 0.012) / (1.0 - 0.012);
    assert!(inside.len() > 500 && (mean - 0.5).abs() < 0.5 * 0.01, "{mean} over {} pixels", inside.len());
}

#[test]
fn no_piece_stands_in_another_before_a_door_or_outside_in_many_random_rooms() {
    let mut tally = campaign::Tally::default();
    for seed in 0..30 {
        tally = tally.with(campaign::furnished(seed, known_rooms()[seed as usize % known_rooms().len()]));
    }
    assert_eq!((tally.collisions, tally.blocked, tally.outside), (0, 0, 0), "{:?}", tally.faults);
    assert!(tally.wide_ways() >= 0.95, "{:?}", tally.faults);
    assert!(tally.furnished >= 15, "{:?}", tally);
    // Of each room type at least one was furnished.
    assert!(tally.plans.values().all(|[refused, tried]| refused < tried), "{:?}", tally.plans);
}

#[test]
fn every_piece_lies_within_the_footprint_that_it_tells() {
    use aerie_staging::pieces::{beds, decor, household, lamps, plants, seats, storage, tables};
    for style in aerie_staging::style::STYLES {
        let palette = Palette::of(&Wish::of(Some(style)), 9);
        let chance = &mut aerie_staging::chance::Chance::new(4);
        let pieces = vec![
            seats::sofa(&palette, 2.1, chance),
            seats::armchair(&palette, chance),
            seats::bench(&palette, 1.2, chance),
            seats::dining_chair(&palette, chance),
            seats::desk_chair(chance),
            tables::coffee_table(&palette, chance),
            tables::side_table(&palette, chance),
            tables::dining_table(&palette, 1.8, chance),
            tables::desk(&palette, chance),
            storage::media_console(&palette, 1.6, chance),
            storage::dresser(&palette, chance),
            storage::nightstand(&palette, true, chance),
            storage::bookshelf(&palette, chance),
            storage::console_table(&palette, chance),
            storage::wardrobe(&palette, chance),
            beds::bed(&palette, 1.6, chance),
            beds::cot(chance),
            lamps::floor_lamp(&palette, chance),
            plants::tree(chance),
            plants::blades(chance),
            decor::basket(chance),
            decor::ladder(&palette, chance),
            household::bath_mat(chance),
            household::towels(3, chance),
            household::towel_ladder(&palette, chance),
            household::hamper(),
            household::bistro_table(&palette, 0.9, chance),
            household::trolley(&palette, chance),
            household::toy_chest(&palette, chance),
            household::clock(),
            household::lantern(0.4),
            household::planter(chance),
            household::curtain(0.4, 2.2, chance),
            household::curtain_rail(2.0),
        ];
        for piece in pieces {
            let [low, high] = piece.measured();
            let half = piece.size / 2.0;
            // Cushions and cloth may stand over a little.
            let over = 0.08;
            let fits =
                low.x > -half.x - over && high.x < half.x + over && low.y > -half.y - over && high.y < half.y + over;
            assert!(fits && low.z > -0.02, "{style} {}: {low} to {high} for {}", piece.kind, piece.size);
        }
    }
}

#[test]
fn a_floor_that_a_person_outlines_is_taken_and_one_in_the_sky_is_not() {
    let photo = photo(SEED);
    let known = |floor: Vec<[f64; 2]>| Known { floor: Some(floor), length: None };
    let low = vec![[10.0, 310.0], [150.0, 225.0], [330.0, 225.0], [470.0, 310.0]];
    assert!(Room::of(&photo, &known(low)).is_ok());
    let sky = vec![[10.0, 20.0], [150.0, 5.0], [330.0, 5.0]];
    assert!(matches!(Room::of(&photo, &known(sky)), Err(Refusal::NotUnderstood(_))));
}

#[test]
fn a_known_length_sets_the_scale() {
    let photo = photo(SEED);
    let room = Room::of(&photo, &Known::default()).expect("a room");
    let space: &Space = room.space();
    let (a, b) = (Vec3::new(-0.5, 2.5, 0.0), Vec3::new(0.5, 2.5, 0.0));
    let pixel = |p: Vec3| space.pixel(p).expect("in front").to_array();
    let known = Known { floor: None, length: Some((pixel(a), pixel(b), 1.2)) };
    let longer = Room::of(&photo, &known).expect("a room");
    let ratio = longer.scale().meters / room.scale().meters;
    assert!((ratio - 1.2).abs() < 0.01, "{ratio}");
}

#[test]
fn furnished_rooms_and_houses_from_outside_are_refused_with_what_to_do() {
    let Ok(data) = std::env::var("AERIE_TEST_DATA") else {
        eprintln!("skipped: AERIE_TEST_DATA names no folder with photos");
        return;
    };
    let photos = std::path::Path::new(&data).join("photos");
    let refusal = |name: &str| {
        let photo = aerie_photo::decode_file(&photos.join(name)).expect("a photo");
        Room::of(&photo, &Known::default()).err().unwrap_or_else(|| panic!("{name} was taken for an empty room"))
    };
    for name in ["rooms/ar_mixed_materials_05.jpg", "interiors/darwin_hero-interior_pexels.jpg"] {
        let told = refusal(name);
        assert!(matches!(told, Refusal::NotEmpty(_)) && told.to_string().contains("send a photo"), "{name}: {told:?}");
    }
    for name in ["ar_brick_buildings_02", "ar_brick_buildings_04", "ar_stone_facades_01", "ar_stone_facades_03"] {
        let told = refusal(&format!("exteriors/{name}.jpg"));
        assert!(matches!(told, Refusal::NotARoom(_)), "{name}: {told:?}");
    }
}

#[test]
fn a_picture_that_nobody_waits_for_any_more_ends_within_a_second() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};
    let photo = photo(SEED);
    let room = Room::of(&photo, &Known::default()).expect("a room");
    // Far more work than the machine can do in a minute, ended in each part of it.
    let endless = Effort { places: 4_000, lit: 1, side: 480, rays: 400 };
    let light = Effort { side: 60, rays: 4, ..endless };
    for (effort, after) in [(endless, 0.04), (light, 0.34)] {
        let begun = AtomicBool::new(false);
        let told = |share: f32| begun.store(share >= after, Ordering::Relaxed);
        let asked = std::sync::Mutex::new(None);
        let is_canceled = || {
            let mut since = asked.lock().expect("a lock");
            begun.load(Ordering::Relaxed)
                && since.get_or_insert_with(Instant::now).elapsed() > Duration::from_millis(300)
        };
        let watch = Watch { told: &told, is_canceled: &is_canceled };
        let made = room.staged(&photo, &brief(RoomPlan::Living, &Wish::of(None), 3), &effort, &watch);
        assert_eq!(made.err(), Some(Refusal::Canceled));
        let late = asked.lock().expect("a lock").expect("it was asked").elapsed();
        assert!(late < Duration::from_millis(1_300), "{late:?} after {after}");
    }
}

#[test]
fn nothing_is_put_behind_a_column_that_reaches_above_the_camera() {
    let style = Style { width: 720, height: 480, casual: 0.0, ..Style::default() };
    let (mut understood, mut pieces) = (0, 0);
    for seed in 0..40 {
        let mut imagined = imagine(seed, &style);
        let camera = imagined.viewpoint.camera;
        let on_floor = |pixel: DVec2| {
            let (from, ray) = (imagined.viewpoint.place, camera.ray(pixel));
            (from + ray * (from.z / -ray.z)).truncate()
        };
        let spots = (0..40).map(|i| DVec2::new(150.0 + 60.0 * f64::from(i % 8), 290.0 + 30.0 * f64::from(i / 8)));
        let is_free = |p: &DVec2| imagined.room.holds(on_floor(*p)) && imagined.room.clearance(on_floor(*p)) > 0.6;
        let Some(foot) = spots.into_iter().find(is_free) else { continue };
        let at = on_floor(foot);
        let low = DVec3::new(at.x - 0.16, at.y - 0.16, 0.0);
        let high = DVec3::new(at.x + 0.16, at.y + 0.16, imagined.room.height);
        imagined.room.clutter.push(Block { low, high, color: Vec3::new(0.05, 0.06, 0.30) });
        let view = LitRoom::new(imagined.room.clone()).view(&imagined.viewpoint, 2);
        let photo = view.developed(&Developing::default());
        let Ok(room) = Room::of(&photo, &Known::default()) else { continue };
        let Ok(done) = room.arranged(RoomPlan::Living, &Palette::of(&Wish::of(None), seed), seed) else { continue };
        understood += 1;
        let ray = room.space().ray(foot);
        let column = (ray * (room.space().eye.z / -ray.z)).truncate();
        let bearing = |p: Vec2| p.x.atan2(p.y);
        let half = 0.16 / column.length();
        for placed in done.placed.iter().filter(|p| p.is_solid() && p.at.truncate().length() > column.length() + 0.2) {
            pieces += 1;
            let ends = placed.footprint().corners().map(bearing);
            let (low, high) = (ends.into_iter().fold(f32::MAX, f32::min), ends.into_iter().fold(f32::MIN, f32::max));
            let at = bearing(column);
            assert!(high < at - half / 2.0 || low > at + half / 2.0, "{seed}: {} is behind it", placed.piece.kind);
        }
    }
    assert!(understood >= 5 && pieces >= 12, "{understood} rooms, {pieces} pieces farther than the column");
}

#[test]
fn curtains_hang_in_pairs_beside_windows_and_reach_into_none() {
    let style = Style { width: 480, height: 320, casual: 0.0, ..Style::default() };
    let mut hung = 0;
    for seed in 500_010..500_026 {
        let imagined = imagine(seed, &style);
        let photo = LitRoom::new(imagined.room).view(&imagined.viewpoint, 2).developed(&Developing::default());
        let Ok(room) = Room::of(&photo, &Known::default()) else { continue };
        let palette = Palette::of(&Wish::of(Some("luxury")), 1);
        let Ok(done) = room.arranged(RoomPlan::Living, &palette, 1) else { continue };
        let curtains: Vec<_> = done.placed.iter().filter(|p| p.piece.kind == "curtain").collect();
        assert_eq!(curtains.len() % 2, 0, "{seed}");
        hung += curtains.len();
        for (curtain, window) in curtains.iter().flat_map(|c| room.windows().iter().map(move |w| (c, w))) {
            let Some(side) = window.side().map(|side| room.space().sides[side]) else { continue };
            let to = curtain.at.truncate() - side.from;
            let along = side.along().dot(to);
            let is_here = Vec2::from_angle(curtain.yaw).rotate(-Vec2::Y).dot(side.inward) > 0.9;
            let half = curtain.piece.size.x / 2.0;
            let beside = along + half <= window.rect[0].x || along - half >= window.rect[1].x;
            assert!(!is_here || beside, "{seed}: a curtain at {along} before {:?}", window.rect);
        }
    }
    assert!(hung >= 2, "no curtains in any room");
}
