//! Arrangements that a person sends back, changed.

use std::collections::BTreeMap;

use aerie_furniture::{OperatorModels, PieceKind, Recipe, StylePrompt};
use aerie_photo::Photo;
use aerie_staging::space::Side;
use aerie_staging::{Asked, Brief, Effort, FurnitureItem, Monitor, Room, RoomHints, RoomPlan, Staged};
use aerie_synthetic::{Developing, LitRoom, Style, imagine};
use glam::{Vec2, Vec3};

const QUICK: Effort = Effort { samples: 2, lit: 1, side: 120, rays: 9 };

fn photo() -> Photo {
    let style = Style { width: 480, height: 320, casual: 0.0, ..Style::default() };
    let imagined = imagine(2, &style);
    LitRoom::new(imagined.room).view(&imagined.viewpoint, 2).developed(&Developing::default())
}

/// The furniture of a picture as a person would send it back.
fn sent_back(made: &Staged) -> Vec<Asked> {
    let one = |f: &FurnitureItem| Asked {
        kind: f.piece,
        model: f.model.clone(),
        recipe: f.recipe.as_deref().map(|recipe| Recipe::parse(f.piece, recipe).expect("a recipe")),
        at: Vec2::new(f.position[0] as f32, f.position[1] as f32),
        elevation: f.elevation as f32,
        turn: (f.turn as f32).to_radians(),
        colors: BTreeMap::new(),
    };
    made.furniture.iter().map(one).collect()
}

#[test]
fn an_arrangement_that_is_sent_back_is_the_same_picture_and_one_piece_can_be_moved_removed_or_recolored() {
    let photo = photo();
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let (style, models) = (StylePrompt::parse(Some("modern")), OperatorModels::default());
    let stage = |asked: Option<&[Asked]>| {
        let brief = Brief { plan: RoomPlan::LivingRoom, style: &style, models: &models, seed: 5, asked, first: None };
        room.stage(&photo, &brief, &QUICK, &Monitor::NONE)
    };
    let first = stage(None).expect("furniture");
    let asked = sent_back(&first);
    let again = stage(Some(&asked)).expect("furniture");
    assert_eq!(again.furniture.len(), first.furniture.len());
    for (a, b) in first.furniture.iter().zip(&again.furniture) {
        assert_eq!(
            (a.piece, &a.recipe, &a.colors, a.turn, a.position),
            (b.piece, &b.recipe, &b.colors, b.turn, b.position)
        );
        assert_eq!(a.size, b.size);
    }
    // Places are rounded to millimeters, so pictures differ where an edge moves by less than a pixel.
    let far = |a: &[u16; 3], b: &[u16; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 6000);
    let changed =
        |a: &Staged, b: &Staged| a.picture.pixels.iter().zip(&b.picture.pixels).filter(|(a, b)| far(a, b)).count();
    let noise = changed(&first, &again);
    assert!(noise < photo.pixels.len() / 200, "{noise}");

    let sofa = asked.iter().position(|a| a.kind == PieceKind::Sofa).expect("a sofa");
    let without: Vec<Asked> = asked.iter().enumerate().filter(|(i, _)| *i != sofa).map(|(_, a)| a.clone()).collect();
    let gone = stage(Some(&without)).expect("furniture");
    assert!(gone.furniture.iter().all(|f| f.piece != PieceKind::Sofa));
    let role = first.furniture[sofa].colors.keys().find(|role| **role == "sofa").expect("cloth");
    let mut red = asked.clone();
    red[sofa].colors = BTreeMap::from([(role.parse().expect("a role"), Vec3::new(0.6, 0.02, 0.02))]);
    let red = stage(Some(&red)).expect("furniture");
    assert!(red.furniture[sofa].colors["sofa"].starts_with("#cb"), "{:?}", red.furniture[sofa].colors);
    assert!(changed(&red, &again) > 4 * noise + 200 && changed(&gone, &again) > 4 * noise + 200);
}

