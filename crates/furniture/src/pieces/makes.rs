//! Makes of cabinets, and what fills their cells.

use crate::palette::Role;

/// Thickness of a case's sides.
pub(super) const SIDE: f32 = 0.024;

/// A manner of making cabinets. Their order is that of the forms of cabinets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Make {
    /// Plain fronts with finger grooves, set back in their case, on a slim frame of metal.
    Slab,
    /// Painted frames around panels, knobs and bracket feet.
    Shaker,
    /// Fluted fronts under a thin top.
    Fluted,
    /// Cane panels in wooden frames.
    Cane,
    /// A low case on slanted round legs with ferrules.
    Splayed,
    /// Brass corners and recessed pulls.
    Campaign,
    /// Planks in a frame of steel.
    Industrial,
    /// Raised panels, a cornice, turned feet and drop handles.
    Corniced,
    /// Lacquer with lines and half-moons of brass.
    Deco,
}

/// All of them.
pub(super) const MAKES: [Make; 9] = [
    Make::Slab,
    Make::Shaker,
    Make::Fluted,
    Make::Cane,
    Make::Splayed,
    Make::Campaign,
    Make::Industrial,
    Make::Corniced,
    Make::Deco,
];

/// What fills a part of a cabinet's front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// A drawer.
    Drawer,
    /// A door that opens on the right side.
    DoorLeft,
    /// A door that opens on the left side.
    DoorRight,
    /// Nothing: what stands in it is seen.
    Open,
}

impl Make {
    /// The make of a form.
    #[must_use]
    pub(super) fn of(form: usize) -> Self {
        MAKES[form % MAKES.len()]
    }

    /// Height of the feet of a low cabinet.
    #[must_use]
    pub(super) fn foot(self) -> f32 {
        match self {
            Self::Slab => 0.14,
            Self::Fluted => 0.06,
            Self::Shaker => 0.10,
            Self::Cane => 0.16,
            Self::Splayed => 0.17,
            Self::Campaign => 0.07,
            Self::Industrial => 0.12,
            Self::Corniced => 0.09,
            Self::Deco => 0.11,
        }
    }

    /// What the case is made of.
    #[must_use]
    pub(super) fn body(self) -> Role {
        match self {
            Self::Shaker | Self::Deco => Role::Front,
            _ => Role::Wood,
        }
    }

    /// How far fronts are set back in the case.
    pub(super) fn inset(self) -> f32 {
        match self {
            Self::Slab => 0.012,
            Self::Cane | Self::Splayed => 0.006,
            _ => 0.0,
        }
    }

    /// Thickness of the top, and how far it stands out.
    pub(super) fn top(self) -> (f32, f32) {
        match self {
            Self::Slab | Self::Cane | Self::Splayed => (SIDE, 0.0),
            Self::Shaker => (0.026, 0.016),
            Self::Fluted => (0.016, 0.004),
            Self::Campaign => (0.024, 0.0),
            Self::Industrial => (0.036, 0.0),
            Self::Corniced => (0.024, 0.022),
            Self::Deco => (0.020, 0.006),
        }
    }
}
