//! Furniture.

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::json;

use super::pictures::written;
use crate::Seed;

pub(crate) fn all() -> Vec<Seed> {
    vec![("furniture_model", "wedge", wedge())]
}

/// A wedge of four triangles with a texture, binary glTF.
fn wedge() -> Vec<u8> {
    let places: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.8, 0.9], [1.0, 0.0, 0.9]];
    let indices: [u16; 12] = [0, 1, 2, 1, 3, 2, 3, 0, 2, 0, 3, 1];
    let texture = DynamicImage::ImageRgb8(RgbImage::from_pixel(16, 16, Rgb([90, 60, 30])));
    let texture = written(&texture, ImageFormat::Png);
    let mut bin: Vec<u8> = places.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    bin.extend(places.iter().flat_map(|p| [p[0] / 2.0, p[1]]).flat_map(f32::to_le_bytes));
    bin.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    let at = bin.len();
    bin.extend(&texture);
    bin.resize(bin.len().next_multiple_of(4), 0);
    let json = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "children": [1], "scale": [1, 1, 1]}, {"translation": [0, 0, 0.1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": 0.9}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "buffers": [{"byteLength": bin.len()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 32},
            {"buffer": 0, "byteOffset": 80, "byteLength": 24},
            {"buffer": 0, "byteOffset": at, "byteLength": texture.len()},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [2, 0.8, 0.9]},
            {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
    });
    aerie_test_data::glb(json.to_string(), &bin)
}
