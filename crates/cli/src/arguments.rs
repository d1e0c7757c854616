//! The command line. Command and flag names are stable: scripts rely on them.

mod admin;

use std::net::SocketAddr;
use std::path::PathBuf;

use aerie_domain::video_clip::{ClipGrade, CreativityLevel, FrameMode};
use aerie_domain::{AspectRatio, Direction, EnhancePreset, Resolution, StagingQuality};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};

pub(crate) use admin::{Admin, AdminJob, AdminKey, AdminOrg, AdminOrgSet, AdminUsage};

use crate::logging::LogFormat;

/// Self-hosted service that makes property media: aerial flights, enhanced and staged photos, video clips, boundaries.
#[derive(Debug, Parser)]
#[command(name = "aerie", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args, Clone)]
pub(crate) struct Global {
    /// Configuration file; config.default.toml documents every key
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Data folder
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Print results as JSON, for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Format of the log on stderr [default: from the configuration]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API and run worker processes
    Serve(Serve),
    /// Run jobs from the queue, one at a time
    Worker(Worker),
    /// Import map data, terrain and imagery into the data folder
    Import(Import),
    /// Show which house an address resolves to
    Geocode(Geocode),
    /// Generate media locally, without a server
    #[command(subcommand)]
    Generate(Generate),
    /// Show what the engines detect in a picture
    #[command(subcommand)]
    Inspect(Inspect),
    /// Measure a drawn boundary and print JSON, with limited memory and time (run by the server)
    #[command(hide = true)]
    MeasureBoundary(InspectBoundary),
    /// Check that this machine can render and encode (run by the server)
    #[command(hide = true)]
    CheckEngines,
    /// Manage organizations, keys, usage and jobs
    #[command(subcommand)]
    Admin(Admin),
    /// Run every kind of job over HTTP on sample data, and write a page with the results
    Demo(Demo),
    /// Back up the data folder; the server may keep running
    Backup(Backup),
    /// Restore the data folder from a backup; stop the server first
    Restore(Restore),
    /// Check this machine and suggest fixes
    Doctor,
    /// Generate shell completions
    Completions {
        /// Shell to generate for
        shell: clap_complete::Shell,
    },
    /// Generate man pages: one per command into a folder, or the main page to stdout
    Man {
        /// Folder to write to
        folder: Option<PathBuf>,
    },
}

