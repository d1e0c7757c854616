//! Draws what is understood of photos taken outdoors and how a clip moves: for each photo a sheet with the planes and cuts over the
//! photo, its nearness, and frames on the way; prints one line of figures per photo.
//!
//! `cargo run --release -p aerie-clip --example exteriors -- FOLDER SIDE PROMPT PHOTO...`

use std::error::Error;
use std::io::Write;
use std::path::Path;

use aerie_clip::{
    Bodies, CameraPath, CameraPrompt, CameraRequest, Cutouts, Frame, Level, Plate, Pose, SceneModel, compose,
};
use aerie_photo::Photo;
use aerie_photo::room::png;
use glam::DVec2;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("FOLDER SIDE PROMPT PHOTO...")?;
    let side: usize = arguments.next().ok_or("a side in pixels")?.parse()?;
    let prompt = arguments.next().ok_or("a prompt, or an empty one")?;
    let mut out = std::io::stdout().lock();
    for (number, path) in arguments.enumerate() {
        let Ok(photo) = aerie_photo::decode_file(Path::new(&path)) else { continue };
        let name = Path::new(&path).file_stem().and_then(|n| n.to_str()).unwrap_or_default();
        let clip = Clip::of(&photo, side, &prompt)?;
        writeln!(out, "{number:02} {name} {}", clip.figures())?;
        std::fs::write(Path::new(&folder).join(format!("{number:02}-{name}.png")), clip.sheet()?)?;
    }
    Ok(())
}

struct Clip {
    model: SceneModel,
    frame: Frame,
    plate: Plate,
    behind: Plate,
    bodies: Option<Bodies>,
    cutouts: Option<Cutouts>,
    course: CameraPath,
}

impl Clip {
    fn of(photo: &Photo, side: usize, prompt: &str) -> Result<Self, Box<dyn Error>> {
        let whole = [photo.width, photo.height];
        let size = whole.map(|s| (s * side / photo.width.max(photo.height)).next_multiple_of(2));
        let frame = Frame::cut(whole, size, compose::focus(photo));
        let plate = Plate::of(photo, &frame)?;
        let mut model = SceneModel::of(photo, &frame, &plate);
        let apart = model.house.as_ref().and_then(|house| house.apart(&model.proxy, (&frame, &plate), whole));
        let sky = model.house.as_ref().and_then(|house| house.sky.clone());
        let (bodies, behind, sky) = match apart {
            Some(apart) => (Some(apart.bodies), apart.plate, sky.map(|_| apart.sky)),
            None => (None, plate.clone(), sky),
        };
        model.proxy.marks = bodies.as_ref().map(Bodies::marks).unwrap_or_default();
        let prompt = CameraPrompt::parse(Some(prompt).filter(|p| !p.is_empty()));
        let something_ahead = compose::something_ahead(photo);
        let wanted =
            CameraRequest { prompt, level: Level::Medium, ends_in_photo: false, seconds: 5.0, something_ahead };
        let course = CameraPath::plan(&model.proxy, bodies.as_ref(), &wanted);
        let cutouts = sky.map(|sky| Cutouts::under_sky(&sky, &frame, &behind, whole));
        Ok(Self { model, frame, plate, behind, bodies, cutouts, course })
    }

    fn figures(&self) -> String {
        let [motion, parallax] = self.motion();
        let filled =
            aerie_clip::synthesized_share(&self.model.proxy, &self.course, self.bodies.as_ref(), self.cutouts.as_ref());
        let verbs: Vec<&str> = self.course.verbs.iter().map(|v| v.as_str()).collect();
        format!(
            "{:?} motion {motion:.1} % parallax {parallax:.1} % filled {:.2} % trees {} sky {} share {:.2} closing {:.2} reach {:.2} \
             pitch {:.0} planes {}+{} {}",
            self.model.kind(),
            filled * 100.0,
            self.model.trees(),
            self.cutouts.is_some(),
            self.course.share,
            self.course.closing,
            self.model.proxy.reach,
            self.model.proxy.camera.pitch().to_degrees(),
            self.model.proxy.main().planes.len(),
            self.model.proxy.main().corner.len(),
            verbs.join("+")
        )
    }

