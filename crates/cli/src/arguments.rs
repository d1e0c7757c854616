//! The command line. Command and flag names are stable: scripts rely on them.

mod admin;
mod furniture;
mod pack;

use std::net::SocketAddr;
use std::path::PathBuf;

use aerie_domain::JobType;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use admin::{Admin, AdminJob, AdminKey, AdminOperator, AdminOrg, AdminOrgSet, AdminTruthPages, AdminUsage};
pub(crate) use furniture::{FurnitureAdd, FurnitureCommand};
pub(crate) use pack::{Pack, PackPublish};

use crate::config::capabilities::kind_of;
use crate::generate::Generate;
pub(crate) use crate::global::Global;

/// Self-hosted service that makes property media: aerial flights, enhanced and staged photos, video clips, boundaries.
#[derive(Debug, Parser)]
#[command(name = "aerie", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the API and run jobs
    Serve(Serve),
    /// Run jobs from the queue, one at a time
    Worker(Worker),
    /// Import map data, terrain and imagery into the data folder
    Import(Import),
    /// Give maps and furniture to all workers of a fleet, through the media store
    #[command(subcommand)]
    Pack(Pack),
    /// Add, list, check or remove your own furniture for staged rooms
    #[command(subcommand)]
    Furniture(FurnitureCommand),
    /// Show which house an address resolves to
    Geocode(Geocode),
    /// Generate media locally, without a server
    #[command(subcommand)]
    Generate(Generate),
    /// Show who signed the Content Credentials of a picture or video, and whether it was changed since
    ///
    /// Exit code 0: intact. 1: changed, or not by a signer of the certificates in --trust. 2: no Content Credentials.
    Verify(Verify),
    /// Show what the engines detect in a picture
    #[command(subcommand)]
    Inspect(Inspect),
    /// Manage organizations, keys, usage and jobs, and list servers and workers
    #[command(subcommand)]
    Admin(Admin),
    /// Run every kind of job over HTTP on sample data, and write a page with the results
    Demo(Demo),
    /// Back up the data folder; the server may keep running
    Backup(Backup),
    /// Restore the data folder from a backup; stop the server first
    Restore(Restore),
    /// Migrate database and media to PostgreSQL and S3; stop servers and workers first
    ///
    /// The installation is only read. If this is interrupted, run it again: it goes on where it stopped.
    Migrate(Migrate),
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

    /// Returns whether the files that the command creates may hold secrets or customers' data.
    pub(crate) fn has_customers_data(&self) -> bool {
        matches!(
            self,
            Command::Serve(_)
                | Command::Worker(_)
                | Command::Admin(_)
                | Command::Pack(_)
                | Command::Backup(_)
                | Command::Restore(_)
                | Command::Migrate(_)
        )
    }
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    /// Number of jobs that run at the same time
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<usize>,
    /// Capability of its workers, for kinds that need it (section capabilities of the configuration); may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) capability: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// New folder; on the same disk, media are hard-linked instead of copied
    #[arg(value_name = "DIR")]
    pub(crate) to: PathBuf,
    /// Check an existing backup instead: every file against the manifest, and the database; nothing is written
    #[arg(long)]
    pub(crate) verify: bool,
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
pub(crate) struct Migrate {
    /// Database to migrate to: postgres://USER:PASSWORD@HOST:PORT/DATABASE [default: the variable AERIE_STORE_URL, whose
    /// password, unlike that of --to, other users of this machine cannot see]
    #[arg(long, value_name = "URL")]
    pub(crate) to: Option<String>,
    /// Media to migrate to: s3://BUCKET/PREFIX, with access as in the section media of the configuration, or file:FOLDER.
    /// Without it, media stay where they are
    #[arg(long, value_name = "URL")]
    pub(crate) media: Option<String>,
    /// Finish although media files that jobs reference are missing in the media folder. Another run copies those that are
    /// found by then, until servers change the new database
    #[arg(long)]
    pub(crate) allow_missing: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Kinds of job to claim, separated by commas, such as drone-footage,video-clip [default: every kind whose capability
    /// this worker has]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind_of)]
    pub(crate) kinds: Vec<JobType>,
    /// Capability of this worker, for kinds that need it (section capabilities of the configuration); may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) capability: Vec<String>,
    /// Time that the job in progress has to finish after SIGTERM; then, or on a second signal, it is released and runs again
    /// elsewhere
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(crate) drain_seconds: u64,
    /// Address for monitoring, over plain HTTP: /metrics, /healthz and /readyz; port 0 picks a free port
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) admin: Option<SocketAddr>,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Credit for imagery, elevation, city models and point clouds ("© City of …"); overrides the file's own
    #[arg(long, value_name = "TEXT")]
    pub(crate) attribution: Option<String>,
    /// Coordinate system of city models and point clouds ("EPSG:28992"); overrides the file's own
    #[arg(long, value_name = "EPSG:N")]
    pub(crate) crs: Option<String>,
    /// Unit of heights in GeoJSON and rasters; overrides the file's own
    #[arg(long, value_name = "UNIT")]
    pub(crate) height_unit: Option<HeightUnit>,
    /// Import a file even if under half of its buildings, addresses or other features can be used
    #[arg(long)]
    pub(crate) allow_partial: bool,
    /// Files or http(s) URLs: OpenStreetMap (.osm.pbf, .osm, .osm.gz), terrain (.hgt), parcels or building heights (.geojson), imagery
    /// or elevation (.mbtiles, .pmtiles, GeoTIFF), city models (CityJSON, CityGML), point clouds (.las, .laz), and archives of them
    /// (.zip, .gz)
    #[arg(required = true, value_name = "FILE_OR_URL")]
    pub(crate) files: Vec<PathBuf>,
}

