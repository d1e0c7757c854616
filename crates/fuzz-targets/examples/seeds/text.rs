//! Text and JSON of clients.

use crate::Seed;

pub(crate) fn all() -> Vec<Seed> {
    let seeds: &[(&str, &str, &str)] = &[
        ("address", "plain", "Lindenweg 7, 9405 Oberau"),
        ("address", "range", "Bühelstr. 9 - 11, Saint-Étienne"),
        ("address", "letter", "5th Avenue 19 b, Apt 3, USA"),
        ("address", "typo", "12/3 rue de l eglize"),
        ("address", "words", "house no. 5b Unter den Linden"),
        ("prompts", "clip", "slowly push in, then pan left and rise; dramatic orbit to the right"),
        ("prompts", "style", "Scandinavian, light oak and a sage accent; airy linen"),
        ("prompts", "enhance", "Please make it much brighter, a bit less warm, no sharpening; replace the grey sky"),
        (
            "request_body",
            "footage",
            r##"{"address":"Lindenweg 7","options":{"direction":"orbit","duration":10,"resolution":"1080p","color":"#FFD400"}}"##,
        ),
        (
            "request_body",
            "photo",
            r#"{"image_url":"https://example.com/a.jpg","options":{"preset":"bright","prompt":"warm","format":"png","max_size":2048}}"#,
        ),
        (
            "request_body",
            "staging",
            r#"{"image_url":"u","room_type":"bedroom","style":"modern","options":{"style_prompt":"oak","seed":3,"variants":2}}"#,
        ),
        (
            "request_body",
            "clip",
            r#"{"image_url":"u","options":{"prompt":"orbit","creativity_level":"high","frame_mode":"last","duration":10,"aspect_ratio":"16:9"}}"#,
        ),
        ("request_body", "markup", r#"{"address":"a","options":{"north_arrow":true,"scale_bar":null}}"#),
        ("request_body", "annotate", r#"{"annotated_image_url":"a","clean_image_url":"b","orientation":"bottom"}"#),
        (
            "boundary_geojson",
            "square",
            r#"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[9.0,47.0],[9.001,47.0],[9.001,47.001],[9.0,47.001],[9.0,47.0]]]},"properties":{}}"#,
        ),
        (
            "boundary_geojson",
            "pixels",
            r#"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[30,2],[30,40]]]]},"properties":{"coordinates":"image","image_width":64,"image_height":48}}]}"#,
        ),
    ];
    let mut seeds: Vec<Seed> =
        seeds.iter().map(|(target, name, text)| (*target, *name, text.as_bytes().to_vec())).collect();
    let ground = r#"{"width":96,"height":96,"origin":{"lat":47.1,"lon":9.52},"to_local":[0.05,0,-51.2,0,-0.05,38.4]}"#;
    for (name, ground) in [("square", ""), ("on-the-ground", ground)] {
        let mut drawing = vec![72, 72];
        drawing.extend(ground.as_bytes());
        drawing.push(b'\n');
        for [x, y] in [[50, 50], [200, 50], [200, 200], [50, 200], [50, 50]] {
            drawing.extend([x, y, 250, 2]);
        }
        seeds.push(("boundary_drawing", name, drawing));
    }
    seeds
}
