//! `aerie check-furniture`: reads the operator's own furniture, confined, and prints what it found as JSON.

use std::path::Path;
use std::process::ExitCode;

use aerie_confinement::Confinement;
use aerie_engines::virtual_staging;

use crate::arguments::CheckFurniture;
use crate::config::Config;
use crate::engine_child::access;
use crate::furniture::{Furniture, Listed};
use crate::print;

pub(crate) fn run(config: &Config, options: &CheckFurniture) -> anyhow::Result<ExitCode> {
    aerie_confinement::close_inherited_files();
    let own = config.data_dir.join(virtual_staging::FURNITURE);
    let folder = options.folder.as_deref().unwrap_or(&own);
    let thumbnails = options.thumbnails.as_deref();
    let read = access::with_links(folder);
    let write = thumbnails.into_iter().map(Path::to_owned).collect();
    Confinement { read, write, memory: Some(config.job_memory()), ..Confinement::default() }.apply()?;
    let (models, faults) = virtual_staging::all_pieces(folder);
    let mut pieces = Vec::new();
    for model in models.iter() {
        let Ok(loaded) = model.load() else { continue };
        if let Some(thumbnails) = thumbnails {
            std::fs::write(thumbnails.join(format!("{}.png", model.name)), virtual_staging::thumbnail(loaded)?)?;
        }
        pieces.push(Listed {
            name: model.name.to_string(),
            kind: model.kind.as_str().to_owned(),
            size: model.size.to_array(),
            styles: model.styles.iter().map(|style| style.as_str().to_owned()).collect(),
            license: model.credit.license.clone(),
            attribution: model.credit.attribution.clone(),
            source: model.credit.source.clone(),
            triangles: loaded.piece.mesh.triangles.len(),
            materials: loaded.materials.len(),
        });
    }
    print::json(&Furniture { pieces, faults })?;
    Ok(ExitCode::SUCCESS)
}
