//! Houses from outside, as people photograph them: from the street, the garden, a terrace, an upper window, or by drone.
mod cameras;
mod facade;
mod garden;
mod ground;
mod house;
mod plants;
mod roofs;
mod site;
mod things;

use aerie_math::Rng;
use aerie_photo::room::Camera;
use glam::{Vec2, Vec3};

use crate::scene::{Brush, Builder, Label, Lamp, Material, Scene};
use cameras::Subject;
use facade::Style;
use garden::Plot;
use house::Kind;
use site::Site;

/// How far away the sky is.
const SKY: f32 = 1500.0;

/// A scene with houses along a street, and places and cameras before them.
pub(crate) fn imagine(rng: &mut Rng, side: usize, views: usize) -> (Scene, Vec<(Vec3, Camera)>) {
    let mut builder = Builder::default();
    let b = &mut builder;
    // Surface 0 is what rays meet that meet nothing.
    let sky = Brush::new(Label::Sky, Material::Sky, b.group());
    b.block(Vec3::new(-SKY, -SKY, -5.0), Vec3::new(SKY, SKY, SKY), sky);
    ground::plain(rng, b);
    ground::horizon(rng, b);
    let kinds = [
        Kind::Detached,
        Kind::Detached,
        Kind::Detached,
        Kind::Bungalow,
        Kind::Bungalow,
        Kind::Terraced,
        Kind::Flats,
        Kind::Villa,
        Kind::Villa,
    ];
    let kind = rng.pick(&kinds);
    let front = match kind {
        Kind::Terraced | Kind::Flats => rng.range_f32(0.0, 6.0),
        _ => rng.range_f32(3.0, 16.0),
    };
    let wide = rng.range_f32(4.0, 9.0);
    let road = [-front - 3.0 - wide, -front - 3.0];
    let has_street = rng.random_bool(0.85);
    if has_street {
        ground::street(rng, b, road);
    }
    let style = Style::random(rng, b);
    let site = Site::new(Vec2::ZERO, 0.0);
    let house = house::build(rng, b, &site, kind, &style);
    let rear = rng.range_f32(6.0, 30.0);
    let plot = Plot { house, front, rear, margin: if kind == Kind::Terraced { 0.0 } else { rng.range_f32(2.0, 10.0) } };
    garden::lay_out(rng, b, &site, &plot, 1.0);
    let lonely = rng.random_bool(0.25) && kind != Kind::Terraced;
    if !lonely {
        neighbors(rng, b, kind, &plot, &style);
        if has_street && rng.random_bool(0.7) {
            let y = road[0] - rng.range_f32(3.0, 9.0);
            opposite(rng, b, kind, y);
        }
        if rng.random_bool(0.5) {
            let y = house.depth + rear + rng.range_f32(6.0, 20.0);
            behind(rng, b, kind, y);
        }
    }
    if has_street {
        along_street(rng, b, road, [-70.0, 90.0]);
    }
    woods(rng, b, &plot, road[0]);
    let mut lamps = Vec::new();
    if let Some(x) = house.door.filter(|_| rng.random_bool(0.5)) {
        let warmth = rng.unit_f32();
        lamps.push(Lamp { place: Vec3::new(x + 0.8, -0.3, 2.1), strength: rng.range_f32(0.3, 1.5), warmth });
    }
    for _ in 0..rng.below(4) {
        let at = Vec2::new(rng.range_f32(-3.0, house.width + 3.0), rng.pick(&[-1.5, house.depth + 1.5]));
        lamps.push(Lamp { place: at.extend(rng.range_f32(0.3, 2.2)), strength: rng.range_f32(0.2, 1.5), warmth: 1.0 });
    }
    b.lamps = lamps;
    let mut scene = builder.finish();
    scene.is_outdoors = true;
    scene.ambient = rng.range_f32(0.7, 1.2);
    let (turn, up) = (rng.range_f32(0.0, std::f32::consts::TAU), rng.range_f32(0.12, 1.2));
    let way = Vec3::new(turn.cos() * up.cos(), turn.sin() * up.cos(), up.sin());
    scene.sun = Some((way, rng.range_f32(1.5, 5.0)));
    let subject = Subject { width: house.width, depth: house.depth, height: house.height, front, rear, road };
    let mut found = Vec::new();
    for _ in 0..40 {
        if found.len() == views {
            break;
        }
        found.extend(cameras::photographed(rng, &scene, &subject, side));
    }
    (scene, found)
}

