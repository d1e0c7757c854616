//! Writes an OpenStreetMap XML file.

use std::fmt::Write;

use aerie_geodata::LocalFrame;
use aerie_geodata::place::Point;

use crate::plan::ORIGIN;

/// Tags of an object being written.
pub(crate) type TagList = Vec<(&'static str, String)>;

/// `key = value` pairs as tags.
pub(crate) fn tags<const N: usize>(pairs: [(&'static str, &str); N]) -> TagList {
    pairs.into_iter().map(|(k, v)| (k, v.to_owned())).collect()
}

/// Objects in local meters, numbered in order.
#[derive(Default)]
pub(crate) struct OsmFile {
    nodes: Vec<(Point, TagList)>,
    ways: Vec<(Vec<usize>, TagList)>,
}

impl OsmFile {
    pub(crate) fn node(&mut self, at: Point, tags: TagList) {
        self.nodes.push((at, tags));
    }

    pub(crate) fn line(&mut self, line: &[Point], tags: TagList) {
        let first = self.nodes.len();
        self.nodes.extend(line.iter().map(|p| (*p, Vec::new())));
        self.ways.push(((first..first + line.len()).collect(), tags));
    }

    /// A closed way; the ring does not repeat its first point.
    pub(crate) fn ring(&mut self, ring: &[Point], tags: TagList) {
        let first = self.nodes.len();
        self.nodes.extend(ring.iter().map(|p| (*p, Vec::new())));
        let mut refs: Vec<usize> = (first..first + ring.len()).collect();
        refs.push(first);
        self.ways.push((refs, tags));
    }

    pub(crate) fn to_xml(&self) -> String {
        let frame = LocalFrame::new(ORIGIN);
        let mut out = String::with_capacity(self.nodes.len() * 70);
        out.push_str(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\" generator=\"Aerie sample town\">\n",
        );
        for (id, (at, tags)) in self.nodes.iter().enumerate() {
            let [lon, lat] = frame.geographic(*at);
            let _ = write!(out, "<node id=\"{}\" lat=\"{lat:.7}\" lon=\"{lon:.7}\"", id + 1);
            close(&mut out, "node", &[], tags);
        }
        for (id, (refs, tags)) in self.ways.iter().enumerate() {
            let _ = write!(out, "<way id=\"{}\"", id + 1);
            close(&mut out, "way", refs, tags);
        }
        out.push_str("</osm>\n");
        out
    }
}

fn close(out: &mut String, element: &str, refs: &[usize], tags: &TagList) {
    if refs.is_empty() && tags.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push_str(">\n");
    for node in refs {
        let _ = writeln!(out, "<nd ref=\"{}\"/>", node + 1);
    }
    for (key, value) in tags {
        let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let _ = writeln!(out, "<tag k=\"{key}\" v=\"{value}\"/>");
    }
    let _ = writeln!(out, "</{element}>");
}
