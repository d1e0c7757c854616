//! Exteriors without lines: rendered, reconstructed from that one picture, and compared with what a camera sees that moves.

use aerie_clip::{CameraPath, CameraPrompt, CameraRequest, Frame, Kind, Level, Plate, Pose, Proxy, SceneModel};
use aerie_photo::Photo;
use aerie_photo::room::Camera;
use glam::{DVec2, DVec3};

const SIZE: [usize; 2] = [720, 480];

/// The usual camera, which is assumed where nothing else is known.
fn camera() -> Camera {
    let focal = 0.8 * SIZE[0] as f64;
    Camera::turned(SIZE[0], SIZE[1], focal, -(0.03 * SIZE[1] as f64 / focal).atan(), 0.0, 0.0)
}

/// A value from 0 to 1, the same for the same place.
fn grain(x: f64, y: f64, size: f64) -> f64 {
    let cell = |v: f64| (v / size).floor() as i64;
    let hash = (cell(x).wrapping_mul(0x9E37_79B9) ^ cell(y).wrapping_mul(0x85EB_CA6B)) as u64;
    (hash.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as f64 / f64::from(1 << 24)
}

/// What stands at the end of the ground: inverse distance along a level ray.
type Upright = fn(DVec3) -> f64;

fn hedge(ray: DVec3) -> f64 {
    ray.y / 6.0
}

fn street(ray: DVec3) -> f64 {
    (ray.y / 14.0).max(ray.x / 3.0).max(-ray.x / 3.4)
}

/// The color along a ray: grass, a hedge of leaves 3 camera heights high, sky.
fn seen(ray: DVec3, upright: Upright) -> [f64; 3] {
    let near = upright(ray);
    let high = ray.z / near;
    if near > -ray.z && high < 2.0 {
        let place = ray / near;
        let leaf = grain(place.x + place.y, place.z, 0.11) * grain(place.x - place.y, place.z, 0.3).sqrt();
        return [0.03 + 0.10 * leaf, 0.05 + 0.16 * leaf, 0.02 + 0.05 * leaf];
    }
    if ray.z < 0.0 {
        let place = ray / -ray.z;
        let blade = 0.8 + 0.2 * grain(place.x, place.y, 0.05 + 0.01 * place.y);
        return [0.42 * blade, 0.40 * blade, 0.36 * blade];
    }
    [0.62, 0.72, 0.86]
}

fn photo(upright: Upright) -> Photo {
    let camera = camera();
    let pixel = |i: usize| {
        let mut sum = [0.0; 3];
        for n in 0..9 {
            let at = DVec2::new((i % SIZE[0]) as f64, (i / SIZE[0]) as f64);
            let within = DVec2::new(f64::from(n % 3), f64::from(n / 3)) / 3.0 + 1.0 / 6.0;
            let color = seen(camera.ray(at + within), upright);
            (0..3).for_each(|c| sum[c] += color[c] / 9.0);
        }
        sum.map(|v: f64| (v.clamp(0.0, 1.0).powf(1.0 / 2.2) * 65535.0) as u16)
    };
    Photo::new(SIZE[0], SIZE[1], (0..SIZE[0] * SIZE[1]).map(pixel).collect())
}

fn model(photo: &Photo) -> SceneModel {
    let frame = Frame::cut(SIZE, SIZE, [SIZE[0] as f64 / 2.0, SIZE[1] as f64 / 2.0]);
    SceneModel::of(photo, &frame, &Plate::of(photo, &frame).expect("a plate"))
}

fn course(model: &SceneModel, prompt: &str) -> CameraPath {
    let prompt = CameraPrompt::parse(Some(prompt));
    let wanted =
        CameraRequest { prompt, level: Level::Medium, ends_in_photo: false, seconds: 5.0, something_ahead: true };
    CameraPath::plan(&model.proxy, None, &wanted)
}

/// Where a pixel of the photo is seen, if it lies that near, by a camera that moves and turns like a pose of the model's.
fn moved(proxy: &Proxy, pose: &Pose, pixel: DVec2, nearness: f64) -> Option<DVec2> {
    let camera = camera();
    let own = proxy.camera.rotation.transpose() * camera.rotation;
    let focal = camera.focal * pose.focal / proxy.camera.focal;
    let there = Camera { rotation: pose.rotation * own, focal, ..camera };
    let sight = DVec3::new((pixel.x - camera.center.x) / camera.focal, (pixel.y - camera.center.y) / camera.focal, 1.0);
    there.pixel(camera.rotation.transpose() * sight / nearness - own.transpose() * pose.position)
}

#[test]
fn a_garden_and_a_street_without_lines_move_as_a_camera_would_see_them() {
    for (name, upright) in [("garden", hedge as Upright), ("street", street)] {
        let model = model(&photo(upright));
        assert!(matches!(model.kind(), Kind::Exterior | Kind::Facades), "{name}: {:?}", model.kind());
        let start = model.proxy.ray_matrix(&model.proxy.start());
        for prompt in ["push in", "slide right"] {
            let pose = course(&model, prompt).at(&model.proxy, 1.0);
            let (mut off, mut still) = (Vec::new(), Vec::new());
            for i in 0..24 * 16 {
                let pixel = DVec2::new(f64::from(i % 24) * 30.0 + 15.0, f64::from(i / 24) * 30.0 + 15.0);
                let ray = start * pixel.extend(1.0);
                let sight = DVec3::new((pixel.x - 360.0) / camera().focal, (pixel.y - 240.0) / camera().focal, 1.0);
                let true_ray = camera().rotation.transpose() * sight;
                let nearness = upright(true_ray).max(-true_ray.z);
                if nearness <= 0.0 || true_ray.z / nearness > 2.0 {
                    continue;
                }
                let (Some(truth), Some((shown, _))) = (
                    moved(&model.proxy, &pose, pixel, nearness),
                    model.proxy.seen_at(&pose, pixel, model.proxy.main().nearness(ray)),
                ) else {
                    continue;
                };
                off.push((shown - truth).length());
                still.push((truth - pixel).length());
            }
            [&mut off, &mut still].iter_mut().for_each(|all| all.sort_by(f64::total_cmp));
            let (off, still) = (off[off.len() * 8 / 10], still[still.len() * 8 / 10]);
            assert!(still > 0.03 * SIZE[0] as f64, "{name}, {prompt}: moves by {still} pixels only");
            let walls = &model.house.as_ref().expect("an exterior").exterior.walls;
            assert!(off < 0.35 * still, "{name}, {prompt}: {off} pixels off, of {still}; {walls:?}");
        }
    }
}

#[test]
fn the_ground_moves_more_than_what_stands_behind_it() {
    let model = model(&photo(hedge));
    let pose = course(&model, "slide right").at(&model.proxy, 1.0);
    let start = model.proxy.ray_matrix(&model.proxy.start());
    let across = |y: f64| {
        let pixel = DVec2::new(360.0, y);
        let nearness = model.proxy.main().nearness(start * pixel.extend(1.0));
        (model.proxy.seen_at(&pose, pixel, nearness).expect("in front").0 - pixel).x
    };
    let parallax = (across(470.0) - across(200.0)).abs() / SIZE[0] as f64;
    assert!(parallax > 0.03, "{parallax}");
}
