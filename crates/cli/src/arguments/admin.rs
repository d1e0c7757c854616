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
    /// Operator keys, which open the operator console on the admin listener
    #[command(subcommand)]
    Operator(AdminOperator),
    /// Show usage and cost
    Usage(AdminUsage),
    /// Jobs
    #[command(subcommand)]
    Job(AdminJob),
    /// Public pages that show altered photos beside their originals
    #[command(subcommand)]
    TruthPages(AdminTruthPages),
    /// List the servers and workers that use the database
    Nodes,
    /// Print the certificate by which others verify the Content Credentials of your media
    Credentials,
    /// Remove expired media, and files older than an hour that belong to no job
    Sweep,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminOrg {
    /// Create an organization
    Create {
        /// Name
        name: String,
        /// Plan, which sets rate limits: starter, growth, enterprise, or another from the configuration
        #[arg(long, value_name = "PLAN", default_value = "enterprise")]
        plan: String,
    },
    /// Change an organization's settings; takes effect at once
    Set(AdminOrgSet),
    /// List organizations and their settings
    List,
}

#[derive(Debug, Args)]
pub(crate) struct AdminOrgSet {
    /// Organization id
    pub(crate) org: String,
    /// New plan
    #[arg(long, value_name = "PLAN")]
    pub(crate) plan: Option<String>,
    /// Enable a kind of job; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(crate) enable: Vec<JobType>,
    /// Disable a kind of job; may be repeated
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(crate) disable: Vec<JobType>,
    /// Maximum number of jobs per month (UTC), not counting failed ones; or `none`
    #[arg(long, value_name = "N", value_parser = quota)]
    pub(crate) monthly_quota: Option<Quota>,
    /// Refuse a job equal to one that is queued or running
    #[arg(long, value_name = "on|off", value_parser = PossibleValuesParser::new(["on", "off"]))]
    pub(crate) reject_duplicates: Option<String>,
    /// Days to keep media after their job has ended; or `none` to keep them forever
    #[arg(long, value_name = "N", value_parser = days)]
    pub(crate) keep_days: Option<Quota>,
    /// Disclosure profile of jobs that name none; or `unset` for no default
    #[arg(long, value_name = "NAME")]
    pub(crate) disclosure_profile: Option<String>,
    /// Allow truth pages whatever the disclosure profile of a job says
    #[arg(long, value_name = "on|off", value_parser = PossibleValuesParser::new(["on", "off"]))]
    pub(crate) truth_pages: Option<String>,
    /// Price for this organization, KIND=CENTS, or KIND=default for the configured price; may be repeated
    #[arg(long, value_name = "KIND=CENTS", value_parser = price)]
    pub(crate) price: Vec<(JobType, Option<u32>)>,
}

/// A number, or `none`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota(pub(crate) Option<u32>);

fn kind(text: &str) -> Result<JobType, String> {
    let names = JobType::ALL.map(JobType::as_str).join(", ");
    JobType::from_name(text).ok_or_else(|| format!("expected one of {names}"))
}

fn quota(text: &str) -> Result<Quota, String> {
    let number = || text.parse().map_err(|_| "expected a number of jobs, or `none`".to_owned());
    if text == "none" { Ok(Quota(None)) } else { number().map(|number| Quota(Some(number))) }
}

fn days(text: &str) -> Result<Quota, String> {
    match quota(text) {
        Ok(Quota(Some(0))) | Err(_) => Err("expected a number of days, at least 1, or `none`".to_owned()),
        days => days,
    }
}

fn price(text: &str) -> Result<(JobType, Option<u32>), String> {
    let (name, cents) = text.split_once('=').ok_or("expected KIND=CENTS or KIND=default")?;
    let number = || cents.parse().map_err(|_| format!("`{cents}` is not a number of cents"));
    Ok((kind(name)?, if cents == "default" { None } else { Some(number()?) }))
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminKey {
    /// Create a key; it is shown only once
    Create {
        /// Organization id
        #[arg(long, value_name = "ORG")]
        org: String,
        /// Scopes, separated by commas: read, generate, usage
        #[arg(long, value_name = "SCOPES", default_value_t = Scopes::ALL)]
        scope: Scopes,
        /// Expiry: last valid day (UTC), YYYY-MM-DD, or a time such as 2027-01-31T12:00:00Z
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// List keys
    List {
        /// Only this organization
        #[arg(long, value_name = "ORG")]
        org: Option<String>,
    },
    /// Revoke a key now, or set when it expires so that it overlaps with its replacement
    Revoke {
        /// Key id (not the key itself)
        key_id: String,
        /// Expire later instead: last valid day (UTC), YYYY-MM-DD, or a time such as 2027-01-31T12:00:00Z
        #[arg(long, value_name = "DATE")]
        at: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminOperator {
    /// Create an operator key; it is shown only once
    Create {
        /// Whose key it is, or what for
        name: String,
        /// Expiry: last valid day (UTC), YYYY-MM-DD, or a time such as 2027-01-31T12:00:00Z
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// List operator keys
    List,
    /// Revoke an operator key now; its sessions end
    Revoke {
        /// Key id (not the key itself)
        key_id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AdminUsage {
    /// Organization id; optional with --csv, which then lists all organizations
    #[arg(long, value_name = "ORG", required_unless_present = "csv")]
    pub(crate) org: Option<String>,
    /// First day, YYYY-MM-DD (UTC) [default: first day of this month]
    #[arg(long, value_name = "DATE")]
    pub(crate) from: Option<String>,
    /// Last day, YYYY-MM-DD (UTC) [default: today]
    #[arg(long, value_name = "DATE")]
    pub(crate) to: Option<String>,
    /// Print CSV with one line per billed job
    #[arg(long)]
    pub(crate) csv: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminTruthPages {
    /// List truth pages, newest first, and what their files use
    List {
        /// Only this organization
        #[arg(long, value_name = "ORG")]
        org: Option<String>,
        /// Maximum number of rows
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    /// Put a page under legal hold: it is neither erased nor expires
    Hold {
        /// Code or address of the page
        code: String,
    },
    /// Release a page from legal hold
    Release {
        /// Code or address of the page
        code: String,
    },
    /// Revoke a page and delete its files, unless it is held
    Erase {
        /// Code or address of the page
        code: String,
    },
    /// Revoke all pages of an organization and delete their files, except those that are held
    EraseAll {
        /// Organization id
        #[arg(long, value_name = "ORG")]
        org: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminJob {
    /// List jobs, newest first
    List {
        /// Only this organization
        #[arg(long, value_name = "ORG")]
        org: Option<String>,
        /// Only jobs with this status
        #[arg(long, value_name = "STATUS", value_parser = PossibleValuesParser::new(JobStatus::ALL.map(JobStatus::as_str)))]
        status: Option<String>,
        /// Maximum number of rows
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    /// Show everything recorded about a job
    Show {
        /// Job id
        id: String,
    },
    /// Submit the input of an ended job again, as a new job
    Retry {
        /// Job id
        id: String,
    },
    /// Delete a job and its media; its usage event stays
    Delete {
        /// Job id
        id: String,
    },
}
