//! Paintings, drawings and prints: what color a place of a picture has. Coordinates are shares of the longer side, -1 to 1.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::material::{Material, smooth};
use crate::noise::{at_cell, cloud_noise, value_noise};

const PAPER: Vec3 = Vec3::new(0.78, 0.75, 0.69);
const WHITE: Vec3 = Vec3::new(0.80, 0.79, 0.76);
const INK: Vec3 = Vec3::new(0.030, 0.030, 0.034);

/// A place of a picture.
struct Canvas {
    at: Vec2,
    /// Torn rims of shapes.
    rough: f32,
    /// Strokes of a brush, about -0.5 to 0.5.
    brush: f32,
}

/// A color under a shape: `d` is the distance outside of it.
fn under(color: Vec3, ink: Vec3, d: f32, soft: f32, strength: f32) -> Vec3 {
    color.lerp(ink, (1.0 - smooth(d / soft)) * strength)
}

/// Distance to a segment.
fn segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let share = ((p - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    (p - a - along * share).length()
}

/// Distance to a smooth line through points.
fn stroke(p: Vec2, points: &[[f32; 2]]) -> f32 {
    let line = crate::joinery::smooth_line_signed(points, 7);
    line.windows(2).map(|w| segment(p, Vec2::from_array(w[0]), Vec2::from_array(w[1]))).fold(f32::MAX, f32::min)
}

impl Material {
    /// The color of a motif at a place.
    pub(crate) fn painted(&self, motif: u8, at: Vec2) -> Vec3 {
        let rough = (cloud_noise(Vec3::new(at.x, at.y, 0.0) * 7.0, 4, self.seed) - 0.5) * 0.14;
        let brush = cloud_noise(Vec3::new(at.x * 3.0, at.y * 26.0, 0.5), 3, self.seed + 1) - 0.5;
        let canvas = Canvas { at, rough, brush };
        let color = match motif {
            0 => self.discs(&canvas),
            1 => self.bands(&canvas),
            2 => self.low_sun(&canvas),
            3 => self.stems(&canvas),
            4 => self.arches(&canvas),
            5 => self.blocks(&canvas),
            6 => face_drawing(&canvas),
            7 => self.botanical(&canvas),
            8 => self.mountains(&canvas),
            9 => self.dunes(&canvas),
            10 => self.color_field(&canvas),
            11 => self.ring(&canvas),
            12 => self.sea(&canvas),
            _ => self.cut_paper(&canvas),
        };
        color.clamp(Vec3::splat(0.02), Vec3::splat(0.85))
    }

    fn random(&self, i: i32) -> f32 {
        at_cell(i, 5, 9, self.seed)
    }

    fn inks(&self) -> [Vec3; 3] {
        [self.color, self.second, self.third]
    }

    /// Discs and arches over one another.
    fn discs(&self, c: &Canvas) -> Vec3 {
        let mut color = PAPER * (1.0 + 0.06 * c.brush);
        for i in 0..4 {
            let center = Vec2::new(self.random(i * 3) - 0.5, self.random(i * 3 + 1) - 0.5) * 1.3;
            let radius = 0.25 + 0.4 * self.random(i * 3 + 2);
            let d = (c.at - center).length() - radius + c.rough * 0.35;
            let is_arch = i % 2 == 1 && c.at.y < center.y && (c.at.x - center.x).abs() < radius;
            let ink = self.inks()[i as usize % 3] * (1.0 + 0.22 * c.brush);
            color = under(color, ink, if is_arch { -1.0 } else { d }, 0.012, 0.92);
        }
        color
    }

    /// Bands like a landscape, washed.
    fn bands(&self, c: &Canvas) -> Vec3 {
        let mut color = PAPER * (1.0 + 0.06 * c.brush);
        for i in 0..5 {
            let level = 0.75 - 0.38 * i as f32 + 0.25 * (self.random(i) - 0.5);
            let hill = (cloud_noise(Vec3::new(c.at.x * 1.1, i as f32 * 4.0, 2.0), 3, self.seed + 2) - 0.5) * 0.7;
            let ink = self.inks()[i as usize % 3].lerp(PAPER, 0.2 + 0.3 * self.random(i + 9)) * (1.0 + 0.3 * c.brush);
            color = under(color, ink, c.at.y - level - hill + c.rough * 0.3, 0.02, 0.85);
        }
        color
    }

    /// A low sun over a horizon.
    fn low_sun(&self, c: &Canvas) -> Vec3 {
        let color = PAPER * (1.0 + 0.06 * c.brush);
        let place = Vec2::new(0.7 * self.random(1) - 0.35, 0.1 + 0.3 * self.random(2));
        let sun = (c.at - place).length() - 0.28 - 0.16 * self.random(3) + c.rough * 0.2;
        let mut color = under(color, self.second * (1.0 + 0.2 * c.brush), sun, 0.012, 0.9);
        for i in 0..2 {
            let level = -0.12 - 0.34 * i as f32 + 0.12 * (self.random(i + 4) - 0.5) + c.rough * 0.35;
            let ink = self.inks()[(2 * i) as usize % 3].lerp(PAPER, 0.15) * (1.0 + 0.25 * c.brush);
            color = under(color, ink, c.at.y - level, 0.015, 0.9);
        }
        color
    }

    /// Stems with leaves.
    fn stems(&self, c: &Canvas) -> Vec3 {
        let mut color = PAPER * (1.0 + 0.04 * c.brush);
        for i in 0..3 {
            let foot = (i as f32 - 1.0) * 0.42 + 0.2 * (self.random(i) - 0.5);
            let lean = 0.35 * (self.random(i + 5) - 0.5);
            let up = (c.at.y + 0.85).max(0.0);
            let x = c.at.x - foot - lean * up * up * 0.6;
            let top = 1.15 + 0.45 * self.random(i + 8);
            let stem = (x.abs() - 0.008).max(up - top);
            let leaf = (0..9).map(|k| leaf_on_stem(Vec2::new(x, up), k, top)).fold(f32::MAX, f32::min);
            color = under(color, self.inks()[i as usize % 2] * (1.0 + 0.3 * c.brush), stem.min(leaf), 0.008, 0.9);
        }
        color
    }

    /// Arches within arches.
    fn arches(&self, c: &Canvas) -> Vec3 {
        let mut color = PAPER * (1.0 + 0.06 * c.brush);
        let p = c.at - Vec2::new(0.10 * (self.random(1) - 0.5), -0.58);
        let d = if p.y < 0.60 { p.x.abs() } else { (p - Vec2::new(0.0, 0.60)).length() } + c.rough * 0.12;
        let ring = ((d - 0.09) / 0.115).floor();
        let share = ((d - 0.09) / 0.115).fract();
        if (0.0..4.0).contains(&ring) && p.y > 0.0 {
            let edge = smooth((0.36 - (share - 0.5).abs()) / 0.03);
            let ink = self.inks()[ring as usize % 3].lerp(PAPER, 0.08 * ring) * (1.0 + 0.25 * c.brush);
            color = color.lerp(ink, edge * 0.9);
        }
        color
    }

    /// Blocks of color and a broad stroke.
    fn blocks(&self, c: &Canvas) -> Vec3 {
        let mut color = PAPER * (1.0 + 0.06 * c.brush);
        for i in 0..3 {
            let low = Vec2::new(self.random(i * 5), self.random(i * 5 + 1)) * 1.4 - 1.1;
            let high = low + Vec2::new(0.45 + 0.6 * self.random(i * 5 + 2), 0.4 + 0.7 * self.random(i * 5 + 3));
            let d = (low - c.at).max(c.at - high).max_element() + c.rough * 0.4;
            color = under(color, self.inks()[i as usize % 3] * (1.0 + 0.3 * c.brush), d, 0.02, 0.88);
        }
        let broad = (c.at.y - 0.5 * (c.at.x * 2.2 + self.random(31) * 6.0).sin() + c.rough * 0.5).abs();
        under(color, INK, broad - 0.035 - 0.03 * c.brush, 0.01, 0.9)
    }

    /// A printed plant: a stem with pairs of veined leaves.
    fn botanical(&self, c: &Canvas) -> Vec3 {
        let mut color = PAPER * (1.0 + 0.03 * c.brush);
        let green = Vec3::new(0.085, 0.125, 0.060).lerp(self.color, 0.25);
        let bow = |up: f32| 0.10 * (up * 1.5).sin() - 0.04;
        for i in 0..11 {
            let up = 0.10 + 0.14 * i as f32;
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            let foot = Vec2::new(bow(up), up - 0.82);
            let turn = side * (PI * 0.5 - 0.55 - 0.05 * i as f32);
            let local = Vec2::from_angle(turn - PI / 2.0).rotate(c.at - foot);
            let long = 0.42 - 0.022 * i as f32;
            let (along, across) = (local.x.max(0.0) / long, local.y);
            let local_long = if local.x < 0.0 || along > 1.0 { 1.0 } else { 0.0 };
            let wide = 0.24 * long * (PI * along.min(1.0).powf(0.8)).sin().max(0.0);
            let d = across.abs() - wide + local_long;
            let vein = (across.abs() * 0.8 + along * long * 0.5).rem_euclid(0.032) - 0.004;
            let tone = 0.75 + 0.6 * cloud_noise(Vec3::new(c.at.x, c.at.y, i as f32) * 6.0, 2, self.seed);
            let mut ink = green * tone * if across > 0.0 { 1.25 } else { 0.9 };
            ink = ink.lerp(PAPER, if vein.abs() < 0.002 || across.abs() < 0.004 { 0.35 } else { 0.0 });
            color = under(color, ink, d, 0.004, 0.93);
        }
        let up = c.at.y + 0.82;
        let stem = if (0.0..1.62).contains(&up) { (c.at.x - bow(up)).abs() - 0.010 + 0.004 * up } else { 1.0 };
        under(color, green * 0.7, stem, 0.003, 0.95)
    }

    /// Ranges of mountains in mist, washed.
    fn mountains(&self, c: &Canvas) -> Vec3 {
        let sky = PAPER.lerp(self.third, 0.15 + 0.25 * (c.at.y + 0.4).max(0.0));
        let mut color = sky * (1.0 + 0.05 * c.brush);
        for i in 0..5 {
            let near = i as f32 / 4.0;
            let level = 0.30 - 0.27 * i as f32;
            let ridge = cloud_noise(Vec3::new(c.at.x * (1.2 + near), i as f32 * 7.3, 1.0), 5, self.seed + 3) - 0.5;
            let d = c.at.y - level - ridge * 0.75 + c.rough * 0.1;
            let ink = self.color.lerp(Vec3::new(0.10, 0.13, 0.16), 0.5).lerp(sky, 0.75 - 0.65 * near);
            // Mist lies at the foot of each range.
            let mist = (-d * 1.6).clamp(0.0, 0.55);
            color = under(color, ink.lerp(sky, mist) * (1.0 + 0.12 * c.brush), d, 0.012, 0.95);
        }
        color
    }

    /// Dunes in slanting light, as a photograph in black and white.
    fn dunes(&self, c: &Canvas) -> Vec3 {
        let mut tone = 0.60 + 0.14 * c.at.y;
        for i in 0..5 {
            let (level, phase) = (0.34 - 0.30 * i as f32, TAU * self.random(i + 3));
            let crest = |x: f32| level + 0.13 * (x * 2.1 + phase).sin() + 0.05 * (x * 4.7 + phase * 2.0).sin();
            let d = crest(c.at.x) - c.at.y;
            if d > 0.0 {
                // The side toward the sun is pale, the other dark below a ridge that winds down from the crest.
                let ridge = c.at.x - 0.9 * (self.random(i + 12) - 0.5) - d * 1.3 - 0.10 * (d * 9.0 + phase).sin();
                let ripple = 0.035 * ((d * 130.0 + 7.0 * (c.at.x * 3.0 + phase).sin()).sin()) * (1.0 - d).max(0.0);
                let (lit, shaded) = (0.56 - 0.25 * d + ripple, 0.085 + 0.16 * d + 0.02 * i as f32);
                tone = lit + (shaded - lit) * smooth(ridge / 0.035) * smooth((0.75 - d) / 0.3);
            }
        }
        let grain = value_noise(Vec3::new(c.at.x, c.at.y, 2.0) * 160.0, self.seed) - 0.5;
        Vec3::splat((tone + 0.03 * grain).clamp(0.03, 0.75))
    }

    /// Two or three soft fields of color over one another.
    fn color_field(&self, c: &Canvas) -> Vec3 {
        let inks = self.inks();
        let weave = value_noise(Vec3::new(c.at.x * 220.0, c.at.y * 220.0, 0.0), self.seed) - 0.5;
        let mut color = inks[2].lerp(PAPER, 0.35);
        let split = -0.15 + 0.4 * (self.random(3) - 0.5);
        let fields = [(split + 0.06, 0.86, inks[0]), (-0.86, split - 0.06, inks[1])];
        let blur = (cloud_noise(Vec3::new(c.at.x, c.at.y, 1.0) * 5.0, 4, self.seed + 4) - 0.5) * 0.12;
        for (low, high, ink) in fields {
            let side = c.at.x.abs() - 0.62;
            let d = (low - c.at.y).max(c.at.y - high).max(side) + blur;
            let depth = cloud_noise(Vec3::new(c.at.x * 2.0, c.at.y * 2.0, 3.0), 3, self.seed + 6) - 0.5;
            color = under(color, ink * (1.0 + 0.35 * depth + 0.25 * c.brush), d, 0.06, 0.93);
        }
        color * (1.0 + 0.06 * weave)
    }

    /// A ring drawn with one stroke of a dry brush.
    fn ring(&self, c: &Canvas) -> Vec3 {
        let p = c.at - Vec2::new(0.02, 0.03);
        let turn = (p.to_angle() + TAU + 2.1).rem_euclid(TAU) / TAU;
        let reach = p.length() + 0.02 * (turn * TAU).sin();
        let wide = 0.105 * (1.0 - 0.55 * turn);
        let d = (reach - 0.47).abs() - wide + c.rough * 0.15;
        let hair = cloud_noise(Vec3::new(reach * 90.0, turn * 4.0, 0.0), 2, self.seed) - 0.25 - 0.55 * turn;
        let gone = smooth((turn - 0.93) / 0.02);
        let wet = smooth((hair + 0.22) / 0.12) * (1.0 - gone);
        under(PAPER * (1.0 + 0.02 * c.brush), INK.lerp(self.color, 0.12), d, 0.014, 0.94 * wet)
    }

    /// A calm sea under a pale sky.
    fn sea(&self, c: &Canvas) -> Vec3 {
        let up = c.at.y - 0.10;
        let cloud = smooth(cloud_noise(Vec3::new(c.at.x * 1.4, c.at.y * 4.5, 0.0), 5, self.seed + 5) * 5.0 - 2.9);
        let sky = Vec3::new(0.52, 0.58, 0.62).lerp(PAPER, 0.45 - 0.3 * up).lerp(WHITE, 0.55 * cloud);
        if up > 0.0 {
            return sky;
        }
        let away = 1.0 / (0.05 - up);
        let swell = cloud_noise(Vec3::new(c.at.x * away * 0.9, away * 5.0, 0.0), 4, self.seed + 8) - 0.5;
        let foam = smooth(((-up - 0.72) + 0.10 * (c.at.x * 3.0 + self.random(2) * 6.0).sin() + swell * 0.25) / 0.05);
        let water = Vec3::new(0.085, 0.17, 0.21).lerp(sky, (0.35 + up * 0.35).max(0.05)) * (1.0 + 0.9 * swell);
        water.lerp(Vec3::new(0.60, 0.52, 0.41) * (1.0 + 0.15 * swell), foam)
    }

    /// Cut-paper leaves and pebbles.
    fn cut_paper(&self, c: &Canvas) -> Vec3 {
        let mut color = WHITE.lerp(self.third, 0.25);
        for i in 0..9 {
            let cell = Vec2::new(0.40 * ((i % 3) as f32 - 1.0), 0.50 * ((i / 3) as f32 - 1.0));
            let p = Vec2::from_angle(self.random(i) * TAU).rotate(c.at - cell) * 1.12;
            let turn = p.to_angle();
            let d = match (self.random(i + 20) * 3.0) as i32 {
                0 => p.length() - 0.17 - 0.035 * (turn * 3.0 + 1.0).sin(),
                1 => frond(p),
                _ => ((p * Vec2::new(1.0, 1.8)).length() - 0.2).max(-(p - Vec2::new(0.03, 0.0)).length() + 0.055),
            };
            color = under(color, self.inks()[i as usize % 3] * (1.0 + 0.05 * c.brush), d, 0.005, 0.96);
        }
        color
    }
}

/// Distance outside of the leaf of a stem with a number: `p` is the way from the stem and up from its foot.
fn leaf_on_stem(p: Vec2, number: i32, top: f32) -> f32 {
    const LONG: f32 = 0.21;
    let foot = 0.22 + 0.15 * number as f32;
    if foot > top - 0.02 {
        return 1.0;
    }
    let side = if number % 2 == 0 { 1.0 } else { -1.0 };
    let local = Vec2::from_angle(-0.62).rotate(Vec2::new(p.x * side, p.y - foot));
    let along = local.x / LONG;
    if !(0.0..1.0).contains(&along) {
        return 1.0;
    }
    local.y.abs() - 0.046 * (PI * along.powf(0.85)).sin()
}

/// Distance outside of a cut-paper frond: fingers on both sides of a stem.
fn frond(p: Vec2) -> f32 {
    let stem = segment(p, Vec2::new(-0.21, 0.0), Vec2::new(0.17, 0.0)) - 0.020;
    let finger = |k: i32| {
        let foot = Vec2::new(-0.13 + 0.085 * k as f32, 0.0);
        let long = 0.15 - 0.016 * (k - 1).abs() as f32;
        segment(Vec2::new(p.x, p.y.abs()), foot, foot + Vec2::from_angle(0.95) * long) - 0.027
    };
    (0..4).map(finger).fold(stem, f32::min)
}

/// A face drawn with a few lines.
fn face_drawing(c: &Canvas) -> Vec3 {
    const LINES: [&[[f32; 2]]; 7] = [
        // Brow, nose, lips, chin and neck in profile.
        &[
            [-0.02, 0.62],
            [-0.26, 0.44],
            [-0.31, 0.22],
            [-0.33, 0.12],
            [-0.44, -0.10],
            [-0.40, -0.16],
            [-0.33, -0.16],
            [-0.37, -0.25],
            [-0.32, -0.29],
            [-0.36, -0.36],
            [-0.29, -0.44],
            [-0.20, -0.53],
            [-0.02, -0.46],
            [0.10, -0.38],
        ],
        &[[-0.02, -0.47], [0.0, -0.66], [-0.10, -0.80], [-0.34, -0.90]],
        &[[0.34, -0.30], [0.36, -0.60], [0.50, -0.80], [0.66, -0.88]],
        // Hair, an ear and an eye.
        &[[-0.28, 0.42], [-0.10, 0.66], [0.22, 0.72], [0.46, 0.50], [0.50, 0.12], [0.36, -0.30]],
        &[[-0.22, 0.44], [0.06, 0.46], [0.24, 0.24], [0.22, 0.02], [0.14, 0.06], [0.16, -0.06], [0.22, -0.14]],
        &[[-0.30, 0.20], [-0.22, 0.26], [-0.12, 0.23]],
        &[[-0.27, 0.11], [-0.21, 0.15], [-0.14, 0.11], [-0.21, 0.09], [-0.27, 0.11]],
    ];
    let wobble = Vec2::splat(c.rough * 0.05);
    let d = LINES.iter().map(|line| stroke(c.at * 0.95 + wobble, line)).fold(f32::MAX, f32::min);
    under(WHITE * (1.0 + 0.02 * c.brush), INK, d - 0.0075, 0.004, 0.95)
}
