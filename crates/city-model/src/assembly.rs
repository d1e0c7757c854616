//! Assembles buildings from their parts and passes them on.

use std::ops::ControlFlow;

use crate::building::{Building, Header};
use crate::crs::Axes;
use crate::error::CityModelError;
use crate::frame::Frame;
use crate::model::{Kind, MAX_CORNERS, RawFace, RawObject, Ring3};
use crate::outline;
use crate::roof::{self, MIN_AREA, Polygon3, RoofFace, VERTICAL, newell, plan_area, polygons, upwardness};
use crate::summary::Summary;

/// A reading of one file or archive.
pub(crate) struct Reading<'a> {
    found: &'a mut dyn FnMut(Building) -> ControlFlow<()>,
    pub(crate) summary: Summary,
    axes: Axes,
    stopped: bool,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(found: &'a mut dyn FnMut(Building) -> ControlFlow<()>) -> Self {
        Self { found, summary: Summary::default(), axes: Axes::default(), stopped: false }
    }

    /// Starts a file with a header. The files of an archive must agree.
    pub(crate) fn start(&mut self, header: Header) -> Result<(), CityModelError> {
        let known = &mut self.summary.header;
        match (&known.crs, &header.crs) {
            (Some(one), Some(other)) if one != other && (known.epsg() != header.epsg() || known.epsg().is_none()) => {
                return Err(CityModelError::MixedSystems(one.clone(), other.clone()));
            }
            (None, Some(_)) => *known = Header { title: known.title.take().or(header.title), ..header },
            _ => known.title = known.title.take().or(header.title),
        }
        self.axes = known.crs.as_deref().map(crate::crs::axes).unwrap_or_default();
        Ok(())
    }

    /// Axes of the file.
    pub(crate) fn axes(&self) -> Axes {
        self.axes
    }

    /// Whether the receiver wants no more.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Passes on the building of an object and its parts, or counts why not.
    pub(crate) fn building(&mut self, objects: &[RawObject]) {
        if self.stopped {
            return;
        }
        match assemble(objects, self.axes) {
            Ok(building) => {
                self.summary.read += 1;
                self.summary.textured_surfaces += objects.iter().map(|object| object.textured).sum::<u64>();
                let lacks = |part: &RawObject| part.lod.is_none() && part.other_lod;
                self.summary.incomplete += u64::from(objects.iter().skip(1).any(lacks));
                self.stopped = (self.found)(building).is_break();
            }
            Err(reason) => *self.summary.left_out.entry(reason).or_default() += 1,
        }
    }

    pub(crate) fn finish(self) -> Summary {
        self.summary
    }
}

/// Surfaces of a building in local meters, by kind.
#[derive(Default)]
struct Surfaces {
    roof: Vec<RoofFace>,
    outline: Vec<Polygon3>,
    ground: Option<f64>,
    walls: Option<f64>,
}

fn assemble(objects: &[RawObject], axes: Axes) -> Result<Building, String> {
    if let Some(reason) = objects.iter().find_map(|object| object.broken.clone()) {
        return Err(reason);
    }
    let Some(lod) = objects.iter().filter_map(|object| object.lod).max() else {
        let other = objects.iter().any(|object| object.other_lod);
        return Err(if other { "without LoD2" } else { "without geometry" }.into());
    };
    let corners = objects.iter().flat_map(|object| &object.faces).flat_map(|face| &face.rings);
    if corners.clone().map(Vec::len).sum::<usize>() > MAX_CORNERS {
        return Err("too many corners".into());
    }
    let first = *corners.flatten().next().ok_or("without geometry")?;
    let frame = Frame::at(first, axes)?;
    let mut surfaces = Surfaces::default();
    for object in objects {
        surfaces.add(&local_faces(object, &frame)?)?;
    }
    let Surfaces { roof, outline, ground, walls } = surfaces;
    let mut roof = roof::without_undersides(roof);
    if roof.is_empty() {
        return Err("without roof faces".into());
    }
    roof::remove_duplicates(&mut roof);
    let outline = outline::union(&outline)?;
    if outline.is_empty() {
        return Err("without an outline".into());
    }
    let own = |value: fn(&RawObject) -> Option<u32>| value(&objects[0]).or(objects.iter().filter_map(value).max());
    let find_rms = |object: &RawObject| object.attributes.rms.get(&lod).copied();
    let up = |[x, y, z]: [f64; 3]| {
        let [x, y] = frame.global([x, y]);
        [x, y, z]
    };
    Ok(Building {
        id: objects[0].id.clone(),
        roof: roof.into_iter().map(|face| face.into_iter().map(up).collect()).collect(),
        outline: outline
            .into_iter()
            .map(|rings| {
                rings.into_iter().map(|ring| ring.into_iter().map(|point| frame.global(point)).collect()).collect()
            })
            .collect(),
        ground: ground.or(walls).ok_or("without ground and walls")?,
        address: objects.iter().find_map(|object| object.attributes.address.clone()),
        rms: find_rms(&objects[0]).or(objects.iter().filter_map(find_rms).max_by(f64::total_cmp)),
        year: objects.iter().find_map(|object| object.attributes.year),
        stories: own(|object| object.attributes.stories),
    })
}

