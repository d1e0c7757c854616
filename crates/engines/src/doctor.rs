//! What the engines need of a machine.

use std::process::Command;

/// One thing looked at.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// What was looked at ("graphics device").
    pub what: &'static str,
    /// Whether the engines can work with it.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// What to do, where it is not well.
    pub remedy: Option<String>,
}

/// Looks at the graphics device and the encoder.
#[must_use]
pub fn doctor() -> Vec<Finding> {
    vec![graphics_device(), encoder()]
}

fn graphics_device() -> Finding {
    let what = "graphics device";
    match aerie_render::Gpu::open() {
        Ok(gpu) => {
            let kind = if gpu.is_software() { "software, on the processor" } else { "GPU" };
            Finding { what, ok: true, found: format!("{} ({kind})", gpu.name()), remedy: None }
        }
        Err(error) => Finding {
            what,
            ok: false,
            found: error.to_string(),
            remedy: Some("apt install mesa-vulkan-drivers libvulkan1".into()),
        },
    }
}

fn encoder() -> Finding {
    let what = "encoder";
    let remedy = Some("apt install ffmpeg".into());
    match Command::new("ffmpeg").args(["-hide_banner", "-encoders"]).output() {
        Err(error) => Finding { what, ok: false, found: format!("ffmpeg cannot be started: {error}"), remedy },
        Ok(output) if String::from_utf8_lossy(&output.stdout).contains("libx264") => {
            Finding { what, ok: true, found: "ffmpeg with libx264".into(), remedy: None }
        }
        Ok(_) => Finding { what, ok: false, found: "this ffmpeg has no libx264".into(), remedy },
    }
}
