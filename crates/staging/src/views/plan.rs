//! Similarities of the floor plan.

use glam::{DMat2, DVec2};

/// A similarity from the floor of one view to that of another, meters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanTransform {
    /// Turn to the left, radians.
    pub yaw: f64,
    /// Factor of lengths.
    pub scale: f64,
    /// Where the second camera stands on the floor of the first view.
    pub shift: DVec2,
}

impl PlanTransform {
    /// A place of the second floor on the first one.
    #[must_use]
    pub fn apply(&self, place: DVec2) -> DVec2 {
        DVec2::from_angle(self.yaw).rotate(place) * self.scale + self.shift
    }

    /// From the floor of the first view to that of the second one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = DVec2::from_angle(-self.yaw);
        Self { yaw: -self.yaw, scale: 1.0 / self.scale, shift: back.rotate(-self.shift) / self.scale }
    }

    /// The similarity that maps the second of each pair of places to the first one with the least squares (Umeyama 1991), and the root
    /// of their mean; `None` for fewer than two different places.
    #[must_use]
    pub fn between(places: &[[DVec2; 2]]) -> Option<(Self, f64)> {
        let count = places.len() as f64;
        let mean = |i: usize| places.iter().map(|p| p[i]).sum::<DVec2>() / count;
        let (to, from) = (mean(0), mean(1));
        let (mut along, mut across, mut size) = (0.0, 0.0, 0.0);
        for [a, b] in places {
            let (a, b) = (*a - to, *b - from);
            along += b.dot(a);
            across += b.perp_dot(a);
            size += b.length_squared();
        }
        if places.len() < 2 || size < 1e-9 {
            return None;
        }
        let (yaw, scale) = (across.atan2(along), along.hypot(across) / size);
        let shift = to - DMat2::from_angle(yaw) * from * scale;
        let plan = Self { yaw, scale, shift };
        let squares: f64 = places.iter().map(|[a, b]| plan.apply(*b).distance_squared(*a)).sum();
        Some((plan, (squares / count).sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_is_found_from_places_and_undone_by_its_inverse() {
        let plan = PlanTransform { yaw: 1.7, scale: 1.08, shift: DVec2::new(2.0, -0.4) };
        let from = [DVec2::ZERO, DVec2::new(3.0, 1.0), DVec2::new(-1.0, 4.0)];
        let (found, off) = PlanTransform::between(&from.map(|p| [plan.apply(p), p])).expect("different places");
        assert!(off < 1e-9 && (found.yaw - plan.yaw).abs() < 1e-9 && (found.scale - plan.scale).abs() < 1e-9);
        assert!(from.iter().all(|p| plan.inverse().apply(plan.apply(*p)).distance(*p) < 1e-9));
    }
}
