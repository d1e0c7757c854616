//! CityGML by small models.
use crate::common::{CORNERS, SURFACES, assert_is_house, only, read_bytes, reason};
use aerie_city_model::Address;

const GML: &str = "xmlns:gml=\"http://www.opengis.net/gml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

fn numbers(ring: &[usize]) -> String {
    let corners = ring.iter().chain(ring.first()).map(|&corner| CORNERS[corner]);
    corners.map(|[x, y, z]| format!("{} {} {z}", x + 390_000.0, y + 5_819_000.0)).collect::<Vec<_>>().join(" ")
}

fn polygon(index: usize) -> String {
    let list = numbers(SURFACES[index].1);
    format!(
        "<gml:Polygon gml:id=\"p{index}\"><gml:exterior><gml:LinearRing><gml:posList>{list}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>"
    )
}

fn member(content: &str) -> String {
    format!("<gml:surfaceMember>{content}</gml:surfaceMember>")
}

fn reference(index: usize) -> String {
    format!("<gml:surfaceMember xlink:href=\"#p{index}\"/>")
}

/// Boundary surfaces with some content each.
fn boundary(content: impl Fn(usize) -> String) -> String {
    let surface = |index: usize| {
        let (kind, members) = (SURFACES[index].0, content(index));
        format!(
            "<b:boundedBy><b:{kind}><b:lod2MultiSurface><gml:MultiSurface>{members}</gml:MultiSurface></b:lod2MultiSurface></b:{kind}></b:boundedBy>"
        )
    };
    (0..SURFACES.len()).map(surface).collect()
}

fn solid(content: impl Fn(usize) -> String) -> String {
    let members: String = (0..SURFACES.len()).map(content).collect();
    format!(
        "<b:lod2Solid><gml:Solid><gml:exterior><gml:CompositeSurface>{members}</gml:CompositeSurface></gml:exterior></gml:Solid></b:lod2Solid>"
    )
}

fn model(content: &str) -> String {
    format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<c:CityModel xmlns:c=\"http://www.opengis.net/citygml/2.0\" \
         xmlns:b=\"http://www.opengis.net/citygml/building/2.0\" xmlns:gen=\"http://www.opengis.net/citygml/generics/2.0\" \
         xmlns:uro=\"https://www.geospatial.jp/iur/uro/2.0\" xmlns:x=\"urn:oasis:names:tc:ciq:xsdschema:xAL:2.0\" {GML}>\
         <gml:name>Berlin &amp; around</gml:name><gml:boundedBy><gml:Envelope srsName=\"EPSG:25833\"/></gml:boundedBy>{content}</c:CityModel>"
    )
}

fn house(content: &str) -> String {
    model(&format!("<c:cityObjectMember><b:Building gml:id=\"house\">{content}</b:Building></c:cityObjectMember>"))
}

fn assert_read(text: &str) {
    assert_is_house(&only(text), 390_000.0, 5_819_000.0);
}

#[test]
fn surfaces_solids_and_references_in_either_direction_are_read() {
    assert_read(&house(&boundary(|index| member(&polygon(index)))));
    assert_read(&house(&format!("{}{}", boundary(|index| member(&polygon(index))), solid(reference))));
    assert_read(&house(&format!("{}{}", solid(reference), boundary(|index| member(&polygon(index))))));
    assert_read(&house(&format!("{}{}", solid(|index| member(&polygon(index))), boundary(reference))));
    assert_read(&house(&solid(|index| member(&polygon(index)))));
    let header = read_bytes(house("").as_bytes()).unwrap().0.header;
    assert_eq!((header.epsg(), header.title.as_deref()), (Some(25833), Some("Berlin & around")));
}

#[test]
fn prefixes_do_not_matter_and_version_1_is_read() {
    let text = house(&boundary(|index| member(&polygon(index)))).replace("2.0", "1.0");
    assert_read(&text.replace("<b:", "<bldg:").replace("</b:", "</bldg:").replace("xmlns:b=", "xmlns:bldg="));
    assert_read(&text.replace("<gml:", "<").replace("</gml:", "</"));
}

#[test]
fn single_positions_and_turned_surfaces_are_read() {
    let positions = |index: usize| {
        let list: Vec<String> = numbers(SURFACES[index].1).split(' ').map(str::to_owned).collect();
        let positions: String =
            list.chunks(3).map(|corner| format!("<gml:pos>{}</gml:pos>", corner.join(" "))).collect();
        polygon(index).replace(&format!("<gml:posList>{}</gml:posList>", list.join(" ")), &positions)
    };
    assert_read(&house(&boundary(|index| member(&positions(index)))));
    // Every polygon is turned over and turned back.
    let turned = |index: usize| {
        let mut ring = SURFACES[index].1.to_vec();
        ring.reverse();
        let polygon = polygon(index).replace(&numbers(SURFACES[index].1), &numbers(&ring));
        member(&format!(
            "<gml:OrientableSurface orientation=\"-\"><gml:baseSurface>{polygon}</gml:baseSurface></gml:OrientableSurface>"
        ))
    };
    assert_read(&house(&solid(turned)));
}

