//! Styles: palettes of materials, and the words that call them.

use glam::Vec3;
use serde::Serialize;

use crate::chance::{Chance, mixed};
use crate::material::{Design, Kind, Material};
use crate::own::{self, Own};
use crate::pieces::Piece;

/// Names of styles that are known, with what sets them apart.
pub const STYLES: [&str; 8] =
    ["modern", "scandinavian", "industrial", "midcentury", "luxury", "farmhouse", "coastal", "minimalist"];

/// What a material is used for; its number in [`Palette::materials`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
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
    Screen,
    Cane,
    Front,
    Dry,
    Mirror,
}

/// How many roles there are.
const ROLES: usize = Role::Mirror as usize + 1;

/// A style made into materials.
#[derive(Debug, Clone)]
pub struct Palette {
    /// Its name.
    pub name: &'static str,
    /// By [`Role`].
    pub materials: Vec<Material>,
    /// Whether its furniture is round rather than straight.
    pub is_round: bool,
    /// Whether its legs are of metal.
    pub on_metal: bool,
    /// The operator's pieces of the style; their parts name materials after ours.
    own: Vec<Piece>,
    seed: u64,
}

/// What was made of a style prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wish {
    /// The style.
    pub style: String,
    /// Words that were understood.
    pub understood: Vec<String>,
    /// Words that were not, and for which nothing was done.
    pub not_understood: Vec<String>,
    #[serde(skip)]
    changes: Vec<Change>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Wood([f32; 3], [f32; 3]),
    Metal([f32; 3]),
    Main(Kind),
    MainColor([f32; 3]),
    Accent([f32; 3]),
    Light(f32),
}

impl Eq for Wish {}

const OAK: ([f32; 3], [f32; 3]) = ([0.52, 0.36, 0.21], [0.33, 0.20, 0.10]);
const PALE_OAK: ([f32; 3], [f32; 3]) = ([0.62, 0.48, 0.33], [0.44, 0.31, 0.19]);
const WALNUT: ([f32; 3], [f32; 3]) = ([0.205, 0.108, 0.055], [0.085, 0.040, 0.020]);
const TEAK: ([f32; 3], [f32; 3]) = ([0.33, 0.165, 0.075], [0.17, 0.075, 0.032]);
const BLACK_WOOD: ([f32; 3], [f32; 3]) = ([0.035, 0.030, 0.027], [0.018, 0.016, 0.014]);
const WHITE_WOOD: ([f32; 3], [f32; 3]) = ([0.66, 0.63, 0.57], [0.54, 0.50, 0.44]);
const RUSTIC: ([f32; 3], [f32; 3]) = ([0.38, 0.25, 0.15], [0.17, 0.10, 0.055]);
const BRASS: [f32; 3] = [0.80, 0.57, 0.27];
const STEEL: [f32; 3] = [0.62, 0.61, 0.60];
const BLACK: [f32; 3] = [0.045, 0.045, 0.048];

