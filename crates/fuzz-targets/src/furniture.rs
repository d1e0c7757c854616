//! Furniture of an operator.

use std::fs;

use aerie_furniture::OperatorModels;
use aerie_furniture::operator_models::MANIFEST;
use aerie_staging::decode_pixels;

/// A model of a sofa, `.glb`.
pub fn furniture_model(bytes: &[u8]) {
    let folder = super::folder();
    fs::write(folder.path().join(MANIFEST), "[[piece]]\nfile = 'a.glb'\nkind = 'sofa'\nwidth = 2.0\n").expect("a file");
    fs::write(folder.path().join("a.glb"), bytes).expect("a file");
    let (models, problems) = OperatorModels::read(folder.path(), decode_pixels);
    assert_eq!(models.len() + problems.len(), 1, "a model is read, or its problem is reported");
    assert!(problems.iter().all(|problem| problem.starts_with("a.glb: ") && problem.len() < 1000), "{problems:?}");
    let again = OperatorModels::read(folder.path(), decode_pixels);
    assert_eq!((again.0.len(), again.1), (models.len(), problems));
}