#[test]
fn a_piece_outside_the_room_is_refused_by_its_number_and_one_in_another_is_doubted() {
    let photo = photo();
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let (style, models) = (StylePrompt::parse(Some("modern")), OperatorModels::default());
    let stage = |asked: &[Asked]| {
        let asked = Some(asked);
        let brief = Brief { plan: RoomPlan::LivingRoom, style: &style, models: &models, seed: 5, asked, first: None };
        room.stage(&photo, &brief, &QUICK, &Monitor::NONE)
    };
    let piece = |kind, x: f32, y: f32| Asked {
        kind,
        model: None,
        recipe: None,
        at: Vec2::new(x, y),
        elevation: 0.0,
        turn: 0.0,
        colors: BTreeMap::new(),
    };
    let middle = room.space().sides.iter().map(|s| s.from).sum::<Vec2>() / room.space().sides.len() as f32;
    let middle = Vec2::new(middle.x, middle.y.max(1.8));
    let good = piece(PieceKind::Pouf, middle.x, middle.y);
    let refused = |asked: &[Asked]| stage(asked).expect_err("refused").to_string();
    let outside = refused(&[good.clone(), piece(PieceKind::Sofa, 30.0, 2.0)]);
    assert!(outside.starts_with("`options.arrangement[1]` (sofa) stands outside the room"), "{outside}");
    // A piece that only reaches through a wall is moved, and the answer says so.
    let widest = room.space().sides.iter().map(|s| s.from.x).fold(f32::MIN, f32::max);
    let through = stage(&[piece(PieceKind::Pouf, widest - 0.05, middle.y)]).expect("furniture");
    assert!(
        through.doubts.iter().any(|d| d.contains("reached through a wall and was moved by 0.")),
        "{:?}",
        through.doubts
    );
    let now = through.furniture[0].position[0] as f32;
    assert!(now < widest - 0.1 && now > widest - 0.4, "{now} of {widest}");
    let high = refused(&[Asked { elevation: 5.0, ..good.clone() }]);
    assert!(high.contains("reaches through the ceiling"), "{high}");
    let unknown = refused(&[Asked { model: Some("oslo".into()), ..good.clone() }]);
    assert!(unknown.starts_with("`options.arrangement[0].model` names a model"), "{unknown}");
    let twice = stage(&[good.clone(), piece(PieceKind::Armchair, middle.x + 0.1, middle.y)]).expect("furniture");
    assert!(twice.doubts.iter().any(|d| d.contains("stands in another piece (pouf)")), "{:?}", twice.doubts);
}

#[test]
fn sheers_and_a_hanging_lamp_are_sent_back_as_they_are_and_lie_in_the_mask() {
    let photo = photo();
    let room = Room::analyze(&photo, &RoomHints::default()).expect("a room");
    let (style, models) = (StylePrompt::parse(Some("coastal")), OperatorModels::default());
    let stage = |asked: &[Asked]| {
        let asked = Some(asked);
        let brief = Brief { plan: RoomPlan::DiningRoom, style: &style, models: &models, seed: 5, asked, first: None };
        room.stage(&photo, &brief, &QUICK, &Monitor::NONE).expect("furniture")
    };
    let space = room.space();
    let slant = |side: &Side| side.inward.dot(-side.at(side.length() / 2.0, 0.0).truncate().normalize_or_zero());
    let wall =
        space.sides.iter().filter(|side| side.seen).max_by(|a, b| slant(a).total_cmp(&slant(b))).expect("a wall");
    let at = wall.at(wall.length() / 2.0, 0.0).truncate() + wall.inward * 0.085;
    let piece = |kind, recipe: &str, at: Vec2, elevation: f32| Asked {
        kind,
        model: None,
        recipe: Some(Recipe::parse(kind, recipe).expect("a recipe")),
        at,
        elevation,
        turn: wall.inward.to_angle() + std::f32::consts::FRAC_PI_2,
        colors: BTreeMap::new(),
    };
    let middle = wall.at(wall.length() / 2.0, 0.0).truncate() + wall.inward * 1.2;
    let sheers = piece(PieceKind::Curtains, "0-1.6x2.1-3", at, 0.0);
    let lamp = piece(PieceKind::PendantLamp, "1-0.7x0-2", middle, space.height - 0.7);
    let first = stage(&[sheers, lamp]);
    let again = stage(&sent_back(&first));
    assert!(first.doubts.is_empty() && again.doubts.is_empty(), "{:?} {:?}", first.doubts, again.doubts);
    for (a, b) in first.furniture.iter().zip(&again.furniture) {
        assert_eq!(
            (a.piece, &a.recipe, &a.size, a.turn, a.position, a.elevation),
            (b.piece, &b.recipe, &b.size, b.turn, b.position, b.elevation)
        );
    }
    // A panel, and the globe of the lamp.
    let panel = (at + wall.along() * 0.57).extend(1.1);
    let globe = middle.extend(space.height - 0.53);
    let seen: Vec<_> = [panel, globe].into_iter().filter(|place| space.shows(*place)).collect();
    assert!(!seen.is_empty());
    for place in seen {
        let pixel = space.pixel(place).expect("in view");
        assert!(first.picture.mask[pixel.y as usize * photo.width + pixel.x as usize] > 100, "{place}");
    }
}
