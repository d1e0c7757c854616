//! CityGML 1.0 and 2.0, by local names: prefixes and namespaces differ from writer to writer. A file is read building by building.

mod building;
mod geometry;
mod xml;

use std::io::BufRead;

use crate::assembly::Reading;
use crate::building::Header;
use crate::error::CityModelError;
use crate::input::{Source, head};
use xml::{Latin1, Step, Xml};

/// Passes the elements of a source to `visit`.
fn with_xml(
    source: &mut dyn Source,
    visit: &mut dyn FnMut(&mut Xml) -> Result<(), CityModelError>,
) -> Result<(), CityModelError> {
    let start = String::from_utf8_lossy(&head(source)?).to_ascii_lowercase();
    let declaration = start.split("?>").next().unwrap_or_default();
    let latin1 = declaration.contains("iso-8859-1") || declaration.contains("windows-1252");
    source.open(&mut |reader| {
        let mut latin = None;
        let reader: &mut dyn BufRead = if latin1 { latin.insert(Latin1::new(reader)) } else { reader };
        visit(&mut Xml::new(reader))
    })
}

/// Reads the header: the first coordinate system that is named, and the name or description of the model.
pub(crate) fn header(source: &mut dyn Source) -> Result<Header, CityModelError> {
    let (mut crs, mut name, mut description) = (None, None, None);
    with_xml(source, &mut |xml| {
        let mut members = false;
        loop {
            match xml.next()? {
                Step::Start => {
                    crs = crs.take().or_else(|| xml.attribute("srsName").filter(|name| !name.trim().is_empty()));
                    members |= matches!(xml.name(), "cityObjectMember" | "featureMember" | "featureMembers");
                    if members && crs.is_some() {
                        return Ok(());
                    }
                    match xml.name() {
                        "name" if xml.depth() == 2 && !members => name = Some(xml.text_of_element()?),
                        "description" if xml.depth() == 2 && !members => description = Some(xml.text_of_element()?),
                        _ => {}
                    }
                }
                Step::Text | Step::End => {}
                Step::Eof => return Ok(()),
            }
        }
    })?;
    let title =
        [name, description].into_iter().flatten().map(|text| text.trim().to_owned()).find(|text| !text.is_empty());
    Ok(Header::new(crs, title))
}

/// Reads the buildings.
pub(crate) fn read(source: &mut dyn Source, reading: &mut Reading) -> Result<(), CityModelError> {
    let header = header(source)?;
    reading.start(header)?;
    with_xml(source, &mut |xml| {
        while !reading.stopped() {
            match xml.next()? {
                Step::Start if xml.name() == "Building" => {
                    let objects = building::read(xml, reading.axes())?;
                    reading.building(&objects);
                }
                Step::Eof => break,
                Step::Start | Step::Text | Step::End => {}
            }
        }
        reading.summary.ade_elements += xml.ade_elements();
        reading.summary.textured_surfaces += xml.textured_surfaces();
        Ok(())
    })
}
