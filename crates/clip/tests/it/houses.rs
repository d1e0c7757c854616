//! Houses from outside: rendered, reconstructed from that one picture, and rendered again from where a clip ends.

use aerie_clip::{
    Bodies, CameraPath, CameraPrompt, CameraRequest, Cutouts, Facades, Frame, Kind, Level, Plate, Pose, Proxy, Trees,
};
use aerie_photo::lines::{self, Segment};
use aerie_photo::room::{Camera, Frame as Axes, Hints};
use aerie_photo::{Photo, sky};
use glam::{DVec2, DVec3};

const SIZE: [usize; 2] = [768, 512];
/// The corner of the house, camera heights to the right and ahead, and its height over the camera.
const CORNER: DVec2 = DVec2::new(0.8, 6.0);
const EAVES: f64 = 2.6;

fn camera() -> Camera {
    Camera::turned(SIZE[0], SIZE[1], 640.0, 0.05, 0.0, 0.55)
}

/// A tree in front of the house: center and radius of its crown.
const TREE: DVec3 = DVec3::new(2.6, 4.6, 0.3);
const CROWN: f64 = 0.7;

/// The tree as seen along a ray: a disc of leaves on a trunk, across the view.
fn tree(from: DVec3, ray: DVec3) -> Option<[f64; 3]> {
    let toward = DVec3::new(TREE.x, TREE.y, 0.0).normalize();
    let t = (TREE - from).dot(toward) / ray.dot(toward);
    let off = from + ray * t - TREE;
    let along = off.dot(DVec3::new(toward.y, -toward.x, 0.0));
    if t <= 0.0 || off.z < -1.0 - TREE.z {
        return None;
    }
    let hash = |v: f64, w: f64| ((v * 12.9898 + w * 78.233).sin() * 43758.5453).rem_euclid(1.0);
    if along.hypot(off.z) < CROWN {
        let leaf = hash((along * 14.0).floor(), (off.z * 14.0).floor());
        return Some([0.10 + 0.15 * leaf, 0.18 + 0.25 * leaf, 0.05 + 0.08 * leaf]);
    }
    (along.abs() < 0.07 && off.z < 0.0).then_some([0.16, 0.11, 0.08])
}

/// The color along a ray: a house of x > 0.8 and y > 6, 8 wide and 7 deep, on paving, under a sky.
fn seen(from: DVec3, ray: DVec3) -> [f64; 3] {
    let ahead = (CORNER.y - from.y) / ray.y;
    let across = (CORNER.x - from.x) / ray.x;
    let front = from + ray * ahead;
    let side = from + ray * across;
    let is_wall = |place: DVec3, t: f64| t > 0.0 && place.z > -1.0 && place.z < EAVES;
    let hit = if is_wall(front, ahead) && (CORNER.x..CORNER.x + 8.0).contains(&front.x) {
        Some((front.x - CORNER.x, front.z, 0.8))
    } else if is_wall(side, across) && (CORNER.y..CORNER.y + 7.0).contains(&side.y) {
        Some((side.y - CORNER.y, side.z, 0.55))
    } else {
        None
    };
    if let Some((along, up, light)) = hit {
        let window =
            (along % 1.6 > 0.5) && (along % 1.6 < 1.2) && (up.rem_euclid(1.7) > 0.5) && (up.rem_euclid(1.7) < 1.4);
        let course = if up.rem_euclid(0.85) < 0.04 { 0.8 } else { 1.0 };
        return if window { [0.10, 0.12, 0.16] } else { [light * course, light * 0.55 * course, light * 0.4 * course] };
    }
    if ray.z < 0.0 {
        let place = from + ray * ((-1.0 - from.z) / ray.z);
        let joint = place.x.rem_euclid(1.0) < 0.05 || place.y.rem_euclid(1.0) < 0.05;
        let far = (place.truncate().length() / 40.0).min(1.0);
        let light = if joint { 0.25 + 0.1 * far } else { 0.35 };
        return [light, light * 0.95, light * 0.9];
    }
    let up = ray.z / ray.length();
    [0.30 - 0.15 * up, 0.50 - 0.12 * up, 0.85]
}

