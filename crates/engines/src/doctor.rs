//! Checks of what the engines need from the machine.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use aerie_engine_api::Finding;
use aerie_render::caption::{Caption, Corner};

/// Checks the graphics device, the encoder and the font.
#[must_use]
pub fn doctor() -> Vec<Finding> {
    vec![graphics_device(), encoder(), font()]
}

/// Films and pictures carry captions in the built-in font.
fn font() -> Finding {
    let what = "font";
    let picture = aerie_render::Picture { width: 640, height: 64, supersampling: 1.0, vignette: 0.0 };
    match Caption::new(picture, "© Ærö 12", 24.0, Corner::TopLeft) {
        Ok(line) if line.width() > 0 => Finding { what: what.into(), ok: true, found: "built in".into(), remedy: None },
        Ok(_) => Finding { what: what.into(), ok: false, found: "the font draws no glyphs".into(), remedy: None },
        Err(error) => Finding { what: what.into(), ok: false, found: error.to_string(), remedy: None },
    }
}

fn graphics_device() -> Finding {
    let what = "graphics device";
    match aerie_render::Gpu::open() {
        Ok(gpu) => {
            let kind = if gpu.is_software() { "software rendering on the CPU" } else { "GPU" };
            Finding { what: what.into(), ok: true, found: format!("{} ({kind})", gpu.name()), remedy: None }
        }
        Err(error) => Finding {
            what: what.into(),
            ok: false,
            found: error.to_string(),
            remedy: Some("apt install mesa-vulkan-drivers libvulkan1".into()),
        },
    }
}

fn encoder() -> Finding {
    let what = "encoder";
    let remedy = Some("apt install ffmpeg".into());
    match encode_two_frames() {
        Err(error) => {
            Finding { what: what.into(), ok: false, found: format!("ffmpeg cannot be started: {error}"), remedy }
        }
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            Finding { what: what.into(), ok: true, found: "ffmpeg encodes with libx264".into(), remedy: None }
        }
        Ok(output) => {
            let message = String::from_utf8_lossy(&output.stderr);
            let message = message.lines().next().unwrap_or("it wrote nothing");
            Finding {
                what: what.into(),
                ok: false,
                found: format!("ffmpeg does not encode with libx264: {message}"),
                remedy,
            }
        }
    }
}

/// Encodes two gray frames with the settings of films.
fn encode_two_frames() -> std::io::Result<Output> {
    let mut ffmpeg = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", "nv12", "-s", "64x64", "-r", "30", "-i", "pipe:0"])
        .args(["-c:v", "libx264", "-pix_fmt", "yuv420p", "-f", "h264", "pipe:1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut frames) = ffmpeg.stdin.take() {
        // If it exits early, its output says why.
        let _ = frames.write_all(&[128; 2 * 64 * 64 * 3 / 2]);
    }
    ffmpeg.wait_with_output()
}
