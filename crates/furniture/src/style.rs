//! Furnishing styles and their default materials.

pub use aerie_language::furniture::Style;
use aerie_language::furniture::{Metal, Upholstery, Wood};

use crate::material::{Design, Kind};

pub(crate) const OAK: ([f32; 3], [f32; 3]) = ([0.52, 0.36, 0.21], [0.33, 0.20, 0.10]);
pub(crate) const PALE_OAK: ([f32; 3], [f32; 3]) = ([0.62, 0.48, 0.33], [0.44, 0.31, 0.19]);
pub(crate) const WALNUT: ([f32; 3], [f32; 3]) = ([0.205, 0.108, 0.055], [0.085, 0.040, 0.020]);
pub(crate) const TEAK: ([f32; 3], [f32; 3]) = ([0.33, 0.165, 0.075], [0.17, 0.075, 0.032]);
pub(crate) const BLACK_WOOD: ([f32; 3], [f32; 3]) = ([0.035, 0.030, 0.027], [0.018, 0.016, 0.014]);
pub(crate) const WHITE_WOOD: ([f32; 3], [f32; 3]) = ([0.66, 0.63, 0.57], [0.54, 0.50, 0.44]);
pub(crate) const RUSTIC: ([f32; 3], [f32; 3]) = ([0.38, 0.25, 0.15], [0.17, 0.10, 0.055]);
pub(crate) const CHERRY: ([f32; 3], [f32; 3]) = ([0.25, 0.090, 0.040], [0.11, 0.034, 0.017]);
pub(crate) const GRAY_OAK: ([f32; 3], [f32; 3]) = ([0.37, 0.30, 0.235], [0.21, 0.165, 0.125]);
pub(crate) const BRASS: [f32; 3] = [0.80, 0.57, 0.27];
pub(crate) const STEEL: [f32; 3] = [0.62, 0.61, 0.60];
pub(crate) const BLACK: [f32; 3] = [0.045, 0.045, 0.048];

/// Materials and shapes of a style, before a prompt changes them. Colors are linear sRGB.
pub(crate) struct Defaults {
    /// Light and dark grain.
    pub(crate) wood: ([f32; 3], [f32; 3]),
    pub(crate) metal: [f32; 3],
    pub(crate) sofa: (Kind, [f32; 3]),
    pub(crate) armchair: (Kind, [f32; 3]),
    pub(crate) accents: [[f32; 3]; 3],
    pub(crate) rug: (Design, [f32; 3], [f32; 3]),
    pub(crate) headboard: (Kind, [f32; 3]),
    pub(crate) front: [f32; 3],
    pub(crate) is_round: bool,
    pub(crate) on_metal: bool,
}

/// Returns the light and dark grain of a wood that a prompt names.
pub(crate) const fn wood(named: Wood) -> ([f32; 3], [f32; 3]) {
    match named {
        Wood::Oak => OAK,
        Wood::PaleOak => PALE_OAK,
        Wood::Walnut => WALNUT,
        Wood::Teak => TEAK,
        Wood::Black => BLACK_WOOD,
    }
}

/// Returns the color of a metal that a prompt names.
pub(crate) const fn metal(named: Metal) -> [f32; 3] {
    match named {
        Metal::Brass => BRASS,
        Metal::Steel => STEEL,
        Metal::Black => BLACK,
    }
}

/// Returns the material of upholstery that a prompt names.
pub(crate) const fn upholstery(named: Upholstery) -> Kind {
    match named {
        Upholstery::Leather => Kind::Leather,
        Upholstery::Boucle => Kind::Boucle,
        Upholstery::Velvet => Kind::Velvet,
        Upholstery::Linen => Kind::Weave(0.0028),
    }
}

pub(crate) const THREAD: Kind = Kind::Weave(0.0024);
pub(crate) const COARSE: Kind = Kind::Weave(0.0042);

