//! `aerie generate`: runs an engine locally, without a server or key. One file per kind.
//!
//! To add a kind, start at `aerie_engine_api::kinds`.

mod drone_footage;
mod film;
mod generator;
mod image_enhance;
mod making;
mod markup;
mod markup_video;
mod photo;
mod video_clip;
mod virtual_staging;

use std::process::ExitCode;

use aerie_domain::JobType;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Subcommand};

use crate::config::Config;
use crate::global::Global;
use generator::{Generator, Options};

/// `aerie generate KIND` with its parsed arguments.
#[derive(Debug)]
pub(crate) struct Generate {
    generator: Box<dyn Generator>,
    credentials: bool,
}

/// The flag of all kinds that embeds Content Credentials.
const CREDENTIALS: &str = "credentials";

/// The command of a kind on the command line.
struct Command {
    name: &'static str,
    declare: fn(clap::Command) -> clap::Command,
    parse: fn(&ArgMatches) -> Result<Generate, clap::Error>,
}

/// The command of a kind. The help text is the doc comment of its `Arguments`.
fn command(kind: JobType) -> Command {
    match kind {
        JobType::DroneFootage => Command::of::<drone_footage::Arguments>("drone-footage"),
        JobType::ImageEnhance => Command::of::<image_enhance::Arguments>("image-enhance"),
        JobType::VirtualStaging => Command::of::<virtual_staging::Arguments>("virtual-staging"),
        JobType::VideoClip => Command::of::<video_clip::Arguments>("video-clip"),
        JobType::Markup => Command::of::<markup::Arguments>("markup"),
        JobType::MarkupVideo => Command::of::<markup_video::Arguments>("markup-video"),
    }
}

impl Command {
    fn of<T: Args + Generator + 'static>(name: &'static str) -> Self {
        let parse = |matches: &ArgMatches| {
            let credentials = matches.get_flag(CREDENTIALS);
            T::from_arg_matches(matches).map(|parsed| Generate { generator: Box::new(parsed), credentials })
        };
        Self { name, declare: |command| T::augment_args(command).arg(flag()), parse }
    }
}

fn flag() -> Arg {
    Arg::new(CREDENTIALS)
        .long(CREDENTIALS)
        .action(ArgAction::SetTrue)
        .help("Embed signed Content Credentials, as the service does; without it, the same input gives the same bytes")
}

impl Generate {
    pub(crate) fn run(&self, config: &Config, global: &Global) -> anyhow::Result<ExitCode> {
        self.generator.run(config, &Options { global, credentials: self.credentials })
    }
}

impl FromArgMatches for Generate {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let command = JobType::ALL.map(command).into_iter().find(|command| command.name == name);
        (command.ok_or_else(|| clap::Error::new(ErrorKind::InvalidSubcommand))?.parse)(matches)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Generate {
    fn augment_subcommands(parent: clap::Command) -> clap::Command {
        let commands = JobType::ALL.map(command);
        parent.subcommands(commands.map(|command| (command.declare)(clap::Command::new(command.name))))
    }

    fn augment_subcommands_for_update(parent: clap::Command) -> clap::Command {
        Self::augment_subcommands(parent)
    }

    fn has_subcommand(name: &str) -> bool {
        JobType::ALL.into_iter().any(|kind| command(kind).name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_named_like_its_kind_and_has_a_help_text() {
        for kind in JobType::ALL {
            let command = command(kind);
            assert_eq!(command.name, kind.as_str().replace('_', "-"));
            let declared = (command.declare)(clap::Command::new(command.name));
            assert!(declared.get_about().is_some(), "{kind}");
        }
    }
}
