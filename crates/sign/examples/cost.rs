//! Prints what Content Credentials cost in milliseconds and bytes: `cost FILE [ORIGINAL]`. With an original, also what its thumbnail, and
//! the whole of it, would add as parts of the ingredient, which Aerie does not embed.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::time::Instant;

use aerie_credentials::{Action, ActionName, Authority, Format, Identity, Ingredient, Relationship, Statement};
use aerie_photo::{Disclosure, OutputOptions, Picture};
use aerie_sign::{embed, verify, without_network};
use c2pa::{Builder, EphemeralSigner, Ingredient as Embedded, ResourceRef};
use serde_json::json;

const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, original @ ..] = &arguments[..] else { return Err("usage: cost FILE [ORIGINAL]".into()) };
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("copy");
    let plain = fs::metadata(file)?.len();
    let authority = Authority::generate(2026)?;
    let identity = authority.issue(2026)?;
    let statement = statement(original.first().map(Path::new));
    let mut times = Vec::new();
    for _ in 0..RUNS {
        fs::copy(file, &copy)?;
        times.push(timed(|| sign(&copy, &statement, &identity))?);
    }
    report("signed", median(times), fs::metadata(&copy)?.len() - plain);
    let verified = timed(|| Ok(verify(&copy, Some(authority.certificate())).map(drop)?))?;
    report("verified", verified, 0);
    if let Some(original) = original.first() {
        let thumbnail = thumbnail(Path::new(original))?;
        for (name, bytes, is_thumbnail) in [
            ("with a thumbnail of the original", thumbnail, true),
            ("with the whole original", fs::read(original)?, false),
        ] {
            let mut times = Vec::new();
            let mut size = 0;
            for _ in 0..RUNS {
                times.push(timed(|| {
                    size = with_part(file, original, &bytes, is_thumbnail)?;
                    Ok(())
                })?);
            }
            report(name, median(times), size - plain);
        }
        let decoded = timed(|| self::thumbnail(Path::new(original)).map(drop))?;
        report("making the thumbnail of the original takes", decoded, 0);
    }
    Ok(())
}

fn statement(original: Option<&Path>) -> Statement {
    let action = |name, ingredients| Action {
        name,
        description: Some("as an example".to_owned()),
        source_type: Some(aerie_photo::report::ENHANCED.to_owned()),
        ingredients,
    };
    let Some(original) = original else {
        let actions = vec![action(ActionName::Created, Vec::new())];
        return Statement { title: "example".to_owned(), actions, ingredients: Vec::new(), disclosure: None };
    };
    let actions = vec![
        action(ActionName::Opened, vec!["image_url".to_owned()]),
        action(ActionName::ColorAdjustments, Vec::new()),
    ];
    let ingredient = Ingredient {
        id: "image_url".to_owned(),
        path: original.to_owned(),
        title: "original photo".to_owned(),
        relationship: Relationship::ParentOf,
    };
    Statement { title: "example".to_owned(), actions, ingredients: vec![ingredient], disclosure: None }
}

fn sign(path: &Path, statement: &Statement, identity: &Identity) -> Result<(), Box<dyn Error>> {
    Ok(embed(path, statement, identity.certificate(), &|bytes| Ok(identity.sign(bytes)))?)
}

/// A JPEG of at most 640 pixels, as the service makes thumbnails.
fn thumbnail(original: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let photo = aerie_photo::decode_file(original)?;
    let picture = Picture {
        width: photo.width,
        height: photo.height,
        pixels: photo.pixels.iter().flatten().map(|value| (value >> 8) as u8).collect(),
    };
    let disclosure =
        Disclosure { text: "thumbnail".into(), digital_source_type: aerie_photo::report::ENHANCED, altered: false };
    Ok(aerie_photo::thumbnail(&picture, &OutputOptions::default(), &disclosure)?)
}

/// Signs in memory with a part of the original in the ingredient; returns the size of the file.
fn with_part(file: &str, original: &str, part: &[u8], is_thumbnail: bool) -> Result<u64, Box<dyn Error>> {
    let type_of =
        |path: &str| Ok::<_, Box<dyn Error>>(Format::of_file(Path::new(path))?.ok_or("no format")?.media_type());
    let (format, part_format) = (type_of(file)?, if is_thumbnail { "image/jpeg" } else { type_of(original)? });
    let actions = json!({"actions": [{"action": "c2pa.opened", "parameters": {"ingredientIds": ["image_url"]}}]});
    let definition =
        json!({"title": "example", "format": format, "assertions": [{"label": "c2pa.actions.v2", "data": actions}]});
    let mut builder = Builder::from_context(without_network(&json!({}))?).with_definition(definition)?;
    let described =
        json!({"title": "original photo", "label": "image_url", "relationship": "parentOf", "format": part_format});
    let mut ingredient = Embedded::from_json(&described.to_string())?;
    if is_thumbnail {
        ingredient.set_thumbnail(part_format, part)?;
    } else {
        ingredient.resources_mut().add("original", part)?;
        ingredient.set_data_ref(ResourceRef::new(part_format, "original"))?;
    }
    builder.add_ingredient(ingredient);
    let mut made = Cursor::new(Vec::new());
    builder.sign(&EphemeralSigner::new("example.test")?, format, &mut Cursor::new(fs::read(file)?), &mut made)?;
    Ok(made.into_inner().len() as u64)
}

fn timed(run: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let started = Instant::now();
    run()?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[expect(clippy::print_stdout, reason = "the result")]
fn report(name: &str, milliseconds: f64, bytes: u64) {
    println!("{name:<44} {milliseconds:8.1} ms {bytes:10} bytes more");
}
