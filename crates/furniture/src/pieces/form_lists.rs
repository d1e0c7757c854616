//! The forms of each kind, with the styles that they suit.

use super::form::{Form, plain};
use crate::style::Style::{
    self, ArtDeco, Boho, Coastal, Contemporary, Farmhouse, Industrial, Japandi, Luxury, Midcentury, Minimalist, Modern,
    Scandinavian, Traditional, Transitional,
};

/// A form that suits some styles.
const fn form(name: &'static str, styles: &'static [Style]) -> Form {
    Form { name, styles }
}

/// Of cabinets, in the order of the makes.
pub(super) const CABINETS: &[Form] = &[
    form("slab", &[Minimalist, Contemporary, Modern, Japandi]),
    form("shaker", &[Farmhouse, Transitional, Coastal, Scandinavian]),
    form("fluted", &[Contemporary, Luxury, Modern, Transitional]),
    form("cane", &[Boho, Coastal, Japandi, Scandinavian]),
    form("splayed", &[Midcentury, Scandinavian, Modern]),
    form("campaign", &[Traditional, Luxury]),
    form("industrial", &[Industrial]),
    form("corniced", &[Traditional, Farmhouse]),
    form("deco", &[ArtDeco, Luxury]),
];

/// Of coffee tables.
pub(super) const COFFEE_TABLES: &[Form] = &[
    form("shelved", &[Transitional, Coastal, Scandinavian, Traditional]),
    form("drum", &[Contemporary, Coastal, Luxury, Transitional]),
    form("nested", &[Modern, Contemporary, Scandinavian, Minimalist, Transitional]),
    form("stone on metal", &[Luxury, ArtDeco, Contemporary]),
    form("glass on brass", &[ArtDeco, Luxury, Traditional]),
    form("oval", &[Midcentury, Scandinavian, Modern]),
    form("chunk", &[Boho, Japandi, Industrial]),
    form("plinths", &[Minimalist, Modern, Contemporary]),
    form("planks on steel", &[Industrial, Farmhouse]),
    form("turned", &[Farmhouse, Traditional]),
    form("slatted", &[Japandi, Minimalist, Scandinavian, Midcentury]),
    form("rattan", &[Boho, Coastal]),
];

/// Of side tables.
pub(super) const SIDE_TABLES: &[Form] = &[
    form("tripod", &[Midcentury, Scandinavian, Japandi, Boho, Coastal, Minimalist]),
    form("pedestal", &[Luxury, ArtDeco, Modern, Transitional, Contemporary]),
    form("fluted", &[Contemporary, Luxury, Modern, Coastal]),
    form("c-shaped", &[Industrial, Modern, Minimalist]),
    form("turned", &[Traditional, Farmhouse]),
    form("hourglass", &[Contemporary, Minimalist, Japandi, Boho]),
    form("rattan", &[Boho, Coastal]),
    form("cube", &[Farmhouse, Transitional, Scandinavian, Traditional, Midcentury]),
];

/// Of console tables.
pub(super) const CONSOLES: &[Form] = &[
    form("shelf", &[Farmhouse, Coastal, Transitional, Scandinavian, Boho]),
    form("metal", &[Luxury, ArtDeco, Modern, Industrial]),
    form("waterfall", &[Contemporary, Minimalist, Japandi, Modern]),
    form("turned", &[Traditional, Farmhouse]),
    form("slim", &[Midcentury, Scandinavian, Japandi, Contemporary]),
];

/// Of dining tables.
pub(super) const DINING_TABLES: &[Form] = &[
    form("trestle", &[Farmhouse, Industrial, Boho, Coastal]),
    form("turned", &[Farmhouse, Traditional, Coastal]),
    form("tapered", &[Midcentury, Scandinavian, Modern]),
    form("glass", &[ArtDeco, Luxury]),
    form("tulip", &[Modern, Contemporary, Luxury, Midcentury, Minimalist]),
    form("pedestals", &[Traditional, Transitional, ArtDeco]),
    form("planks on steel", &[Industrial, Modern]),
    form("drums", &[Contemporary, Luxury, Transitional, ArtDeco, Boho]),
    form("soft block", &[Japandi, Minimalist, Scandinavian, Transitional]),
];

