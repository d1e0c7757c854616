//! Segments pictures: reads raw RGB bytes of the input's size and the aspect (f32), writes probabilities as f32, and times itself.
use std::io::{Read, Write};
use std::time::Instant;

use aerie_segmentation::{INPUT_SIDE, Segmentation};

fn main() -> std::io::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let length = INPUT_SIDE * INPUT_SIDE * 3;
    for record in bytes.chunks_exact(length + 4) {
        let (pixels, aspect) = record.split_at(length);
        let aspect = f32::from_le_bytes([aspect[0], aspect[1], aspect[2], aspect[3]]);
        let picture: Vec<[f32; 3]> =
            pixels.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(|v| f32::from(v) / 255.0)).collect();
        let start = Instant::now();
        let result = Segmentation::of(&picture, f64::from(aspect));
        eprintln!("{:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        let mut out = std::io::stdout().lock();
        for v in result.classes().iter().flatten() {
            out.write_all(&v.to_le_bytes())?;
        }
    }
    Ok(())
}
