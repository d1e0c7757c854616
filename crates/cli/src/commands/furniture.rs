//! `aerie furniture`: the operator's own furniture in the data folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aerie_engine_api::{FURNITURE, FURNITURE_MANIFEST as MANIFEST, Furniture, PieceOfFurniture};
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arguments::{FurnitureAdd, FurnitureCommand, Global};
use crate::config::Config;
use crate::furniture;
use crate::print;
use crate::table::table;

/// Folder of the pictures of pieces.
const THUMBNAILS: &str = "thumbnails";

pub(crate) fn run(config: &Config, global: &Global, command: &FurnitureCommand) -> anyhow::Result<ExitCode> {
    let folder = config.data_dir.join(FURNITURE);
    match command {
        FurnitureCommand::Add(options) => add((config, &folder), global, options),
        FurnitureCommand::List => show(&furniture::check(config)?, global, false),
        FurnitureCommand::Check => show(&furniture::check(config)?, global, true),
        FurnitureCommand::Remove { names } => remove(&folder, global, names),
    }
}

/// A manifest, as far as commands change it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    catalog: toml::Table,
    #[serde(default)]
    piece: Vec<toml::Table>,
}

impl Manifest {
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join(MANIFEST);
        match fs::read_to_string(&file) {
            Ok(text) => toml::from_str(&text).with_context(|| format!("{} is not valid", file.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
        }
    }

    /// Replaces the manifest of a folder at once.
    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, toml::to_string(self)?.as_bytes())?;
        file.as_file().sync_all()?;
        // As readable as the folder is: temporary files are private.
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(folder)?.permissions()) & 0o666;
        fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(mode))?;
        file.persist(folder.join(MANIFEST))?;
        Ok(())
    }
}

fn file_of(entry: &toml::Table) -> &str {
    entry.get("file").and_then(toml::Value::as_str).unwrap_or_default()
}

