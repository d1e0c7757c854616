//! Point clouds of aerial surveys: roofs inside outlines, trees and ground. Files in, geometry in the file's own coordinate system
//! out, in meters; knows nothing of maps, databases or pictures.

pub mod crs;
pub mod error;
pub mod ground;
pub mod outline;
pub mod reader;
pub mod roof;
pub mod trees;
