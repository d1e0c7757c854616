//! An operator's own furniture, from `.glb` files generated here.
use std::path::Path;

use aerie_photo::Photo;
use aerie_photo::Picture;
use aerie_staging::{Brief, Effort, Monitor, OperatorModels, PieceKind, Room, RoomHints, RoomPlan, StylePrompt};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};

const QUICK: Effort = Effort { samples: 2, lit: 1, side: 120, rays: 9 };

/// A box of `size` (X, Y up, Z), its corner at the origin, all sides textured with one color.
fn a_box(size: [f32; 3], color: [u8; 3], change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
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
    let picture = Picture { width: 16, height: 16, pixels: color.repeat(256) };
    let picture = aerie_photo::room::png(&picture).expect("a picture");
    let mut bin: Vec<u8> = places.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    bin.extend(places.iter().flat_map(|_| [0.5_f32, 0.5]).flat_map(f32::to_le_bytes));
    let indices_at = bin.len();
    bin.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    let picture_at = bin.len();
    bin.extend(&picture);
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut json = serde_json::json!({
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
    aerie_test_data::glb(json.to_string(), &bin)
}

fn folder(manifest: &str, files: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("pieces.toml"), manifest).expect("written");
    files.iter().for_each(|(name, bytes)| std::fs::write(folder.path().join(name), bytes).expect("written"));
    folder
}

fn photo() -> Photo {
    let style = Style { width: 480, height: 320, casual: 0.0, ..Style::default() };
    let imagined = imagine(2, &style);
    LitRoom::new(imagined.room).view(&imagined.viewpoint, 2).developed(&Developing::default())
}

#[test]
fn an_operators_sofa_stands_where_a_sofa_would_in_its_own_color_and_is_reported_by_its_name() {
    // Modeled in centimeters, 190 wide across Z, its front towards -X.
    let sofa = a_box([88.0, 70.0, 190.0], [210, 20, 20], |_| ());
    let manifest = "[[piece]]\nfile = 'oslo.glb'\nkind = 'sofa'\nwidth = 1.9\nfront = '-x'\nstyles = ['coastal']\n";
    let folder = folder(manifest, &[("oslo.glb", sofa)]);
    let (models, problems) = OperatorModels::read(folder.path());
    assert_eq!((models.len(), &problems[..]), (1, &[][..]));
    let photo = photo();
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let staged = |style| {
        let style = StylePrompt::parse(Some(style));
        let brief = Brief { plan: RoomPlan::LivingRoom, style: &style, models: &models, seed: 3 };
        room.stage(&photo, &brief, &QUICK, &Monitor::NONE).expect("furniture")
    };
    let made = staged("coastal");
    let sofa = made.furniture.iter().find(|f| f.piece == PieceKind::Sofa).expect("a sofa");
    assert_eq!((sofa.model.as_deref(), sofa.size), (Some("oslo"), [1.9, 0.88, 0.7]));
    let is_red = |p: &&[u16; 3]| u32::from(p[0]) > 3 * u32::from(p[1]) && u32::from(p[0]) > 3 * u32::from(p[2]);
    let red = made.picture.pixels.iter().filter(is_red).count();
    assert!(red > 400 && photo.pixels.iter().filter(is_red).count() < red / 10, "{red} pixels are red");
    // The model is not used in other styles.
    assert!(staged("modern").furniture.iter().all(|f| f.model.is_none()));
}

/// A box of five thousand parts that are the same.
fn repeated(json: &mut serde_json::Value) {
    let part = json["meshes"][0]["primitives"][0].clone();
    json["meshes"][0]["primitives"] = vec![part; 5000].into();
}

/// A million vertices, all at the origin but one, in each of two parts.
fn sparse(json: &mut serde_json::Value) {
    json["accessors"][0] = serde_json::json!({
        "componentType": 5126, "count": 1_000_000, "type": "VEC3", "min": [0, 0, 0], "max": [2, 0.8, 0.9],
        "sparse": {"count": 1, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 0}},
    });
    let part = json["meshes"][0]["primitives"][0].clone();
    json["meshes"][0]["primitives"] = vec![part; 2].into();
}