/// Faces of an object in local meters; each has a kind.
fn local_faces(object: &RawObject, frame: &Frame) -> Result<Vec<RawFace>, &'static str> {
    let mut faces = Vec::with_capacity(object.faces.len());
    for face in &object.faces {
        let ring = |ring: &Ring3| ring.iter().map(|&corner| frame.local(corner)).collect::<Result<Ring3, _>>();
        faces.push(RawFace { kind: face.kind, rings: face.rings.iter().map(ring).collect::<Result<_, _>>()? });
    }
    // Without semantics the faces are classified by where they look. A solid may be turned inside out.
    let inverted = faces.iter().all(|face| face.kind.is_none()) && volume(&faces) < 0.0;
    for face in faces.iter_mut().filter(|face| face.kind.is_none()) {
        let up = face.rings.first().map_or(0.0, |outer| upwardness(newell(outer)));
        face.kind = Some(match if inverted { -up } else { up } {
            up if up > VERTICAL => Kind::Roof,
            up if up < -VERTICAL => Kind::Ground,
            _ => Kind::Wall,
        });
    }
    Ok(faces)
}

/// Six times the volume inside of faces, negative where they look inward.
fn volume(faces: &[RawFace]) -> f64 {
    let Some(&[x0, y0, z0]) = faces.iter().flat_map(|face| &face.rings).flatten().next() else { return 0.0 };
    let mut sum = 0.0;
    for face in faces {
        for ring in &face.rings {
            let normal = newell(ring);
            if let Some(&[x, y, z]) = ring.first() {
                sum += normal[0] * (x - x0) + normal[1] * (y - y0) + normal[2] * (z - z0);
            }
        }
    }
    sum
}

impl Surfaces {
    /// Adds the faces of an object. Its outline is its ground, or its roof where it has none.
    fn add(&mut self, faces: &[RawFace]) -> Result<(), &'static str> {
        let of = |kind: Kind| faces.iter().filter(move |face| face.kind == Some(kind));
        let lowest =
            |kind: Kind| of(kind).flat_map(|face| &face.rings).flatten().map(|corner| corner[2]).min_by(f64::total_cmp);
        let lower = |known: Option<f64>, new: Option<f64>| known.into_iter().chain(new).min_by(f64::total_cmp);
        self.ground = lower(self.ground, lowest(Kind::Ground));
        self.walls = lower(self.walls, lowest(Kind::Wall));
        let mut roof = Vec::new();
        for face in of(Kind::Roof) {
            let looks_down = face.rings.first().is_some_and(|outer| newell(outer)[2] < 0.0);
            roof.extend(roof::faces(&face.rings)?.into_iter().map(|ring| RoofFace { ring, looks_down }));
        }
        let mut ground: Vec<Polygon3> = of(Kind::Ground).flat_map(|face| polygons(&face.rings)).collect();
        ground.retain(|polygon| plan_area(&polygon.outer) >= MIN_AREA);
        if ground.is_empty() {
            ground.extend(roof.iter().map(|outer| Polygon3 { outer: outer.ring.clone(), holes: Vec::new() }));
        }
        self.outline.extend(ground);
        self.roof.extend(roof);
        Ok(())
    }
}
