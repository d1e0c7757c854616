//! The ground truth of generated rooms is correct.

use aerie_synthetic::{Developing, LitRoom, Style, Surface, Viewpoint, imagine};
use glam::{DVec2, DVec3};

fn style() -> Style {
    Style { width: 240, height: 160, ..Style::default() }
}

#[test]
fn photos_are_determined_by_their_seed() {
    let photo = |seed| {
        let imagined = imagine(seed, &style());
        let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
        view.developed(&Developing { seed, ..Developing::default() })
    };
    assert!(photo(5) == photo(5));
    assert!(photo(5) != photo(6));
}

#[test]
fn every_pixel_has_light_depth_and_a_face() {
    for (seed, l_shapes, cluttered) in [(1, 0.0, 0.0), (2, 1.0, 0.0), (3, 0.0, 1.0)] {
        let imagined = imagine(seed, &Style { l_shapes, cluttered, ..style() });
        let view = LitRoom::new(imagined.room).view(&imagined.viewpoint, 1);
        assert!(view.light.iter().all(|l| l.is_finite() && l.min_element() >= 0.0), "room {seed}");
        assert!(view.depth.iter().all(|d| *d > 0.1 && *d < 15.0), "room {seed}");
        assert!(view.floor_share() > 0.02, "room {seed}");
    }
}

#[test]
fn depth_and_camera_reproject_to_a_second_view() {
    let imagined = imagine(11, &style());
    let first = imagined.viewpoint;
    let second = Viewpoint { place: first.place + DVec3::new(0.1, 0.25, 0.05), ..first };
    let room = LitRoom::new(imagined.room);
    let (a, b) = (room.view(&first, 1), room.view(&second, 1));
    let mut compared = 0;
    for (i, depth) in a.depth.iter().enumerate() {
        let pixel = DVec2::new((i % a.width) as f64 + 0.5, (i / a.width) as f64 + 0.5);
        let sight = first.camera.sight(pixel);
        let place = first.place + first.camera.ray(pixel) * (f64::from(*depth) / sight.z);
        let Some(seen) = second.camera.pixel(place - second.place) else { continue };
        if seen.x < 0.0 || seen.y < 0.0 || seen.x >= b.width as f64 || seen.y >= b.height as f64 {
            continue;
        }
        let j = seen.y as usize * b.width + seen.x as usize;
        if a.surfaces[i] == b.surfaces[j] {
            let expected = (second.camera.rotation * (place - second.place)).z;
            assert!((f64::from(b.depth[j]) / expected - 1.0).abs() < 0.06, "pixel {i}");
            compared += 1;
        }
    }
    assert!(compared > a.depth.len() / 2, "only {compared} pixels compared");
}

#[test]
fn the_shell_ignores_furniture_and_furniture_occludes_light() {
    let style = Style { cluttered: 1.0, ..style() };
    let imagined = (0..40).map(|seed| imagine(seed, &style)).find(|i| i.room.clutter.len() >= 2).expect("furniture");
    let mut plain = imagined.room.clone();
    plain.light.shadows = false;
    plain.light.sun = None;
    let mut shaded = plain.clone();
    shaded.light.shadows = true;
    let render = |room| LitRoom::new(room).view(&imagined.viewpoint, 1);
    let (plain, shaded) = (render(plain), render(shaded));
    assert!(shaded.shell.iter().all(|s| !matches!(s, Surface::Block(..))));
    let floor = |v: &aerie_synthetic::View| {
        let lit = v.light.iter().zip(&v.surfaces).filter(|(_, s)| **s == Surface::Floor).map(|(l, _)| l.y);
        lit.sum::<f32>()
    };
    assert!(floor(&shaded) < floor(&plain) * 0.98, "{} against {}", floor(&shaded), floor(&plain));
}