/// Unit of heights.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum HeightUnit {
    Meters,
    Feet,
}

impl HeightUnit {
    /// Meters per unit.
    pub(crate) fn meters(self) -> f64 {
        match self {
            Self::Meters => 1.0,
            Self::Feet => 0.3048,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Picture or video
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// PEM file with certificates of authorities whose signers to trust; others then fail
    #[arg(long, value_name = "CERTIFICATE")]
    pub(crate) trust: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Geocode {
    /// Address, with its parts in any usual order
    #[arg(value_name = "ADDRESS")]
    pub(crate) address: String,
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

#[derive(Debug, Subcommand)]
pub(crate) enum Inspect {
    /// Detect lines, camera and room in a photo
    Room(InspectRoom),
    /// Measure the boundary drawn on a picture, by comparing it with the clean picture
    Boundary(InspectBoundary),
    /// Show what is known of the buildings and trees around an address
    Place(InspectPlace),
}

#[derive(Debug, Args)]
pub(crate) struct InspectPlace {
    /// Address, coordinates ("52.01163, 4.35928") or the id of a mapped object ("way/123")
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: String,
    /// Reach of buildings and trees from the address, meters
    #[arg(long, value_name = "METERS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(50..=5000))]
    pub(crate) radius: u32,
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
    /// The boundary itself, in place of what is drawn: corners in pixels of CLEAN, "[[680, 700], [1380, 700], ...]"
    #[arg(long, value_name = "CORNERS")]
    pub(crate) polygon: Option<String>,
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
    fn the_kinds_of_a_worker_are_spelled_as_in_paths_and_an_unknown_one_lists_them() {
        let parsed = |kinds| Arguments::try_parse_from(["aerie", "worker", "--kinds", kinds]);
        let Command::Worker(worker) = parsed("drone-footage,video_clip").unwrap().command else { panic!("a worker") };
        assert_eq!(worker.kinds, [JobType::DroneFootage, JobType::VideoClip]);
        let error = parsed("drone-footage,flight").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("drone-footage, image-enhance, virtual-staging"), "{error}");
    }

    #[test]
    fn an_unknown_direction_is_wrong_usage() {
        let arguments = ["aerie", "generate", "drone-footage", "--address", "a", "--direction", "up", "-o", "x.mp4"];
        assert_eq!(Arguments::try_parse_from(arguments).unwrap_err().exit_code(), 2);
    }
}
