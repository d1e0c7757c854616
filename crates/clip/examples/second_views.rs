//! Compares the far end of a clip with what a camera would have seen there: synthetic rooms are photographed once,
//! filmed from that photo, and rendered again from where the clip ends. For comparison, does the same for the best pan
//! and zoom in the photo (a Ken Burns move, fitted to the truth by least squares): `second_views [ROOMS]`. Prints PSNR
//! of luma, dB.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]

use aerie_clip::{CameraPath, CameraPrompt, CameraRequest, Frame, Kind, Level, Proxy};
use aerie_math::color;
use aerie_photo::room::{Hints, Layout};
use aerie_photo::{Photo, lines};
use aerie_synthetic::{LitRoom, Style, View, Viewpoint, imagine};
use glam::{DVec2, Vec3};

const SIZE: [usize; 2] = [720, 480];
/// Rays along each side of a pixel.
const RAYS: usize = 3;
const PROMPTS: [&str; 4] = ["push in", "slide right", "orbit left", "rise and push in"];

fn main() {
    let rooms: u64 = std::env::args().nth(1).map_or(20, |n| n.parse().expect("a number of rooms"));
    let style = Style { width: SIZE[0], height: SIZE[1], casual: 0.25, ..Style::default() };
    let (mut ours, mut flat, mut refused) = (Vec::new(), Vec::new(), 0);
    for seed in 0..rooms {
        let imagined = imagine(seed, &style);
        let (at, lit) = (imagined.viewpoint, LitRoom::new(imagined.room));
        let first = lit.view(&at, RAYS);
        let gain = exposure(&first);
        let photo = toned(&first, gain);
        let Some(layout) =
            Layout::of_segments(&photo, &lines::segments(&photo), &Hints::of(&photo)).filter(Layout::is_confident)
        else {
            refused += 1;
            continue;
        };
        let frame = Frame::cut(SIZE, SIZE, [SIZE[0] as f64 / 2.0, SIZE[1] as f64 / 2.0]);
        let proxy = Proxy::of_box(&layout.distances, &layout.frame.camera, &frame, 1.0);
        assert_eq!(proxy.kind, Kind::Room);
        for prompt in PROMPTS {
            let wanted = CameraRequest {
                prompt: CameraPrompt::parse(Some(prompt)),
                level: Level::Low,
                ends_in_photo: false,
                seconds: 5.0,
                something_ahead: true,
            };
            let course = CameraPath::plan(&proxy, None, &wanted);
            let pose = course.at(&proxy, 1.0);
            // Convert the axes of the layout to those of the room, so that the clip begins exactly in the photo; the
            // camera height is the true one.
            let turn = at.camera.rotation.transpose() * proxy.camera.rotation;
            let mut there = Viewpoint { place: at.place + turn * pose.position * at.place.z, ..at };
            there.camera.rotation = pose.rotation * turn.transpose();
            there.camera.focal *= pose.focal / proxy.camera.focal;
            let second = lit.view(&there, RAYS);
            let truth = toned(&second, gain);
            let seen = |pixel: DVec2| proxy.photo_pixel(&pose, pixel);
            let moved = psnr(&truth, &photo, seen);
            let burns = ken_burns(&second, &there, &at);
            let still = psnr(&truth, &photo, |pixel| Some(burns.0 + (pixel - there.camera.center) * burns.1));
            println!("room {seed:3}  {prompt:16}  clip {moved:5.2}  Ken Burns {still:5.2}");
            ours.push(moved);
            flat.push(still);
        }
    }
    let above = ours.iter().zip(&flat).filter(|(a, b)| a > b).count();
    let count = ours.len();
    println!(
        "{count} views of {} rooms ({refused} not understood, and not counted): clip {:.2} dB median, {:.2} lowest tenth; \
         Ken Burns {:.2} median; the clip is nearer in {above}",
        rooms - refused,
        share(&mut ours, 0.5),
        share(&mut ours, 0.1),
        share(&mut flat, 0.5),
    );
}

