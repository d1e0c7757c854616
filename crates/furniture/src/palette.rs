//! Palettes: the materials of furniture, by what they are used for.

use aerie_language::furniture::{Change, StylePrompt};
use aerie_math::rng::{Rng, mix};
use glam::Vec3;
use strum::{EnumCount, EnumString, FromRepr, IntoStaticStr, VariantArray};

use crate::material::{Design, Kind, Material};
use crate::style::{self, BLACK, BRASS, COARSE, Defaults, Style, THREAD};

/// What a material is used for; as a number, its index in [`Palette::materials`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumCount, EnumString, FromRepr, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Role {
    Wood,
    DarkWood,
    Metal,
    DarkMetal,
    Sofa,
    Armchair,
    PillowOne,
    PillowTwo,
    Throw,
    Rug,
    Linen,
    Headboard,
    Ceramic,
    DarkCeramic,
    Marble,
    Leather,
    Leaf,
    Bark,
    Soil,
    Shade,
    Pages,
    BookOne,
    BookTwo,
    BookThree,
    Frame,
    Mount,
    ArtOne,
    ArtTwo,
    ArtThree,
    ArtFour,
    ArtFive,
    ArtSix,
    Screen,
    Cane,
    Front,
    Dry,
    Mirror,
    Glass,
    Sheer,
    Terracotta,
    Concrete,
    Brass,
    RugTrellis,
    RugMedallion,
    RugJute,
    RugKilim,
    RugAbstract,
    RugWool,
    ArtSeven,
    ArtEight,
    ArtNine,
    ArtTen,
    ArtEleven,
    ArtTwelve,
    ArtThirteen,
    ArtFourteen,
    PetalOne,
    PetalTwo,
    Wax,
    OliveLeaf,
    PaleLeaf,
    Moss,
    Rubber,
    Duvet,
    Knit,
    PillowThree,
    Webbing,
    Margin,
}

/// Materials of pictures, each with another motif.
pub const MOTIFS: [Role; 14] = [
    Role::ArtOne,
    Role::ArtTwo,
    Role::ArtThree,
    Role::ArtFour,
    Role::ArtFive,
    Role::ArtSix,
    Role::ArtSeven,
    Role::ArtEight,
    Role::ArtNine,
    Role::ArtTen,
    Role::ArtEleven,
    Role::ArtTwelve,
    Role::ArtThirteen,
    Role::ArtFourteen,
];

/// The materials of a style, as a prompt changes them.
#[derive(Debug, Clone)]
pub struct Palette {
    /// The style.
    pub style: Style,
    /// Materials by [`Role`].
    pub materials: Vec<Material>,
    /// Whether furniture is round rather than straight.
    pub is_round: bool,
    /// Whether legs are of metal.
    pub on_metal: bool,
}