/// Of round tables.
pub(super) const ROUND_TABLES: &[Form] = &[
    form("pedestal", &[Traditional, Farmhouse, Transitional, Coastal]),
    form("tulip", &[Modern, Contemporary, Luxury, Minimalist, ArtDeco]),
    form("four legs", &[Midcentury, Scandinavian, Coastal, Boho, Japandi]),
    form("bistro", &[ArtDeco, Luxury, Industrial, Traditional]),
    form("fluted", &[Contemporary, Transitional, Japandi, Boho, Luxury]),
    form("crossed", &[Industrial, Modern]),
];

/// Of desks.
pub(super) const DESKS: &[Form] = &[
    form("writing", &[Midcentury, Scandinavian, Modern, Japandi, Transitional, Coastal, Contemporary, Minimalist]),
    form("trestles", &[Minimalist, Scandinavian, Boho, Japandi, Farmhouse, Contemporary, Coastal]),
    form("executive", &[Traditional, Luxury, ArtDeco]),
    form("steel frame", &[Industrial, Modern, Farmhouse, Contemporary]),
    form("gallery", &[Traditional, Transitional, Boho, Midcentury]),
];

/// Of bookshelves.
pub(super) const BOOKSHELVES: &[Form] = &[
    form("steel", &[Industrial, Modern, Contemporary, Farmhouse]),
    form("cased", &[Traditional, Farmhouse, Luxury, Transitional]),
    form("etagere", &[Luxury, ArtDeco]),
    form("slanted", &[Midcentury, Modern, Contemporary, Minimalist, Japandi]),
    form("painted", &[Farmhouse, Coastal, Transitional, Scandinavian]),
    form("stepped", &[Scandinavian, Japandi, Minimalist, Boho, Coastal]),
];

/// Of floor lamps.
pub(super) const FLOOR_LAMPS: &[Form] = &[
    form("tripod", &[Midcentury, Scandinavian, Coastal, Farmhouse]),
    form("arc", &[Modern, Contemporary, Luxury, Midcentury, ArtDeco]),
    form("reading", &[Modern, Industrial, Minimalist, Transitional, Scandinavian]),
    form("lantern", &[Japandi, Scandinavian, Minimalist, Boho]),
    form("rattan", &[Boho, Coastal]),
    form("column", &[Transitional, Contemporary, Minimalist, Luxury, Traditional, Industrial]),
    form("turned", &[Traditional, Farmhouse]),
    form("globes", &[ArtDeco, Luxury]),
];

/// Of table lamps.
pub(super) const TABLE_LAMPS: &[Form] = &[
    plain("ceramic"),
    form("glass", &[Coastal, Luxury, Transitional, Traditional, ArtDeco]),
    form("mushroom", &[Modern, Contemporary, Midcentury, Minimalist, Scandinavian]),
    form("task", &[Industrial, Modern]),
    form("turned", &[Traditional, Farmhouse, Boho, Midcentury]),
    form("lantern", &[Japandi, Minimalist]),
    form("brass balls", &[ArtDeco, Luxury, Midcentury]),
];

/// Of hanging lamps.
pub(super) const PENDANTS: &[Form] = &[
    form("dome", &[Modern, Scandinavian, Industrial, Farmhouse, Midcentury, Contemporary]),
    form("globe", &[Midcentury, Transitional, Contemporary, Minimalist, ArtDeco]),
    form("woven", &[Boho, Coastal, Japandi]),
    form("drum", &[Transitional, Traditional, Luxury, Contemporary]),
    form("cluster", &[ArtDeco, Luxury, Contemporary, Midcentury]),
    form("chandelier", &[Traditional, Farmhouse, Luxury]),
    form("paper", &[Japandi, Scandinavian, Minimalist, Boho]),
];

/// Of mirrors.
pub(super) const MIRRORS: &[Form] = &[
    plain("round"),
    form("arched", &[Transitional, Contemporary, Luxury, Modern, Farmhouse, ArtDeco, Minimalist]),
    form("rectangular", &[Traditional, Farmhouse, Transitional, Coastal]),
    form("sunburst", &[ArtDeco, Luxury, Midcentury, Traditional]),
    form("woven", &[Boho, Coastal]),
];

