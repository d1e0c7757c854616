//! The page that shows the results of the demo.

use maud::{DOCTYPE, Markup, PreEscaped, html};
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
.card { margin-top: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; }
.card video { display: block; width: 100%; aspect-ratio: 16 / 9; background: #000; }
.card figure { display: grid; grid-template-columns: 1fr 1fr; gap: 2px; margin: 0; }
.card img { display: block; width: 100%; }
.card div { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 14px 20px; align-items: baseline; }
.card b { font-size: 17px; }
.card span { color: var(--soft); font-size: 14px; }
.card div p { flex-basis: 100%; }
pre { background: #10171f; color: #d7e2ec; padding: 18px 20px; border-radius: 12px; overflow-x: auto; font-size: 13.5px; }
table { border-collapse: collapse; width: 100%; font-size: 15px; }
th, td { text-align: left; padding: 9px 12px; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums; }
";

/// What one kind of job made.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) caption: String,
    pub(super) figure: Figure,
    /// Short facts: size, duration, time taken.
    pub(super) facts: Vec<String>,
}

/// Files of a section, by their names inside the page's folder.
pub(super) enum Figure {
    Video {
        video: String,
        poster: String,
    },
    /// Pictures side by side, with their alternative texts.
    Pictures(Vec<(String, String)>),
}

/// Contents of the page.
pub(super) struct Page {
    pub(super) sections: Vec<Section>,
    /// `data` of `GET /v1/usage`.
    pub(super) usage: Value,
    /// Seconds that all jobs took.
    pub(super) seconds: f64,
    pub(super) base_url: String,
}

impl Page {
    /// Returns the names of all files that the page shows.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().flat_map(|section| match &section.figure {
            Figure::Video { video, poster } => vec![video.as_str(), poster.as_str()],
            Figure::Pictures(pictures) => pictures.iter().map(|(file, _)| file.as_str()).collect(),
        })
    }

    /// Returns the page as HTML; it links to nothing outside its folder.
    pub(super) fn html(&self) -> String {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { "Aerie demo" }
                    style { (PreEscaped(STYLE)) }
                }
                body { main {
                    h1 { "Aerie" }
                    p {
                        "A job of every kind, submitted, polled and downloaded over HTTP in " (format_args!("{:.0}", self.seconds))
                        " s. The town and the rooms are synthetic sample data."
                    }
                    @for section in &self.sections { (section.html()) }
                    h2 { "The same with curl" }
                    pre { (self.calls()) }
                    (self.usage_table())
                } }
            }
        }
        .into_string()
    }

    /// The API calls of one job with curl, without the key.
    fn calls(&self) -> String {
        let base = &self.base_url;
        [
            "# Submit: returns 202 and a job_id",
            &format!("curl -X POST {base}/v1/drone-footage/generate \\"),
            "  -H 'X-API-Key: aerie_live_…' -H 'Content-Type: application/json' \\",
            "  -d '{\"address\": \"12 Larkspur Lane, 10001 Featherstone Vale\"}'\n",
            "# Poll until status is completed",
            &format!("curl -H 'X-API-Key: aerie_live_…' {base}/v1/jobs/JOB_ID\n"),
            "# Download: links are signed, need no key, and support range requests",
            "curl -o flight.mp4 'VIDEO_URL'",
            "curl -r 0-1023 -o start.bin 'VIDEO_URL'\n",
            "# Show usage and cost",
            &format!("curl -H 'X-API-Key: aerie_live_…' {base}/v1/usage"),
        ]
        .join("\n")
    }

    fn usage_table(&self) -> Markup {
        let summary = &self.usage["summary"];
        html! {
            h2 { "Usage" }
            table {
                tr { th { "Event" } th { "Created" } th { "Price" } }
                @for event in self.usage["events"].as_array().into_iter().flatten() {
                    tr {
                        td { (text(&event["event_type"])) } td { (text(&event["created_at"])) } td { (money(&event["unit_price_cents"])) }
                    }
                }
                tr { th { (text(&summary["from"])) " to " (text(&summary["to"])) } th {} th { (money(&summary["total_cost_cents"])) } }
            }
        }
    }
}

impl Section {
    fn html(&self) -> Markup {
        html! {
            section.card {
                @match &self.figure {
                    Figure::Video { video, poster } => {
                        video controls muted loop playsinline preload="metadata" poster=(poster) src=(video) {}
                    }
                    Figure::Pictures(pictures) => figure { @for (file, alt) in pictures { img src=(file) alt=(alt); } }
                }
                div { b { (self.title) } @for fact in &self.facts { span { (fact) } } p { (self.caption) } }
            }
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn money(cents: &Value) -> String {
    let cents = cents.as_i64().unwrap_or(0);
    format!("{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_page_shows_its_files_and_no_key_and_links_to_nothing_outside() {
        let film = Section {
            title: "Drone footage",
            caption: "A flight around 1 <Main> St".into(),
            figure: Figure::Video { video: "west.mp4".into(), poster: "west.jpg".into() },
            facts: vec!["10 s, 5.0 MB".into()],
        };
        let photo = Section {
            title: "Photo enhancement",
            caption: "Exposure <raised>.".into(),
            figure: Figure::Pictures(vec![("a.jpg".into(), "Before".into()), ("b.jpg".into(), "After".into())]),
            facts: vec!["ready after 2 s".into()],
        };
        let usage = json!({
            "events": [{"event_type": "drone_footage.generate", "created_at": "2026-01-01T00:00:00.000Z", "unit_price_cents": 1505}],
            "summary": {"total_events": 1, "total_cost_cents": 1505, "from": "2026-01-01", "to": "2026-01-31"},
        });
        let page = Page { sections: vec![film, photo], usage, seconds: 61.0, base_url: "http://127.0.0.1:1".into() };
        assert_eq!(page.files().collect::<Vec<_>>(), ["west.mp4", "west.jpg", "a.jpg", "b.jpg"]);
        let html = page.html();
        assert!(html.contains("src=\"west.mp4\"") && html.contains("poster=\"west.jpg\""));
        assert!(html.contains("src=\"a.jpg\"") && html.contains("src=\"b.jpg\"") && html.contains("&lt;raised&gt;"));
        assert!(html.contains("1 &lt;Main&gt; St") && html.contains("15.05"));
        assert!(!html.contains("https://"));
        assert_eq!(html.matches("aerie_live_").count(), html.matches("aerie_live_…").count());
    }
}
