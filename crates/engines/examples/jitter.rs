//! Measures how smoothly a video moves: `jitter VIDEO...`. Shift and scale between consecutive frames are estimated by
//! least squares on the luma (Lucas and Kanade 1981), to hundredths of a pixel. Prints the root mean square of the
//! second difference of that motion at the picture's corners, in pixels, and the ratio of the greatest step to the
//! median one.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]
use std::io::Read;
use std::process::{Command, Stdio};

/// Width to which frames are scaled, pixels; results are in pixels of a width of 1920.
const WIDE: usize = 960;
const RIM: usize = 8;

struct Luma {
    height: usize,
    values: Vec<f32>,
}

impl Luma {
    fn at(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x.clamp(0.0, WIDE as f32 - 1.001), y.clamp(0.0, self.height as f32 - 1.001));
        let (i, j, u, v) = (x as usize, y as usize, x.fract(), y.fract());
        let row = |j: usize| self.values[j * WIDE + i] * (1.0 - u) + self.values[j * WIDE + i + 1] * u;
        row(j) * (1.0 - v) + row(j + 1) * v
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for video in std::env::args().skip(1) {
        let frames = frames(&video)?;
        let moves: Vec<[f32; 3]> = frames.windows(2).map(|w| motion(&w[0], &w[1])).collect();
        // At the corners, in pixels of a picture 1920 wide.
        let half = [WIDE as f32 / 2.0, frames[0].height as f32 / 2.0];
        let (mut shake, mut count, mut steps) = (0.0_f64, 0.0, Vec::new());
        for corner in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0_f32]] {
            let of = |m: &[f32; 3]| [0, 1].map(|i| (m[i] + m[2] * corner[i] * half[i]) * 1920.0 / WIDE as f32);
            let path: Vec<[f32; 2]> = moves.iter().map(of).collect();
            steps.extend(path.iter().map(|p| p[0].hypot(p[1])));
            for w in path.windows(2) {
                shake += f64::from((w[1][0] - w[0][0]).powi(2) + (w[1][1] - w[0][1]).powi(2));
                count += 1.0;
            }
        }
        steps.sort_by(f32::total_cmp);
        let (median, most) = (steps[steps.len() / 2], steps[steps.len() - 1]);
        println!(
            "{video}: {} frames, change of motion {:.3} px RMS, steps {median:.2} px median, {most:.2} greatest ({:.1} times)",
            frames.len(),
            (shake / count).sqrt(),
            most / median.max(1e-3),
        );
    }
    Ok(())
}

fn frames(video: &str) -> Result<Vec<Luma>, Box<dyn std::error::Error>> {
    let mut child = Command::new("ffmpeg")
        .args(["-v", "error", "-i", video, "-vf", &format!("scale={WIDE}:-2:flags=area"), "-pix_fmt", "gray"])
        .args(["-f", "image2pipe", "-c:v", "pgm", "-"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut bytes = Vec::new();
    child.stdout.take().ok_or("no pipe")?.read_to_end(&mut bytes)?;
    if !child.wait()?.success() || bytes.is_empty() {
        return Err(format!("{video} cannot be read").into());
    }
    // Each frame starts with "P5\nWIDTH HEIGHT\n255\n".
    let head = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).ok_or("no picture")?.0 + 1;
    let size = std::str::from_utf8(&bytes[3..head])?.lines().next().ok_or("no size")?.to_owned();
    let height: usize = size.split(' ').nth(1).ok_or("no height")?.parse()?;
    let luma = |frame: &[u8]| Luma { height, values: frame[head..].iter().map(|v| f32::from(*v)).collect() };
    Ok(bytes.chunks_exact(head + WIDE * height).map(luma).collect())
}

/// Shift in pixels and relative growth, such that `b` at `p + shift + growth * p` shows what `a` shows at `p`, where
/// `p` is relative to the center.
fn motion(a: &Luma, b: &Luma) -> [f32; 3] {
    let (cx, cy) = (WIDE as f32 / 2.0, a.height as f32 / 2.0);
    let mut m = [0.0_f32; 3];
    for _ in 0..6 {
        let (mut h, mut g) = ([[0.0_f64; 3]; 3], [0.0_f64; 3]);
        for y in (RIM..a.height - RIM).step_by(2) {
            for x in (RIM..WIDE - RIM).step_by(2) {
                let p = [x as f32 - cx, y as f32 - cy];
                let q = [x as f32 + m[0] + m[2] * p[0], y as f32 + m[1] + m[2] * p[1]];
                let dx = (b.at(q[0] + 1.0, q[1]) - b.at(q[0] - 1.0, q[1])) / 2.0;
                let dy = (b.at(q[0], q[1] + 1.0) - b.at(q[0], q[1] - 1.0)) / 2.0;
                let off = a.values[y * WIDE + x] - b.at(q[0], q[1]);
                // Skip disocclusions, which the eye does not follow.
                if off.abs() > 40.0 {
                    continue;
                }
                let row = [dx, dy, dx * p[0] + dy * p[1]].map(f64::from);
                for i in 0..3 {
                    g[i] += row[i] * f64::from(off);
                    (0..3).for_each(|j| h[i][j] += row[i] * row[j]);
                }
            }
        }
        let step = solved(h, g);
        (0..3).for_each(|i| m[i] += step[i] as f32);
    }
    m
}

/// Solves by Gaussian elimination; returns no motion if the picture has no texture.
fn solved(mut h: [[f64; 3]; 3], mut g: [f64; 3]) -> [f64; 3] {
    for i in 0..3 {
        if h[i][i].abs() < 1e-9 {
            return [0.0; 3];
        }
        for j in i + 1..3 {
            let share = h[j][i] / h[i][i];
            let pivot = h[i];
            (i..3).for_each(|k| h[j][k] -= share * pivot[k]);
            g[j] -= share * g[i];
        }
    }
    for i in (0..3).rev() {
        g[i] = (g[i] - (i + 1..3).map(|k| h[i][k] * g[k]).sum::<f64>()) / h[i][i];
    }
    g
}
