//! Damaged backups, each restored over a data folder that must not change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::archive::{Archive, files};
use crate::campaigns::Finding;
use crate::run;

/// Damage to a backup; returns the file that a message must name.
type Damage = fn(&Path) -> &'static str;

const DAMAGES: &[(&str, Damage)] = &[
    ("emptied database", |backup| {
        std::fs::write(backup.join("aerie.db"), "").expect("the file can be written");
        "aerie.db"
    }),
    ("truncated database", |backup| {
        let bytes = std::fs::read(backup.join("aerie.db")).expect("a file");
        std::fs::write(backup.join("aerie.db"), &bytes[..bytes.len() / 2]).expect("the file can be written");
        "aerie.db"
    }),
    ("flipped byte in the database", |backup| {
        flip(&backup.join("aerie.db"));
        "aerie.db"
    }),
    ("flipped byte in a media file", |backup| {
        flip(&media_file(backup));
        "video.mp4"
    }),
    ("missing media file", |backup| {
        std::fs::remove_file(media_file(backup)).expect("the file exists");
        "video.mp4"
    }),
    ("symbolic link in place of a media file", |backup| {
        let file = media_file(backup);
        std::fs::rename(&file, backup.join("elsewhere")).expect("the file exists");
        std::os::unix::fs::symlink(backup.join("elsewhere"), &file).expect("a link");
        "video.mp4"
    }),
    ("missing map", |backup| {
        std::fs::remove_file(backup.join("data/pack/region.gpkg")).expect("the file exists");
        "region.gpkg"
    }),
    ("another database beside it", |backup| {
        std::fs::write(backup.join("aerie.db-wal"), "pages").expect("the file can be written");
        "aerie.db-wal"
    }),
    ("manifest with ../", |backup| {
        change_manifest(backup, |text| text.replacen("\"media/", "\"../media/", 1));
        "backup.json"
    }),
    ("manifest with an absolute path", |backup| {
        change_manifest(backup, |text| text.replacen("\"media/", "\"/tmp/media/", 1));
        "backup.json"
    }),
    ("manifest with one more job", |backup| {
        change_manifest(backup, |text| {
            text.replacen("\"jobs\":", "\"jobs\":1", 1).replacen("\"jobs\": ", "\"jobs\": 1", 1)
        });
        "backup.json"
    }),
    ("no manifest", |backup| {
        std::fs::remove_file(backup.join("backup.json")).expect("the file exists");
        "backup.json"
    }),
];

/// Restores damaged copies of a backup, and an intact one.
pub(super) fn check(data: &Path) -> Finding {
    let archive = Archive::new(data);
    let mut missed = Vec::new();
    let intact = archive.copy("intact");
    if let Err(why) = archive.restores(&intact) {
        missed.push(format!("the intact backup: {why}"));
    }
    for (number, (name, damage)) in DAMAGES.iter().enumerate() {
        let backup = archive.copy(&number.to_string());
        let named = damage(&backup);
        if let Err(why) = refuses(data, &backup, named) {
            missed.push(format!("{name}: {why}"));
        }
    }
    let of = DAMAGES.len();
    Finding {
        held: missed.is_empty(),
        measured: match missed.is_empty() {
            true => format!(
                "{of} kinds of damage, each refused by verify and by restore, with the file named and nothing changed"
            ),
            false => format!("{} of {of} kinds of damage not refused: {}", missed.len(), missed.join("; ")),
        },
    }
}

/// Checks that a backup is refused by `backup --verify` and by `restore --force`, which changes nothing.
fn refuses(data: &Path, backup: &Path, named: &str) -> Result<(), String> {
    let target = data.with_extension("target");
    std::fs::create_dir_all(target.join("media")).expect("a folder");
    std::fs::write(target.join("aerie.db"), "what was there").expect("a file");
    let before: BTreeMap<PathBuf, Vec<u8>> = files(&target);
    let backup = backup.to_str().expect("a path");
    let restored = run(&["restore", "--force", backup], &target);
    let after = files(&target);
    std::fs::remove_dir_all(&target).expect("the folder exists");
    let error = String::from_utf8_lossy(&restored.stderr).trim().to_owned();
    if restored.status.code() != Some(1) {
        return Err(format!("restore exits {:?}", restored.status.code()));
    }
    if before != after {
        return Err("restore changed the data folder".to_owned());
    }
    if !error.contains(named) {
        return Err(format!("restore does not name {named}: {error}"));
    }
    let verified = run(&["backup", "--verify", backup, "--json"], &target);
    let report: Value = serde_json::from_slice(&verified.stdout).unwrap_or_default();
    if verified.status.code() != Some(1) || report["ok"] != false || !report.to_string().contains(named) {
        return Err(format!("verify exits {:?}: {report}", verified.status.code()));
    }
    Ok(())
}

fn media_file(backup: &Path) -> PathBuf {
    let media = backup.join("media");
    media.join(files(&media).into_keys().next().expect("a media file"))
}

/// Flips a bit in the middle.
fn flip(file: &Path) {
    let mut bytes = std::fs::read(file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(file, bytes).expect("the file can be written");
}

fn change_manifest(backup: &Path, change: impl Fn(&str) -> String) {
    let file = backup.join("backup.json");
    let text = std::fs::read_to_string(&file).expect("a manifest");
    std::fs::write(&file, change(&text)).expect("the file can be written");
}