/// Houses to the left and right.
fn neighbors(rng: &mut Rng, b: &mut Builder, kind: Kind, plot: &Plot, style: &Style) {
    let alike = rng.random_bool(0.4);
    for left in [true, false] {
        let mut edge = if left { -plot.margin } else { plot.house.width + plot.margin };
        for k in 0..3 {
            let other = Style::random(rng, b);
            let other = if alike { style } else { &other };
            let gap = if kind == Kind::Terraced { 0.0 } else { rng.range_f32(1.0, 9.0) };
            // A trial elsewhere would cost as much: the width is bounded instead.
            let width = if left { widest(kind) } else { 0.0 };
            let jog = if kind == Kind::Terraced { 0.0 } else { rng.range_f32(-2.0, 3.0) };
            let x = if left { edge - gap - width } else { edge + gap };
            let site = Site::new(Vec2::new(x, jog), 0.0);
            let near = if kind == Kind::Terraced && left { Kind::Detached } else { kind };
            let house = house::build(rng, b, &site, near, other);
            if k == 0 || rng.random_bool(0.5) {
                let plot = Plot { house, front: plot.front + jog, rear: plot.rear.min(12.0), margin: gap / 2.0 };
                garden::lay_out(rng, b, &site, &plot, 0.4);
            }
            edge = if left { x - 1.0 } else { x + house.width };
        }
    }
}

fn widest(kind: Kind) -> f32 {
    match kind {
        Kind::Detached | Kind::Terraced => 22.0,
        Kind::Bungalow => 29.0,
        Kind::Flats => 40.0,
        Kind::Villa => 25.0,
    }
}

/// Houses across the street, which face the other way.
fn opposite(rng: &mut Rng, b: &mut Builder, kind: Kind, y: f32) {
    let mut x = 70.0;
    while x > -70.0 {
        let style = Style::random(rng, b);
        let site = Site::new(Vec2::new(x, y), std::f32::consts::PI);
        let house = house::build(rng, b, &site, kind, &style);
        x -= house.width + if kind == Kind::Terraced { 0.0 } else { rng.range_f32(6.0, 14.0) };
    }
}

/// Houses of the next street.
fn behind(rng: &mut Rng, b: &mut Builder, kind: Kind, y: f32) {
    let mut x = rng.range_f32(-60.0, -30.0);
    while x < 60.0 {
        let style = Style::random(rng, b);
        let site = Site::new(Vec2::new(x + 15.0, y + 12.0), std::f32::consts::PI + rng.range_f32(-0.1, 0.1));
        let house = house::build(rng, b, &site, kind, &style);
        x += house.width + rng.range_f32(6.0, 14.0);
    }
}

/// Parked and moving cars, trees and lamps along the street.
fn along_street(rng: &mut Rng, b: &mut Builder, road: [f32; 2], x: [f32; 2]) {
    let busy = rng.range_f32(0.0, 0.8);
    let trees = rng.random_bool(0.4);
    let lamps = b.group();
    for (y, turn) in [(road[0] + 1.1, 0.0), (road[1] - 1.1, std::f32::consts::PI)] {
        let mut at = x[0];
        while at < x[1] {
            if rng.random_bool_f32(busy * 0.6) {
                let turn = turn + rng.range_f32(-0.03, 0.03);
                things::car(rng, b, &Site::new(Vec2::new(at, y), turn));
            }
            at += rng.range_f32(5.5, 8.0);
        }
        let verge = if turn == 0.0 { road[0] - 1.6 } else { road[1] + 1.6 };
        let mut at = x[0];
        while at < x[1] && trees {
            if rng.random_bool(0.6) {
                plants::tree(rng, b, Vec2::new(at, verge), 11.0, 0.6);
            }
            at += rng.range_f32(7.0, 16.0);
        }
    }
    if rng.random_bool(0.4) {
        for k in -2..4 {
            things::lamp_post(b, Vec2::new(25.0 * k as f32 + 8.0, road[1] + 0.5), lamps);
        }
    }
}

/// Trees around and behind the gardens.
fn woods(rng: &mut Rng, b: &mut Builder, plot: &Plot, near: f32) {
    let back = plot.house.depth + plot.rear;
    let most = rng.range_f32(5.0, 18.0);
    for _ in 0..rng.below(44) {
        let at = Vec2::new(rng.range_f32(-50.0, 70.0), back + rng.range_f32(1.0, 40.0));
        plants::tree(rng, b, at, most, 0.6);
    }
    for _ in 0..rng.below(5) {
        let at = Vec2::new(rng.range_f32(-60.0, 80.0), near - rng.range_f32(3.0, 20.0));
        plants::tree(rng, b, at, most, 0.5);
    }
}