impl Palette {
    /// The materials of a prompt; the seed varies their shades.
    #[must_use]
    pub fn new(prompt: &StylePrompt, seed: u64) -> Self {
        let mut base = style::defaults(prompt.style);
        let mut accents = 0;
        for change in &prompt.changes {
            match *change {
                Change::Wood(wood) => base.wood = style::wood(wood),
                Change::Metal(metal) => base.metal = style::metal(metal),
                Change::Upholstery(named) => {
                    let kind = style::upholstery(named);
                    base.sofa.0 = kind;
                    if kind == Kind::Leather && !prompt.changes.iter().any(|c| matches!(c, Change::UpholsteryColor(_)))
                    {
                        base.sofa.1 = [0.27, 0.125, 0.055];
                    }
                }
                Change::UpholsteryColor(color) => {
                    base.sofa.1 = color;
                    base.headboard.1 = color;
                }
                Change::Accent(color) => {
                    base.accents[accents % 2] = color;
                    accents += 1;
                }
                Change::Lightness(by) => {
                    let turned = |c: [f32; 3]| c.map(|v| (v * by).min(0.72));
                    base.sofa.1 = turned(base.sofa.1);
                    base.rug.1 = turned(base.rug.1);
                    base.headboard.1 = turned(base.headboard.1);
                    base.wood = (turned(base.wood.0), turned(base.wood.1));
                }
            }
        }
        let mut rng = Rng::named(seed, "palette");
        let v = Vec3::from_array;
        let mut materials = vec![Material::new(Kind::Paint, Vec3::splat(0.5), 0.8); Role::COUNT];
        let mut set = |role: Role, material: Material| {
            materials[role as usize] = material.seeded((mix(seed ^ (role as u64 * 7919)) & 0xFFFF) as u32);
        };
        let [first, second, third] = base.accents.map(v);
        let cloth = |(kind, color): (Kind, [f32; 3]), by: f32| {
            let roughness = if kind == Kind::Leather { 0.42 } else { 0.95 };
            Material::new(kind, v(color) * by, roughness).and(v(color) * 0.7, v(color) * 0.62)
        };
        let shade = rng.range_f32(0.92, 1.08);
        let wood = |by: f32, rough: f32| {
            Material::new(Kind::Wood, v(base.wood.0) * by, rough).and(v(base.wood.1) * by, Vec3::ZERO)
        };
        set(Role::Wood, wood(1.0, 0.42));
        set(Role::DarkWood, wood(0.62, 0.40));
        let is_black = base.metal == BLACK;
        set(
            Role::Metal,
            if is_black {
                Material::new(Kind::Paint, v(BLACK), 0.45)
            } else {
                Material::new(Kind::Metal, v(base.metal), 0.28)
            },
        );
        set(Role::DarkMetal, Material::new(Kind::Paint, v(BLACK), 0.45));
        set(Role::Sofa, cloth(base.sofa, shade));
        set(Role::Armchair, cloth(base.armchair, 1.0));
        set(Role::PillowOne, Material::new(THREAD, first, 0.95));
        set(Role::PillowTwo, Material::new(COARSE, third, 0.95).and(second, second));
        set(Role::Throw, Material::new(Kind::Weave(0.008), second, 0.95).and(third, third));
        set(Role::Rug, Material::new(Kind::Rug(base.rug.0), v(base.rug.1), 0.95).and(v(base.rug.2), third));
        set(Role::Linen, Material::new(Kind::Linen, Vec3::new(0.74, 0.73, 0.70), 0.95));
        set(Role::Headboard, cloth(base.headboard, shade));
        set(Role::Ceramic, Material::new(Kind::Paint, Vec3::new(0.64, 0.61, 0.56), 0.5));
        set(Role::DarkCeramic, Material::new(Kind::Paint, first * 0.6 + 0.02, 0.35));
        set(
            Role::Marble,
            Material::new(Kind::Marble, Vec3::splat(0.74), 0.22).and(Vec3::new(0.26, 0.26, 0.27), Vec3::ZERO),
        );
        set(Role::Leather, Material::new(Kind::Leather, Vec3::new(0.24, 0.105, 0.045), 0.4));
        set(
            Role::Leaf,
            Material::new(Kind::Leaf, Vec3::new(0.056, 0.122, 0.032), 0.4)
                .and(Vec3::new(0.105, 0.20, 0.055), Vec3::ZERO),
        );
        set(
            Role::Bark,
            Material::new(Kind::Wood, Vec3::new(0.16, 0.11, 0.07), 0.9).and(Vec3::new(0.07, 0.05, 0.03), Vec3::ZERO),
        );
        set(Role::Soil, Material::new(Kind::Boucle, Vec3::new(0.035, 0.026, 0.02), 0.95));
        set(Role::Shade, Material::new(Kind::Shade, Vec3::new(0.76, 0.70, 0.60), 0.95));
        set(Role::Pages, Material::new(Kind::Pages, Vec3::new(0.66, 0.62, 0.54), 0.95));
        set(Role::BookOne, Material::new(Kind::Paint, first, 0.6));
        set(Role::BookTwo, Material::new(Kind::Paint, third, 0.6));
        set(Role::BookThree, Material::new(Kind::Paint, second, 0.6));
        set(Role::Frame, if is_black { Material::new(Kind::Paint, v(BLACK), 0.5) } else { wood(0.9, 0.4) });
        set(Role::Mount, Material::new(Kind::Paint, Vec3::new(0.76, 0.75, 0.72), 0.95));
        for (motif, role) in MOTIFS.into_iter().enumerate() {
            set(role, Material::new(Kind::Art(motif as u8), first, 0.9).and(second, third));
        }
        set(Role::Screen, Material::new(Kind::Screen, Vec3::splat(0.012), 0.12));
        set(Role::Cane, Material::new(Kind::Cane, Vec3::new(0.46, 0.32, 0.18), 0.8));
        set(Role::Front, Material::new(Kind::Paint, v(base.front), 0.55));
        set(Role::Dry, Material::new(Kind::Paint, Vec3::new(0.52, 0.42, 0.29), 0.95));
        set(Role::Mirror, Material::new(Kind::Metal, Vec3::splat(0.85), 0.06));
        let white = Vec3::new(0.74, 0.725, 0.69);
        let cover = match prompt.style {
            Style::Boho | Style::Japandi | Style::Scandinavian => white.lerp(third, 0.75),
            Style::Industrial => Vec3::new(0.20, 0.20, 0.205),
            Style::Midcentury | Style::Contemporary | Style::Minimalist => white.lerp(third, 0.35),
            _ => white,
        };
        set(Role::Duvet, Material::new(Kind::Linen, cover, 0.95).and(cover * 0.8, cover * 0.85));
        set(Role::Knit, Material::new(Kind::Knit, third, 0.95));
        set(Role::PillowThree, Material::new(Kind::Velvet, second, 0.95));
        set(Role::Webbing, Material::new(Kind::Webbing, Vec3::new(0.56, 0.41, 0.25), 0.7));
        for (role, material) in further(&base, [first, second, third]) {
            set(role, material);
        }
        Self { style: prompt.style, materials, is_round: base.is_round, on_metal: base.on_metal }
    }
}

