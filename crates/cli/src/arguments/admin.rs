//! `aerie admin` on the command line.

use aerie_domain::{JobStatus, JobType, Scopes};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Admin {
    /// Organizations
    #[command(subcommand)]
    Org(AdminOrg),
    /// API keys
    #[command(subcommand)]
    Key(AdminKey),
    /// What an organization is billed
    Usage(AdminUsage),
    /// Jobs of all organizations
    #[command(subcommand)]
    Job(AdminJob),
    /// Remove now what is no longer to be kept: expired media, and files of no job that are an hour old
    Sweep,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminOrg {
    /// Create an organization
    Create {
        /// Its name
        name: String,
        /// Its plan, which limits its keys: starter, growth, enterprise or another of the configuration
        #[arg(long, value_name = "PLAN", default_value = "enterprise")]
        plan: String,
    },
    /// Change an organization's terms at once; what is not named stays
    Set(AdminOrgSet),
    /// List the organizations and their terms
    List,
}

#[derive(Debug, Args)]
pub(crate) struct AdminOrgSet {
    /// The organization's id
    pub(crate) org: String,
    /// Another plan
    #[arg(long, value_name = "PLAN")]
    pub(crate) plan: Option<String>,
    /// Switch a kind of job on; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(crate) enable: Vec<JobType>,
    /// Switch a kind of job off; may be given several times
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(crate) disable: Vec<JobType>,
    /// Most jobs a month (UTC), failed ones not counted; or `none`
    #[arg(long, value_name = "N", value_parser = quota)]
    pub(crate) monthly_quota: Option<Quota>,
    /// Whether a job like one that is queued or running is refused
    #[arg(long, value_name = "on|off", value_parser = PossibleValuesParser::new(["on", "off"]))]
    pub(crate) reject_duplicates: Option<String>,
    /// Days for which media are kept once their job has ended; or `none`, for good
    #[arg(long, value_name = "N", value_parser = days)]
    pub(crate) keep_days: Option<Quota>,
    /// The organization's own price, KIND=CENTS, or KIND=default for the configured one; may be given several times
    #[arg(long, value_name = "KIND=CENTS", value_parser = price)]
    pub(crate) price: Vec<(JobType, Option<u32>)>,
}

/// A number, or none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota(pub(crate) Option<u32>);

fn kind(text: &str) -> Result<JobType, String> {
    let names = JobType::ALL.map(JobType::as_str).join(", ");
    JobType::from_name(text).ok_or_else(|| format!("the kinds are {names}"))
}

fn quota(text: &str) -> Result<Quota, String> {
    let number = || text.parse().map_err(|_| "a number of jobs, or `none`".to_owned());
    if text == "none" { Ok(Quota(None)) } else { number().map(|number| Quota(Some(number))) }
}

fn days(text: &str) -> Result<Quota, String> {
    match quota(text) {
        Ok(Quota(Some(0))) | Err(_) => Err("a number of days, at least 1, or `none`".to_owned()),
        days => days,
    }
}

fn price(text: &str) -> Result<(JobType, Option<u32>), String> {
    let (name, cents) = text.split_once('=').ok_or("KIND=CENTS, or KIND=default")?;
    let number = || cents.parse().map_err(|_| format!("`{cents}` is not a number of cents"));
    Ok((kind(name)?, if cents == "default" { None } else { Some(number()?) }))
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminKey {
    /// Create a key; it is shown this once
    Create {
        /// The organization's id
        #[arg(long, value_name = "ORG")]
        org: String,
        /// What it is good for: any of read, generate and usage, with commas between them
        #[arg(long, value_name = "SCOPES", default_value_t = Scopes::ALL)]
        scope: Scopes,
        /// Last day (UTC) on which it is good, YYYY-MM-DD, or the moment from which on it is not
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// List the keys
    List {
        /// Of this organization alone
        #[arg(long, value_name = "ORG")]
        org: Option<String>,
    },
    /// Revoke a key at once, or let it end later, so that it overlaps with the one that replaces it
    Revoke {
        /// The key's id (not the key)
        key_id: String,
        /// Instead of at once: last day (UTC) on which it is good, YYYY-MM-DD, or the moment from which on it is not
        #[arg(long, value_name = "DATE")]
        at: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AdminUsage {
    /// The organization's id; of all organizations where it is left out, with --csv
    #[arg(long, value_name = "ORG", required_unless_present = "csv")]
    pub(crate) org: Option<String>,
    /// First day [default: the month's first]
    #[arg(long, value_name = "DATE")]
    pub(crate) from: Option<String>,
    /// Last day [default: today]
    #[arg(long, value_name = "DATE")]
    pub(crate) to: Option<String>,
    /// As comma-separated values, a line for each billed job
    #[arg(long)]
    pub(crate) csv: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminJob {
    /// List jobs, newest first
    List {
        /// Of this organization alone
        #[arg(long, value_name = "ORG")]
        org: Option<String>,
        /// In this status alone
        #[arg(long, value_name = "STATUS", value_parser = PossibleValuesParser::new(JobStatus::ALL.map(JobStatus::as_str)))]
        status: Option<String>,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    /// Show all that is known of a job
    Show {
        /// The job's id
        id: String,
    },
    /// Submit a job's input again, as a new job: an ended job never changes
    Retry {
        /// The job's id
        id: String,
    },
    /// Delete a job and its media; its bill stays
    Delete {
        /// The job's id
        id: String,
    },
}
