//! Benchmark of vanishing points on labeled line sets, compared with an oracle that knows the true frame.
//!
//! `line_sets YUD_PLUS_FOLDER NYU_VP_FOLDER`: the `data` folders of the repositories fkluger/yud_plus and
//! fkluger/nyu_vp (Kluger et al. 2020). Prints one line of JSON for each set.
//!
//! The score is that of the paper: labeled directions are matched with estimated ones by least total angle, and the recall over the
//! angle is averaged up to 10 degrees. A Manhattan frame has three directions, labels have up to eight: the oracle is the best
//! frame for the labels, with the true focal length.
#![expect(clippy::print_stdout, reason = "results go to stdout")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aerie_photo::lines::Segment;
use aerie_photo::room::{Frame, Hints};
use glam::{DMat3, DVec3};

/// One labeled picture.
struct Sample {
    segments: Vec<Segment>,
    /// Labeled directions in the camera's axes, of length 1.
    labels: Vec<DVec3>,
    /// Frame of the oracle.
    oracle: [DVec3; 3],
}

struct Set {
    name: &'static str,
    samples: Vec<Sample>,
    focal: f64,
    center: [f64; 2],
}

fn main() {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [yud, nyu] = folders.as_slice() else {
        eprintln!("usage: line_sets YUD_PLUS_FOLDER NYU_VP_FOLDER");
        std::process::exit(2);
    };
    for set in [read_yud(yud), read_nyu(nyu)] {
        report(&set);
    }
}

fn report(set: &Set) {
    let oracle = auc(set.samples.iter().flat_map(|s| errors(&s.labels, &s.oracle)).collect());
    for has_focal in [false, true] {
        let hints = Hints { focal: has_focal.then_some(set.focal), center: Some(set.center), ..Hints::default() };
        let (mut all, mut upright, mut focals) = (Vec::new(), Vec::new(), Vec::new());
        let start = Instant::now();
        for sample in &set.samples {
            let frame = Frame::find(&sample.segments, 640, 480, &hints);
            let found = frame.as_ref().map_or(Vec::new(), |f| {
                // Vanishing points in the image are compared, so they become directions by the true focal length rather
                // than by the estimated one.
                let rotation = f.camera.rotation;
                let stretch = f.camera.focal / set.focal;
                [rotation.x_axis, rotation.y_axis, rotation.z_axis]
                    .map(|d| DVec3::new(d.x * stretch, d.y * stretch, d.z).normalize())
                    .to_vec()
            });
            all.extend(errors(&sample.labels, &found));
            let up = sample.oracle.iter().max_by(|a, b| a.y.abs().total_cmp(&b.y.abs())).copied();
            upright.push(up.zip(found.last()).map_or(90.0, |(up, d)| angle(up, *d)));
            focals.push(frame.map_or(1.0, |f| (f.camera.focal / set.focal - 1.0).abs()));
        }
        let millis = start.elapsed().as_secs_f64() * 1e3 / set.samples.len() as f64;
        let score = auc(all);
        println!(
            "{{\"set\":\"{}\",\"focal_known\":{has_focal},\"pictures\":{},\"auc\":{score:.4},\"oracle\":{oracle:.4},\
             \"ratio\":{:.4},\"vertical_median\":{:.3},\"focal_median\":{:.4},\"milliseconds\":{millis:.1}}}",
            set.name,
            set.samples.len(),
            score / oracle,
            median(&mut upright),
            median(&mut focals),
        );
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    a.dot(b).abs().min(1.0).acos().to_degrees()
}

/// Angle of each label to the direction it is matched with, degrees; infinite without a match.
fn errors(labels: &[DVec3], found: &[DVec3]) -> Vec<f64> {
    fn pair(labels: &[DVec3], found: &[DVec3], free: &mut Vec<bool>, skips: usize) -> (f64, Vec<f64>) {
        let Some((first, rest)) = labels.split_first() else { return (0.0, Vec::new()) };
        let mut best = (f64::INFINITY, Vec::new());
        for i in 0..found.len() {
            if std::mem::replace(&mut free[i], false) {
                let error = angle(*first, found[i]);
                let (sum, mut errors) = pair(rest, found, free, skips);
                free[i] = true;
                if sum + error < best.0 {
                    errors.push(error);
                    best = (sum + error, errors);
                }
            }
        }
        if skips > 0 {
            let (sum, mut errors) = pair(rest, found, free, skips - 1);
            if sum < best.0 {
                errors.push(f64::INFINITY);
                best = (sum, errors);
            }
        }
        best
    }
    let skips = labels.len().saturating_sub(found.len());
    pair(labels, found, &mut vec![true; found.len()], skips).1
}

/// Recall averaged over 0 to 10 degrees.
fn auc(errors: Vec<f64>) -> f64 {
    errors.iter().map(|e| (1.0 - e / 10.0).max(0.0)).sum::<f64>() / errors.len().max(1) as f64
}

/// Files of a folder whose names start with `prefix`, sorted.
fn files(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(prefix)))
        .collect();
    found.sort();
    found
}

