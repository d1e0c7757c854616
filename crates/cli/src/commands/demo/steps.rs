//! One job of each kind. Jobs that need no other result are submitted first, so that the worker is never idle.

use aerie_engine_api::SAMPLE_ADDRESSES;
use anyhow::Context;
use serde_json::{Value, json};

use super::page::{Figure, Section};
use super::pictures;
use super::session::{Ended, Session, Submitted};

/// Corners of the boundary drawn on the markup picture, along the hedges, as shares of its width and height.
const BOUNDARY: [[f64; 2]; 4] = [[0.287, 0.094], [0.672, 0.094], [0.674, 0.657], [0.284, 0.660]];

/// Jobs of this demo: one of each kind.
const JOBS: u64 = 6;

/// Length of the flight, in seconds.
const FLIGHT_SECONDS: u32 = 8;

/// Runs all steps; returns what the page shows and the number of jobs.
pub(super) fn run(session: &Session<'_>) -> anyhow::Result<(Vec<Section>, u64)> {
    let (home, neighbor) = (SAMPLE_ADDRESSES[0], SAMPLE_ADDRESSES[1]);
    let photo = submit_photo(session)?;
    let body = json!({"address": home, "options": {"north_arrow": true, "scale_bar": true}});
    let markup = session.submit("markup", "/v1/markup/generate", &body)?;
    let body = json!({"address": neighbor, "options": {"duration": FLIGHT_SECONDS}});
    let flight = session.submit("drone footage", "/v1/drone-footage/generate", &body)?;

    let enhanced = session.wait(&photo)?;
    let body = json!({
        "image_url": enhanced.output["image_url"],
        "room_type": "living_room",
        "options": {"style_prompt": "scandinavian, light oak, sage"},
    });
    let staging = session.submit("virtual staging", "/v1/virtual-staging/generate", &body)?;
    let enhanced = enhanced_photo(session, &enhanced)?;
    let (boundary, video) = drawn_boundary(session, &markup)?;
    let flight = film(session, &flight, "drone-footage")?;
    let flight = Section {
        title: "Drone footage",
        caption: format!(
            "A flight around {neighbor}, rendered from map data. Every building stands where the map has it; nothing is \
             invented on the property."
        ),
        ..flight
    };
    let staged = session.wait(&staging)?;
    let body = json!({
        "image_url": staged.output["image_url"],
        "options": {"prompt": "slow push in, then pan right", "duration": 4, "resolution": "720p"},
    });
    let clip = session.submit("video clip", "/v1/video-clip/generate", &body)?;
    let staged = staged_room(session, &staged)?;
    let video = Section {
        title: "Markup video",
        caption: format!("A flight over {home} with the measured boundary on the ground, its area and edge lengths."),
        ..film(session, &video, "markup-video")?
    };
    let clip = Section {
        title: "Video clip",
        caption: "A camera move inside the staged photo. The first frame is the photo itself.".to_owned(),
        ..film(session, &clip, "video-clip")?
    };
    Ok((vec![flight, enhanced, staged, clip, boundary, video], JOBS))
}

fn submit_photo(session: &Session<'_>) -> anyhow::Result<Submitted> {
    let photo = pictures::dark_room()?;
    session.write("photo-before.jpg", &photo)?;
    let body = json!({"image_url": pictures::serve(photo)?});
    session.submit("photo enhancement", "/v1/image-enhance/generate", &body)
}

fn enhanced_photo(session: &Session<'_>, job: &Ended) -> anyhow::Result<Section> {
    session.download(&job.output, "image_url", "photo-after.jpg")?;
    Ok(Section {
        title: "Photo enhancement",
        caption: disclosure(&job.output),
        figure: Figure::Pictures(vec![
            ("photo-before.jpg".to_owned(), "An underexposed photo of a room".to_owned()),
            ("photo-after.jpg".to_owned(), "The same photo, enhanced".to_owned()),
        ]),
        facts: vec![format!("ready after {:.0} s", job.seconds)],
    })
}