/// Sixty nodes, each of which has the next one as a child twice.
fn branching(json: &mut serde_json::Value) {
    let node = |i: usize| if i < 59 { serde_json::json!({"children": [i + 1, i + 1]}) } else { serde_json::json!({}) };
    json["nodes"] = (0..60).map(node).collect();
}

#[test]
fn an_unusable_model_is_left_out_and_its_problem_and_fix_are_reported() {
    let good = || a_box([2.0, 0.8, 0.9], [90; 3], |_| ());
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("kind = 'throne'", good(), "must be one of: armchair"),
        ("kind = 'sofa'\nstyles = ['baroque']", good(), "`styles` contains \"baroque\""),
        ("kind = 'sofa'\nwidth = 90.0", good(), "`width` is 90"),
        ("kind = 'sofa'", a_box([200.0, 80.0, 90.0], [90; 3], |_| ()), "set `width` to the true width in meters"),
        ("kind = 'sofa'", b"solid text".to_vec(), "not binary glTF"),
        ("kind = 'sofa'", good()[..400].to_vec(), "not valid glTF"),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["materials"][0]["alphaMode"] = "BLEND".into()),
            "transparent",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["images"][0] = serde_json::json!({"uri": "x.png"})),
            "outside the file",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["meshes"][0]["primitives"][0]["mode"] = 1.into()),
            "triangulate",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["nodes"][0]["scale"] = serde_json::json!([3e38, 1, 1])),
            "not finite",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["accessors"][0]["count"] = 1_000_000_000_u64.into()),
            "more than 400000 triangles",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["accessors"][0]["count"] = 900_000.into()),
            "vertices are stored outside the file",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["accessors"][2]["count"] = 90_000.into()),
            "indices are stored outside the file",
        ),
        ("kind = 'sofa'", a_box([2.0, 0.8, 0.9], [90; 3], branching), "more than 20000 nodes"),
        ("kind = 'sofa'", a_box([2.0, 0.8, 0.9], [90; 3], repeated), "more than 4096 parts"),
        ("kind = 'sofa'", a_box([2.0, 0.8, 0.9], [90; 3], sparse), "more than 400000 triangles"),
    ];
    for (entry, file, expected) in cases {
        let manifest = format!("[[piece]]\nfile = 'a.glb'\n{entry}\n[[piece]]\nfile = 'b.glb'\nkind = 'sofa'\n");
        let folder = folder(&manifest, &[("a.glb", file), ("b.glb", good())]);
        let (models, problems) = OperatorModels::read(folder.path());
        assert_eq!((models.len(), problems.len()), (1, 1), "{entry}: {problems:?}");
        assert!(problems[0].starts_with("a.glb: ") && problems[0].contains(expected), "{entry}: {problems:?}");
    }
}

#[test]
fn a_folder_without_a_manifest_has_no_pieces_and_an_invalid_manifest_is_reported() {
    let empty = tempfile::tempdir().expect("a folder");
    assert_eq!(OperatorModels::read(empty.path()).1, Vec::<String>::new());
    assert!(OperatorModels::read(Path::new("/nowhere/at/all")).0.is_empty());
    for (manifest, expected) in
        [("piece = 3", "is not valid"), ("[[piece]]\nfile = 'a'\nkind = 'sofa'\ncolour = 1", "colour")]
    {
        let (models, problems) = OperatorModels::read(folder(manifest, &[]).path());
        assert!(models.is_empty() && problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
    }
    let outside = "[[piece]]\nfile = '../../etc/passwd'\nkind = 'sofa'\n";
    assert!(OperatorModels::read(folder(outside, &[]).path()).1[0].contains("below the folder of pieces.toml"));
}
