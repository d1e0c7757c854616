//! Segments pictures, by the weights in a file if one is named: reads raw RGB bytes of the input's size and the aspect (f32), writes for
//! each cell, as f32, the probabilities of the fine classes and edges, the depth and the normal, and times itself.
use std::io::{Read, Write};
use std::time::Instant;

use aerie_segmentation::{Edge, INPUT_SIDE, Network, SIDE, Segmentation};

fn main() -> std::io::Result<()> {
    let network = std::env::args().nth(1).map(std::fs::read).transpose()?.map(|file| Network::new(&file));
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let length = INPUT_SIDE * INPUT_SIDE * 3;
    for record in bytes.chunks_exact(length + 4) {
        let (pixels, aspect) = record.split_at(length);
        let aspect = f64::from(f32::from_le_bytes([aspect[0], aspect[1], aspect[2], aspect[3]]));
        let picture: Vec<[f32; 3]> =
            pixels.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(|v| f32::from(v) / 255.0)).collect();
        let start = Instant::now();
        let result = match &network {
            Some(network) => Segmentation::with(network, &picture, aspect),
            None => Segmentation::of(&picture, aspect),
        };
        eprintln!("{:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        let mut out = std::io::stdout().lock();
        for i in 0..SIDE * SIDE {
            let at = [i % SIDE, i / SIDE].map(|v| (v as f64 + 0.5) / SIDE as f64);
            let mut values = result.fine_classes()[i].to_vec();
            values.extend([Edge::FloorWall, Edge::Corner, Edge::CeilingWall].map(|e| result.edge(e, at)));
            values.push(result.depth(at));
            values.extend(result.normal(at).unwrap_or_default());
            for v in values {
                out.write_all(&v.to_le_bytes())?;
            }
        }
    }
    Ok(())
}
