//! Benchmark of noise reduction: `noise_measures PHOTO...`. Photos get the noise of a sensor (Poisson and Gaussian in linear light)
//! at four sensitivities. Prints, before and after noise reduction, the PSNR and SSIM of luma against the clean photo, the share of
//! its gradients in textured areas that is kept, and the noise that is left in flat ones.

use std::path::Path;

use aerie_math::color;
use aerie_photo::{Photo, decode_file, denoised};

/// Variance of a channel in linear light, by light and constant: about ISO 400, 1600, 6400 and 16,000 of a phone.
const SENSITIVITIES: [(u32, f32, f32); 4] =
    [(400, 1e-4, 1e-6), (1600, 4e-4, 4e-6), (6400, 1.6e-3, 2e-5), (16_000, 4e-3, 6e-5)];

#[expect(clippy::print_stdout, reason = "a command for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rows = vec![Vec::new(); SENSITIVITIES.len()];
    for path in std::env::args().skip(1) {
        let clean = decode_file(Path::new(&path))?;
        let truth = luma(&clean);
        for (i, (_, shot, read)) in SENSITIVITIES.iter().enumerate() {
            let noisy = noisy(&clean, *shot, *read);
            let quiet = denoised(&noisy, 1.0);
            let of = |photo: &Photo| measured(&truth, &luma(photo), clean.width);
            rows[i].push([of(&noisy), of(&quiet)]);
        }
    }
    for ((iso, ..), rows) in SENSITIVITIES.iter().zip(&rows) {
        for (which, name) in ["noisy", "reduced"].iter().enumerate() {
            let mean = |m: usize| rows.iter().map(|r| r[which][m]).sum::<f32>() / rows.len() as f32;
            println!(
                "ISO {iso:5} {name:8} PSNR {:5.2} dB  SSIM {:.3}  texture kept {:.2}  noise in flat areas {:.2}",
                mean(0),
                mean(1),
                mean(2),
                mean(3)
            );
        }
    }
    Ok(())
}

fn luma(photo: &Photo) -> Vec<f32> {
    photo.pixels.iter().map(|p| (0..3).map(|c| [0.299, 0.587, 0.114][c] * f32::from(p[c]) / 257.0).sum()).collect()
}

fn noisy(photo: &Photo, shot: f32, read: f32) -> Photo {
    let mut state = 7_u32;
    // Twelve uniform numbers make a nearly normal one.
    let mut normal = || {
        let mut sum = -6.0_f32;
        for _ in 0..12 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            sum += (state >> 8) as f32 / (1 << 24) as f32;
        }
        sum
    };
    let pixels = photo.pixels.iter().map(|p| {
        let light = color::linear(*p).map(|v| (v + (shot * v + read).sqrt() * normal()).clamp(0.0, 1.0));
        color::encoded(light).map(|v| ((u32::from(v) + 128) / 257 * 257) as u16)
    });
    Photo { pixels: pixels.collect(), ..photo.clone() }
}

/// PSNR, SSIM over 8 x 8 windows, share of the gradients kept where the photo has texture, and deviation where it is flat.
fn measured(truth: &[f32], photo: &[f32], width: usize) -> [f32; 4] {
    const SIDE: usize = 8;
    let height = truth.len() / width;
    let (mut squares, mut similarity) = (0.0_f64, 0.0_f64);
    let mut windows: Vec<(f32, f32, f32)> = Vec::new();
    for y in (0..height - SIDE).step_by(SIDE) {
        for x in (0..width - SIDE).step_by(SIDE) {
            let (mut a, mut b, mut aa, mut bb, mut ab) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
            let (mut own, mut kept, mut off) = (0.0_f32, 0.0_f32, 0.0_f32);
            for i in (0..SIDE).flat_map(|v| (0..SIDE).map(move |u| (y + v) * width + x + u)) {
                let (t, p) = (truth[i], photo[i]);
                (a, b, aa, bb, ab) = (a + t, b + p, aa + t * t, bb + p * p, ab + t * p);
                for next in [i + 1, i + width] {
                    let (gradient, after) = (truth[next] - t, photo[next] - p);
                    own += gradient * gradient;
                    kept += gradient * after;
                }
                off += (p - t).powi(2);
            }
            let n = (SIDE * SIDE) as f32;
            let (a, b) = (a / n, b / n);
            let (va, vb, cov) = (aa / n - a * a, bb / n - b * b, ab / n - a * b);
            let (c1, c2) = (6.5, 58.5);
            similarity += f64::from((2.0 * a * b + c1) * (2.0 * cov + c2) / ((a * a + b * b + c1) * (va + vb + c2)));
            squares += f64::from(off);
            windows.push((own / n, kept / n, off / n));
        }
    }
    let count = windows.len();
    windows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let flat = &windows[..count / 4];
    // Texture, not the strongest edges.
    let textured = &windows[count / 2..count * 9 / 10];
    let sum = |of: &dyn Fn(&(f32, f32, f32)) -> f32, windows: &[(f32, f32, f32)]| windows.iter().map(of).sum::<f32>();
    let mean_square = squares / (count * SIDE * SIDE) as f64;
    [
        (10.0 * (255.0 * 255.0 / mean_square).log10()) as f32,
        (similarity / count as f64) as f32,
        sum(&|w| w.1, textured) / sum(&|w| w.0, textured),
        (sum(&|w| w.2, flat) / flat.len() as f32).sqrt(),
    ]
}
