//! The page that shows what the demo made.

use std::fmt::Write;

use serde_json::Value;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6b7c; --line: #d9e0e7; --paper: #f7f9fb; --card: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #93a4b5; --line: #2c3947; --paper: #10171f; --card: #17212c; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 48px 24px 80px; }
h1 { font-size: 34px; letter-spacing: -0.02em; margin: 0 0 4px; }
h2 { font-size: 20px; margin: 56px 0 16px; }
p { color: var(--soft); margin: 0 0 8px; max-width: 68ch; }
.film { margin-top: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; }
.film video { display: block; width: 100%; aspect-ratio: 16 / 9; background: #000; }
.film figure { display: grid; grid-template-columns: 1fr 1fr; gap: 2px; margin: 0; }
.film img { display: block; width: 100%; }
.film div { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 14px 20px; align-items: baseline; }
.film b { font-size: 17px; }
.film span { color: var(--soft); font-size: 14px; }
.film a { color: inherit; font-size: 14px; margin-left: auto; }
pre { background: #10171f; color: #d7e2ec; padding: 18px 20px; border-radius: 12px; overflow-x: auto; font-size: 13.5px; }
table { border-collapse: collapse; width: 100%; font-size: 15px; }
th, td { text-align: left; padding: 9px 12px; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
";

/// A film that was made.
pub(super) struct Film {
    pub(super) direction: &'static str,
    pub(super) address: &'static str,
    /// File names inside the page's folder.
    pub(super) video: String,
    pub(super) thumbnail: String,
    /// Length in seconds.
    pub(super) duration: f64,
    /// Size in bytes.
    pub(super) bytes: u64,
    /// Seconds from its submit to its completion.
    pub(super) seconds: f64,
}

/// A photo that was enhanced.
pub(super) struct Photo {
    /// File names inside the page's folder.
    pub(super) before: String,
    pub(super) after: String,
    /// What was done to it, as its job tells.
    pub(super) disclosure: String,
    /// Seconds from its submit to its completion.
    pub(super) seconds: f64,
}

/// What the page shows.
pub(super) struct Page {
    pub(super) films: Vec<Film>,
    pub(super) photo: Photo,
    /// `data` of `GET /v1/usage`.
    pub(super) usage: Value,
    pub(super) seconds: f64,
    pub(super) base_url: String,
}

impl Page {
    /// The page, with nothing outside its folder.
    pub(super) fn html(&self) -> String {
        let mut html = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.push_str("<title>Aerie: a demonstration</title>\n<style>");
        html.push_str(STYLE);
        html.push_str("</style>\n</head>\n<body>\n<main>\n<h1>Aerie</h1>\n");
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<p>{} films of an invented town and a photo of an invented room, submitted, polled and downloaded over HTTP \
             in {:.0} s. Every house stands where the map has it; what is not mapped is not invented on the property.</p>",
            self.films.len(),
            self.seconds
        );
        for film in &self.films {
            html.push_str(&film_card(film));
        }
        html.push_str(&photo_card(&self.photo));
        let _ = writeln!(html, "<h2>The calls</h2>\n<pre>{}</pre>", escape(&self.calls()));
        html.push_str(&self.usage_table());
        html.push_str("</main>\n</body>\n</html>\n");
        html
    }

    /// The calls as a client makes them with curl; the key is left out.
    fn calls(&self) -> String {
        let base = &self.base_url;
        let (address, direction) = self.films.first().map_or(("", ""), |film| (film.address, film.direction));
        [
            "# Submit: answers 202 with a job_id".to_owned(),
            format!("curl -X POST {base}/v1/drone-footage/generate \\"),
            "  -H 'X-API-Key: aerie_live_…' -H 'Content-Type: application/json' \\".to_owned(),
            format!("  -d '{{\"address\": \"{address}\", \"options\": {{\"direction\": \"{direction}\"}}}}'\n"),
            "# Poll, until status is completed".to_owned(),
            format!("curl -H 'X-API-Key: aerie_live_…' {base}/v1/jobs/JOB_ID\n"),
            "# Download: the link is signed, so that no key is needed; players may ask for ranges".to_owned(),
            "curl -o film.mp4 'VIDEO_URL'".to_owned(),
            "curl -r 0-1023 -o start.bin 'VIDEO_URL'\n".to_owned(),
            "# What it cost".to_owned(),
            format!("curl -H 'X-API-Key: aerie_live_…' {base}/v1/usage"),
        ]
        .join("\n")
    }

    fn usage_table(&self) -> String {
        let mut html =
            String::from("<h2>The usage</h2>\n<table>\n<tr><th>Event</th><th>Created</th><th>Price</th></tr>\n");
        let text = |value: &Value| escape(value.as_str().unwrap_or_default());
        for event in self.usage["events"].as_array().into_iter().flatten() {
            let price = money(&event["unit_price_cents"]);
            let (kind, created) = (text(&event["event_type"]), text(&event["created_at"]));
            let _ = writeln!(html, "<tr><td>{kind}</td><td>{created}</td><td>{price}</td></tr>");
        }
        let summary = &self.usage["summary"];
        let total = money(&summary["total_cost_cents"]);
        let (from, to) = (text(&summary["from"]), text(&summary["to"]));
        let _ = writeln!(html, "<tr><th>{from} to {to}</th><th></th><th>{total}</th></tr>\n</table>");
        html
    }
}

fn film_card(film: &Film) -> String {
    let Film { direction, video, thumbnail, duration, seconds, .. } = film;
    format!(
        "<section class=\"film\">\n<video controls muted loop playsinline preload=\"metadata\" poster=\"{thumbnail}\" \
         src=\"{video}\"></video>\n<div><b>{}</b><span>direction {direction}</span><span>{duration:.1} s, {:.1} MB</span>\
         <span>ready {seconds:.0} s after its submit</span><a href=\"{thumbnail}\">thumbnail</a></div>\n</section>\n",
        escape(film.address),
        megabytes(film.bytes),
    )
}

fn photo_card(photo: &Photo) -> String {
    let Photo { before, after, disclosure, seconds } = photo;
    format!(
        "<section class=\"film\">\n<figure><img src=\"{before}\" alt=\"A room, too dark\"><img src=\"{after}\" \
         alt=\"The same room, well exposed\"></figure>\n<div><b>Before and after</b><span>{}</span>\
         <span>ready {seconds:.1} s after its submit</span></div>\n</section>\n",
        escape(disclosure)
    )
}

fn megabytes(bytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let bytes = bytes as f64;
    bytes / 1e6
}

fn money(cents: &Value) -> String {
    let cents = cents.as_i64().unwrap_or(0);
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_page_names_its_files_and_shows_no_key_and_nothing_from_outside() {
        let film = Film {
            direction: "west",
            address: "1 <Main> St",
            video: "west.mp4".into(),
            thumbnail: "west.jpg".into(),
            duration: 10.0,
            bytes: 5_000_000,
            seconds: 60.0,
        };
        let photo = Photo {
            before: "a.jpg".into(),
            after: "b.jpg".into(),
            disclosure: "Exposure <raised>.".into(),
            seconds: 1.5,
        };
        let usage = json!({
            "events": [{"event_type": "drone_footage.generate", "created_at": "2026-01-01T00:00:00.000Z", "unit_price_cents": 1505}],
            "summary": {"total_events": 1, "total_cost_cents": 1505, "from": "2026-01-01", "to": "2026-01-31"},
        });
        let page =
            Page { films: vec![film], photo, usage, seconds: 61.0, base_url: "http://127.0.0.1:1".into() }.html();
        assert!(page.contains("src=\"west.mp4\"") && page.contains("poster=\"west.jpg\""));
        assert!(page.contains("src=\"a.jpg\"") && page.contains("src=\"b.jpg\"") && page.contains("&lt;raised&gt;"));
        assert!(page.contains("1 &lt;Main&gt; St") && page.contains("15.05"));
        assert!(!page.contains("https://"));
        assert_eq!(page.matches("aerie_live_").count(), page.matches("aerie_live_…").count());
    }
}
