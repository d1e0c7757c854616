//! Bedding: mattress, duvet, pillows and throws.

use aerie_math::Rng;

use super::dressing::seed;
use crate::palette::Role;
use crate::piece::Piece;
use crate::shape::bedding::{Drape, Duvet, over};
use crate::shape::upholstery::{Cushion, Finish, scatter_cushion};

/// Where bedding lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bedding {
    /// Width of the mattress.
    pub(super) width: f32,
    /// Its ends along Y.
    pub(super) foot: f32,
    pub(super) head: f32,
    /// Height of what it lies on.
    pub(super) deck: f32,
    /// Its thickness.
    pub(super) thick: f32,
    /// How far the duvet hangs down the sides and the foot.
    pub(super) fall: [f32; 2],
}

/// A pillow that leans.
struct Leaning {
    size: [f32; 3],
    x: f32,
    y: f32,
    tilt: f32,
}

impl Bedding {
    fn top(&self) -> f32 {
        self.deck + self.thick
    }

    /// Makes the bed.
    pub(super) fn make(&self, piece: &mut Piece, rng: &mut Rng) {
        let long = self.head - self.foot;
        let mattress = Cushion::new(self.width - 0.02, long, self.thick, seed(rng)).edged(0.055).filled(0.006, 0.6);
        piece.add(mattress.lying().moved(0.0, (self.foot + self.head) / 2.0, self.deck), Role::Linen);
        let cover = long * 0.68;
        let duvet = Duvet {
            half: self.width / 2.0 - 0.012,
            long: cover,
            top: self.top(),
            fall: self.fall,
            thick: 0.042,
            seed: seed(rng),
        };
        piece.add(duvet.solid().moved(0.0, self.foot, 0.0), Role::Duvet);
        self.fold(piece, self.foot + cover - 0.12, rng);
        if rng.random_bool(0.85) {
            self.throw(piece, rng);
        }
        self.pillows(piece, rng);
    }

    /// The end of the duvet and the sheet, turned down.
    fn fold(&self, piece: &mut Piece, y: f32, rng: &mut Rng) {
        let half = self.width / 2.0 + 0.040;
        let low = self.top() - self.fall[0] * 0.78;
        let role = if rng.random_bool(0.6) { Role::Linen } else { Role::PillowTwo };
        for (half, up, wide, thick, role) in
            [(half, 0.046, 0.40, 0.034, Role::Duvet), (half + 0.012, 0.082, 0.31, 0.010, role)]
        {
            let line = over(half, self.top() + up, 0.075, [low + up * 0.2; 2]);
            let drape = Drape { line, wide, thick, fold: 0.010, fringe: 0.0, seed: seed(rng) };
            piece.add(drape.solid().moved(0.0, y + if wide > 0.35 { 0.0 } else { 0.035 }, 0.0), role);
        }
    }

    /// A throw across the foot.
    fn throw(&self, piece: &mut Piece, rng: &mut Rng) {
        let half = self.width / 2.0 + 0.066;
        let top = self.top() + 0.084;
        let is_knit = rng.random_bool(0.35);
        let reach = self.fall[0] * rng.range_f32(0.62, 0.8);
        let line = over(half, top, 0.085, [top - reach - 0.05, top - reach + 0.02]);
        let drape = Drape {
            line,
            wide: rng.range_f32(0.44, 0.58),
            thick: if is_knit { 0.024 } else { 0.014 },
            fold: 0.014,
            fringe: if is_knit { 0.0 } else { 0.06 },
            seed: seed(rng),
        };
        let solid = drape.solid().moved(0.0, self.foot + 0.50, 0.0);
        piece.add(solid, if is_knit { Role::Knit } else { Role::Throw });
    }

    fn lean(&self, piece: &mut Piece, leaning: &Leaning, finish: Finish, role: Role, rng: &mut Rng) {
        let [wide, high, plump] = leaning.size;
        let solid = scatter_cushion(wide, high, plump, finish, seed(rng))
            .moved(0.0, 0.0, -plump / 2.0)
            .yawed(rng.range_f32(-0.03, 0.03))
            .pitched(leaning.tilt)
            .yawed(rng.range_f32(-0.05, 0.05));
        let z = self.top() + high * 0.5 * leaning.tilt.sin() + plump * 0.30 * leaning.tilt.cos() - 0.012;
        piece.add(solid.moved(leaning.x, leaning.y, z), role);
    }

    /// Shams against the headboard, sleeping pillows before them, and cushions in front.
    fn pillows(&self, piece: &mut Piece, rng: &mut Rng) {
        let sides: &[f32] = if self.width > 1.2 { &[-1.0, 1.0] } else { &[0.0] };
        let each = if sides.len() == 2 { self.width / 2.0 - 0.02 } else { (self.width - 0.08).min(0.74) };
        let wide = (each - 0.05).min(0.74);
        let (accent, other) = if rng.random_bool(0.5) {
            (Role::PillowOne, Role::PillowThree)
        } else {
            (Role::PillowThree, Role::PillowOne)
        };
        let sham = if rng.random_bool(0.5) { Role::PillowTwo } else { Role::Duvet };
        for side in sides {
            let x = side * each * 0.5;
            let back = Leaning { size: [wide, 0.50, 0.19], x, y: self.head - 0.15, tilt: 1.22 };
            self.lean(piece, &back, Finish::Flange(0.035), sham, rng);
            let front = Leaning { size: [wide * 0.96, 0.45, 0.19], x: x * 0.98, y: self.head - 0.34, tilt: 1.05 };
            self.lean(piece, &front, Finish::Knife, Role::Linen, rng);
        }
        if sides.len() == 2 {
            for side in sides {
                let x = side * (0.25 + rng.range_f32(0.0, 0.03));
                let square = Leaning { size: [0.45, 0.44, 0.17], x, y: self.head - 0.50, tilt: 1.05 };
                self.lean(piece, &square, Finish::Piped, accent, rng);
            }
        }
        let wide = if sides.len() == 2 { 0.62 } else { 0.46 };
        let finish = if rng.random_bool(0.3) { Finish::Fringe(0.035) } else { Finish::Piped };
        let low = Leaning {
            size: [wide, 0.29, 0.15],
            x: rng.range_f32(-0.03, 0.03),
            y: self.head - if sides.len() == 2 { 0.66 } else { 0.50 },
            tilt: 0.98,
        };
        self.lean(piece, &low, finish, other, rng);
    }
}
