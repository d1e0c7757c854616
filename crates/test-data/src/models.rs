//! Furniture models, binary glTF.

use serde_json::{Value, json};

/// A box of `size` (X, Y up, Z), its corner at the origin. All of it has one material, with the picture as its color and texture
/// coordinates in the middle. `change` changes its description.
#[must_use]
pub fn box_model(size: [f32; 3], picture: &[u8], change: impl Fn(&mut Value)) -> Vec<u8> {
    let mut places: Vec<[f32; 3]> = Vec::new();
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let turned = if side > 0.5 {
                [(0., 0.), (1., 0.), (1., 1.), (0., 1.)]
            } else {
                [(0., 0.), (0., 1.), (1., 1.), (1., 0.)]
            };
            for (a, b) in turned {
                let mut p = [0.0; 3];
                (p[axis], p[u], p[v]) = (side * size[axis], a * size[u], b * size[v]);
                places.push(p);
            }
        }
    }
    let indices: Vec<u16> = (0..6).flat_map(|f| [0, 1, 2, 0, 2, 3].map(|i| f * 4 + i)).collect();
    let mut bin: Vec<u8> = places.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    bin.extend(places.iter().flat_map(|_| [0.5_f32, 0.5]).flat_map(f32::to_le_bytes));
    let indices_at = bin.len();
    bin.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    let picture_at = bin.len();
    bin.extend(picture);
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut json = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.0, "roughnessFactor": 0.9}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "buffers": [{"byteLength": bin.len()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 288},
            {"buffer": 0, "byteOffset": 288, "byteLength": 192},
            {"buffer": 0, "byteOffset": indices_at, "byteLength": 72},
            {"buffer": 0, "byteOffset": picture_at, "byteLength": picture.len()},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 24, "type": "VEC3", "min": [0, 0, 0], "max": size},
            {"bufferView": 1, "componentType": 5126, "count": 24, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
    });
    change(&mut json);
    crate::glb(json.to_string(), &bin)
}

/// The same of one color (red, green, blue, alpha), without a picture.
#[must_use]
pub fn plain_box(size: [f32; 3], color: [f32; 4]) -> Vec<u8> {
    box_model(size, &[], |json| {
        for unused in ["textures", "images"] {
            json.as_object_mut().expect("an object").remove(unused);
        }
        json["bufferViews"].as_array_mut().expect("a list").truncate(3);
        json["materials"][0]["pbrMetallicRoughness"] =
            json!({"baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 0.9});
    })
}