/// Segments from a table with a header line; endpoints are in columns 6, 7, 9 and 10 (from 0).
fn read_segments(path: &Path) -> Vec<Segment> {
    let text = std::fs::read_to_string(path).expect("lines");
    let rows = text.lines().skip(1).map(|l| l.split_whitespace().filter_map(|v| v.parse().ok()).collect());
    rows.filter(|row: &Vec<f64>| row.len() == 12).map(|row| Segment::new([row[6], row[7]], [row[9], row[10]])).collect()
}

/// York Urban, camera parameters of its authors (Denis, Elder and Estrada 2008): 6.0532 mm, pixels of 8.96875 µm.
fn read_yud(folder: &Path) -> Set {
    let labels = files(&folder.join("vps"), "P");
    let samples = files(&folder.join("lines"), "P").into_iter().zip(labels).map(|(lines, labels)| {
        let labels = matrix(&std::fs::read(labels).expect("labels"));
        // The first three are those of the frame, measured independently and therefore not exactly perpendicular.
        let oracle = orthogonal([labels[0], labels[1], labels[2]]);
        Sample { segments: read_segments(&lines), labels, oracle }
    });
    Set { name: "YUD+", samples: samples.collect(), focal: 674.917, center: [307.551, 251.454] }
}

/// The matrix `vp` of a MAT file of version 5: one direction for each column, y up.
fn matrix(bytes: &[u8]) -> Vec<DVec3> {
    let bytes = unpacked(bytes);
    let name = [1, 0, 2, 0, b'v', b'p', 0, 0];
    let at = bytes.windows(8).position(|w| w == name).expect("a matrix named vp");
    let length = u32::from_le_bytes(bytes[at + 12..at + 16].try_into().expect("four bytes")) as usize;
    let number = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("eight bytes"));
    let numbers: Vec<f64> = bytes[at + 16..at + 16 + length].chunks_exact(8).map(number).collect();
    numbers.chunks_exact(3).map(|c| DVec3::new(c[0], -c[1], c[2]).normalize()).collect()
}

/// The elements of a MAT file, each of which may be compressed.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut rest = &bytes[128..];
    while rest.len() >= 8 {
        let word = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().expect("four bytes"));
        let (kind, length) = (word(0), word(4) as usize);
        let body = &rest[8..8 + length];
        if kind == 15 {
            flate2::read::ZlibDecoder::new(body).read_to_end(&mut plain).expect("compressed labels");
        } else {
            plain.extend_from_slice(body);
        }
        rest = &rest[8 + length..];
    }
    plain
}

/// NYU-VP, with the camera parameters of NYU Depth v2.
fn read_nyu(folder: &Path) -> Set {
    let (focal, center) = (519.165, [325.582, 253.736]);
    let labels = files(folder, "vps_");
    let samples = files(folder, "lsd_lines_").into_iter().zip(labels).map(|(lines, labels)| {
        let text = std::fs::read_to_string(labels).expect("labels");
        let rows = text.lines().skip(1).map(|l| l.split_whitespace().filter_map(|v| v.parse().ok()).collect());
        let labels: Vec<DVec3> = rows
            .filter(|row: &Vec<f64>| row.len() >= 3)
            .map(|row| DVec3::new((row[1] - center[0]) / focal, (row[2] - center[1]) / focal, 1.0).normalize())
            .collect();
        let oracle = best_frame(&labels);
        Sample { segments: read_segments(&lines), labels, oracle }
    });
    Set { name: "NYU-VP", samples: samples.collect(), focal, center }
}

/// The orthogonal frame that fits the labels best, of those spanned by two or three labels.
fn best_frame(labels: &[DVec3]) -> [DVec3; 3] {
    let mut frames = Vec::new();
    for (i, a) in labels.iter().enumerate() {
        if labels.len() == 1 {
            let side = a.any_orthonormal_vector();
            frames.push([*a, side, a.cross(side)]);
        }
        for (j, b) in labels.iter().enumerate().skip(i + 1).filter(|(_, b)| angle(*a, **b) > 45.0) {
            frames.push(orthogonal([*a, *b, a.cross(*b).normalize()]));
            let third = labels[j + 1..].iter().filter(|c| angle(*a, **c) > 45.0 && angle(*b, **c) > 45.0);
            frames.extend(third.map(|c| orthogonal([*a, *b, *c])));
        }
    }
    let lost = |frame: &[DVec3; 3]| errors(labels, frame).into_iter().map(|e| e.min(10.0)).sum::<f64>();
    frames.into_iter().min_by(|a, b| lost(a).total_cmp(&lost(b))).unwrap_or([DVec3::X, DVec3::Y, DVec3::Z])
}

/// The rotation nearest to three directions (polar decomposition by Newton's iteration, Higham 1986).
fn orthogonal(axes: [DVec3; 3]) -> [DVec3; 3] {
    let mut m = DMat3::from_cols(axes[0], axes[1], axes[2]);
    for _ in 0..20 {
        m = (m + m.inverse().transpose()) * 0.5;
    }
    [m.x_axis, m.y_axis, m.z_axis]
}