/// Words of prompts: styles, materials, colors, mood. Longer ones first where one holds another.
const WORDS: &[(&str, Word)] = &[
    ("mid-century", Word::Style(3)),
    ("mid century", Word::Style(3)),
    ("midcentury", Word::Style(3)),
    ("retro", Word::Style(3)),
    ("scandinavian", Word::Style(1)),
    ("scandi", Word::Style(1)),
    ("nordic", Word::Style(1)),
    ("hygge", Word::Style(1)),
    ("japandi", Word::Style(7)),
    ("minimalist", Word::Style(7)),
    ("minimal", Word::Style(7)),
    ("industrial", Word::Style(2)),
    ("loft", Word::Style(2)),
    ("luxury", Word::Style(4)),
    ("luxurious", Word::Style(4)),
    ("glam", Word::Style(4)),
    ("elegant", Word::Style(4)),
    ("farmhouse", Word::Style(5)),
    ("rustic", Word::Style(5)),
    ("country", Word::Style(5)),
    ("coastal", Word::Style(6)),
    ("beach", Word::Style(6)),
    ("modern", Word::Style(0)),
    ("contemporary", Word::Style(0)),
    ("light oak", Word::Change(Change::Wood(PALE_OAK.0, PALE_OAK.1))),
    ("pale wood", Word::Change(Change::Wood(PALE_OAK.0, PALE_OAK.1))),
    ("dark wood", Word::Change(Change::Wood(WALNUT.0, WALNUT.1))),
    ("oak", Word::Change(Change::Wood(OAK.0, OAK.1))),
    ("walnut", Word::Change(Change::Wood(WALNUT.0, WALNUT.1))),
    ("teak", Word::Change(Change::Wood(TEAK.0, TEAK.1))),
    ("black wood", Word::Change(Change::Wood(BLACK_WOOD.0, BLACK_WOOD.1))),
    ("brass", Word::Change(Change::Metal(BRASS))),
    ("gold", Word::Change(Change::Metal(BRASS))),
    ("chrome", Word::Change(Change::Metal(STEEL))),
    ("steel", Word::Change(Change::Metal(STEEL))),
    ("black metal", Word::Change(Change::Metal(BLACK))),
    ("leather", Word::Change(Change::Main(Kind::Leather))),
    ("boucle", Word::Change(Change::Main(Kind::Boucle))),
    ("linen", Word::Change(Change::Main(Kind::Weave(0.0028)))),
    ("navy", Word::Change(Change::Accent([0.020, 0.038, 0.085]))),
    ("blue", Word::Change(Change::Accent([0.065, 0.13, 0.24]))),
    ("sage", Word::Change(Change::Accent([0.23, 0.28, 0.19]))),
    ("green", Word::Change(Change::Accent([0.07, 0.14, 0.075]))),
    ("emerald", Word::Change(Change::Accent([0.015, 0.10, 0.06]))),
    ("terracotta", Word::Change(Change::Accent([0.38, 0.13, 0.06]))),
    ("rust", Word::Change(Change::Accent([0.30, 0.085, 0.03]))),
    ("mustard", Word::Change(Change::Accent([0.44, 0.25, 0.035]))),
    ("yellow", Word::Change(Change::Accent([0.60, 0.42, 0.08]))),
    ("pink", Word::Change(Change::Accent([0.52, 0.25, 0.23]))),
    ("blush", Word::Change(Change::Accent([0.56, 0.34, 0.29]))),
    ("red", Word::Change(Change::Accent([0.33, 0.025, 0.025]))),
    ("beige", Word::Change(Change::MainColor([0.52, 0.44, 0.34]))),
    ("cream", Word::Change(Change::MainColor([0.66, 0.60, 0.50]))),
    ("white", Word::Change(Change::MainColor([0.70, 0.69, 0.66]))),
    ("charcoal", Word::Change(Change::MainColor([0.055, 0.056, 0.060]))),
    ("grey", Word::Change(Change::MainColor([0.28, 0.28, 0.285]))),
    ("gray", Word::Change(Change::MainColor([0.28, 0.28, 0.285]))),
    ("airy", Word::Change(Change::Light(1.25))),
    ("bright", Word::Change(Change::Light(1.2))),
    ("light", Word::Change(Change::Light(1.2))),
    ("moody", Word::Change(Change::Light(0.6))),
    ("dark", Word::Change(Change::Light(0.65))),
];

#[derive(Debug, Clone, Copy)]
enum Word {
    Style(usize),
    Change(Change),
}

/// Words that say nothing of a style.
const IDLE: &[&str] = &[
    "a",
    "an",
    "and",
    "the",
    "with",
    "of",
    "in",
    "some",
    "style",
    "room",
    "living",
    "bedroom",
    "dining",
    "furniture",
    "look",
    "feel",
    "feeling",
    "tones",
    "tone",
    "accents",
    "accent",
    "touches",
    "please",
    "colours",
    "colors",
    "very",
    "palette",
    "warm",
    "cosy",
    "cozy",
    "neutral",
    "natural",
    "decor",
    "design",
    "interior",
];

