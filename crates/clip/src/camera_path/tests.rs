use aerie_photo::room::Camera;
use glam::DVec2;

use super::*;
use crate::image_motion::ImageMotion;
use crate::limits::enlargement;
use crate::proxy::{Kind, Surface};

fn room() -> Proxy {
    let camera = Camera::turned(960, 640, 620.0, -0.04, 0.01, 0.25);
    let planes = vec![-DVec3::Z, DVec3::Z / 0.9, -DVec3::X / 1.4, DVec3::X / 1.8, DVec3::Y / 3.0];
    let surfaces = vec![Surface { planes, corner: Vec::new() }];
    Proxy { kind: Kind::Room, surfaces, camera, shown: [0.0, 0.0, 960.0, 640.0], marks: Vec::new(), reach: 1.0 }
}

fn flat() -> Proxy {
    let camera = Camera::turned(960, 640, 800.0, 0.0, 0.0, 0.0);
    let surfaces = vec![Surface { planes: vec![DVec3::Y], corner: Vec::new() }];
    Proxy { kind: Kind::Flat, surfaces, camera, shown: [0.0, 0.0, 960.0, 640.0], marks: Vec::new(), reach: 1.0 }
}

/// A house whose corner is ahead, on the ground, before the sky.
fn facades() -> Proxy {
    let camera = Camera::turned(960, 640, 700.0, 0.05, 0.0, 0.5);
    let house = Surface { planes: vec![-DVec3::Z, DVec3::Y / 18.0], corner: vec![DVec3::Y / 6.0, DVec3::X / 2.0] };
    let surfaces = vec![house, Surface::default()];
    Proxy { kind: Kind::Facades, surfaces, camera, shown: [0.0, 0.0, 960.0, 640.0], marks: Vec::new(), reach: 1.0 }
}

fn wanted(prompt: &str, level: Level, ends_in_photo: bool) -> CameraRequest {
    let prompt = CameraPrompt::parse(Some(prompt).filter(|p| !p.is_empty()));
    CameraRequest { prompt, level, ends_in_photo, seconds: 5.0, something_ahead: true }
}

const PROMPTS: [&str; 17] = [
    "",
    "push in",
    "pull out",
    "pan left",
    "pan right",
    "tilt up",
    "tilt down",
    "rise",
    "descend",
    "orbit left",
    "dramatic orbit right",
    "slide left",
    "slide right, rise and push in",
    "fly through to the window",
    "parallax to the left",
    "parallax",
    "dolly zoom",
];

#[test]
fn a_dolly_zoom_moves_and_keeps_the_size_of_what_is_in_the_middle() {
    for (proxy, ends_in_photo) in [(room(), false), (room(), true), (flat(), false)] {
        let course = CameraPath::plan(&proxy, None, &wanted("dolly zoom", Level::Medium, ends_in_photo));
        assert!(course.moves.forward > 0.02 * proxy.depth() && course.moves.zoom < 0.0, "{course:?}");
        for way in [0.25, 0.5, 1.0] {
            let pose = course.pose(&proxy, way);
            let distance = course.pivot - pose.position.dot(proxy.forward());
            let size = (pose.focal / distance) / (proxy.camera.focal / course.pivot);
            assert!((size / (1.0 + course.closing * way) - 1.0).abs() < 0.01, "{size} at {way}: {course:?}");
        }
    }
}

#[test]
fn a_parallax_shifts_what_is_near_and_what_is_far_to_opposite_sides() {
    let proxy = room();
    for (prompt, side) in [("parallax to the right", 1.0), ("parallax to the left", -1.0)] {
        let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::Medium, false));
        let pose = course.pose(&proxy, 1.0);
        let camera = Camera { rotation: pose.rotation, focal: pose.focal, ..proxy.camera };
        let shift = |distance: f64| {
            let place = proxy.forward() * distance;
            let (was, now) = (proxy.camera.pixel(place).unwrap(), camera.pixel(place - pose.position).unwrap());
            side * (now.x - was.x)
        };
        assert!(shift(0.2 * proxy.depth()) < -1.0 && shift(proxy.depth()) > 0.5, "{prompt}: {course:?}");
    }
}

#[test]
fn excluded_moves_are_not_chosen() {
    let course = CameraPath::plan(&room(), None, &wanted("no zoom", Level::Medium, false));
    assert!(!course.verbs.contains(&CameraMove::PushIn) && !course.verbs.is_empty(), "{:?}", course.verbs);
}

