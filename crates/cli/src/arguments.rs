//! The command line. Its names are fixed: others' scripts rely on them.

mod admin;

use std::net::SocketAddr;
use std::path::PathBuf;

use aerie_domain::video_clip::{ClipGrade, CreativityLevel, FrameMode};
use aerie_domain::{AspectRatio, Direction, EnhancePreset, Resolution, StagingQuality};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};

pub(crate) use admin::{Admin, AdminJob, AdminKey, AdminOrg, AdminOrgSet, AdminUsage};

use crate::logging::LogFormat;

/// Property media behind one HTTP/JSON contract.
#[derive(Debug, Parser)]
#[command(name = "aerie", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Accepted by every command.
#[derive(Debug, Args, Clone)]
pub(crate) struct Global {
    /// Configuration file; see config.default.toml for what it may say
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Data folder
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Print results as JSON, for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// How to write the log to stderr [default: the configuration's]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API, with worker processes of its own
    Serve(Serve),
    /// Take jobs from the queue and run them, one at a time
    Worker(Worker),
    /// Read map and terrain files into the data folder
    Import(Import),
    /// Show what an address resolves to
    Geocode(Geocode),
    /// Make media here and now, with no server and no key
    #[command(subcommand)]
    Generate(Generate),
    /// Show what the engines see in pictures
    #[command(subcommand)]
    Inspect(Inspect),
    /// Measure a boundary and write JSON, under limits on memory and time: a child of the server's
    #[command(hide = true)]
    MeasureBoundary(InspectBoundary),
    /// Look whether media can be drawn and encoded here: a child of the server's
    #[command(hide = true)]
    CheckEngines,
    /// Manage organizations, keys, usage and jobs
    #[command(subcommand)]
    Admin(Admin),
    /// Show all of it at work, over HTTP, on the sample town
    Demo(Demo),
    /// Copy the data folder into a new folder, while the server runs or not
    Backup(Backup),
    /// Make a backup the data folder again, with the server stopped
    Restore(Restore),
    /// Say what this machine has and lacks, with the remedy
    Doctor,
    /// Write what a shell completes commands by
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual: a page for each command into a folder, or the first page
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
}