fn name_of(file: &str) -> String {
    Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn add((config, folder): (&Config, &Path), global: &Global, options: &FurnitureAdd) -> anyhow::Result<ExitCode> {
    let entries = entries(options)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut manifest = Manifest::read(folder)?;
    for (_, entry) in &entries {
        let name = name_of(file_of(entry));
        ensure!(
            !manifest.piece.iter().any(|piece| name_of(file_of(piece)) == name),
            "there is a piece named {name} already; remove it with `aerie furniture remove {name}`, or rename the file"
        );
    }
    // Everything is read before anything is added.
    let staging = tempfile::Builder::new().prefix(".new-").tempdir_in(folder)?;
    let thumbnails = staging.path().join(THUMBNAILS);
    fs::create_dir(&thumbnails)?;
    let mut new = Manifest::default();
    for (path, entry) in &entries {
        let file = file_of(entry).to_owned();
        fs::copy(path, staging.path().join(&file)).with_context(|| format!("cannot read {}", path.display()))?;
        new.piece.push(entry.clone());
    }
    new.write(staging.path())?;
    let read = furniture::read(config, staging.path(), Some(&thumbnails))?;
    if !read.faults.is_empty() {
        read.faults.iter().for_each(|fault| print::error(fault));
        bail!("nothing was added");
    }
    fs::create_dir_all(folder.join(THUMBNAILS))?;
    for entry in &mut new.piece {
        let file = file_of(entry).to_owned();
        let name = name_of(&file);
        let listed = read.pieces.iter().find(|piece| piece.name == name).context("a piece was not read")?;
        let size = listed.size.map(|side| toml::Value::Float((f64::from(side) * 1000.0).round() / 1000.0));
        entry.insert("size".to_owned(), toml::Value::Array(size.to_vec()));
        fs::rename(staging.path().join(&file), folder.join(&file))?;
        let picture = format!("{name}.png");
        fs::rename(thumbnails.join(&picture), folder.join(THUMBNAILS).join(&picture))?;
    }
    manifest.piece.append(&mut new.piece);
    manifest.write(folder)?;
    if global.json {
        print::json(&json!({"added": read.pieces}))?;
    } else {
        print::line(&listing(&read.pieces));
    }
    Ok(ExitCode::SUCCESS)
}

/// The models to add, each with its file and its entry in the manifest.
fn entries(options: &FurnitureAdd) -> anyhow::Result<Vec<(PathBuf, toml::Table)>> {
    if let [catalog] = &options.files[..]
        && catalog.is_dir()
    {
        return catalog_entries(catalog, options);
    }
    let kind = options.kind.as_ref().context("name what the models are with --kind, for example --kind sofa")?;
    let license = options.license.as_ref().context(
        "name the license of the models with --license, for example --license CC-BY-4.0, or --license \"own work\"",
    )?;
    let by_others = license.to_uppercase().starts_with("CC-BY");
    ensure!(
        !by_others || options.attribution.is_some(),
        "{license} asks for the author's name: give it with --attribution"
    );
    let one = |path: &PathBuf| -> anyhow::Result<(PathBuf, toml::Table)> {
        let file = path.file_name().and_then(|name| name.to_str()).context("a file has no readable name")?;
        let mut entry = toml::Table::new();
        let mut put = |key: &str, value: Option<toml::Value>| {
            if let Some(value) = value {
                entry.insert(key.to_owned(), value);
            }
        };
        let text = |text: &String| toml::Value::String(text.clone());
        put("file", Some(toml::Value::String(file.to_owned())));
        put("kind", Some(text(kind)));
        let styles = || toml::Value::Array(options.styles.iter().map(text).collect());
        put("styles", (!options.styles.is_empty()).then(styles));
        put("width", options.width.map(|width| toml::Value::Float((f64::from(width) * 1000.0).round() / 1000.0)));
        put("front", options.front.as_ref().map(text));
        put("license", Some(text(license)));
        put("attribution", options.attribution.as_ref().map(text));
        put("source", options.source.as_ref().map(text));
        Ok((path.clone(), entry))
    };
    options.files.iter().map(one).collect()
}

/// The models of a catalog: a folder with a manifest.
fn catalog_entries(catalog: &Path, options: &FurnitureAdd) -> anyhow::Result<Vec<(PathBuf, toml::Table)>> {
    ensure!(
        options.kind.is_none() && options.width.is_none() && options.front.is_none() && options.styles.is_empty(),
        "the {MANIFEST} of a catalog says what its models are: --kind, --styles, --width and --front are for single files"
    );
    let manifest = Manifest::read(catalog)?;
    ensure!(!manifest.piece.is_empty(), "{} has no {MANIFEST} with pieces", catalog.display());
    let given = [("license", &options.license), ("attribution", &options.attribution), ("source", &options.source)];
    let one = |mut entry: toml::Table| {
        let file = file_of(&entry).to_owned();
        for (key, given) in given {
            let common = given.clone().map(toml::Value::String).or_else(|| manifest.catalog.get(key).cloned());
            if let Some(value) = common.filter(|_| !entry.contains_key(key)) {
                entry.insert(key.to_owned(), value);
            }
        }
        ensure!(
            entry.contains_key("license"),
            "{file} has no license: give `license` in {MANIFEST}, or --license for all that have none"
        );
        let flat = Path::new(&file).file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let is_inside = Path::new(&file).components().all(|c| matches!(c, std::path::Component::Normal(_)));
        ensure!(is_inside && !flat.is_empty(), "`file` must be a path below the folder of {MANIFEST}, without `..`");
        entry.insert("file".to_owned(), toml::Value::String(flat));
        // Sizes of others are measured again.
        entry.remove("size");
        Ok((catalog.join(&file), entry))
    };
    manifest.piece.clone().into_iter().map(one).collect()
}

fn remove(folder: &Path, global: &Global, names: &[String]) -> anyhow::Result<ExitCode> {
    let mut manifest = Manifest::read(folder)?;
    let is_known = |name: &String| manifest.piece.iter().any(|piece| name_of(file_of(piece)) == *name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        bail!("there is no piece named {unknown}; `aerie furniture list` shows all");
    }
    let (gone, kept): (Vec<_>, Vec<_>) =
        manifest.piece.into_iter().partition(|piece| names.contains(&name_of(file_of(piece))));
    manifest.piece = kept;
    manifest.write(folder)?;
    for entry in &gone {
        let file = file_of(entry);
        let picture = folder.join(THUMBNAILS).join(format!("{}.png", name_of(file)));
        for path in [folder.join(file), picture] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove {}", path.display()));
                }
                _ => {}
            }
        }
    }
    if global.json {
        print::json(&json!({"removed": names}))?;
    } else {
        print::line(&format!("Removed {}", names.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the pieces of a folder; with `is_check`, faults are a failure.
fn show(furniture: &Furniture, global: &Global, is_check: bool) -> anyhow::Result<ExitCode> {
    if global.json {
        print::json(furniture)?;
    } else {
        if furniture.pieces.is_empty() {
            print::line("No furniture of your own; add some with `aerie furniture add`");
        } else {
            print::line(&listing(&furniture.pieces));
        }
        furniture.faults.iter().for_each(|fault| print::error(fault));
    }
    Ok(if is_check && !furniture.faults.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn listing(pieces: &[PieceOfFurniture]) -> String {
    let row = |piece: &PieceOfFurniture| {
        vec![
            piece.name.clone(),
            piece.kind.clone(),
            piece.size.map(|side| format!("{side:.2}")).join(" x "),
            if piece.styles.is_empty() { "all".to_owned() } else { piece.styles.join(", ") },
            piece.license.clone().unwrap_or_default(),
            piece.attribution.clone().unwrap_or_default(),
            piece.triangles.to_string(),
        ]
    };
    let headings = ["name", "kind", "meters", "styles", "license", "attribution", "triangles"];
    table(&headings, &pieces.iter().map(row).collect::<Vec<_>>())
}
