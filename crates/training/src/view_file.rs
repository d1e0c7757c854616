//! Views in files, in a compact form.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use glam::{Mat3, Vec3};

use crate::view::{Pixel, Seen, View};

/// Bytes of a pixel.
const PIXEL: usize = 12;
/// Bytes of a surface.
const SURFACE: usize = 41;
/// Bytes before the surfaces.
const HEAD: usize = 62;
/// Least depth that can be written, and its natural logarithm's range, in 24 bits.
const DEPTH: [f32; 2] = [0.02, 12.0];

/// Files of views, which are read as they are needed.
pub struct Views {
    files: Vec<File>,
    /// File, place in it, length.
    views: Vec<(usize, u64, usize)>,
}

impl Views {
    /// All files of a folder whose names end in `.views`, by name.
    ///
    /// # Errors
    /// When a file cannot be read, or there is no view.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|e| Ok(e?.path())).collect::<io::Result<_>>()?;
        paths.retain(|p| p.extension().is_some_and(|e| e == "views"));
        paths.sort();
        let (mut files, mut views) = (Vec::new(), Vec::new());
        for path in paths {
            let file = File::open(path)?;
            let end = file.metadata()?.len();
            let mut at = 0;
            while at + 4 <= end {
                let mut length = [0; 4];
                file.read_exact_at(&mut length, at)?;
                let length = u32::from_le_bytes(length);
                views.push((files.len(), at + 4, length as usize));
                at += 4 + u64::from(length);
            }
            files.push(file);
        }
        if views.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("no views in {}", folder.display())));
        }
        Ok(Self { files, views })
    }

    /// Number of views.
    #[must_use]
    pub fn count(&self) -> usize {
        self.views.len()
    }

    /// One of them.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, i: usize) -> io::Result<View> {
        let (file, at, length) = self.views[i];
        let mut bytes = vec![0; length];
        self.files[file].read_exact_at(&mut bytes, at)?;
        Ok(decoded(&bytes))
    }
}

/// Writes a view.
///
/// # Errors
/// When writing fails.
pub fn write(view: &View, out: &mut impl Write) -> io::Result<()> {
    let length = HEAD + view.pixels.len() * PIXEL + view.surfaces.len() * SURFACE;
    let mut bytes = Vec::with_capacity(length + 4);
    bytes.extend((length as u32).to_le_bytes());
    for n in [view.width, view.height, view.surfaces.len(), usize::from(view.is_outdoors)] {
        bytes.extend((n as u16).to_le_bytes());
    }
    bytes.extend(view.focal.to_le_bytes());
    bytes.extend([0, 0]);
    let floats = |bytes: &mut Vec<u8>, all: &[f32]| all.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    floats(&mut bytes, &view.place.to_array());
    floats(&mut bytes, &view.turn.to_cols_array());
    for s in &view.surfaces {
        bytes.extend([s.label, s.material, s.plane]);
        bytes.extend(s.group.to_le_bytes());
        s.texture.iter().for_each(|v| floats(&mut bytes, &v.to_array()));
    }
    for p in &view.pixels {
        bytes.extend(p.surface.to_le_bytes());
        let sky = ((p.light[0] / 64.0).max(0.0).sqrt() * 65535.0).min(65535.0) as u16;
        bytes.extend(sky.to_le_bytes());
        bytes.extend([level(p.light[1]), level(p.light[2]), level(p.mirrored)]);
        let depth = ((p.depth / DEPTH[0]).max(1.0).ln() / DEPTH[1] * 16_777_215.0).min(16_777_215.0) as u32;
        bytes.extend(&depth.to_le_bytes()[..3]);
        bytes.extend(octahedral(p.normal));
    }
    out.write_all(&bytes)
}

/// A brightness of 0.002 to 64 in a byte, by its logarithm; 0 is nothing.
fn level(v: f32) -> u8 {
    if v < 0.002 { 0 } else { (1.0 + (v / 0.002).ln() / 32_000.0_f32.ln() * 254.0 + 0.5).min(255.0) as u8 }
}

fn brightness(b: u8) -> f32 {
    if b == 0 { 0.0 } else { 0.002 * (f32::from(b - 1) / 254.0 * 32_000.0_f32.ln()).exp() }
}