/// Materials that few pieces use: rugs of other designs than the style's own, glass, clay, petals.
fn further(base: &Defaults, [first, second, third]: [Vec3; 3]) -> [(Role, Material); 19] {
    let v = Vec3::from_array;
    let rug = |design: Design, color: Vec3| Material::new(Kind::Rug(design), color, 0.95);
    let (wool, lines) = (v(base.rug.1), v(base.rug.2));
    let pale = wool.max(Vec3::new(0.50, 0.46, 0.39));
    let dark = lines.min(Vec3::splat(0.30));
    let paint = |color: [f32; 3], rough: f32| Material::new(Kind::Paint, v(color), rough);
    let leaf = |color: [f32; 3], tip: [f32; 3]| Material::new(Kind::Leaf, v(color), 0.4).and(v(tip), Vec3::ZERO);
    // Reds and blues as wool is dyed, drawn toward the style's accents.
    let ground = Vec3::new(0.24, 0.060, 0.045).lerp(first, 0.45);
    let field = Vec3::new(0.040, 0.060, 0.10).lerp(second * 0.5, 0.35);
    [
        (Role::Glass, Material::new(Kind::Glass, Vec3::new(0.835, 0.85, 0.84), 0.05)),
        (Role::Sheer, Material::new(Kind::Sheer, Vec3::new(0.84, 0.83, 0.80), 0.95)),
        (Role::Terracotta, Material::new(Kind::Mineral, Vec3::new(0.40, 0.175, 0.095), 0.9)),
        (Role::Concrete, Material::new(Kind::Mineral, Vec3::new(0.36, 0.35, 0.335), 0.9)),
        (Role::Brass, Material::new(Kind::Metal, v(BRASS), 0.28)),
        (Role::RugTrellis, rug(Design::Trellis, pale).and(dark, third)),
        (Role::RugMedallion, rug(Design::Medallion, ground).and(field, Vec3::new(0.55, 0.47, 0.35))),
        (Role::RugJute, rug(Design::Jute, Vec3::new(0.43, 0.31, 0.185))),
        (Role::RugKilim, rug(Design::Kilim, pale).and(first, second)),
        (Role::RugAbstract, rug(Design::Abstract, pale).and(first.lerp(dark, 0.4), third.lerp(pale * 0.7, 0.4))),
        (Role::RugWool, rug(Design::Plain, pale).and(pale * 0.82, third)),
        (Role::PetalOne, paint([0.70, 0.46, 0.42], 0.9)),
        (Role::PetalTwo, paint([0.74, 0.70, 0.60], 0.9)),
        (Role::Wax, paint([0.74, 0.70, 0.60], 0.55)),
        (Role::OliveLeaf, leaf([0.25, 0.30, 0.165], [0.35, 0.39, 0.25])),
        (Role::Margin, leaf([0.40, 0.39, 0.12], [0.46, 0.44, 0.16])),
        (Role::PaleLeaf, leaf([0.085, 0.165, 0.040], [0.17, 0.25, 0.075])),
        (Role::Moss, Material::new(Kind::Boucle, Vec3::new(0.075, 0.10, 0.030), 0.95)),
        (Role::Rubber, Material::new(Kind::Mineral, Vec3::new(0.045, 0.045, 0.048), 0.8)),
    ]
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn every_style_has_materials_for_every_role_and_none_brighter_than_paint() {
        for style in Style::VARIANTS {
            let palette = Palette::new(&StylePrompt::parse(Some(style.as_str())), 5);
            assert_eq!((palette.style, palette.materials.len()), (*style, Role::COUNT));
            assert!(palette.materials.iter().all(|m| m.color.max_element() <= 0.85 && m.color.min_element() >= 0.0));
        }
    }
}
