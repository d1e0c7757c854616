//! Forms of what people sit and lie on, by kind.

use super::form::{Form, suited};
use crate::style::Style::{
    ArtDeco, Boho, Coastal, Contemporary, Farmhouse, Industrial, Japandi, Luxury, Midcentury, Minimalist, Modern,
    Scandinavian, Traditional, Transitional,
};

pub(super) const SOFAS: &[Form] = &[
    suited("track arm", &[Modern, Transitional, Minimalist, Contemporary, Industrial, Scandinavian]),
    suited("rolled arm", &[Traditional, Farmhouse, Coastal, Transitional]),
    suited("chesterfield", &[Industrial, Traditional, Luxury]),
    suited("buttoned on wood", &[Midcentury, Scandinavian]),
    suited("cloud", &[Contemporary, Luxury, Boho, Modern]),
    suited("channeled", &[ArtDeco, Luxury]),
    suited("wooden frame", &[Japandi, Scandinavian, Boho, Midcentury]),
    suited("slipcovered", &[Coastal, Farmhouse, Boho]),
];

pub(super) const BEDS: &[Form] = &[
    suited("panels", &[Modern, Transitional, Contemporary, Minimalist, Midcentury, Luxury]),
    suited("channels", &[ArtDeco, Luxury, Modern, Contemporary]),
    suited("tufted wings", &[Traditional, Transitional, Luxury]),
    suited("slats", &[Scandinavian, Farmhouse, Minimalist, Midcentury, Modern]),
    suited("cane", &[Coastal, Boho, Midcentury, Japandi]),
    suited("low planks", &[Japandi, Minimalist, Scandinavian]),
    suited("metal", &[Industrial, Farmhouse]),
    suited("spindles", &[Traditional, Farmhouse, Coastal]),
    suited("arch", &[Boho, Contemporary, Scandinavian, ArtDeco]),
];

pub(super) const ARMCHAIRS: &[Form] = &[
    suited("shell", &[Modern, Scandinavian, Midcentury, Contemporary, Minimalist, Transitional, Luxury]),
    suited("wooden frame", &[Scandinavian, Japandi, Midcentury, Minimalist, Boho, Modern]),
    suited("wingback", &[Traditional, Transitional, Farmhouse]),
    suited("club", &[Industrial, Traditional, Modern]),
    suited("channeled tub", &[ArtDeco, Luxury, Transitional]),
    suited("rattan", &[Boho, Coastal]),
    suited("ball", &[Contemporary, Luxury, ArtDeco, Minimalist]),
    suited("sling", &[Industrial, Midcentury, Japandi, Boho]),
    suited("slipcovered", &[Coastal, Farmhouse]),
];

pub(super) const BENCHES: &[Form] = &[
    suited("padded", &[Modern, Minimalist, Contemporary, Transitional, Industrial]),
    suited("woven", &[Scandinavian, Japandi, Coastal, Boho, Midcentury, Farmhouse]),
    suited("slats", &[Japandi, Scandinavian, Farmhouse, Industrial, Minimalist, Midcentury]),
    suited("tufted", &[Traditional, Luxury, ArtDeco, Transitional]),
    suited("boucle", &[Contemporary, Luxury, Boho]),
];

pub(super) const DINING_CHAIRS: &[Form] = &[
    suited("shell", &[Modern, Scandinavian, Midcentury, Contemporary, Minimalist]),
    suited("wishbone", &[Scandinavian, Japandi, Midcentury, Coastal, Minimalist, Farmhouse]),
    suited("cane", &[Boho, Coastal, Midcentury, Modern]),
    suited("cross back", &[Farmhouse, Coastal, Traditional, Boho]),
    suited("cafe", &[Industrial]),
    suited("parsons", &[Transitional, Traditional, Luxury, Minimalist]),
    suited("medallion", &[Traditional, Luxury]),
    suited("wrapped", &[Contemporary, ArtDeco, Luxury, Modern]),
    suited("spindles", &[Farmhouse, Scandinavian, Japandi, Industrial]),
];

pub(super) const DESK_CHAIRS: &[Form] = &[
    suited("ergonomic", &[Modern, Industrial, Minimalist, Contemporary, Scandinavian]),
    suited("upholstered", &[Luxury, ArtDeco, Transitional, Contemporary, Boho, Coastal, Minimalist]),
    suited("wooden", &[Farmhouse, Japandi, Scandinavian, Midcentury]),
    suited("captain", &[Traditional, Luxury, Industrial]),
];

pub(super) const STOOLS: &[Form] = &[
    suited("padded", &[Modern, Contemporary, Transitional, Luxury, ArtDeco, Minimalist, Traditional]),
    suited("saddle", &[Scandinavian, Japandi, Farmhouse, Minimalist, Industrial]),
    suited("woven", &[Boho, Coastal, Midcentury, Farmhouse, Japandi, Scandinavian]),
    suited("metal", &[Industrial]),
    suited("tub", &[Luxury, ArtDeco, Contemporary]),
];

pub(super) const POUFS: &[Form] = &[
    suited("smooth", &[Modern, Contemporary, Minimalist, Luxury, ArtDeco, Transitional, Traditional]),
    suited("knitted", &[Scandinavian, Boho, Coastal, Japandi, Farmhouse, Minimalist]),
    suited("leather", &[Industrial, Boho, Midcentury, Traditional]),
];

pub(super) const OTTOMANS: &[Form] = &[
    suited("tufted", &[Traditional, Transitional, Luxury, Industrial, Farmhouse]),
    suited("pleated", &[ArtDeco, Luxury, Contemporary, Boho, Coastal]),
    suited("cushion", &[Modern, Scandinavian, Midcentury, Minimalist, Japandi, Contemporary, Coastal]),
];

pub(super) const SECTIONALS: &[Form] = &[
    suited(
        "track arm, chaise on the left",
        &[Modern, Transitional, Minimalist, Industrial, Traditional, Farmhouse, Coastal],
    ),
    suited(
        "track arm, chaise on the right",
        &[Modern, Transitional, Minimalist, Industrial, Traditional, Farmhouse, Coastal],
    ),
    suited("low, chaise on the left", &[Contemporary, Luxury, ArtDeco, Boho, Scandinavian, Japandi, Midcentury]),
    suited("low, chaise on the right", &[Contemporary, Luxury, ArtDeco, Boho, Scandinavian, Japandi, Midcentury]),
];