/// A unit vector in two bytes (Cigolle et al. 2014).
fn octahedral(n: Vec3) -> [u8; 2] {
    let n = n / (n.x.abs() + n.y.abs() + n.z.abs()).max(1e-6);
    let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
    let (x, y) = if n.z < 0.0 { ((1.0 - n.y.abs()) * sign(n.x), (1.0 - n.x.abs()) * sign(n.y)) } else { (n.x, n.y) };
    [x, y].map(|v| ((v * 127.0).round() as i8).cast_unsigned())
}

fn vector([x, y]: [u8; 2]) -> Vec3 {
    let [x, y] = [x, y].map(|v| f32::from(v.cast_signed()) / 127.0);
    let z = 1.0 - x.abs() - y.abs();
    let sign = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
    let n =
        if z < 0.0 { Vec3::new((1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y), z) } else { Vec3::new(x, y, z) };
    n.normalize_or(Vec3::NEG_Z)
}

fn decoded(bytes: &[u8]) -> View {
    let u16_at = |i: usize| u16::from_le_bytes([bytes[i], bytes[i + 1]]);
    let f32_at = |i: usize| f32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    let vec_at = |i: usize| Vec3::new(f32_at(i), f32_at(i + 4), f32_at(i + 8));
    let (width, height, count) = (u16_at(0) as usize, u16_at(2) as usize, u16_at(4) as usize);
    let surfaces = (0..count).map(|k| {
        let i = HEAD + k * SURFACE;
        Seen {
            label: bytes[i],
            material: bytes[i + 1],
            plane: bytes[i + 2],
            group: u16_at(i + 3),
            texture: [vec_at(i + 5), vec_at(i + 17), vec_at(i + 29)],
        }
    });
    let start = HEAD + count * SURFACE;
    let pixels = bytes[start..].chunks_exact(PIXEL).take(width * height).map(|b| {
        let sky = f32::from(u16::from_le_bytes([b[2], b[3]])) / 65535.0;
        let depth = u32::from_le_bytes([b[7], b[8], b[9], 0]) as f32 / 16_777_215.0;
        Pixel {
            surface: u16::from_le_bytes([b[0], b[1]]),
            light: [sky * sky * 64.0, brightness(b[4]), brightness(b[5])],
            mirrored: brightness(b[6]),
            depth: DEPTH[0] * (depth * DEPTH[1]).exp(),
            normal: vector([b[10], b[11]]),
        }
    });
    View {
        width,
        height,
        focal: f32_at(8),
        place: vec_at(14),
        turn: Mat3::from_cols(vec_at(26), vec_at(38), vec_at(50)),
        is_outdoors: u16_at(6) != 0,
        surfaces: surfaces.collect(),
        pixels: pixels.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_read_as_it_was_written() {
        let turn = Mat3::from_rotation_z(0.7) * Mat3::from_rotation_x(0.3);
        let texture = [Vec3::new(1.0, -2.0, 3.0), Vec3::X, Vec3::Z];
        let surface = Seen { label: 3, material: 7, plane: 2, group: 999, texture };
        let normals = [Vec3::NEG_Z, Vec3::new(0.6, -0.8, 0.0), Vec3::new(-0.5, 0.5, -0.707), Vec3::new(0.1, 0.2, 0.97)];
        let pixels: Vec<Pixel> = normals
            .iter()
            .enumerate()
            .map(|(i, n)| Pixel {
                surface: 0,
                light: [0.5, 2.0 * i as f32, 0.01],
                mirrored: 0.3,
                depth: 0.1 * 9.0_f32.powi(i as i32),
                normal: n.normalize(),
            })
            .collect();
        let view = View {
            width: 2,
            height: 2,
            focal: 210.5,
            place: Vec3::new(4.0, 5.0, 1.6),
            turn,
            is_outdoors: true,
            surfaces: vec![surface],
            pixels,
        };
        let mut bytes = Vec::new();
        write(&view, &mut bytes).unwrap();
        let read = decoded(&bytes[4..]);
        assert!((read.turn.x_axis - turn.x_axis).length() < 1e-6 && read.is_outdoors && read.place == view.place);
        assert_eq!(read.surfaces[0].texture, texture);
        for i in 0..4 {
            let (a, b) = (&view.pixels[i], &read.pixels[i]);
            assert!((a.depth - b.depth).abs() < 1e-5 * a.depth, "{} {}", a.depth, b.depth);
            assert!((a.normal - b.normal).length() < 0.03, "{} {}", a.normal, b.normal);
            assert!((0..3).all(|c| (a.light[c] - b.light[c]).abs() < 0.03 * a.light[c] + 0.002));
        }
    }
}