impl Command {
    /// Whether it stays and logs, rather than ending with a result.
    pub(crate) fn is_service(&self) -> bool {
        matches!(self, Command::Serve(_) | Command::Worker(_))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    /// How many worker processes to run
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// New folder; media are linked rather than copied where it lies on the same disk
    #[arg(value_name = "DIR")]
    pub(crate) to: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// Folder that `aerie backup` wrote
    #[arg(value_name = "DIR")]
    pub(crate) from: PathBuf,
    /// Even if the data folder is not empty: what is there is moved into a folder of its own in it
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Started by `aerie serve`: woken through stdin, and ends when stdin does
    #[arg(long, hide = true)]
    pub(crate) supervised: bool,
    /// Take only kinds of job that are made in seconds
    #[arg(long, hide = true)]
    pub(crate) quick: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Whom pictures made from imagery and elevation must credit ("© City of …"); goes before what a file says itself
    #[arg(long, value_name = "TEXT")]
    pub(crate) attribution: Option<String>,
    /// Files, or their http(s) URLs: .osm.pbf, .osm, .osm.gz, .hgt, .hgt.zip, parcels or building heights as .geojson, imagery or
    /// elevation as .mbtiles, .pmtiles or GeoTIFF
    #[arg(required = true, value_name = "FILE_OR_URL")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Geocode {
    /// The address, in any usual order of its parts
    #[arg(value_name = "ADDRESS")]
    pub(crate) address: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generate {
    /// Aerial footage of a property
    DroneFootage(GenerateDroneFootage),
    /// A photo in better light; nothing added, removed or moved
    ImageEnhance(GenerateImageEnhance),
    /// The photo of an empty room, furnished
    VirtualStaging(GenerateVirtualStaging),
    /// A property from straight above, four ways round, to draw its boundary on
    Markup(GenerateMarkup),
    /// A flight that shows a boundary lying on the ground
    MarkupVideo(GenerateMarkupVideo),
    /// A clip from one photo: a camera that moves in it, and adds nothing to it
    VideoClip(GenerateVideoClip),
}

#[derive(Debug, Args)]
pub(crate) struct InspectRoom {
    /// The photo
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// Where to draw it, as PNG
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateDroneFootage {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: String,
    /// Which path to fly [default: original]
    #[arg(long, value_name = "DIRECTION", value_parser = PossibleValuesParser::new(Direction::ALL.map(Direction::as_str)))]
    pub(crate) direction: Option<String>,
    #[command(flatten)]
    pub(crate) film: Film,
    /// Draw the plot's outline on the ground: the imported parcel, else the building's outline
    #[arg(long)]
    pub(crate) highlight: bool,
    /// Pin the address over the property
    #[arg(long)]
    pub(crate) label: bool,
    /// Video to write; its thumbnail goes beside it as .jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Size, shape and length of a film.
#[derive(Debug, Args)]
pub(crate) struct Film {
    /// Seconds, 6 to 20 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) duration: Option<i64>,
    /// Pixels of the shorter side [default: 1080p]
    #[arg(long, value_name = "RESOLUTION", value_parser = PossibleValuesParser::new(Resolution::ALL.map(|(name, _)| name)))]
    pub(crate) resolution: Option<String>,
    /// Width to height [default: 16:9]
    #[arg(long, value_name = "RATIO", value_parser = PossibleValuesParser::new(AspectRatio::ALL.map(|(name, _)| name)))]
    pub(crate) aspect_ratio: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateImageEnhance {
    /// Photo: JPEG, PNG, WebP or TIFF, at most 40 megapixels
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// What to do, in words ("a bit brighter, warmer"); what was not understood is told
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Look to start from [default: natural]
    #[arg(long, value_name = "PRESET", value_parser = PossibleValuesParser::new(EnhancePreset::ALL.map(|(name, _)| name)))]
    pub(crate) preset: Option<String>,
    /// Longest side of what is written, 64 to 16383; a smaller photo is never scaled up
    #[arg(long, value_name = "PIXELS")]
    pub(crate) max_size: Option<i64>,
    /// One line to write into a strip at the foot of the photo [default: none]
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// File to write, .jpg, .png or .webp; the thumbnail goes beside it as .thumbnail.jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateVideoClip {
    /// Photo: JPEG, PNG, WebP or TIFF, at most 40 megapixels
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// What the camera does, in words ("slow push in, then rise"); what was not understood is told
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// How far the camera goes [default: medium]
    #[arg(long, value_name = "LEVEL", value_parser = PossibleValuesParser::new(CreativityLevel::ALL.map(|(name, _)| name)))]
    pub(crate) creativity_level: Option<String>,
    /// Which frame of the clip the photo is [default: first]
    #[arg(long, value_name = "MODE", value_parser = PossibleValuesParser::new(FrameMode::ALL.map(|(name, _)| name)))]
    pub(crate) frame_mode: Option<String>,
    /// Seconds, 3 to 10 [default: 5]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) duration: Option<i64>,
    /// Size; 1080p has a longer side of 1920 pixels [default: 1080p]
    #[arg(long, value_name = "RESOLUTION", value_parser = PossibleValuesParser::new(Resolution::ALL.map(|(name, _)| name)))]
    pub(crate) resolution: Option<String>,
    /// Width to height [default: the photo's]
    #[arg(long, value_name = "RATIO", value_parser = PossibleValuesParser::new(AspectRatio::ALL.map(|(name, _)| name)))]
    pub(crate) aspect_ratio: Option<String>,
    /// A look for the whole clip, the photo's own frame too [default: none]
    #[arg(long, value_name = "LOOK", value_parser = PossibleValuesParser::new(ClipGrade::ALL.map(|(name, _)| name)))]
    pub(crate) grade: Option<String>,
    /// Video to write; its thumbnail goes beside it as .jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateVirtualStaging {
    /// Photo of an empty room: JPEG, PNG, WebP or TIFF, at most 40 megapixels
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// What the room is to be: living_room, bedroom, kitchen, bathroom, dining_room, home_office, kids_room, nursery,
    /// entryway, outdoor_patio
    #[arg(long, value_name = "TYPE")]
    pub(crate) room_type: String,
    /// Style in words ("scandinavian, light oak, sage"); what was not understood is told
    #[arg(long, value_name = "PROMPT")]
    pub(crate) style_prompt: Option<String>,
    /// Another seed gives another furnishing [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<i64>,
    /// How many furnishings to make, 1 to 4; the others go beside the first as .2, .3 and .4 [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) variations: Option<i64>,
    /// Outline of the bare floor in pixels of the photo, where it is not understood: "X,Y X,Y X,Y", up to 16 points
    #[arg(long, value_name = "POINTS")]
    pub(crate) floor_polygon: Option<String>,
    /// Two points of the floor in pixels of the photo and the meters between them, for true sizes: "X,Y X,Y METERS"
    #[arg(long, value_name = "LENGTH")]
    pub(crate) known_length: Option<String>,
    /// How much work the picture is given [default: final]
    #[arg(long, value_name = "QUALITY", value_parser = PossibleValuesParser::new(StagingQuality::ALL.map(|(name, _)| name)))]
    pub(crate) quality: Option<String>,
    /// One line in a strip at the foot of the picture
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Picture to write: .jpg, .png (without loss) or .webp; thumbnail and mask go beside it as .thumbnail.jpg and
    /// .mask.png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateMarkup {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: String,
    /// Draw an arrow to the north
    #[arg(long)]
    pub(crate) north_arrow: bool,
    /// Draw a scale bar
    #[arg(long)]
    pub(crate) scale_bar: bool,
    /// Folder for the pictures and, beside each, where it lies on the ground
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateMarkupVideo {
    /// Address of the property
    #[arg(long, value_name = "ADDRESS", required_unless_present = "image")]
    pub(crate) address: Option<String>,
    /// Picture that the boundary lies on, where that is in pixels: then the film is made of it
    #[arg(long, value_name = "IMAGE", conflicts_with = "address")]
    pub(crate) image: Option<PathBuf>,
    /// GeoJSON polygon in WGS 84, or what `aerie inspect boundary --json` printed
    #[arg(long, value_name = "FILE")]
    pub(crate) boundary: PathBuf,
    /// Which path to fly [default: original]
    #[arg(long, value_name = "DIRECTION", value_parser = PossibleValuesParser::new(Direction::ALL.map(Direction::as_str)))]
    pub(crate) direction: Option<String>,
    #[command(flatten)]
    pub(crate) film: Film,
    /// Color of the boundary, for instance '#FF3B30' [default: #FFD400]
    #[arg(long, value_name = "#RRGGBB")]
    pub(crate) color: Option<String>,
    /// Leave out area and lengths
    #[arg(long)]
    pub(crate) no_labels: bool,
    /// Video to write; its thumbnail goes beside it as .jpg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Inspect {
    /// The lines, the camera and the room in a photo, drawn over it
    Room(InspectRoom),
    /// The boundary drawn on a picture, by comparison with the same picture without it
    Boundary(InspectBoundary),
}

#[derive(Debug, Args)]
pub(crate) struct InspectBoundary {
    /// The picture that was drawn on
    #[arg(value_name = "ANNOTATED")]
    pub(crate) annotated: PathBuf,
    /// The same picture with nothing drawn on it
    #[arg(value_name = "CLEAN")]
    pub(crate) clean: PathBuf,
    /// Where the clean picture lies on the ground: JSON as `aerie generate markup` writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) transform: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the videos and the page that shows them
    #[arg(long, value_name = "DIR", default_value = "demo-output")]
    pub(crate) out: PathBuf,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
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
