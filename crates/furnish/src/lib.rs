//! Furniture for rooms understood from one photo.
pub mod arrange;
pub mod chance;
pub mod composite;
pub mod grid;
pub mod light;
pub mod material;
pub mod mesh;
pub mod pieces;
pub mod shape;
pub mod site;
pub mod space;
pub mod style;
pub mod trace;
