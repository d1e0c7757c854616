//! Compares the first frame of a clip with the photo that it shows: `own_frame PHOTO CLIP`. Prints the peak
//! signal-to-noise ratio of the luma, in decibels, encoder losses included.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]
use std::path::Path;
use std::process::Command;

use aerie_clip::{Frame, Plate, compose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [photo, clip] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: own_frame PHOTO CLIP".into());
    };
    let frame = Command::new("ffmpeg")
        .args(["-v", "error", "-i", clip, "-frames:v", "1", "-pix_fmt", "gray", "-f", "image2pipe", "-c:v", "pgm", "-"])
        .output()?
        .stdout;
    // The frame starts with "P5\nWIDTH HEIGHT\n255\n".
    let head = frame.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).ok_or("the clip cannot be read")?.0 + 1;
    let (width, height) =
        std::str::from_utf8(&frame[3..head])?.lines().next().and_then(|l| l.split_once(' ')).ok_or("no size")?;
    let size = [width.parse()?, height.parse()?];
    let photo = aerie_photo::decode_file(Path::new(photo))?;
    let cut = Frame::cut([photo.width, photo.height], size, compose::focus(&photo));
    let fitted = Plate::of(&photo, &cut)?.fitted;
    let luma = |p: &[u8]| 0.2126 * f64::from(p[0]) + 0.7152 * f64::from(p[1]) + 0.0722 * f64::from(p[2]);
    let squares: f64 =
        fitted.chunks_exact(4).zip(&frame[head..]).map(|(p, seen)| (luma(p) - f64::from(*seen)).powi(2)).sum();
    let mean = squares / (size[0] * size[1]) as f64;
    println!("the photo's own frame: {:.1} dB", 10.0 * (255.0 * 255.0 / mean).log10());
    Ok(())
}
