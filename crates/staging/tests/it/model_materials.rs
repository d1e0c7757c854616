//! How the materials of an operator's models look: boxes with one material each, seen in the studio.
use aerie_furniture::OperatorModels;
use aerie_photo::Picture;
use aerie_staging::{Effort, decode_pixels, studio};
use aerie_test_data::models::plain_box;
use serde_json::{Value, json};

const SIDE: usize = 96;

/// A picture of a box whose material is changed.
fn seen(color: [f32; 4], material: Value) -> Picture {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("pieces.toml"), "[[piece]]\nfile = 'a.glb'\nkind = 'pouf'\n").expect("written");
    let mut file = plain_box([0.5, 0.5, 0.5], color);
    // The description is changed in place, padded with blanks.
    let length = u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize;
    let mut described: Value = serde_json::from_slice(&file[20..20 + length]).expect("JSON");
    for (key, value) in material.as_object().expect("an object") {
        match key.as_str() {
            "pbrMetallicRoughness" => {
                for (key, value) in value.as_object().expect("an object") {
                    described["materials"][0]["pbrMetallicRoughness"][key] = value.clone();
                }
            }
            _ => described["materials"][0][key] = value.clone(),
        }
    }
    let buffer = file.split_off(20 + length)[8..].to_vec();
    std::fs::write(folder.path().join("a.glb"), aerie_test_data::glb(described.to_string(), &buffer)).expect("written");
    let (models, problems) = OperatorModels::check(folder.path(), decode_pixels);
    assert_eq!(problems, Vec::<String>::new());
    let loaded = models.iter().next().expect("a model").load().expect("contents");
    let effort = Effort { samples: 12, lit: 1, side: SIDE, rays: 36 };
    studio::picture(&loaded.piece, &loaded.materials, SIDE, 0.45, &effort)
}

/// Mean red, green and blue of the middle of a picture, where the box is, 0 to 255.
fn middle(picture: &Picture) -> [f32; 3] {
    let mut sum = [0.0; 3];
    let (from, to) = (SIDE * 2 / 5, SIDE * 3 / 5);
    for y in from..to {
        for x in from..to {
            for (channel, sum) in sum.iter_mut().enumerate() {
                *sum += f32::from(picture.pixels[(y * SIDE + x) * 3 + channel]);
            }
        }
    }
    sum.map(|v| v / ((to - from) * (to - from)) as f32)
}

const GRAY: [f32; 4] = [0.2, 0.2, 0.2, 1.0];

#[test]
fn what_alpha_cuts_out_leaves_no_trace_and_what_it_thins_lets_the_room_shine_through() {
    let backdrop = seen([0.0, 0.0, 0.0, 0.2], json!({"alphaMode": "MASK"}));
    let first = &backdrop.pixels[..3];
    assert!(backdrop.pixels.chunks_exact(3).all(|p| p == first), "a hole is seen");
    let solid = middle(&seen([0.05, 0.05, 0.05, 0.8], json!({"alphaMode": "MASK"})));
    let thin = middle(&seen([0.05, 0.05, 0.05, 0.5], json!({"alphaMode": "BLEND"})));
    let bare = f32::from(first[0]);
    // Two sides of the box are passed, each by half of the rays.
    assert!(solid[0] < 0.5 * bare && thin[0] > solid[0] + 15.0 && thin[0] < bare - 15.0, "{solid:?} {thin:?} {bare}");
}

#[test]
fn glass_shows_the_room_behind_it_in_its_own_tint() {
    let glass = |transmission: f32| {
        let extensions = json!({"KHR_materials_transmission": {"transmissionFactor": transmission}});
        let finish = json!({"roughnessFactor": 0.05});
        middle(&seen([0.6, 0.8, 0.85, 1.0], json!({"extensions": extensions, "pbrMetallicRoughness": finish})))
    };
    let (clear, half) = (glass(1.0), glass(0.5));
    assert!(clear[2] > clear[0] + 20.0, "{clear:?}");
    assert!(clear[2] > 60.0 && half.iter().zip(clear).any(|(h, c)| (h - c).abs() > 3.0), "{clear:?} {half:?}");
}

#[test]
fn sheen_brightens_cloth_and_emission_shines_in_its_color() {
    let plain = middle(&seen(GRAY, json!({})));
    let sheen = json!({"KHR_materials_sheen": {"sheenColorFactor": [1.0, 0.2, 0.2], "sheenRoughnessFactor": 0.5}});
    let sheer = middle(&seen(GRAY, json!({"extensions": sheen})));
    assert!(sheer[0] > plain[0] + 4.0 && sheer[0] - plain[0] > 1.5 * (sheer[1] - plain[1]), "{plain:?} {sheer:?}");
    let lamp = middle(&seen(GRAY, json!({"emissiveFactor": [0.0, 0.6, 0.0]})));
    assert!(lamp[1] > plain[1] + 40.0 && (lamp[0] - plain[0]).abs() < 12.0, "{plain:?} {lamp:?}");
}

#[test]
fn a_metal_has_the_color_of_its_reflections_and_a_clear_coat_mirrors_on_top() {
    let gold = [0.85, 0.6, 0.2, 1.0];
    let metal = middle(&seen(gold, json!({"pbrMetallicRoughness": {"metallicFactor": 1.0, "roughnessFactor": 0.2}})));
    assert!(metal[0] > metal[2] + 30.0, "{metal:?}");
    let black = [0.01, 0.01, 0.01, 1.0];
    let matt = middle(&seen(black, json!({})));
    let coat = json!({"KHR_materials_clearcoat": {"clearcoatFactor": 1.0, "clearcoatRoughnessFactor": 0.05}});
    let coated = middle(&seen(black, json!({"extensions": coat})));
    assert!(coated[1] > matt[1] + 3.0, "{matt:?} {coated:?}");
}
