//! Runs GDAL's tools.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::error::ImportError;
use crate::options::ImportOptions;

/// Runs tools for one file.
#[derive(Clone, Copy)]
pub(crate) struct Tools<'a> {
    /// The file that is imported.
    pub(crate) path: &'a Path,
    /// A folder that the tools may write to.
    pub(crate) folder: &'a Path,
    pub(crate) options: &'a ImportOptions<'a>,
}

impl Tools<'_> {
    /// Runs a tool, with a file of the folder as its input, and returns its output; kills it if the import is canceled.
    pub(crate) fn run(&self, command: &mut Command, input: Option<&Path>) -> Result<Vec<u8>, ImportError> {
        let tool = command.get_program().to_string_lossy().into_owned();
        let [said, complained] = ["said", "complained"].map(|name| self.folder.join(name));
        let file = |path: &Path| File::create(path).map_err(|e| ImportError::io(path, e));
        let confined = self.options.confine.map(|confine| confine(command, self.path, self.folder)).transpose();
        let mut confined = confined.map_err(|e| self.not_started(&tool, e))?;
        let command = confined.as_mut().unwrap_or(command);
        let input = input.map(|input| File::open(input).map_err(|e| ImportError::io(input, e))).transpose()?;
        // Into files, because a pipe that nobody reads would block the tool once it is full.
        command.stdin(input.map_or_else(Stdio::null, Stdio::from)).stdout(file(&said)?).stderr(file(&complained)?);
        // Keep GDAL's cache within its memory.
        command.env("GDAL_CACHEMAX", "512");
        let mut child = command.spawn().map_err(|e| self.not_started(&tool, e))?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|e| ImportError::io(self.path, e))? {
                break status;
            }
            if (self.options.canceled)() {
                // It may have just ended.
                child.kill().ok();
                child.wait().ok();
                return Err(ImportError::Canceled);
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let read = |path: &Path| {
            let mut text = Vec::new();
            File::open(path).and_then(|mut f| f.read_to_end(&mut text)).map_err(|e| ImportError::io(path, e))?;
            Ok::<_, ImportError>(text)
        };
        if status.success() {
            return read(&said);
        }
        let complained = String::from_utf8_lossy(&read(&complained)?).into_owned();
        let why = complained.lines().find(|line| line.contains("ERROR")).unwrap_or("it failed without a message");
        Err(ImportError::damaged(self.path, format!("{tool}: {}", why.trim())))
    }

    fn not_started(&self, tool: &str, error: std::io::Error) -> ImportError {
        if error.kind() != std::io::ErrorKind::NotFound {
            return ImportError::io(Path::new(tool), error);
        }
        ImportError::unsupported(
            self.path,
            format!(
                "GeoTIFF, city models and point clouds are read with GDAL's tools, and `{tool}` is not installed; install them \
                 (Debian and Ubuntu: apt-get install gdal-bin)"
            ),
        )
    }
}