impl Wish {
    /// Reads a prompt; without one, the style is modern.
    #[must_use]
    pub fn of(prompt: Option<&str>) -> Self {
        let mut wish =
            Self { style: STYLES[0].to_owned(), understood: vec![], not_understood: vec![], changes: vec![] };
        let mut text = format!(
            " {} ",
            prompt.unwrap_or_default().to_lowercase().replace(|c: char| !c.is_alphanumeric() && c != '-', " ")
        );
        let mut found: Vec<(usize, &str, Word)> = Vec::new();
        for (word, meaning) in WORDS {
            let whole = format!(" {word} ");
            while let Some(at) = text.find(&whole) {
                found.push((at, word, *meaning));
                text.replace_range(at + 1..at + 1 + word.len(), &"#".repeat(word.len()));
            }
        }
        found.sort_by_key(|(at, ..)| *at);
        let mut has_style = false;
        for (_, word, meaning) in found {
            match meaning {
                Word::Style(which) if !has_style => {
                    wish.style = STYLES[which].to_owned();
                    has_style = true;
                }
                Word::Style(_) => {
                    wish.not_understood.push(format!("{word} (one style at a time)"));
                    continue;
                }
                Word::Change(change) => wish.changes.push(change),
            }
            wish.understood.push(word.to_owned());
        }
        let left = text.split_whitespace().filter(|w| !w.starts_with('#') && !IDLE.contains(w));
        wish.not_understood.extend(left.take(40).map(str::to_owned));
        wish
    }
}

struct Base {
    wood: ([f32; 3], [f32; 3]),
    metal: [f32; 3],
    sofa: (Kind, [f32; 3]),
    armchair: (Kind, [f32; 3]),
    accents: [[f32; 3]; 3],
    rug: (Design, [f32; 3], [f32; 3]),
    headboard: (Kind, [f32; 3]),
    front: [f32; 3],
    is_round: bool,
    on_metal: bool,
}

const THREAD: Kind = Kind::Weave(0.0024);
const COARSE: Kind = Kind::Weave(0.0042);