/// Returns the defaults of a style.
pub(crate) fn defaults(style: Style) -> Defaults {
    match style {
        Style::Scandinavian => Defaults {
            wood: PALE_OAK,
            metal: BLACK,
            sofa: (COARSE, [0.42, 0.41, 0.385]),
            armchair: (Kind::Boucle, [0.66, 0.62, 0.54]),
            accents: [[0.22, 0.27, 0.20], [0.47, 0.30, 0.20], [0.62, 0.57, 0.48]],
            rug: (Design::Diamonds, [0.62, 0.57, 0.48], [0.075, 0.065, 0.058]),
            headboard: (COARSE, [0.46, 0.42, 0.36]),
            front: [0.70, 0.69, 0.66],
            is_round: true,
            on_metal: false,
        },
        Style::Industrial => Defaults {
            wood: RUSTIC,
            metal: BLACK,
            sofa: (Kind::Leather, [0.22, 0.092, 0.040]),
            armchair: (COARSE, [0.13, 0.13, 0.13]),
            accents: [[0.085, 0.085, 0.09], [0.30, 0.15, 0.07], [0.45, 0.40, 0.33]],
            rug: (Design::Vintage, [0.21, 0.17, 0.14], [0.08, 0.07, 0.07]),
            headboard: (Kind::Leather, [0.16, 0.075, 0.036]),
            front: [0.07, 0.07, 0.072],
            is_round: false,
            on_metal: true,
        },
        Style::Midcentury => Defaults {
            wood: TEAK,
            metal: BRASS,
            sofa: (THREAD, [0.085, 0.145, 0.115]),
            armchair: (COARSE, [0.44, 0.23, 0.05]),
            accents: [[0.42, 0.20, 0.04], [0.33, 0.10, 0.04], [0.60, 0.54, 0.43]],
            rug: (Design::Bordered, [0.55, 0.48, 0.38], [0.33, 0.17, 0.07]),
            headboard: (THREAD, [0.085, 0.145, 0.115]),
            front: [0.62, 0.58, 0.50],
            is_round: true,
            on_metal: false,
        },
        Style::Luxury => Defaults {
            wood: WALNUT,
            metal: BRASS,
            sofa: (Kind::Boucle, [0.67, 0.63, 0.55]),
            armchair: (Kind::Velvet, [0.035, 0.085, 0.075]),
            accents: [[0.035, 0.085, 0.075], [0.38, 0.27, 0.14], [0.10, 0.085, 0.075]],
            rug: (Design::Vintage, [0.46, 0.42, 0.37], [0.27, 0.25, 0.235]),
            headboard: (THREAD, [0.40, 0.36, 0.31]),
            front: [0.06, 0.055, 0.052],
            is_round: true,
            on_metal: true,
        },
        Style::Farmhouse => Defaults {
            wood: RUSTIC,
            metal: BLACK,
            sofa: (COARSE, [0.60, 0.55, 0.46]),
            armchair: (COARSE, [0.30, 0.33, 0.35]),
            accents: [[0.13, 0.17, 0.22], [0.50, 0.43, 0.33], [0.25, 0.22, 0.16]],
            rug: (Design::Stripes, [0.60, 0.55, 0.46], [0.19, 0.22, 0.26]),
            headboard: (COARSE, [0.53, 0.48, 0.40]),
            front: [0.64, 0.62, 0.57],
            is_round: false,
            on_metal: false,
        },
        Style::Coastal => Defaults {
            wood: WHITE_WOOD,
            metal: BRASS,
            sofa: (COARSE, [0.67, 0.64, 0.58]),
            armchair: (Kind::Cane, [0.50, 0.36, 0.21]),
            accents: [[0.075, 0.155, 0.24], [0.31, 0.43, 0.46], [0.60, 0.50, 0.36]],
            rug: (Design::Stripes, [0.58, 0.52, 0.42], [0.22, 0.31, 0.38]),
            headboard: (Kind::Cane, [0.50, 0.36, 0.21]),
            front: [0.70, 0.69, 0.66],
            is_round: true,
            on_metal: false,
        },
        Style::Minimalist => Defaults {
            wood: OAK,
            metal: BLACK,
            sofa: (COARSE, [0.50, 0.45, 0.375]),
            armchair: (COARSE, [0.50, 0.45, 0.375]),
            accents: [[0.30, 0.27, 0.23], [0.62, 0.58, 0.51], [0.13, 0.12, 0.11]],
            rug: (Design::Plain, [0.58, 0.53, 0.46], [0.50, 0.45, 0.39]),
            headboard: (COARSE, [0.50, 0.45, 0.375]),
            front: [0.66, 0.64, 0.60],
            is_round: true,
            on_metal: false,
        },
        Style::Traditional => Defaults {
            wood: CHERRY,
            metal: BRASS,
            sofa: (THREAD, [0.47, 0.40, 0.30]),
            armchair: (THREAD, [0.075, 0.115, 0.16]),
            accents: [[0.25, 0.050, 0.040], [0.40, 0.31, 0.17], [0.58, 0.51, 0.40]],
            rug: (Design::Vintage, [0.25, 0.065, 0.050], [0.46, 0.36, 0.24]),
            headboard: (THREAD, [0.47, 0.40, 0.30]),
            front: [0.58, 0.53, 0.45],
            is_round: true,
            on_metal: false,
        },
        Style::Transitional => Defaults {
            wood: GRAY_OAK,
            metal: STEEL,
            sofa: (THREAD, [0.54, 0.50, 0.44]),
            armchair: (THREAD, [0.24, 0.28, 0.32]),
            accents: [[0.14, 0.18, 0.24], [0.38, 0.35, 0.31], [0.62, 0.59, 0.53]],
            rug: (Design::Vintage, [0.52, 0.49, 0.44], [0.30, 0.31, 0.33]),
            headboard: (THREAD, [0.50, 0.46, 0.41]),
            front: [0.64, 0.62, 0.58],
            is_round: false,
            on_metal: false,
        },
        Style::Boho => Defaults {
            wood: TEAK,
            metal: BRASS,
            sofa: (COARSE, [0.58, 0.50, 0.39]),
            armchair: (Kind::Cane, [0.46, 0.31, 0.17]),
            accents: [[0.36, 0.125, 0.055], [0.41, 0.25, 0.06], [0.52, 0.42, 0.29]],
            rug: (Design::Diamonds, [0.58, 0.49, 0.37], [0.29, 0.105, 0.055]),
            headboard: (Kind::Cane, [0.46, 0.31, 0.17]),
            front: [0.60, 0.52, 0.41],
            is_round: true,
            on_metal: false,
        },
        Style::ArtDeco => Defaults {
            wood: BLACK_WOOD,
            metal: BRASS,
            sofa: (Kind::Velvet, [0.020, 0.080, 0.062]),
            armchair: (Kind::Velvet, [0.34, 0.155, 0.135]),
            accents: [[0.55, 0.38, 0.15], [0.020, 0.045, 0.085], [0.58, 0.54, 0.47]],
            rug: (Design::Bordered, [0.48, 0.44, 0.38], [0.030, 0.030, 0.034]),
            headboard: (Kind::Velvet, [0.020, 0.080, 0.062]),
            front: [0.035, 0.033, 0.034],
            is_round: true,
            on_metal: true,
        },
        Style::Japandi => Defaults {
            wood: PALE_OAK,
            metal: BLACK,
            sofa: (COARSE, [0.58, 0.53, 0.45]),
            armchair: (COARSE, [0.30, 0.28, 0.245]),
            accents: [[0.17, 0.165, 0.125], [0.34, 0.22, 0.14], [0.56, 0.51, 0.43]],
            rug: (Design::Plain, [0.55, 0.49, 0.40], [0.44, 0.39, 0.31]),
            headboard: (Kind::Cane, [0.50, 0.38, 0.24]),
            front: [0.57, 0.52, 0.44],
            is_round: false,
            on_metal: false,
        },
        Style::Contemporary => Defaults {
            wood: OAK,
            metal: BLACK,
            sofa: (Kind::Boucle, [0.62, 0.59, 0.53]),
            armchair: (COARSE, [0.20, 0.215, 0.20]),
            accents: [[0.33, 0.135, 0.075], [0.20, 0.23, 0.20], [0.58, 0.54, 0.48]],
            rug: (Design::Plain, [0.60, 0.57, 0.52], [0.48, 0.46, 0.43]),
            headboard: (Kind::Boucle, [0.58, 0.55, 0.49]),
            front: [0.62, 0.60, 0.56],
            is_round: true,
            on_metal: true,
        },
        Style::Modern => Defaults {
            wood: WALNUT,
            metal: BLACK,
            sofa: (COARSE, [0.46, 0.445, 0.42]),
            armchair: (COARSE, [0.33, 0.20, 0.115]),
            accents: [[0.045, 0.085, 0.13], [0.43, 0.24, 0.10], [0.60, 0.57, 0.52]],
            rug: (Design::Bordered, [0.56, 0.53, 0.48], [0.36, 0.35, 0.345]),
            headboard: (COARSE, [0.36, 0.35, 0.335]),
            front: [0.66, 0.65, 0.63],
            is_round: false,
            on_metal: true,
        },
    }
}