#[test]
fn no_path_shows_what_the_photo_does_not_hold() {
    for proxy in [room(), flat(), facades()] {
        for prompt in PROMPTS {
            for level in [Level::Low, Level::Medium, Level::High] {
                for ends_in_photo in [false, true] {
                    let course = CameraPath::plan(&proxy, None, &wanted(prompt, level, ends_in_photo));
                    for frame in 0..=90 {
                        let pose = course.at(&proxy, f64::from(frame) / 90.0);
                        for i in 0..=60 {
                            let t = f64::from(i) / 60.0;
                            for pixel in [[t * 960.0, 0.0], [t * 960.0, 640.0], [0.0, t * 640.0], [960.0, t * 640.0]] {
                                let seen = proxy.photo_pixel(&pose, DVec2::from_array(pixel)).unwrap();
                                let inside = seen.x > -1.0 && seen.x < 961.0 && seen.y > -1.0 && seen.y < 641.0;
                                assert!(inside, "{prompt:?} {level:?} {ends_in_photo} frame {frame}: {seen}");
                            }
                        }
                        assert!(enlargement(&proxy, &pose) < 2.6, "{prompt:?} {level:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn straight_lines_on_planes_stay_straight_to_a_pixel_and_lie_where_they_are() {
    for proxy in [room(), facades()] {
        for prompt in PROMPTS {
            let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::High, false));
            let pose = course.at(&proxy, 1.0);
            let camera = Camera { rotation: pose.rotation, focal: pose.focal, ..proxy.camera };
            let planes = proxy.main().planes.iter().chain(&proxy.main().corner);
            for (a, way) in planes.flat_map(|a| [DVec3::X, DVec3::Y, DVec3::Z].map(|way| (a, way))) {
                if a.dot(way) != 0.0 {
                    continue;
                }
                // A line on the plane, as far as the photo shows that plane there.
                let middle = *a / a.length_squared() + DVec3::new(0.3, 0.4, 0.2) * (DVec3::ONE - a.normalize().abs());
                let shown = (-40..=40).filter_map(|i| {
                    let place = middle + way * (f64::from(i) * 0.1);
                    let own = (proxy.main().nearness(place) - 1.0).abs() < 1e-9;
                    let (was, now) = (proxy.camera.pixel(place)?, camera.pixel(place - pose.position)?);
                    let inside = now.x > 0.0 && now.x < 960.0 && now.y > 0.0 && now.y < 640.0;
                    let seen = proxy.photo_pixel(&pose, now)?;
                    // What stands before it hides it.
                    (own && inside && (seen - was).length() < 1.0).then_some(now)
                });
                let shown: Vec<DVec2> = shown.collect();
                let (Some(first), Some(last)) = (shown.first(), shown.last()) else { continue };
                let along = (*last - *first).normalize_or_zero();
                let most = shown.iter().map(|p| along.perp_dot(*p - *first).abs()).fold(0.0, f64::max);
                assert!(most < 1.0, "{prompt:?} {a} {way}: {most}");
            }
        }
    }
}

#[test]
fn a_path_begins_or_ends_in_the_photo() {
    let proxy = room();
    for (prompt, ends_in_photo, moment) in [("push in", false, 0.0), ("pull out", true, 1.0)] {
        let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::Medium, ends_in_photo));
        assert_eq!(course.at(&proxy, moment), proxy.start());
        assert!(course.is_photo(moment) && !course.is_photo(1.0 - moment));
        assert!(course.at(&proxy, 1.0 - moment).position.length() > 0.1);
    }
}

#[test]
fn the_camera_goes_the_way_that_was_asked_for() {
    let proxy = room();
    // What is ahead in the middle of the frame moves the other way.
    for (prompt, sign) in [("pan right", -1.0), ("pan left", 1.0), ("slide right", -1.0), ("slide left", 1.0)] {
        for ends_in_photo in [false, true] {
            let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::Medium, ends_in_photo));
            let across = |moment: f64| {
                let pose = course.at(&proxy, moment);
                let camera = Camera { rotation: pose.rotation, focal: pose.focal, ..proxy.camera };
                camera.pixel(proxy.forward() * 2.0 - pose.position).unwrap().x
            };
            assert!(
                (across(1.0) - across(0.0)) * sign > 5.0,
                "{prompt} {ends_in_photo}: {}",
                across(1.0) - across(0.0)
            );
        }
    }
    for (prompt, sign) in [("tilt up", 1.0), ("tilt down", -1.0), ("rise", 1.0), ("descend", -1.0)] {
        let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::Medium, false));
        let pose = course.at(&proxy, 1.0);
        let camera = Camera { rotation: pose.rotation, focal: pose.focal, ..proxy.camera };
        let down = camera.pixel(proxy.forward() * 2.0 - pose.position).unwrap().y - proxy.camera.center.y;
        assert!(down * sign > 3.0, "{prompt}: {down}");
    }
}

