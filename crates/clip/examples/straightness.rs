//! Measures how straight the lines of photos stay in clips: `straightness PROMPTS PHOTO...`, prompts separated by semicolons; one that
//! begins with "last " ends in the photo. Prints for each photo and prompt how far straight lines bend and upright ones lean at the far
//! end, in pixels of a width of 1920: the share of the length of all lines beyond a pixel, the 95th percentile by length, and the worst.
#![expect(clippy::print_stdout, reason = "figures are what it is for")]

use std::path::Path;

use aerie_clip::{
    Bodies, CameraPath, CameraPrompt, CameraRequest, Frame, Level, MovedLine, Plate, SceneModel, compose,
};
use aerie_photo::lines;
use glam::DVec2;

/// Longer side of the frame, pixels, and shortest line that is followed, in longer sides of the photo.
const SIDE: usize = 960;
const LINE: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let prompts = arguments.next().ok_or("PROMPTS PHOTO...")?;
    for path in arguments {
        let photo = aerie_photo::decode_file(Path::new(&path))?;
        let name = Path::new(&path).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let whole = [photo.width, photo.height];
        let long = photo.width.max(photo.height);
        let size = whole.map(|side| (side * SIDE / long).next_multiple_of(2));
        let frame = Frame::cut(whole, size, compose::focus(&photo));
        let plate = Plate::of(&photo, &frame)?;
        let mut model = SceneModel::of(&photo, &frame, &plate);
        let apart = model.house.as_ref().and_then(|house| house.apart(&model.proxy, (&frame, &plate), whole));
        let bodies = apart.map(|apart| apart.bodies).or_else(|| model.furniture((&frame, &plate), whole));
        model.proxy.marks = bodies.as_ref().map(Bodies::marks).unwrap_or_default();
        let place = |at: [f64; 2]| DVec2::from_array(at) * frame.scale - DVec2::from_array(frame.offset);
        let segments = lines::segments(&photo);
        let followed = segments.iter().filter(|segment| segment.length() > LINE * long as f64);
        let followed: Vec<[DVec2; 2]> = followed.map(|segment| [place(segment.a), place(segment.b)]).collect();
        for prompt in prompts.split(';').map(str::trim) {
            let (words, ends_in_photo) = prompt.strip_prefix("last ").map_or((prompt, false), |rest| (rest, true));
            let wanted = CameraRequest {
                prompt: CameraPrompt::parse(Some(words)),
                level: Level::Medium,
                ends_in_photo,
                seconds: 5.0,
                something_ahead: compose::something_ahead(&photo),
            };
            let course = CameraPath::plan(&model.proxy, bodies.as_ref(), &wanted);
            let moved = MovedLine::all(&model.proxy, &course, bodies.as_ref(), &followed);
            println!("{name} {prompt:?} {:?}", model.kind());
            println!("  {}", figures(&moved, "bent", |line| Some(line.bend)));
            println!("  {}", figures(&moved, "leaning", |line| line.lean));
        }
    }
    Ok(())
}

fn figures(lines: &[MovedLine], name: &str, of: impl Fn(&MovedLine) -> Option<f64>) -> String {
    let mut all: Vec<(f64, f64, [DVec2; 2])> = lines
        .iter()
        .filter_map(|line| Some((of(line)? * 1920.0, (line.line[1] - line.line[0]).length(), line.line)))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total: f64 = all.iter().map(|line| line.1).sum::<f64>().max(1e-9);
    let beyond: f64 = all.iter().filter(|line| line.0 > 1.0).map(|line| line.1).sum();
    let mut sum = 0.0;
    let high = all.iter().find(|line| {
        sum += line.1;
        sum >= 0.05 * total
    });
    let worst: Vec<String> = all
        .iter()
        .take(3)
        .map(|(px, _, [a, b])| format!("{px:.1} at {:.0},{:.0} - {:.0},{:.0}", a.x, a.y, b.x, b.y))
        .collect();
    let [share, high] = [100.0 * beyond / total, high.map_or(0.0, |line| line.0)];
    format!("{name} {share:.1} % of {} lines, 95th {high:.1} px, worst {}", all.len(), worst.join(", "))
}