/// Renders with nine rays per pixel, with the tree or without.
fn painted(camera: &Camera, from: DVec3, with_tree: bool) -> Photo {
    let pixel = |i: usize| {
        let mut sum = [0.0; 3];
        for n in 0..9 {
            let at = DVec2::new((i % SIZE[0]) as f64, (i / SIZE[0]) as f64);
            let within = DVec2::new(f64::from(n % 3), f64::from(n / 3)) / 3.0 + 1.0 / 6.0;
            let ray = camera.ray(at + within);
            let color = with_tree.then(|| tree(from, ray)).flatten().unwrap_or_else(|| seen(from, ray));
            (0..3).for_each(|c| sum[c] += color[c] / 9.0);
        }
        sum.map(|v: f64| (v.clamp(0.0, 1.0) * 65535.0) as u16)
    };
    Photo::new(SIZE[0], SIZE[1], (0..SIZE[0] * SIZE[1]).map(pixel).collect())
}

struct House {
    bodies: Option<Bodies>,
    behind: Plate,
    frame: Frame,
    proxy: Proxy,
    plate: Plate,
    cutouts: Cutouts,
    photo: Photo,
}

fn house(with_tree: bool) -> House {
    let photo = painted(&camera(), DVec3::ZERO, with_tree);
    let segments = lines::segments(&photo);
    let axes = Axes::find(&segments, SIZE[0], SIZE[1], &Hints::default()).expect("a frame");
    let facades = Facades::best(&segments, &axes).expect("façades");
    assert!(facades.is_confident(&axes) && facades.stands, "{facades:?} {axes:?}");
    let frame = Frame::cut(SIZE, SIZE, [SIZE[0] as f64 / 2.0, SIZE[1] as f64 / 2.0]);
    let proxy = Proxy::of_facades(&facades, &axes.camera, &frame);
    let plate = Plate::of(&photo, &frame).expect("a plate");
    let matte = sky::matte(&photo.reduced(1024)).expect("a sky");
    let trees = Trees::find((&proxy, &matte), &segments, (&frame, &plate), SIZE);
    let apart = trees.and_then(|trees| trees.apart((&proxy, &matte), (&frame, &plate), SIZE));
    let (bodies, behind, matte) = match apart {
        Some(apart) => (Some(apart.bodies), apart.plate, apart.sky),
        None => (None, plate.clone(), matte),
    };
    let cutouts = Cutouts::under_sky(&matte, &frame, &behind, SIZE);
    House { bodies, behind, frame, proxy, plate, cutouts, photo }
}

fn course(proxy: &Proxy, prompt: &str) -> CameraPath {
    let prompt = CameraPrompt::parse(Some(prompt));
    let wanted =
        CameraRequest { prompt, level: Level::High, ends_in_photo: false, seconds: 5.0, something_ahead: true };
    CameraPath::plan(proxy, None, &wanted)
}

fn luma(rgba: &[u8]) -> f64 {
    0.2126 * f64::from(rgba[0]) + 0.7152 * f64::from(rgba[1]) + 0.0722 * f64::from(rgba[2])
}

/// What the renderer shows at a pixel, without its filters: trees, past them the cut-out house, past it the sky.
fn shown(house: &House, pose: &Pose, pixel: DVec2) -> f64 {
    let [across, down] = house.plate.double_size;
    let texel = |data: &[u8], at: DVec2| {
        let (x, y) = ((at.x * 2.0) as usize, (at.y * 2.0) as usize);
        luma(&data[(y.min(down - 1) * across + x.min(across - 1)) * 4..])
    };
    let at = |surface: usize| {
        let seen = house.proxy.photo_pixel_of(&house.proxy.surfaces[surface], pose, pixel).expect("in front");
        seen.max(DVec2::ZERO)
    };
    let (near, far) = (at(0), at(1));
    let [width, height] = house.cutouts.size;
    let mask = house.cutouts.masks[0][(near.y as usize).min(height - 1) * width + (near.x as usize).min(width - 1)];
    let share = f64::from(mask) / 255.0;
    match house.bodies.as_ref().and_then(|bodies| bodies.met(&house.proxy, pose, pixel)) {
        Some((_, place)) => texel(&house.plate.double, place),
        None => share * texel(&house.behind.double, near) + (1.0 - share) * texel(&house.cutouts.behind, far),
    }
}

