//! Messages between `aerie` and `aerie-engine`, as lines of JSON: a [`Request`] on stdin, then [`Message`]s on stdout.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::JobInput;
use aerie_confinement::Applied;
use aerie_sources::Sources;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::{EngineError, Notes, Parent, Produced};

/// Version of both programs, which must be the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A task for `aerie-engine`, and how it is run.
#[derive(Serialize, Deserialize)]
pub struct Request {
    /// [`VERSION`] of the caller.
    pub version: String,
    /// Process id of the caller. The engine ends with it.
    pub caller: i32,
    /// Whether the engine confines itself to the files of the task.
    pub is_confined: bool,
    /// Memory limit in bytes; only with confinement.
    pub memory: Option<u64>,
    /// What to do.
    pub task: Task,
}

/// What `aerie-engine` does.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Run the engine of a job; the result is [`Message::Produced`].
    Job(Box<JobRun>),
    /// Check graphics device, encoder and font: a list of [`crate::Finding`]s.
    CheckMachine,
    /// Read an operator's own furniture: [`crate::Furniture`].
    ReadFurniture {
        /// The folder with the models.
        folder: PathBuf,
        /// A folder for a picture of each.
        thumbnails: Option<PathBuf>,
    },
    /// Measure a boundary that was drawn on a picture; the result has the fields of a job's output.
    MeasureBoundary(DrawnBoundary),
    /// Detect lines, camera and room in a photo.
    InspectRoom {
        /// The photo.
        image: PathBuf,
        /// The PNG to write: the photo with the room drawn over it.
        overlay: Option<PathBuf>,
    },
    /// Find the house at an address.
    Geocode(Sought),
    /// Describe the buildings and trees within `radius` meters of an address.
    InspectPlace {
        /// The address.
        sought: Sought,
        /// Reach, meters.
        radius: u32,
    },
    /// Import files or URLs into a data folder. It ends early when stdin is closed.
    Import(Import),
    /// Build the sample town in a data folder, if it is missing: [`crate::SampleTown`].
    BuildSampleTown {
        /// The data folder.
        data_dir: PathBuf,
    },
    /// Write an underexposed photo of an imagined room, a JPEG.
    ImagineRoom {
        /// The file to write.
        file: PathBuf,
    },
    /// Draw a closed red line on a picture, and write a JPEG.
    DrawBoundary {
        /// The picture.
        picture: PathBuf,
        /// Corners, as shares of its width and height.
        corners: Vec<[f64; 2]>,
        /// The file to write.
        file: PathBuf,
    },
}

impl Task {
    /// Its name, for lists of processes.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Job(_) => "job",
            Self::CheckMachine => "check-machine",
            Self::ReadFurniture { .. } => "read-furniture",
            Self::MeasureBoundary(_) => "measure-boundary",
            Self::InspectRoom { .. } => "inspect-room",
            Self::Geocode(_) => "geocode",
            Self::InspectPlace { .. } => "inspect-place",
            Self::Import(_) => "import",
            Self::BuildSampleTown { .. } => "build-sample-town",
            Self::ImagineRoom { .. } => "imagine-room",
            Self::DrawBoundary { .. } => "draw-boundary",
        }
    }
}

/// An engine's request and context.
#[derive(Serialize, Deserialize)]
pub struct JobRun {
    /// The request.
    pub input: JobInput,
    /// The data folder.
    pub data_dir: PathBuf,
    /// The folder with maps and furniture: the data folder, or that of a published pack.
    pub pack_dir: PathBuf,
    /// Empty for kinds that use no maps.
    pub sources: Sources,
    /// The folder for what is made.
    pub out_dir: PathBuf,
    /// For temporary files.
    pub temp_dir: PathBuf,
    /// Local copies of pictures, by field of the request.
    pub inputs: BTreeMap<String, PathBuf>,
    /// Notes about the earlier photos of the same listing, oldest first.
    pub listing: Vec<Notes>,
    /// The job that it continues.
    pub parent: Option<Parent>,
}

/// A picture with a boundary, and how to measure it.
#[derive(Serialize, Deserialize)]
pub struct DrawnBoundary {
    /// The picture with the boundary on it.
    pub annotated: PathBuf,
    /// The same without it.
    pub clean: PathBuf,
    /// File with the georeference of the clean picture.
    pub transform: Option<PathBuf>,
    /// The boundary itself, in place of what is drawn: corners in pixels.
    pub polygon: Option<Vec<[f64; 2]>>,
}

/// An address, and where to look for it.
#[derive(Serialize, Deserialize)]
pub struct Sought {
    /// The address.
    pub address: String,
    /// The folder with imported maps.
    pub data_dir: PathBuf,
    /// Online sources.
    pub sources: Sources,
}

/// What to import.
#[derive(Serialize, Deserialize)]
pub struct Import {
    /// Files and URLs, in order.
    pub files: Vec<PathBuf>,
    /// The data folder.
    pub data_dir: PathBuf,
    /// Credit, in place of the files' own.
    pub attribution: Option<String>,
    /// Coordinate system, in place of the files' own.
    pub crs: Option<String>,
    /// Meters per unit of heights in GeoJSON and rasters, in place of the files' own.
    pub height_unit: Option<f64>,
    /// Whether to import files of which most features cannot be used.
    pub allow_partial: bool,
}

/// What the engine reports. It has read files of strangers, so the caller checks everything in it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// What is enforced.
    Confined(Applied),
    /// Progress of the run.
    Progress {
        /// What is being done.
        stage: String,
        /// Units done.
        done: u64,
        /// Total number of units; 0 if unknown.
        total: u64,
    },
    /// The result of a job.
    Produced(Produced),
    /// The result of another task.
    Answer(Value),
    /// The result, an error.
    Failed(EngineError),
}
