//! `aerie pack`: maps and furniture for all workers, through the media store. Workers notice a change by themselves.

use std::process::ExitCode;

use aerie_storage::{Pack, PackManifest, PackSource, pack_files};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::arguments::{self, Global, PackPublish};
use crate::config::Config;
use crate::data::Data;
use crate::escape::escape;
use crate::print;
use crate::table::table;

pub(crate) fn run(config: &Config, global: &Global, options: &arguments::Pack) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let data = Data::open(config).await?;
        match options {
            arguments::Pack::Publish(options) => publish(config, &data, global, options).await,
            arguments::Pack::List => list(&data, global).await,
            arguments::Pack::Use { pack } => {
                data.store.pack_use(pack.0).await??;
                if global.json {
                    return print::json(&json!({"pack": pack.0}));
                }
                print::line(&match pack.0 {
                    Some(pack) => format!("Workers use the pack {pack} from their next job on"),
                    None => {
                        "Workers use the maps and furniture of their own data folders from their next job on".to_owned()
                    }
                });
                Ok(())
            }
            arguments::Pack::Remove { pack } => {
                let files = pack_files::remove(&*data.store, &data.media, *pack).await?;
                if global.json {
                    return print::json(&json!({"pack": pack, "deleted": true, "files": files}));
                }
                print::line(&format!("Removed the pack {pack} and {files} files that no other pack has"));
                Ok(())
            }
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn publish(config: &Config, data: &Data, global: &Global, options: &PackPublish) -> anyhow::Result<()> {
    let from = options.from.as_ref().unwrap_or(&config.data_dir);
    let bar = ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    let show = |what: &str, file: &str| {
        bar.set_message(format!("{what} {}", escape(file)));
        bar.tick();
    };
    let cannot = || format!("cannot publish the maps of {}", from.display());
    let source = PackSource::read(from, &|file| show("reading", file)).with_context(cannot)?;
    let sending = |file: &str| show("storing", file);
    let upload = source.publish(&*data.store, &data.media, options.again, &sending).await.with_context(cannot)?;
    bar.finish_and_clear();
    let (manifest, id) = (&source.manifest, source.manifest.id());
    if !manifest.has_maps() {
        print::note("warning: the pack has furniture and no maps: workers render the sample town");
    }
    if global.json {
        return print::json(&json!({
            "pack": id, "files": manifest.files().len(), "bytes": manifest.size(),
            "sent_files": upload.sent, "sent_bytes": upload.sent_bytes,
        }));
    }
    print::line(&format!(
        "Published the pack {id}: {} files, {} MiB, of which {} MiB were sent",
        manifest.files().len(),
        manifest.size() >> 20,
        upload.sent_bytes >> 20
    ));
    print::line("Workers use it from their next job on");
    Ok(())
}

async fn list(data: &Data, global: &Global) -> anyhow::Result<()> {
    let packs = data.store.pack_list().await?;
    if global.json {
        return print::json(&Value::Array(packs.iter().map(described).collect()));
    }
    print::line(&table(&["PACK", "STATUS", "FILES", "MIB", "CREATED"], &packs.iter().map(row).collect::<Vec<_>>()));
    if packs.iter().all(|pack| pack.current_since.is_none()) {
        print::note("workers use the maps and furniture of their own data folders");
    }
    Ok(())
}

fn described(pack: &Pack) -> Value {
    let (files, bytes) = contents(pack).unzip();
    json!({
        "pack": pack.id,
        "status": status(pack),
        "files": files,
        "bytes": bytes,
        "created_at": print::time(pack.created_at),
        "published_at": pack.published_at.map(print::time),
        "current_since": pack.current_since.map(print::time),
    })
}

fn row(pack: &Pack) -> Vec<String> {
    let (files, bytes) = contents(pack).unwrap_or_default();
    vec![
        pack.id.to_string(),
        status(pack).to_owned(),
        files.to_string(),
        (bytes >> 20).to_string(),
        print::time(pack.created_at),
    ]
}

/// Number of files and total size in bytes, if this version can read the manifest.
fn contents(pack: &Pack) -> Option<(usize, u64)> {
    let manifest = PackManifest::parse(pack.id, pack.manifest.as_bytes()).ok()?;
    Some((manifest.files().len(), manifest.size()))
}

fn status(pack: &Pack) -> &'static str {
    match pack {
        Pack { is_removed: true, .. } => "being removed",
        Pack { current_since: Some(_), .. } => "current",
        Pack { published_at: None, .. } => "incomplete",
        _ => "published",
    }
}
