//! Reads the operator's own furniture.

use std::path::Path;

use aerie_engine_api::{Furniture, PieceOfFurniture};
use aerie_engines::virtual_staging;

pub(super) fn read(folder: &Path, thumbnails: Option<&Path>) -> anyhow::Result<Furniture> {
    let (models, faults) = virtual_staging::all_pieces(folder);
    let mut pieces = Vec::new();
    for model in models.iter() {
        let Ok(loaded) = model.load() else { continue };
        if let Some(thumbnails) = thumbnails {
            std::fs::write(thumbnails.join(format!("{}.png", model.name)), virtual_staging::thumbnail(loaded)?)?;
        }
        pieces.push(PieceOfFurniture {
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
    Ok(Furniture { pieces, faults })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_manifest_has_the_name_that_the_caller_knows() {
        assert_eq!(aerie_engines::virtual_staging::MANIFEST, aerie_engine_api::FURNITURE_MANIFEST);
    }
}
