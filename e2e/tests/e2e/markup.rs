//! Markup over HTTP, on imported maps, parcels and imagery.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use aerie_e2e::{Client, HOUSE_MAP, Server, aerie, run, run_json, serve_pictures, wait_until};
use serde_json::{Value, json};

/// The parcel of the house and the neighboring one.
const PARCELS: &str = r#"{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"EGRID": "CH1"}, "geometry": {"type": "Polygon", "coordinates":
  [[[9.4999, 47.09995], [9.5004, 47.09995], [9.5004, 47.1003], [9.4999, 47.1003], [9.4999, 47.09995]]]}},
 {"type": "Feature", "properties": {"EGRID": "CH2"}, "geometry": {"type": "Polygon", "coordinates":
  [[[9.5004, 47.09995], [9.5009, 47.09995], [9.5009, 47.1003], [9.5004, 47.09995]]]}}
]}"#;

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// Waits until a submitted job reaches a status.
fn reaches(client: &Client, submitted: &Value, status: &str) -> Value {
    let id = submitted["data"]["job_id"].as_str().expect("a job_id").to_owned();
    wait_until(status, Duration::from_secs(240), || {
        let job = client.job(&id);
        assert_ne!(job["status"], "failed", "{job}");
        (job["status"] == status).then_some(job)
    })
}

/// Starts a server with online imagery, whose tiles are all `TILES/tile.png`. Without imagery, the pictures are rendered, which takes five
/// times as long.
fn start_with_imagery(folder: &Path, data: &Path, tiles: &str) -> Server {
    let source = format!(
        "[sources.imagery.town]\nurl = '{tiles}/tile.png?at={{z}}/{{x}}/{{y}}&key=secret'\n\
         attribution = '© Town of Tiles'\nrequests_per_second = 100.0\n"
    );
    let config = file(folder, "aerie.toml", &source).display().to_string();
    let org = run_json(&["admin", "org", "create", "Acme"], data)["org_id"].as_str().expect("an id").to_owned();
    let key = run_json(&["admin", "key", "create", "--org", &org], data)["key"].as_str().expect("a key").to_owned();
    Server::restart_with(&["--config", &config], data, 1, &org, &key)
}

#[test]
fn an_imported_parcel_is_suggested_as_the_boundary() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (map, parcels) = (file(folder.path(), "map.osm", HOUSE_MAP), file(folder.path(), "parcels.geojson", PARCELS));
    let files = [map, parcels].map(|path| path.display().to_string());
    let report = run_json(&["import", &files[0], &files[1]], &data);
    assert_eq!(report["files"][1]["parcels"], 2, "{report}");

    let tiles = serve_pictures([("tile.png", drawn("mandelbrot=s=256x256"))].into());
    let server = start_with_imagery(folder.path(), &data, &tiles);
    let answer = server.client.post("/v1/markup/generate", &json!({"address": "Lindenweg 7"}));
    assert_eq!(answer.status, 202, "{}", answer.json());
    let job = reaches(&server.client, &answer.json(), "awaiting_input");
    let suggested = &job["output"]["suggested_boundary"];
    assert_eq!((&suggested["type"], &suggested["geometry"]["type"]), (&json!("Feature"), &json!("Polygon")));
    assert_eq!(suggested["properties"]["source"], "parcel");
    // 37.97 by 38.92 m.
    let area = suggested["properties"]["area_m2"].as_f64().expect("an area");
    assert!((area / 1477.8 - 1.0).abs() < 0.003, "{area}");
    let acres = suggested["properties"]["area_acres"].as_f64().expect("an area");
    assert!((acres * 4046.856 / area - 1.0).abs() < 0.001, "{acres}");
    let edges = suggested["properties"]["edge_lengths_m"][0].as_array().expect("edges of the one ring").len();
    let corners = suggested["geometry"]["coordinates"][0].as_array().expect("a ring");
    assert_eq!((edges, corners.len()), (4, 5));
    assert!(corners.iter().all(|p| (p[0].as_f64().unwrap() - 9.50015).abs() < 0.0003), "{corners:?}");
}

