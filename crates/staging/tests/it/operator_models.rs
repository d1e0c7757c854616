//! An operator's own furniture, from `.glb` files generated here.
use std::path::Path;

use aerie_furniture::{OperatorModels, PieceKind, StylePrompt};
use aerie_photo::Photo;
use aerie_photo::Picture;
use aerie_staging::{Brief, Effort, Monitor, Room, RoomHints, RoomPlan, decode_pixels};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use aerie_test_data::models::box_model;

const QUICK: Effort = Effort { samples: 2, lit: 1, side: 120, rays: 9 };

/// A box of `size` (X, Y up, Z), all sides textured with one color.
fn a_box(size: [f32; 3], color: [u8; 3], change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let picture = Picture { width: 16, height: 16, pixels: color.repeat(256) };
    box_model(size, &aerie_photo::room::png(&picture).expect("a picture"), change)
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
    let (models, problems) = OperatorModels::read(folder.path(), decode_pixels);
    assert_eq!((models.len(), &problems[..]), (1, &[][..]));
    let photo = photo();
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let staged = |style| {
        let style = StylePrompt::parse(Some(style));
        let brief =
            Brief { plan: RoomPlan::LivingRoom, style: &style, models: &models, seed: 3, asked: None, first: None };
        room.stage(&photo, &brief, &QUICK, &Monitor::NONE).expect("furniture")
    };
    let made = staged("coastal");
    let sofa = made.furniture.iter().find(|f| f.piece == PieceKind::Sofa).expect("a sofa");
    assert_eq!((sofa.model.as_deref(), sofa.size), (Some("oslo"), [1.9, 0.88, 0.7]));
    // Even matt lacquer reflects a twenty-fifth of the white light of the room.
    let is_red = |p: &&[u16; 3]| u32::from(p[0]) > 2 * u32::from(p[1]) && u32::from(p[0]) > 2 * u32::from(p[2]);
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
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| {
                j["extensionsRequired"] = serde_json::json!(["KHR_draco_mesh_compression"])
            }),
            "export it without compression",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["extensionsRequired"] = serde_json::json!(["KHR_texture_basisu"])),
            "export them as PNG or JPEG",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| j["extensionsRequired"] = serde_json::json!(["ACME_fur"])),
            "requires the extension \"ACME_fur\"",
        ),
        ("kind = 'sofa'", good()[..400].to_vec(), "not valid glTF"),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| {
                j["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 7.into();
            }),
            "not valid glTF",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| {
                j["materials"][0]["extensions"]["KHR_materials_sheen"]["sheenColorTexture"]["index"] = 7.into();
            }),
            "texture that does not exist",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| {
                j["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] =
                    serde_json::json!({"KHR_texture_transform": {"scale": [0.0, 0.0]}});
            }),
            "scaled to nothing",
        ),
        (
            "kind = 'sofa'",
            a_box([2.0, 0.8, 0.9], [90; 3], |j| {
                j["materials"][0]["extensions"]["KHR_materials_clearcoat"]["clearcoatFactor"] = "much".into();
            }),
            "materials are not valid",
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
        let (models, problems) = OperatorModels::read(folder.path(), decode_pixels);
        assert_eq!((models.len(), problems.len()), (1, 1), "{entry}: {problems:?}");
        assert!(problems[0].starts_with("a.glb: ") && problems[0].contains(expected), "{entry}: {problems:?}");
    }
}

#[test]
fn a_folder_without_a_manifest_has_no_pieces_and_an_invalid_manifest_is_reported() {
    let empty = tempfile::tempdir().expect("a folder");
    assert_eq!(OperatorModels::read(empty.path(), decode_pixels).1, Vec::<String>::new());
    assert!(OperatorModels::read(Path::new("/nowhere/at/all"), decode_pixels).0.is_empty());
    for (manifest, expected) in
        [("piece = 3", "is not valid"), ("[[piece]]\nfile = 'a'\nkind = 'sofa'\ncolour = 1", "colour")]
    {
        let (models, problems) = OperatorModels::read(folder(manifest, &[]).path(), decode_pixels);
        assert!(models.is_empty() && problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
    }
    let outside = "[[piece]]\nfile = '../../etc/passwd'\nkind = 'sofa'\n";
    assert!(
        OperatorModels::read(folder(outside, &[]).path(), decode_pixels).1[0]
            .contains("below the folder of pieces.toml")
    );
}

#[test]
fn the_files_of_a_measured_catalog_are_read_only_where_they_are_used_and_a_broken_one_is_replaced() {
    let manifest = "[catalog]\nlicense = 'CC-BY-4.0'\nattribution = 'Ada Maker'\n\
                    [[piece]]\nfile = 'good.glb'\nkind = 'sofa'\nwidth = 1.9\nsize = [1.9, 0.8, 0.7]\n\
                    [[piece]]\nfile = 'broken.glb'\nkind = 'coffee table'\nsize = [1.0, 0.6, 0.4]\n\
                    [[piece]]\nfile = 'other.glb'\nkind = 'armchair'\nsize = [0.8, 0.8, 0.8]\n\
                    [[piece]]\nfile = 'missing.glb'\nkind = 'rug'\nsize = [2.0, 1.5, 0.02]\n";
    let files = [
        ("good.glb", a_box([1.9, 0.7, 0.8], [210, 20, 20], |_| ())),
        ("broken.glb", b"glTF and no more".to_vec()),
        ("other.glb", a_box([1.9, 0.7, 0.8], [90; 3], |_| ())),
    ];
    let folder = folder(manifest, &files);
    let (models, problems) = OperatorModels::read(folder.path(), decode_pixels);
    assert_eq!(models.len(), 3, "{problems:?}");
    assert_eq!(problems, ["missing.glb: the file does not exist"]);
    let checked = OperatorModels::check(folder.path(), decode_pixels).1.join("\n");
    assert!(checked.contains("broken.glb: the file is not valid glTF"), "{checked}");
    assert!(checked.contains("other.glb: the model is 1.90 x 0.80 x 0.70 m, and pieces.toml says 0.80"), "{checked}");
    let photo = photo();
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let style = StylePrompt::parse(None);
    let brief = Brief { plan: RoomPlan::LivingRoom, style: &style, models: &models, seed: 3, asked: None, first: None };
    let made = room.stage(&photo, &brief, &QUICK, &Monitor::NONE).expect("furniture");
    let of = |kind| made.furniture.iter().find(|f| f.piece == kind);
    let sofa = serde_json::to_value(of(PieceKind::Sofa).expect("a sofa")).expect("JSON");
    assert_eq!((&sofa["model"], &sofa["license"]), (&"good".into(), &"CC-BY-4.0".into()), "{sofa}");
    assert_eq!(sofa["attribution"], "Ada Maker");
    let table = of(PieceKind::CoffeeTable).expect("a table");
    assert_eq!((&table.model, &table.credit), (&None, &None));
}