impl Command {
    /// Returns whether the command keeps running and logs, rather than printing a result.
    pub(crate) fn is_service(&self) -> bool {
        matches!(self, Command::Serve(_) | Command::Worker(_))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    /// Number of worker processes
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// New folder; on the same disk, media are hard-linked instead of copied
    #[arg(value_name = "DIR")]
    pub(crate) to: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// Folder written by `aerie backup`
    #[arg(value_name = "DIR")]
    pub(crate) from: PathBuf,
    /// Restore even if the data folder is not empty; its contents are moved to a subfolder `before-restore-*`
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Started by `aerie serve`: woken through stdin, stops when stdin closes
    #[arg(long, hide = true)]
    pub(crate) supervised: bool,
    /// Run only kinds of job that take seconds
    #[arg(long, hide = true)]
    pub(crate) quick: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Credit for imagery and elevation ("© City of …"); overrides the file's own
    #[arg(long, value_name = "TEXT")]
    pub(crate) attribution: Option<String>,
    /// Files or http(s) URLs: OpenStreetMap (.osm.pbf, .osm, .osm.gz), terrain (.hgt, .hgt.zip), parcels or building
    /// heights (.geojson), imagery or elevation (.mbtiles, .pmtiles, GeoTIFF)
    #[arg(required = true, value_name = "FILE_OR_URL")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Geocode {
    /// Address, with its parts in any usual order
    #[arg(value_name = "ADDRESS")]
    pub(crate) address: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generate {
    /// Aerial footage of a property
    DroneFootage(GenerateDroneFootage),
    /// Enhanced photo: light, color and geometry
    ImageEnhance(GenerateImageEnhance),
    /// Photo of an empty room, furnished
    VirtualStaging(GenerateVirtualStaging),
    /// Four top-down pictures of a property, to draw its boundary on
    Markup(GenerateMarkup),
    /// Flight over a property with its boundary on the ground
    MarkupVideo(GenerateMarkupVideo),
    /// Video clip from one photo, with a moving camera
    VideoClip(GenerateVideoClip),
}

#[derive(Debug, Args)]
pub(crate) struct InspectRoom {
    /// Photo to analyze
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// PNG to write: the photo with the detected room drawn over it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateDroneFootage {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: String,
    /// Flight path [default: original]
    #[arg(long, value_name = "DIRECTION", value_parser = PossibleValuesParser::new(Direction::ALL.map(Direction::as_str)))]
    pub(crate) direction: Option<String>,
    #[command(flatten)]
    pub(crate) film: Film,
    /// Outline the property on the ground: the imported parcel, or else the building's footprint
    #[arg(long)]
    pub(crate) highlight: bool,
    /// Show a pin with the address above the property
    #[arg(long)]
    pub(crate) label: bool,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Size, aspect ratio and length of a video.
#[derive(Debug, Args)]
pub(crate) struct Film {
    /// Seconds, 6 to 20 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) duration: Option<i64>,
    /// Length of the shorter side [default: 1080p]
    #[arg(long, value_name = "RESOLUTION", value_parser = PossibleValuesParser::new(Resolution::ALL.map(|(name, _)| name)))]
    pub(crate) resolution: Option<String>,
    /// Aspect ratio [default: 16:9]
    #[arg(long, value_name = "RATIO", value_parser = PossibleValuesParser::new(AspectRatio::ALL.map(|(name, _)| name)))]
    pub(crate) aspect_ratio: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateImageEnhance {
    /// Photo: JPEG, PNG, WebP or TIFF, at most 40 megapixels
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// What to do, in words ("a bit brighter, warmer"); unrecognized words are reported and ignored
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Look to start from [default: natural]
    #[arg(long, value_name = "PRESET", value_parser = PossibleValuesParser::new(EnhancePreset::ALL.map(|(name, _)| name)))]
    pub(crate) preset: Option<String>,
    /// Longest side in pixels, 64 to 16383; a smaller photo is never scaled up
    #[arg(long, value_name = "PIXELS")]
    pub(crate) max_size: Option<i64>,
    /// Line of text in a strip below the photo [default: none]
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Picture to write (.jpg, .png or .webp); the thumbnail is written next to it as .thumbnail.jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateVideoClip {
    /// Photo: JPEG, PNG, WebP or TIFF, at most 40 megapixels
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// Camera move, in words ("slow push in, then rise"); unrecognized words are reported and ignored
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// How far the camera moves [default: medium]
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(CreativityLevel::ALL.map(|(name, _)| name)))]
    pub(crate) creativity_level: Option<String>,
    /// Which frame of the clip is the photo [default: first]
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(FrameMode::ALL.map(|(name, _)| name)))]
    pub(crate) frame_mode: Option<String>,
    /// Seconds, 3 to 10 [default: 5]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) duration: Option<i64>,
    /// Size; 1080p has a longer side of 1920 pixels [default: 1080p]
    #[arg(long, value_name = "RESOLUTION", value_parser = PossibleValuesParser::new(Resolution::ALL.map(|(name, _)| name)))]
    pub(crate) resolution: Option<String>,
    /// Aspect ratio [default: the photo's]
    #[arg(long, value_name = "RATIO", value_parser = PossibleValuesParser::new(AspectRatio::ALL.map(|(name, _)| name)))]
    pub(crate) aspect_ratio: Option<String>,
    /// Color grade of the whole clip, including the photo's own frame [default: none]
    #[arg(long, value_name = "LOOK", value_parser = PossibleValuesParser::new(ClipGrade::ALL.map(|(name, _)| name)))]
    pub(crate) grade: Option<String>,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateVirtualStaging {
    /// Photo of an empty room: JPEG, PNG, WebP or TIFF, at most 40 megapixels
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// Type of room to furnish: living_room, bedroom, kitchen, bathroom, dining_room, home_office, kids_room, nursery,
    /// entryway, outdoor_patio
    #[arg(long, value_name = "TYPE")]
    pub(crate) room_type: String,
    /// Style, in words ("scandinavian, light oak, sage"); unrecognized words are reported and ignored
    #[arg(long, value_name = "PROMPT")]
    pub(crate) style_prompt: Option<String>,
    /// Random seed; another seed gives another arrangement [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<i64>,
    /// Number of arrangements, 1 to 4; the others are written next to the first as .2, .3 and .4 [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) variations: Option<i64>,
    /// Outline of the bare floor in pixels of the photo, if it is not detected: "X,Y X,Y X,Y", up to 16 points
    #[arg(long, value_name = "POINTS")]
    pub(crate) floor_polygon: Option<String>,
    /// Two points on the floor, in pixels, and the distance between them, to set the scale: "X,Y X,Y METERS"
    #[arg(long, value_name = "LENGTH")]
    pub(crate) known_length: Option<String>,
    /// Rendering quality [default: final]
    #[arg(long, value_name = "QUALITY", value_parser = PossibleValuesParser::new(StagingQuality::ALL.map(|(name, _)| name)))]
    pub(crate) quality: Option<String>,
    /// Line of text in a strip below the picture
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Picture to write (.jpg, lossless .png, or .webp); thumbnail and mask are written next to it as .thumbnail.jpg
    /// and .mask.png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateMarkup {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: String,
    /// Draw a north arrow
    #[arg(long)]
    pub(crate) north_arrow: bool,
    /// Draw a scale bar
    #[arg(long)]
    pub(crate) scale_bar: bool,
    /// Folder for the pictures and their georeference (KEY.ground.json)
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateMarkupVideo {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS", required_unless_present = "image")]
    pub(crate) address: Option<String>,
    /// Picture that a boundary in pixels refers to; the video then shows this picture
    #[arg(long, value_name = "IMAGE", conflicts_with = "address")]
    pub(crate) image: Option<PathBuf>,
    /// GeoJSON polygon in WGS 84, or the output of `aerie inspect boundary --json`
    #[arg(long, value_name = "FILE")]
    pub(crate) boundary: PathBuf,
    /// Flight path [default: original]
    #[arg(long, value_name = "DIRECTION", value_parser = PossibleValuesParser::new(Direction::ALL.map(Direction::as_str)))]
    pub(crate) direction: Option<String>,
    #[command(flatten)]
    pub(crate) film: Film,
    /// Color of the boundary, such as '#FF3B30' [default: #FFD400]
    #[arg(long, value_name = "#RRGGBB")]
    pub(crate) color: Option<String>,
    /// Hide the area and edge lengths
    #[arg(long)]
    pub(crate) no_labels: bool,
    /// Video to write (.mp4); the thumbnail is written next to it as .jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Inspect {
    /// Detect lines, camera and room in a photo
    Room(InspectRoom),
    /// Measure the boundary drawn on a picture, by comparing it with the clean picture
    Boundary(InspectBoundary),
}

#[derive(Debug, Args)]
pub(crate) struct InspectBoundary {
    /// Picture with the boundary drawn on it
    #[arg(value_name = "ANNOTATED")]
    pub(crate) annotated: PathBuf,
    /// The same picture without the boundary
    #[arg(value_name = "CLEAN")]
    pub(crate) clean: PathBuf,
    /// Georeference of the clean picture, as written by `aerie generate markup` (KEY.ground.json)
    #[arg(long, value_name = "FILE")]
    pub(crate) transform: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the media and the page that shows them
    #[arg(long, value_name = "DIR", default_value = "demo-output")]
    pub(crate) out: PathBuf,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn global_options_are_accepted_after_the_command() {
        let parsed = Arguments::try_parse_from(["aerie", "admin", "org", "create", "Acme", "--json", "--data", "d"]);
        let global = parsed.unwrap().global;
        assert!(global.json);
        assert_eq!(global.data, Some(PathBuf::from("d")));
    }

    #[test]
    fn an_unknown_direction_is_wrong_usage() {
        let arguments = ["aerie", "generate", "drone-footage", "--address", "a", "--direction", "up", "-o", "x.mp4"];
        assert_eq!(Arguments::try_parse_from(arguments).unwrap_err().exit_code(), 2);
    }
}