#[test]
fn importing_a_geotiff_without_gdal_names_the_package_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let tif = file(folder.path(), "ortho.tif", "II*\0nothing");
    let mut import = Command::new(aerie());
    import.args(["import", "--attribution", "© City"]).arg(tif).arg("--data").arg(folder.path());
    let output = import.env("PATH", "/nowhere").output().expect("aerie starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("apt-get install gdal-bin"), "{stderr}");
}

/// Draws a PNG with an ffmpeg filter.
fn drawn(filter: &str) -> Vec<u8> {
    let arguments =
        ["-v", "error", "-f", "lavfi", "-i", filter, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"];
    let made = Command::new("ffmpeg").args(arguments).output().expect("ffmpeg starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    made.stdout
}

fn bytes(client: &Client, url: &Value) -> Vec<u8> {
    let path = url.as_str().expect("a link").strip_prefix(client.base_url()).expect("our own link");
    client.with_key(None).get(path).bytes
}

#[test]
fn markup_works_on_online_imagery_without_a_drawing_and_on_a_foreign_picture() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let map = file(folder.path(), "map.osm", HOUSE_MAP).display().to_string();
    assert!(run(&["import", &map], &data).status.success());
    let foreign = "mandelbrot=s=800x600:end_pts=5";
    let pictures = serve_pictures(
        [
            ("tile.png", drawn("mandelbrot=s=256x256")),
            ("clean.png", drawn(foreign)),
            ("marked.png", drawn(&format!("{foreign},drawbox=x=200:y=150:w=360:h=280:color=red:t=7"))),
        ]
        .into(),
    );
    let server = start_with_imagery(folder.path(), &data, &pictures);
    let client = &server.client;
    let marked = || {
        reaches(
            client,
            &client.post("/v1/markup/generate", &json!({"address": "Lindenweg 7"})).json(),
            "awaiting_input",
        )
    };
    let step = |id: &Value, step: &str, body: &Value| {
        let answer = client.post(&format!("/v1/markup/jobs/{}/{step}", id.as_str().expect("an id")), body);
        assert!(answer.status == 200 || answer.status == 202, "{step}: {}", answer.json());
        answer.json()
    };
    let film = json!({"options": {"duration": 6, "resolution": "720p", "aspect_ratio": "1:1"}});

    // The pictures show the tiles and their credit; without a drawn boundary, the video is made all the same.
    let job = marked();
    let (id, bottom) = (&job["id"], &job["output"]["orientation_variants"][0]["enhanced_url"]);
    let credit = "© Town of Tiles".as_bytes();
    assert!(bytes(client, bottom).windows(credit.len()).any(|w| w == credit), "{job}");
    step(id, "select", &json!({"orientation": "bottom"}));
    step(id, "annotate", &json!({"annotated_image_url": bottom, "clean_image_url": bottom}));
    let output = reaches(client, &json!({"data": {"job_id": id}}), "completed")["output"].take();
    assert_eq!((&output["boundary"], &output["boundary_reason"]), (&Value::Null, &json!("nothing_drawn")));
    let video = reaches(client, &step(id, "video", &film), "completed")["output"].take();
    assert_eq!((&video["boundary_shown"], &video["boundary_reason"]), (&json!(false), &json!("nothing_drawn")));
    assert!(bytes(client, &video["video_url"])[4..].starts_with(b"ftyp"));

    // On a foreign picture the boundary is in pixels, and the video shows that picture.
    let job = marked();
    let id = &job["id"];
    step(id, "select", &json!({"orientation": "left"}));
    let urls = json!({"annotated_image_url": format!("{pictures}/marked.png"), "clean_image_url": format!("{pictures}/clean.png")});
    step(id, "annotate", &urls);
    let output = reaches(client, &json!({"data": {"job_id": id}}), "completed")["output"].take();
    let ring = output["boundary"]["geometry"]["coordinates"][0].as_array().unwrap_or_else(|| panic!("{output}"));
    assert!(ring.iter().all(|p| p[0].as_f64().is_some_and(|x| (180.0..580.0).contains(&x))), "{output}");
    let filmed = reaches(client, &step(id, "video", &film), "completed")["output"].take();
    assert_eq!(filmed["boundary_shown"], true);
    assert!(bytes(client, &filmed["video_url"])[4..].starts_with(b"ftyp"));
    assert!(!server.log().contains("secret"), "the key of a source is never logged");
}