fn staged_room(session: &Session<'_>, job: &Ended) -> anyhow::Result<Section> {
    session.download(&job.output, "image_url", "staged.jpg")?;
    let pieces = job.output["furniture"].as_array().map_or(0, Vec::len);
    Ok(Section {
        title: "Virtual staging",
        caption: disclosure(&job.output),
        figure: Figure::Pictures(vec![
            ("photo-after.jpg".to_owned(), "A photo of an empty room".to_owned()),
            ("staged.jpg".to_owned(), "The same room, furnished as a living room".to_owned()),
        ]),
        facts: vec![format!("{pieces} pieces of furniture"), format!("ready after {:.0} s", job.seconds)],
    })
}

/// Chooses a picture of the markup, draws a boundary on it, has it measured, and submits the video.
fn drawn_boundary(session: &Session<'_>, markup: &Submitted) -> anyhow::Result<(Section, Submitted)> {
    let Ended { seconds, .. } = session.wait(markup)?;
    let path = |step: &str| format!("/v1/markup/jobs/{}/{step}", markup.id);
    let selected = session.client.post(&path("select"), &json!({"orientation": "bottom"}), 200)?["data"].take();
    session.download(&selected, "selected_url", "markup-clean.jpg")?;
    let marked = pictures::with_boundary(&session.read("markup-clean.jpg")?, &BOUNDARY)?;
    session.write("markup-boundary.jpg", &marked)?;
    let body = json!({"annotated_image_url": pictures::serve(marked)?, "clean_image_url": selected["selected_url"]});
    session.client.post(&path("annotate"), &body, 200)?;
    let video = json!({"options": {"duration": 6, "resolution": "720p", "color": "#FF3B30"}});
    let video = session.submit("markup video", &path("video"), &video)?;

    let output = session.wait(markup)?.output;
    let boundary = &output["boundary"]["properties"];
    let missing = || format!("no boundary was found in the drawing: {}", output["boundary_reason"]);
    let area = boundary["area_m2"].as_f64().with_context(missing)?;
    let perimeter = boundary["perimeter_m"].as_f64().unwrap_or_default();
    let section = Section {
        title: "Markup with a drawn boundary",
        caption: "The client chose one of four top-down pictures and drew a red line on it. Aerie found the line by \
                  comparing the two pictures, and measured it on the ground."
            .to_owned(),
        figure: Figure::Pictures(vec![
            ("markup-clean.jpg".to_owned(), "The property from above".to_owned()),
            ("markup-boundary.jpg".to_owned(), "The same picture with a red line around the property".to_owned()),
        ]),
        facts: vec![
            format!("{area:.0} m² ({:.2} acres)", boundary["area_acres"].as_f64().unwrap_or_default()),
            format!("perimeter {perimeter:.0} m"),
            format!("pictures ready after {seconds:.0} s"),
        ],
    };
    Ok((section, video))
}

/// Waits for a video and downloads it with its thumbnail; title and caption are left to the caller.
fn film(session: &Session<'_>, job: &Submitted, name: &str) -> anyhow::Result<Section> {
    let Ended { output, seconds } = session.wait(job)?;
    let (video, poster) = (format!("{name}.mp4"), format!("{name}.jpg"));
    let bytes = session.download(&output, "video_url", &video)?;
    session.download(&output, "thumbnail_url", &poster)?;
    let duration = output["duration"].as_f64().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let megabytes = bytes as f64 / 1e6;
    Ok(Section {
        title: "",
        caption: String::new(),
        figure: Figure::Video { video, poster },
        facts: vec![format!("{duration:.0} s, {megabytes:.1} MB"), format!("ready after {seconds:.0} s")],
    })
}

fn disclosure(output: &Value) -> String {
    output["disclosure"]["text"].as_str().unwrap_or_default().to_owned()
}