/// Of potted plants.
pub(super) const PLANTS: &[Form] = &[
    plain("fiddle fig"),
    plain("snake plant"),
    form("olive", &[Transitional, Farmhouse, Coastal, Traditional, Luxury, Japandi, Contemporary, Boho]),
    form("monstera", &[Boho, Midcentury, Modern, ArtDeco]),
    form("palm", &[Coastal, Luxury, ArtDeco, Traditional, Boho]),
    form("rubber plant", &[Modern, Industrial, Midcentury, Minimalist, Scandinavian, Contemporary]),
    form("strelitzia", &[Contemporary, Modern, Luxury, Boho, Coastal]),
    form("ficus", &[Traditional, Transitional, Scandinavian, Farmhouse]),
];

/// Of small plants.
pub(super) const SMALL_PLANTS: &[Form] =
    &[plain("pothos"), plain("succulent"), plain("fern"), plain("herbs"), plain("pilea")];

/// Of vases.
pub(super) const VASES: &[Form] = &[
    form("pampas", &[Boho, Coastal, Contemporary]),
    plain("eucalyptus"),
    form("branches", &[Japandi, Minimalist, Modern, Industrial, Transitional]),
    form("tulips", &[Scandinavian, Farmhouse, Transitional, Traditional, Modern]),
    form("peonies", &[Traditional, Luxury, ArtDeco, Coastal, Farmhouse]),
    form("grass", &[Boho, Japandi, Contemporary, Minimalist]),
    form("olive", &[Transitional, Farmhouse, Coastal, Luxury, Traditional]),
];

/// Of planters.
pub(super) const PLANTERS: &[Form] = &[plain("concrete grasses"), plain("box balls"), plain("steel grasses")];

/// Of baskets.
pub(super) const BASKETS: &[Form] = &[plain("throw"), form("lidded", &[Boho, Coastal, Japandi])];

/// Of curtains.
pub(super) const CURTAINS: &[Form] = &[plain("sheers"), plain("drapes")];

/// Of exercise mats.
pub(super) const MATS: &[Form] = &[plain("flat"), plain("half rolled")];

/// Of televisions.
pub(super) const TELEVISIONS: &[Form] = &[plain("standing"), plain("on a wall")];

/// Of trays.
pub(super) const TRAYS: &[Form] = &[plain("rectangular"), plain("round")];

/// Of rugs: each design, rectangular and round.
pub(super) const RUGS: &[Form] = &[
    plain("own"),
    plain("own round"),
    form("trellis", &[Scandinavian, Modern, Boho, Transitional, Contemporary]),
    form("trellis round", &[Boho]),
    form("medallion", &[Traditional, Luxury, Boho, Transitional, Industrial]),
    form("medallion round", &[Boho]),
    form("jute", &[Coastal, Farmhouse, Boho, Japandi, Minimalist, Scandinavian]),
    form("jute round", &[Coastal, Farmhouse, Boho, Japandi, Minimalist, Scandinavian]),
    form("kilim", &[Boho, Farmhouse, Industrial, Midcentury]),
    form("kilim round", &[Boho]),
    form("abstract", &[Contemporary, Modern, ArtDeco, Luxury, Midcentury]),
    form("abstract round", &[Contemporary, Modern, ArtDeco, Luxury, Midcentury]),
    form("wool", &[Minimalist, Japandi, Contemporary, Transitional, Coastal, Farmhouse]),
    form("wool round", &[Minimalist, Japandi, Contemporary, Transitional, Coastal, Farmhouse]),
];

/// Of pictures: each motif, alone and with a mount.
pub(super) const PICTURES: &[Form] = &[
    plain("discs"),
    plain("discs mounted"),
    plain("bands"),
    plain("bands mounted"),
    plain("low sun"),
    plain("low sun mounted"),
    plain("stems"),
    plain("stems mounted"),
    plain("arches"),
    plain("arches mounted"),
    plain("blocks"),
    plain("blocks mounted"),
    plain("face"),
    plain("face mounted"),
    plain("botanical"),
    plain("botanical mounted"),
    plain("mountains"),
    plain("mountains mounted"),
    plain("dunes"),
    plain("dunes mounted"),
    plain("color field"),
    plain("color field mounted"),
    plain("ring"),
    plain("ring mounted"),
    plain("sea"),
    plain("sea mounted"),
    plain("cut paper"),
    plain("cut paper mounted"),
];
