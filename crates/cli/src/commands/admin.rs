//! `aerie admin`: organizations, keys, operators, usage, jobs and nodes. It works on the database directly, whether or not a
//! server runs, and takes effect at once.
mod job;
mod key;
mod lookup;
mod nodes;
mod operator;
mod org;
mod truth_pages;
mod usage;

use std::process::ExitCode;

use aerie_storage::SweepReport;

use crate::arguments::{Admin, Global};
use crate::config::Config;
use crate::data::Data;
use crate::{print, signing, sweeping};

pub(crate) fn run(config: &Config, global: &Global, options: &Admin) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let data = Data::open(config).await?;
        match options {
            Admin::Org(options) => org::run(config, &data, global, options).await,
            Admin::Key(options) => key::run(&data, global, options).await,
            Admin::Operator(options) => operator::run(config, &data, global, options).await,
            Admin::Usage(options) => usage::run(&data, global, options).await,
            Admin::TruthPages(options) => truth_pages::run(&data, global, options).await,
            Admin::Nodes => nodes::run(&data, global).await,
            Admin::Credentials => credentials(config, &data, global).await,
            Admin::Sweep => sweep(config, &data, global).await,
            Admin::Job(options) => job::run(config, &data, global, options).await,
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn credentials(config: &Config, data: &Data, global: &Global) -> anyhow::Result<()> {
    let certificate = signing::certificate(config, &*data.store).await?;
    if global.json {
        return print::json(&serde_json::json!({"certificate": certificate}));
    }
    print::line(certificate.trim_end());
    Ok(())
}

async fn sweep(config: &Config, data: &Data, global: &Global) -> anyhow::Result<()> {
    let grace = aerie_storage::retention::GRACE;
    let SweepReport { expired, files, bytes } =
        sweeping::sweep(&*data.store, (&data.media, data.local_media.as_ref()), &config.data_dir, grace).await?;
    if global.json {
        return print::json(&serde_json::json!({"expired_jobs": expired, "files": files, "bytes": bytes}));
    }
    print::line(&format!("Removed {files} files ({} MiB); the media of {expired} jobs had expired", bytes >> 20));
    Ok(())
}