fn base(style: &str) -> Base {
    match style {
        "scandinavian" => Base {
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
        "industrial" => Base {
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
        "midcentury" => Base {
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
        "luxury" => Base {
            wood: WALNUT,
            metal: BRASS,
            sofa: (Kind::Boucle, [0.67, 0.63, 0.55]),
            armchair: (THREAD, [0.035, 0.085, 0.075]),
            accents: [[0.035, 0.085, 0.075], [0.38, 0.27, 0.14], [0.10, 0.085, 0.075]],
            rug: (Design::Vintage, [0.46, 0.42, 0.37], [0.27, 0.25, 0.235]),
            headboard: (THREAD, [0.40, 0.36, 0.31]),
            front: [0.06, 0.055, 0.052],
            is_round: true,
            on_metal: true,
        },
        "farmhouse" => Base {
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
        "coastal" => Base {
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
        "minimalist" => Base {
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
        _ => Base {
            wood: WALNUT,
            metal: BLACK,
            sofa: (COARSE, [0.185, 0.19, 0.20]),
            armchair: (Kind::Leather, [0.27, 0.125, 0.055]),
            accents: [[0.045, 0.085, 0.13], [0.43, 0.24, 0.10], [0.60, 0.57, 0.52]],
            rug: (Design::Vintage, [0.50, 0.475, 0.44], [0.30, 0.30, 0.31]),
            headboard: (COARSE, [0.20, 0.205, 0.215]),
            front: [0.66, 0.65, 0.63],
            is_round: false,
            on_metal: true,
        },
    }
}

impl Palette {
    /// The materials of a wish; chance shades them.
    #[must_use]
    pub fn of(wish: &Wish, seed: u64) -> Self {
        let name = STYLES.iter().find(|s| **s == wish.style).copied().unwrap_or(STYLES[0]);
        let mut base = base(name);
        let mut accents = 0;
        for change in &wish.changes {
            match *change {
                Change::Wood(light, dark) => base.wood = (light, dark),
                Change::Metal(color) => base.metal = color,
                Change::Main(kind) => {
                    base.sofa.0 = kind;
                    if kind == Kind::Leather && !wish.changes.iter().any(|c| matches!(c, Change::MainColor(_))) {
                        base.sofa.1 = [0.27, 0.125, 0.055];
                    }
                }
                Change::MainColor(color) => {
                    base.sofa.1 = color;
                    base.headboard.1 = color;
                }
                Change::Accent(color) => {
                    base.accents[accents % 2] = color;
                    accents += 1;
                }
                Change::Light(by) => {
                    let turned = |c: [f32; 3]| c.map(|v| (v * by).min(0.72));
                    base.sofa.1 = turned(base.sofa.1);
                    base.rug.1 = turned(base.rug.1);
                    base.headboard.1 = turned(base.headboard.1);
                    base.wood = (turned(base.wood.0), turned(base.wood.1));
                }
            }
        }
        let mut chance = Chance::named(seed, "palette");
        let v = Vec3::from_array;
        let mut materials = vec![Material::new(Kind::Paint, Vec3::splat(0.5), 0.8); ROLES];
        let mut set = |role: Role, material: Material| {
            materials[role as usize] = material.seeded((mixed(seed ^ (role as u64 * 7919)) & 0xFFFF) as u32);
        };
        let [first, second, third] = base.accents.map(v);
        let cloth = |(kind, color): (Kind, [f32; 3]), by: f32| {
            let roughness = if kind == Kind::Leather { 0.42 } else { 0.95 };
            Material::new(kind, v(color) * by, roughness).and(v(color) * 0.7, v(color) * 0.62)
        };
        let shade = chance.within(0.92, 1.08);
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
        set(Role::Linen, Material::new(THREAD, Vec3::new(0.74, 0.73, 0.70), 0.95));
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
            Material::new(Kind::Leaf, Vec3::new(0.045, 0.105, 0.028), 0.4)
                .and(Vec3::new(0.085, 0.17, 0.045), Vec3::ZERO),
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
        for role in [Role::ArtOne, Role::ArtTwo, Role::ArtThree] {
            set(role, Material::new(Kind::Art, first, 0.9).and(second, third));
        }
        set(Role::Screen, Material::new(Kind::Screen, Vec3::splat(0.012), 0.12));
        set(Role::Cane, Material::new(Kind::Cane, Vec3::new(0.46, 0.32, 0.18), 0.8));
        set(Role::Front, Material::new(Kind::Paint, v(base.front), 0.55));
        set(Role::Dry, Material::new(Kind::Paint, Vec3::new(0.52, 0.42, 0.29), 0.95));
        set(Role::Mirror, Material::new(Kind::Metal, Vec3::splat(0.85), 0.06));
        // Three pictures side by side are of three kinds.
        for (i, role) in [Role::ArtOne, Role::ArtTwo, Role::ArtThree].into_iter().enumerate() {
            let seed = &mut materials[role as usize].seed;
            *seed = *seed / 3 * 3 + (i as u32 + (chance.bits() % 3) as u32) % 3;
        }
        Self { name, materials, is_round: base.is_round, on_metal: base.on_metal, own: Vec::new(), seed }
    }

    /// With an operator's pieces of the style.
    #[must_use]
    pub fn with(mut self, own: &Own) -> Self {
        self.own = own.of_style(self.name, &mut self.materials);
        self
    }

    /// The operator's piece that stands in for one of ours, where there is one; else ours.
    pub(crate) fn pick(&self, piece: Piece) -> Piece {
        own::stand_in(&self.own, piece, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_read_word_by_word_and_what_is_not_understood_is_told() {
        let wish = Wish::of(Some("Scandinavian, light oak and a sage accent, unicorns"));
        assert_eq!(wish.style, "scandinavian");
        assert_eq!(wish.understood, ["scandinavian", "light oak", "sage"]);
        assert_eq!(wish.not_understood, ["unicorns"]);
        assert_eq!(Wish::of(None).style, "modern");
    }

    #[test]
    fn every_style_has_materials_for_every_role_and_none_brighter_than_paint() {
        for style in STYLES {
            let palette = Palette::of(&Wish::of(Some(style)), 5);
            assert_eq!((palette.name, palette.materials.len()), (style, ROLES));
            assert!(palette.materials.iter().all(|m| m.color.max_element() <= 0.85 && m.color.min_element() >= 0.0));
        }
    }
}