    /// In percent of the width: the motion of most of the frame (its 90th percentile), and how far it is from the best pan and zoom
    /// (95th).
    fn motion(&self) -> [f64; 2] {
        let pose = self.course.at(&self.model.proxy, 1.0);
        let (width, height) = (self.frame.width as f64, self.frame.height as f64);
        let mut moves: Vec<(DVec2, DVec2)> = Vec::new();
        for i in 0..60 * 40 {
            let pixel = DVec2::new((f64::from(i % 60) + 0.5) / 60.0 * width, (f64::from(i / 60) + 0.5) / 40.0 * height);
            let nearness = self.nearness(pixel);
            if let Some((now, _)) = self.model.proxy.seen_at(&pose, pixel, nearness.max(1e-6))
                && now.x > 0.0
                && now.y > 0.0
                && now.x < width
                && now.y < height
            {
                moves.push((pixel - DVec2::new(width, height) / 2.0, now - pixel));
            }
        }
        let mean = |of: &dyn Fn(&(DVec2, DVec2)) -> DVec2| moves.iter().map(of).sum::<DVec2>() / moves.len() as f64;
        let (center, pan) = (mean(&|m| m.0), mean(&|m| m.1));
        let along: f64 = moves.iter().map(|(at, by)| (*at - center).dot(*by - pan)).sum();
        let zoom = along / moves.iter().map(|(at, _)| (*at - center).length_squared()).sum::<f64>();
        let percentile = |of: &dyn Fn(&(DVec2, DVec2)) -> f64, share: usize| {
            let mut all: Vec<f64> = moves.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() * share / 100).copied().unwrap_or(0.0) / width * 100.0
        };
        [percentile(&|m| m.1.length(), 90), percentile(&|(at, by)| (*by - pan - (*at - center) * zoom).length(), 95)]
    }

    fn nearness(&self, pixel: DVec2) -> f64 {
        let proxy = &self.model.proxy;
        let ray = proxy.ray_matrix(&proxy.start()) * pixel.extend(1.0);
        let is_sky = self.cutouts.as_ref().is_some_and(|cutouts| {
            let at = pixel - DVec2::new(self.frame.shown[0], self.frame.shown[1]);
            cutouts.masks[0]
                [(at.y as usize).min(cutouts.size[1] - 1) * cutouts.size[0] + (at.x as usize).min(cutouts.size[0] - 1)]
                < 128
        });
        if is_sky { proxy.surfaces[proxy.surfaces.len() - 1].nearness(ray) } else { proxy.main().nearness(ray) }
    }

    fn texel(&self, data: &[u8], at: DVec2) -> [f64; 3] {
        let [across, down] = self.plate.double_size;
        let place = (at - DVec2::new(self.frame.shown[0], self.frame.shown[1])) * 2.0 - 0.5;
        let low = place.floor();
        let share = place - low;
        let mut sum = [0.0; 3];
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let x = (low.x + dx).clamp(0.0, across as f64 - 1.0) as usize;
            let y = (low.y + dy).clamp(0.0, down as f64 - 1.0) as usize;
            let weight =
                (if dx > 0.0 { share.x } else { 1.0 - share.x }) * (if dy > 0.0 { share.y } else { 1.0 - share.y });
            (0..3).for_each(|c| sum[c] += weight * f64::from(data[(y * across + x) * 4 + c]));
        }
        sum
    }

    /// What the renderer shows, without its filters.
    fn shown(&self, pose: &Pose, pixel: DVec2) -> [f64; 3] {
        let proxy = &self.model.proxy;
        if let Some((_, place)) = self.bodies.as_ref().and_then(|bodies| bodies.met(proxy, pose, pixel)) {
            return self.texel(&self.plate.double, place);
        }
        let at = |surface: usize| proxy.photo_pixel_of(&proxy.surfaces[surface], pose, pixel).unwrap_or(pixel);
        let near = at(0);
        let Some(cutouts) = &self.cutouts else { return self.texel(&self.behind.double, near) };
        let far = at(proxy.surfaces.len() - 1);
        let [width, height] = cutouts.size;
        let place = near - DVec2::new(self.frame.shown[0], self.frame.shown[1]);
        let mask = cutouts.masks[0]
            [(place.y.max(0.0) as usize).min(height - 1) * width + (place.x.max(0.0) as usize).min(width - 1)];
        let share = f64::from(mask) / 255.0;
        let (a, b) = (self.texel(&self.behind.double, near), self.texel(&cutouts.behind, far));
        [0, 1, 2].map(|c| share * a[c] + (1.0 - share) * b[c])
    }

    fn still(&self, moment: f64) -> Vec<[f64; 3]> {
        let pose = self.course.at(&self.model.proxy, moment);
        self.picture(
            |pixel| if moment <= 0.0 { self.texel(&self.plate.double, pixel) } else { self.shown(&pose, pixel) },
        )
    }

    fn picture(&self, of: impl Fn(DVec2) -> [f64; 3] + Sync) -> Vec<[f64; 3]> {
        let (width, height) = (self.frame.width, self.frame.height);
        let pixel = |i: usize| of(DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5));
        (0..width * height).into_par_iter().map(pixel).collect()
    }

    /// Depth in colors over the photo, with the horizon and the bodies.
    fn model(&self) -> Vec<[f64; 3]> {
        let proxy = &self.model.proxy;
        let [a, b, c] = proxy.camera.horizon();
        let (width, height) = (self.frame.width as f64, self.frame.height as f64);
        let most = (0..20)
            .map(|i| {
                proxy.main().nearness(
                    proxy.ray_matrix(&proxy.start()) * DVec2::new(width * f64::from(i) / 19.0, height).extend(1.0),
                )
            })
            .fold(1e-3, f64::max);
        let edge = self.model.house.as_ref().map(|house| &house.exterior.edge);
        self.picture(|pixel| {
            let photo = self.texel(&self.plate.double, pixel);
            let share = (self.nearness(pixel) / most).clamp(0.0, 1.0).sqrt();
            let color = hue(share);
            let is_body = self.bodies.as_ref().is_some_and(|bodies| bodies.covers(pixel.to_array()) > 0.5);
            let line = (a * pixel.x + b * pixel.y + c).abs() < 1.5;
            let ground = proxy.is_ground(pixel) != proxy.is_ground(pixel + DVec2::new(0.0, 2.0));
            let place = (pixel + DVec2::from_array(self.frame.offset)) / self.frame.scale;
            let is_edge = edge.is_some_and(|edge| {
                let row = edge.rows[((place.x / edge.step) as usize).min(edge.rows.len() - 1)];
                (row - place.y).abs() < 1.2 / self.frame.scale
            });
            [0, 1, 2].map(|i| {
                if is_edge {
                    return 255.0;
                }
                let v = if is_body {
                    0.5 * photo[i] + 0.5 * [255.0, 0.0, 220.0][i]
                } else {
                    0.55 * photo[i] + 0.45 * color[i]
                };
                if line {
                    [0.0, 255.0, 255.0][i]
                } else if ground {
                    [255.0, 255.0, 0.0][i]
                } else {
                    v
                }
            })
        })
    }

    /// A sheet: the model, the photo, the frames half way and at the end.
    fn sheet(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let (width, height) = (self.frame.width, self.frame.height);
        let parts = [self.model(), self.still(0.0), self.still(0.5), self.still(1.0)];
        let mut pixels = vec![0_u8; width * height * 4 * 3];
        for (n, part) in parts.iter().enumerate() {
            for y in 0..height {
                for x in 0..width {
                    let to = (((n / 2) * height + y) * 2 * width + (n % 2) * width + x) * 3;
                    (0..3).for_each(|c| pixels[to + c] = part[y * width + x][c].round().clamp(0.0, 255.0) as u8);
                }
            }
        }
        Ok(png(&aerie_photo::Picture { width: 2 * width, height: 2 * height, pixels })?)
    }
}

/// From blue, far, to red, near.
fn hue(share: f64) -> [f64; 3] {
    let ramp = |center: f64| (1.5 - (share - center).abs() * 4.0).clamp(0.0, 1.0) * 255.0;
    [ramp(0.85), ramp(0.5), ramp(0.15)]
}