#[test]
fn every_clip_of_a_room_moves_visibly_and_shows_its_depth() {
    for prompt in PROMPTS {
        for level in [Level::Low, Level::Medium, Level::High] {
            for ends_in_photo in [false, true] {
                let proxy = room();
                let course = CameraPath::plan(&proxy, None, &wanted(prompt, level, ends_in_photo));
                let motion = course.motion(&proxy, None);
                let is_seen = motion.displacement >= 0.05 && motion.parallax >= 0.02;
                assert!(is_seen, "{prompt:?} {level:?} {ends_in_photo}: {motion:?} {course:?}");
            }
        }
    }
}

#[test]
fn a_flat_picture_moves_visibly_too_and_the_way_that_was_asked_for() {
    for (prompt, way) in
        [("pan right", [-1.0, 0.0]), ("slide left", [1.0, 0.0]), ("rise", [0.0, 1.0]), ("tilt down", [0.0, -1.0])]
    {
        let proxy = flat();
        let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::Medium, false));
        let motion = course.motion(&proxy, None);
        assert!(motion.displacement >= 0.05, "{prompt}: {motion:?}");
        assert!(motion.mean[0] * way[0] + motion.mean[1] * way[1] > 0.02, "{prompt}: {motion:?}");
    }
}

#[test]
fn the_picture_moves_the_way_that_was_asked_for() {
    // To the right and down, as everything moves in the picture.
    for (prompt, way) in [
        ("pan right", [-1.0, 0.0]),
        ("pan left", [1.0, 0.0]),
        ("slide right", [-1.0, 0.0]),
        ("slide left", [1.0, 0.0]),
        ("tilt up", [0.0, 1.0]),
        ("tilt down", [0.0, -1.0]),
        ("rise", [0.0, 1.0]),
        ("descend", [0.0, -1.0]),
    ] {
        for ends_in_photo in [false, true] {
            let proxy = room();
            let course = CameraPath::plan(&proxy, None, &wanted(prompt, Level::Medium, ends_in_photo));
            let ImageMotion { mean, .. } = course.motion(&proxy, None);
            assert!(mean[0] * way[0] + mean[1] * way[1] > 0.01, "{prompt} {ends_in_photo}: {mean:?}");
        }
    }
}

#[test]
fn a_clip_that_cannot_pull_back_does_not_push_in_instead() {
    for (prompt, ends_in_photo) in [("pull out", false), ("push in", true)] {
        for level in [Level::Low, Level::Medium, Level::High] {
            let course = CameraPath::plan(&room(), None, &wanted(prompt, level, ends_in_photo));
            let moves = course.moves;
            assert!(moves.forward == 0.0 && moves.zoom == 0.0 && moves.right != 0.0, "{prompt}: {moves:?}");
            assert!(course.limits.iter().any(|limit| limit.contains("drifts sideways")), "{:?}", course.limits);
        }
    }
}

#[test]
fn doubts_about_the_scene_shorten_the_way() {
    let sure = CameraPath::plan(&room(), None, &wanted("slide right", Level::Low, false));
    let doubtful = CameraPath::plan(&Proxy { reach: 0.75, ..room() }, None, &wanted("slide right", Level::Low, false));
    assert!(doubtful.moves.right > 0.0 && doubtful.moves.right < 0.8 * sure.moves.right);
}

#[test]
fn unshowable_moves_are_reported() {
    let first = CameraPath::plan(&room(), None, &wanted("pull out", Level::Medium, false));
    assert!(first.limits.iter().any(|l| l.contains("frame_mode last")), "{:?}", first.limits);
    let last = CameraPath::plan(&room(), None, &wanted("pull out", Level::Medium, true));
    assert!(last.limits.is_empty(), "{:?}", last.limits);
    let held = CameraPath::plan(&room(), None, &wanted("static shot", Level::High, false));
    assert_eq!(held.moves, Moves::default());
}