fn share(values: &mut [f64], at: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len() as f64 * at) as usize).copied().unwrap_or(f64::NAN)
}

/// Exposes for a median of middle gray, as a camera does; both views keep the exposure of the first.
fn exposure(view: &View) -> f32 {
    let mut levels: Vec<f32> = view.light.iter().map(|c| color::luminance(c.to_array())).collect();
    levels.sort_by(f32::total_cmp);
    0.36 / levels[levels.len() / 2].max(1e-6)
}

fn toned(view: &View, gain: f32) -> Photo {
    let tone = |v: f32| if v < 0.6 { v } else { 0.6 + 0.4 * (1.0 - (-(v - 0.6) / 0.45).exp()) };
    let pixel = |c: &Vec3| color::encoded((*c * gain).to_array().map(tone));
    Photo::new(view.width, view.height, view.light.iter().map(pixel).collect())
}

/// Interpolated luma of a photo, 0 to 255; `None` outside.
fn luma(photo: &Photo, at: DVec2) -> Option<f64> {
    let (x, y) = (at.x - 0.5, at.y - 0.5);
    let inside = |v: f64, side: usize| (-0.5..=side as f64 - 0.5).contains(&v);
    if !inside(x, photo.width) || !inside(y, photo.height) {
        return None;
    }
    let value = |x: f64, y: f64| {
        let (x, y) =
            (x.clamp(0.0, photo.width as f64 - 1.0) as usize, y.clamp(0.0, photo.height as f64 - 1.0) as usize);
        let [r, g, b] = photo.pixels[y * photo.width + x].map(f64::from);
        (0.2126 * r + 0.7152 * g + 0.0722 * b) / 257.0
    };
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let row = |y: f64| value(x.floor(), y) * (1.0 - fx) + value(x.floor() + 1.0, y) * fx;
    Some(row(y.floor()) * (1.0 - fy) + row(y.floor() + 1.0) * fy)
}

/// PSNR of the photo, sampled at the positions that `seen` returns, against the truth; positions outside the photo
/// count as black.
fn psnr(truth: &Photo, photo: &Photo, seen: impl Fn(DVec2) -> Option<DVec2>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for y in 0..truth.height {
        for x in 0..truth.width {
            let pixel = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let (Some(wanted), got) = (luma(truth, pixel), seen(pixel).and_then(|at| luma(photo, at))) else {
                continue;
            };
            sum += (wanted - got.unwrap_or(0.0)).powi(2);
            count += 1.0;
        }
    }
    10.0 * (255.0_f64.powi(2) * count / sum.max(1e-9)).log10()
}

/// The crop of the photo that best matches the second view: the position of its center, and its scale in pixels of the
/// photo per pixel of the view. It stays within the photo.
fn ken_burns(second: &View, there: &Viewpoint, first: &Viewpoint) -> (DVec2, f64) {
    let mut pairs = Vec::new();
    for y in (0..second.height).step_by(6) {
        for x in (0..second.width).step_by(6) {
            let pixel = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let depth = f64::from(second.depth[y * second.width + x]);
            let sight = there.camera.sight(pixel);
            let place = there.place + there.camera.ray(pixel) * (depth / sight.z);
            if let Some(was) = first.camera.pixel(place - first.place) {
                pairs.push((pixel - there.camera.center, was));
            }
        }
    }
    let n = pairs.len() as f64;
    let (from, to) = pairs.iter().fold((DVec2::ZERO, DVec2::ZERO), |(a, b), (p, q)| (a + *p, b + *q));
    let (from, to) = (from / n, to / n);
    let (dot, square) = pairs.iter().fold((0.0, 0.0), |(dot, square), (p, q)| {
        (dot + (*p - from).dot(*q - to), square + (*p - from).length_squared())
    });
    let scale = (dot / square).min(1.0);
    let (width, height) = (second.width as f64, second.height as f64);
    let half = DVec2::new(width, height) * scale / 2.0;
    ((to - from * scale).clamp(half, DVec2::new(width, height) - half), scale)
}
