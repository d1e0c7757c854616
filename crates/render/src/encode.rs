//! Encodes frames to H.264 by a child process, ffmpeg, which reads them from a pipe.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;

use crate::RenderError;
use crate::picture::Picture;

/// Encoder settings.
#[derive(Debug, Clone)]
pub struct Encoding {
    /// Frames per second.
    pub rate: u32,
    /// x264's constant rate factor.
    pub quality: u32,
    /// x264's preset.
    pub preset: &'static str,
    /// Title, written to the file's metadata.
    pub title: String,
    /// Who must be credited and how the film was made, written to the file's metadata.
    pub comment: String,
}

/// Frames queued for the encoder: enough to absorb one slow frame, few enough to bound memory.
const QUEUED_FRAMES: usize = 3;

/// A running encoder. Dropping it without [`Encoder::finish`] ends ffmpeg and removes the file.
pub struct Encoder {
    path: PathBuf,
    frames: Option<SyncSender<Vec<u8>>>,
    writer: Option<JoinHandle<std::io::Result<()>>>,
    child: Option<Child>,
    errors: Option<JoinHandle<String>>,
}

impl Encoder {
    /// Starts ffmpeg, writing to `path`.
    ///
    /// # Errors
    /// [`RenderError::Encoder`] when ffmpeg is not installed or cannot start.
    pub fn start(path: &Path, picture: Picture, encoding: &Encoding) -> Result<Self, RenderError> {
        let mut child = command(path, picture, encoding)
            .spawn()
            .map_err(|e| RenderError::Encoder(format!("cannot start: {e}; install it (Debian: apt install ffmpeg)")))?;
        let (Some(stdin), Some(mut stderr)) = (child.stdin.take(), child.stderr.take()) else {
            return Err(RenderError::Encoder("stdin or stderr is missing".into()));
        };
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let (frames, receiver) = mpsc::sync_channel(QUEUED_FRAMES);
        let writer = std::thread::spawn(move || write_frames(stdin, &receiver));
        Ok(Self {
            path: path.to_owned(),
            frames: Some(frames),
            writer: Some(writer),
            child: Some(child),
            errors: Some(errors),
        })
    }

    /// Queues the next NV12 frame; blocks while the encoder is behind.
    ///
    /// # Errors
    /// [`RenderError::Encoder`] when ffmpeg ended early.
    pub fn write(&mut self, frame: Vec<u8>) -> Result<(), RenderError> {
        let sent = self.frames.as_ref().is_some_and(|frames| frames.send(frame).is_ok());
        if sent { Ok(()) } else { Err(self.failure()) }
    }

    /// Waits for the file to be complete.
    ///
    /// # Errors
    /// [`RenderError::Encoder`] when ffmpeg reports a failure.
    pub fn finish(mut self) -> Result<(), RenderError> {
        self.frames = None;
        let written = self.writer.take().is_none_or(|w| matches!(w.join(), Ok(Ok(()))));
        let status = self.child.as_mut().map(Child::wait).transpose()?;
        if !written || !status.is_some_and(|s| s.success()) {
            return Err(self.failure());
        }
        // The file is complete: `drop` must not remove it.
        self.child = None;
        Ok(())
    }

    fn failure(&mut self) -> RenderError {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
        let text = self.errors.take().and_then(|e| e.join().ok()).unwrap_or_default();
        let last = text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it ended early").to_owned();
        RenderError::Encoder(last)
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        self.frames = None;
        let _ = child.kill();
        let _ = child.wait();
        let _ = std::fs::remove_file(&self.path);
    }
}

fn write_frames(mut stdin: ChildStdin, frames: &mpsc::Receiver<Vec<u8>>) -> std::io::Result<()> {
    for frame in frames {
        stdin.write_all(&frame)?;
    }
    Ok(())
}

fn command(path: &Path, picture: Picture, encoding: &Encoding) -> Command {
    let mut command = Command::new("ffmpeg");
    command
        .args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "nv12"])
        .args(["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
        .args(["-video_size", &format!("{}x{}", picture.width, picture.height)])
        .args(["-framerate", &encoding.rate.to_string(), "-i", "pipe:0"])
        .args(["-c:v", "libx264", "-profile:v", "high", "-preset", encoding.preset])
        .args(["-crf", &encoding.quality.to_string(), "-pix_fmt", "yuv420p"])
        .args(["-g", &(2 * encoding.rate).to_string()])
        .args(["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
        // Reproducible output: no encoder version or time in the file.
        .args(["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"])
        .args(["-metadata", &format!("title={}", printable(&encoding.title))])
        .args(["-metadata", &format!("comment={}", printable(&encoding.comment))])
        .args(["-movflags", "+faststart", "-f", "mp4"])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// A text without control characters: an argument cannot contain NUL.
fn printable(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: Picture = Picture { width: 64, height: 48, supersampling: 1.0, vignette: 0.0 };

    fn encoding() -> Encoding {
        Encoding { rate: 30, quality: 20, preset: "veryfast", title: "Title".into(), comment: "Credits".into() }
    }

    fn film(path: &Path) -> Result<(), RenderError> {
        let mut encoder = Encoder::start(path, PICTURE, &encoding())?;
        for i in 0..40u8 {
            encoder.write(vec![60 + i; PICTURE.frame_bytes()])?;
        }
        encoder.finish()
    }

    #[test]
    fn an_abandoned_film_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("film.mp4");
        let mut encoder = Encoder::start(&path, PICTURE, &encoding()).expect("ffmpeg starts");
        encoder.write(vec![90; PICTURE.frame_bytes()]).expect("a frame is taken");
        drop(encoder);
        assert!(!path.exists());
    }

    #[test]
    fn the_same_frames_give_the_same_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (a, b) = (folder.path().join("a.mp4"), folder.path().join("b.mp4"));
        film(&a).expect("a film");
        film(&b).expect("a film");
        assert!(std::fs::read(a).expect("read") == std::fs::read(b).expect("read"));
    }

    #[test]
    fn a_title_with_control_characters_does_not_keep_the_encoder_from_starting() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("film.mp4");
        let hostile = Encoding { title: "1 Main\0St\u{1b}[2J".into(), comment: "a\nb\0".into(), ..encoding() };
        let mut encoder = Encoder::start(&path, PICTURE, &hostile).expect("ffmpeg starts");
        encoder.write(vec![90; PICTURE.frame_bytes()]).expect("a frame is taken");
        encoder.finish().expect("a film");
        let film = std::fs::read(path).expect("a file");
        assert!(film.windows(11).any(|part| part == b"1 MainSt[2J"), "the title is in the file");
    }

    #[test]
    fn an_encoder_that_cannot_write_says_why() {
        let error = film(Path::new("/nowhere/film.mp4")).expect_err("there is no such folder");
        assert!(error.to_string().contains("/nowhere/film.mp4"), "{error}");
    }
}