#[test]
fn the_corner_the_foot_and_the_skyline_of_a_house_are_found_and_a_camera_that_moves_sees_what_is_there() {
    let house = house(false);
    assert_eq!(house.proxy.kind, Kind::Facades);
    let [ahead, across] = house.proxy.surfaces[0].corner[..] else { panic!("a corner: {:?}", house.proxy.surfaces) };
    let corner = DVec2::new(1.0 / across.x, 1.0 / ahead.y);
    // The axes may be swapped, so compare distances.
    assert!((corner.length() / CORNER.length() - 1.0).abs() < 0.12, "{corner}");

    // At rest, the photo.
    let start = house.proxy.start();
    let middle = |x: usize, y: usize| DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
    let (mut off, mut count) = (0.0, 0.0);
    for y in (0..SIZE[1]).step_by(3) {
        for x in (0..SIZE[0]).step_by(3) {
            let fitted = luma(&house.plate.fitted[(y * SIZE[0] + x) * 4..]);
            off += (shown(&house, &start, middle(x, y)) - fitted).abs();
            count += 1.0;
        }
    }
    assert!(off / count < 2.0, "{}", off / count);

    for prompt in ["push in", "slide left", "orbit right", "rise and push in"] {
        let course = course(&house.proxy, prompt);
        let [moved, still] = likeness(&house, &course, corner, false);
        assert!(moved >= 28.0 && moved > still + 6.0, "{prompt}: {moved:.1} dB, on a backdrop {still:.1} dB");
        let filled = aerie_clip::synthesized_share(&house.proxy, &course, None, Some(&house.cutouts));
        assert!(filled < 0.03, "{prompt}: {filled}");
    }
}

#[test]
fn a_tree_before_a_house_is_a_layer_and_a_camera_that_moves_sees_it_pass_before_the_house() {
    assert!(house(false).bodies.is_none(), "no tree is found where there is none");
    let house = house(true);
    let bodies = house.bodies.as_ref().expect("a tree");
    assert_eq!(bodies.each.len(), 1);
    // The cutout covers crown and trunk, and little else.
    let (mut wrong, mut tree_pixels) = (0, 0);
    for y in (0..SIZE[1]).step_by(2) {
        for x in (0..SIZE[0]).step_by(2) {
            let pixel = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let is_tree = tree(DVec3::ZERO, camera().ray(pixel)).is_some();
            tree_pixels += usize::from(is_tree);
            wrong += usize::from(is_tree != bodies.nearness_at(pixel).is_some());
        }
    }
    assert!(wrong * 4 < tree_pixels, "{wrong} wrong for {tree_pixels}");

    let flat = House { bodies: None, behind: house.plate.clone(), ..self::house(true) };
    let [ahead, across] = house.proxy.surfaces[0].corner[..] else { panic!("a corner: {:?}", house.proxy.surfaces) };
    let corner = DVec2::new(1.0 / across.x, 1.0 / ahead.y);
    for prompt in ["push in", "slide left", "orbit right", "rise and push in"] {
        let course = course(&house.proxy, prompt);
        let [moved, still] = likeness(&house, &course, corner, true);
        let [on_facade, _] = likeness(&flat, &course, corner, true);
        assert!(moved >= 26.0 && moved > still + 6.0, "{prompt}: {moved:.1} dB, on a backdrop {still:.1} dB");
        assert!(moved > on_facade, "{prompt}: {moved:.1} dB, with the tree on the façade {on_facade:.1} dB");
    }
}