#[test]
fn parts_are_merged_with_their_building() {
    let half = |kind: &str, index: usize| {
        format!(
            "<b:boundedBy><b:{kind}><b:lod2MultiSurface><gml:MultiSurface>{}</gml:MultiSurface></b:lod2MultiSurface></b:{kind}></b:boundedBy>",
            member(&polygon(index))
        )
    };
    let part = |content: &str| {
        format!(
            "<b:consistsOfBuildingPart><b:BuildingPart gml:id=\"part\">{content}</b:BuildingPart></b:consistsOfBuildingPart>"
        )
    };
    let parts =
        format!("{}{}", part(&(half("RoofSurface", 1) + &half("GroundSurface", 0))), part(&half("RoofSurface", 2)));
    let building = only(&house(&parts));
    assert_eq!(building.id, "house");
    assert_is_house(&building, 390_000.0, 5_819_000.0);
}

#[test]
fn interior_rings_are_holes() {
    let hole = "<gml:interior><gml:LinearRing><gml:posList>390004 5819001 5.75 390004 5819002 6.5 390006 5819002 6.5 390006 5819001 5.75 \
                390004 5819001 5.75</gml:posList></gml:LinearRing></gml:interior></gml:Polygon>";
    let with_hole = |index: usize| {
        let polygon = polygon(index);
        member(&if index == 1 { polygon.replace("</gml:Polygon>", hole) } else { polygon })
    };
    let building = only(&house(&boundary(with_hole)));
    let area = |face: &Vec<[f64; 3]>| {
        aerie_math::geometry::signed_area(
            &face.iter().map(|&[x, y, _]| [x - 390_000.0, y - 5_819_000.0]).collect::<Vec<_>>(),
        )
    };
    assert_eq!(building.roof.len(), 3);
    assert!((building.roof.iter().map(area).sum::<f64>() - 78.0).abs() < 1e-6);
}

#[test]
fn extensions_are_skipped_and_counted() {
    let extension =
        "<uro:detail><uro:Detail><b:storeysAboveGround>9</b:storeysAboveGround></uro:Detail></uro:detail><uro:more/>";
    let text = house(&(extension.to_owned() + &boundary(|index| member(&polygon(index)))));
    assert_read(&text);
    assert_eq!(only(&text).stories, None);
    assert_eq!(read_bytes(text.as_bytes()).unwrap().0.ade_elements, 2);
}

#[test]
fn attributes_and_addresses_are_read() {
    let content = "<gen:intAttribute name=\"yearOfSurvey\"><gen:value>2019</gen:value></gen:intAttribute>\
        <c:creationDate>2021-01-01</c:creationDate><b:storeysAboveGround>3</b:storeysAboveGround><b:address><c:Address><c:xalAddress>\
        <x:AddressDetails><x:Country><x:Locality><x:LocalityName>K&#246;ln</x:LocalityName><x:Thoroughfare><x:ThoroughfareNumber>4a\
        </x:ThoroughfareNumber><x:ThoroughfareName>Am Dom</x:ThoroughfareName></x:Thoroughfare><x:PostalCode><x:PostalCodeNumber>50667\
        </x:PostalCodeNumber></x:PostalCode></x:Locality></x:Country></x:AddressDetails></c:xalAddress></c:Address></b:address>";
    let building = only(&house(&(content.to_owned() + &boundary(|index| member(&polygon(index))))));
    assert_eq!((building.year, building.stories), (Some(2019), Some(3)));
    let text = |text: &str| Some(text.to_owned());
    let address = Address { street: text("Am Dom"), number: text("4a"), city: text("Köln"), postcode: text("50667") };
    assert_eq!(building.address, Some(address));
}

#[test]
fn iso_8859_1_is_read() {
    let text =
        house(&boundary(|index| member(&polygon(index)))).replace("UTF-8", "ISO-8859-1").replace("around", "Köln");
    let bytes: Vec<u8> = text.chars().skip(1).map(|c| u8::try_from(c).unwrap()).collect();
    let (summary, _) = read_bytes(&bytes).unwrap();
    assert_eq!((summary.read, summary.header.title.as_deref()), (1, Some("Berlin & Köln")));
}

#[test]
fn buildings_that_cannot_be_used_are_left_out_with_a_reason() {
    let lod1 = solid(|index| member(&polygon(index))).replace("lod2", "lod1");
    assert_eq!(reason(&house(&lod1)), "without LoD2");
    assert_eq!(reason(&house("")), "without geometry");
    let good = house(&boundary(|index| member(&polygon(index))));
    assert_eq!(reason(&good.replace("RoofSurface", "ClosureSurface")), "without roof faces");
    assert_eq!(reason(&good.replacen("390000 ", "NaN ", 1)), "coordinate is not a number");
    assert_eq!(reason(&good.replacen("390000 ", "", 1)), "list of numbers that does not divide by three");
    assert_eq!(reason(&good.replacen("390000 ", "1e300 ", 1)), "coordinate out of range");
    assert_eq!(reason(&good.replace("<gml:posList>", "<gml:posList srsDimension=\"2\">")), "corners without height");
    assert_eq!(reason(&house(&boundary(reference))), "reference to a surface that is not there");
    let other = good.replacen("<gml:MultiSurface>", "<gml:MultiSurface srsName=\"urn:ogc:def:crs:EPSG::4979\">", 1);
    assert_eq!(reason(&other), "coordinate system other than that of the file");
}
