//! Geometry as GeoPackage blobs (OGC 12-128r18, clause 2.1.3): header, envelope, then ISO well-known binary, little endian.
//!
//! Decoded here and not by `geozero`, whose writers reserve memory for any count that a damaged blob claims.

use aerie_math::geometry;

/// A geometry in degrees, longitude first. Rings in blobs repeat their first point; rings here do not.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A point.
    Point([f64; 2]),
    /// A line.
    Line(Vec<[f64; 2]>),
    /// Lines, each of two points or more.
    Lines(Vec<Vec<[f64; 2]>>),
    /// Polygons, each an outer ring and its holes.
    Polygons(Vec<Vec<Vec<[f64; 2]>>>),
}

/// West, south, east, north in degrees.
pub type Bounds = [f64; 4];

impl Geometry {
    /// Bounds of all points.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Point(p) => geometry::bounds_of([p]),
            Self::Line(line) => geometry::bounds_of(line),
            Self::Lines(lines) => geometry::bounds_of(lines.iter().flatten()),
            Self::Polygons(polygons) => geometry::bounds_of(polygons.iter().flatten().flatten()),
        }
    }

    /// Encodes the geometry as a blob.
    #[must_use]
    pub fn to_blob(&self) -> Vec<u8> {
        let [west, south, east, north] = self.bounds();
        let point = matches!(self, Self::Point(_));
        let mut out = Vec::with_capacity(128);
        out.extend_from_slice(b"GP");
        // Version 0; little endian; a two-dimensional envelope, except for points.
        out.extend_from_slice(&[0, if point { 1 } else { 1 | (1 << 1) }]);
        out.extend_from_slice(&4326_i32.to_le_bytes());
        if !point {
            for value in [west, east, south, north] {
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
        match self {
            Self::Point(p) => {
                head(&mut out, 1);
                points(&mut out, std::slice::from_ref(p));
            }
            Self::Line(line) => {
                head(&mut out, 2);
                count(&mut out, line.len());
                points(&mut out, line);
            }
            Self::Lines(lines) => {
                head(&mut out, 5);
                count(&mut out, lines.len());
                for line in lines {
                    head(&mut out, 2);
                    count(&mut out, line.len());
                    points(&mut out, line);
                }
            }
            Self::Polygons(polygons) => {
                head(&mut out, 6);
                count(&mut out, polygons.len());
                for rings in polygons {
                    head(&mut out, 3);
                    count(&mut out, rings.len());
                    for ring in rings {
                        count(&mut out, ring.len() + 1);
                        points(&mut out, ring);
                        points(&mut out, &ring[..1]);
                    }
                }
            }
        }
        out
    }

    /// Decodes a blob; `None` if it is damaged or of a kind that this crate does not write.
    pub fn from_blob(blob: &[u8]) -> Option<Self> {
        if blob.len() < 8 || &blob[..2] != b"GP" {
            return None;
        }
        let envelope = match (blob[3] >> 1) & 7 {
            0 => 0,
            1 => 32,
            2 | 3 => 48,
            4 => 64,
            _ => return None,
        };
        let mut reader = Reader { rest: blob.get(8 + envelope..)? };
        match reader.head()? {
            1 => Some(Self::Point(reader.point()?)),
            2 => Some(Self::Line(reader.points()?)),
            3 => Some(Self::Polygons(vec![reader.rings()?])),
            5 => {
                let lines = reader.count()?;
                let mut out = Vec::new();
                for _ in 0..lines {
                    (reader.head()? == 2).then_some(())?;
                    out.push(reader.points()?);
                }
                Some(Self::Lines(out))
            }
            6 => {
                let polygons = reader.count()?;
                let mut out = Vec::new();
                for _ in 0..polygons {
                    (reader.head()? == 3).then_some(())?;
                    out.push(reader.rings()?);
                }
                Some(Self::Polygons(out))
            }
            _ => None,
        }
    }
}

/// Bounds of the geometry in a blob: its envelope, if it has one; `None` for a damaged blob.
pub fn bounds(blob: &[u8]) -> Option<Bounds> {
    let has_envelope = blob.starts_with(b"GP") && blob.get(3)? >> 1 & 7 == 1;
    match blob.get(8..40).filter(|_| has_envelope) {
        Some(envelope) => {
            let (edges, _) = envelope.as_chunks::<8>();
            let [west, east, south, north] = [0, 1, 2, 3].map(|i| f64::from_le_bytes(edges[i]));
            Some([west, south, east, north])
        }
        None => Geometry::from_blob(blob).map(|g| g.bounds()),
    }
}

fn head(out: &mut Vec<u8>, kind: u32) {
    out.push(1);
    out.extend_from_slice(&kind.to_le_bytes());
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
}

fn points(out: &mut Vec<u8>, points: &[[f64; 2]]) {
    for p in points {
        out.extend_from_slice(&p[0].to_le_bytes());
        out.extend_from_slice(&p[1].to_le_bytes());
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (now, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*now)
    }

    fn head(&mut self) -> Option<u32> {
        (self.take::<1>()? == [1]).then_some(())?;
        self.take().map(u32::from_le_bytes)
    }

    fn count(&mut self) -> Option<usize> {
        self.take().map(|b| u32::from_le_bytes(b) as usize)
    }

    fn point(&mut self) -> Option<[f64; 2]> {
        Some([f64::from_le_bytes(self.take()?), f64::from_le_bytes(self.take()?)])
    }

    fn points(&mut self) -> Option<Vec<[f64; 2]>> {
        let n = self.count()?;
        // A claimed count larger than the bytes left must not reserve memory.
        (n <= self.rest.len() / 16).then_some(())?;
        (0..n).map(|_| self.point()).collect()
    }

    fn rings(&mut self) -> Option<Vec<Vec<[f64; 2]>>> {
        let n = self.count()?;
        let mut rings = Vec::new();
        for _ in 0..n {
            let mut ring = self.points()?;
            ring.pop();
            (ring.len() >= 3).then_some(())?;
            rings.push(ring);
        }
        (!rings.is_empty()).then_some(rings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_geometry_comes_back_from_its_blob() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let hole = vec![[0.2, 0.2], [0.2, 0.4], [0.4, 0.4]];
        for g in [
            Geometry::Point([9.5, 47.1]),
            Geometry::Line(vec![[9.5, 47.1], [9.6, 47.2]]),
            Geometry::Lines(vec![vec![[9.5, 47.1], [9.6, 47.2]], vec![[9.7, 47.1], [9.7, 47.2], [9.8, 47.3]]]),
            Geometry::Polygons(vec![vec![square.clone(), hole], vec![square]]),
        ] {
            let blob = g.to_blob();
            assert_eq!(Geometry::from_blob(&blob).as_ref(), Some(&g));
            assert_eq!(bounds(&blob), Some(g.bounds()));
            for cut in 0..blob.len() {
                assert_eq!(Geometry::from_blob(&blob[..cut]), None, "cut at {cut}");
            }
        }
    }
}