/// Similarity of the far end of a path to the truth: as rendered, and by the same move over a backdrop; PSNR, dB.
fn likeness(house: &House, course: &CameraPath, corner: DVec2, with_tree: bool) -> [f64; 2] {
    let pose = course.at(&house.proxy, 1.0);
    // Convert the reconstructed axes to those of the synthetic world.
    let turn = camera().rotation.transpose() * house.proxy.camera.rotation;
    let there = Camera { rotation: pose.rotation * turn.transpose(), focal: pose.focal, ..camera() };
    let scale = CORNER.length() / corner.length();
    let truth = painted(&there, turn * pose.position * scale, with_tree);
    let psnr = |value: &dyn Fn(DVec2) -> f64| {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in (0..SIZE[1]).step_by(2) {
            for x in (0..SIZE[0]).step_by(2) {
                let [r, g, b] = truth.pixels[y * SIZE[0] + x].map(|v| (v / 257) as u8);
                sum += (value(DVec2::new(x as f64 + 0.5, y as f64 + 0.5)) - luma(&[r, g, b])).powi(2);
                count += 1.0;
            }
        }
        10.0 * (255.0_f64.powi(2) * count / f64::max(sum, 1e-9)).log10()
    };
    let moved = psnr(&|pixel| shown(house, &pose, pixel));
    let flat = Proxy::flat(&house.photo, &house.frame);
    // The same move on a backdrop at the corner's distance.
    let depth = house.proxy.depth();
    let still = psnr(&|pixel| {
        let near = Pose { position: flat.forward() * (course.moves.forward / depth), ..flat.start() };
        let at = flat.photo_pixel(&near, pixel).expect("in front").max(DVec2::ZERO);
        let (x, y) = ((at.x * 2.0) as usize, (at.y * 2.0) as usize);
        let [across, down] = house.plate.double_size;
        luma(&house.plate.double[(y.min(down - 1) * across + x.min(across - 1)) * 4..])
    });
    [moved, still]
}

#[test]
fn what_is_cut_out_has_a_rim_and_the_sky_behind_it_is_the_skys() {
    let house = house(false);
    let [width, height] = house.cutouts.size;
    let across = house.plate.double_size[0];
    let mut skyline = 0;
    for y in 0..height {
        for x in 0..width {
            let i = (2 * y * across + 2 * x) * 4;
            let (photo, behind) = (&house.plate.double[i..i + 3], &house.cutouts.behind[i..i + 3]);
            match house.cutouts.masks[0][y * width + x] {
                255 => {}
                _ => assert_eq!(photo, behind, "{x} {y}: the photo shows through a mask that is not full"),
            }
            let above = y.checked_sub(8).map(|y| house.cutouts.masks[0][y * width + x]);
            if house.cutouts.masks[0][y * width + x] == 255 && above == Some(0) {
                skyline += 1;
                assert!(behind[2] > 180 && behind[0] < 110, "{x} {y}: {behind:?} is no sky");
            }
        }
    }
    assert!(skyline > 300, "{skyline}");
}

#[test]
fn lines_without_order_are_no_house() {
    let scattered: Vec<Segment> = (0..200_u64)
        .map(|i| {
            let at = |k: u64| ((i * 2_654_435_761 + k * 40_503) % 10_007) as f64 / 10_007.0;
            let (x, y, turn) = (at(1) * 768.0, at(2) * 512.0, at(3) * 6.3);
            Segment::new([x, y], [x + 40.0 * turn.cos(), y + 40.0 * turn.sin()])
        })
        .collect();
    let Some(axes) = Axes::find(&scattered, SIZE[0], SIZE[1], &Hints::default()) else { return };
    let is_house = Facades::best(&scattered, &axes).is_some_and(|facades| facades.is_confident(&axes));
    assert!(!is_house);
}
