//! Changes that the words of a clause compose.

use super::item::{Effect, Item, Verb};
use super::request::{Direction, Property};
use super::terms::Words;

impl Words {
    /// Returns features that take whatever else is said of them: a sky is not brightened but replaced.
    pub(super) fn of_features(&self, verb: Option<Verb>) -> Option<Vec<(Property, Direction)>> {
        use Property::{Exposure, Highlights, Lawn, Natural, Shadows, Sharpness, Sky, Upright, WhiteBalance, Windows};
        let has = |property| self.properties().any(|p| p == property);
        let darkens = self.changes().iter().any(|(property, amount)| *property == Exposure && *amount < 0.0);
        let lessens = matches!(verb, Some(Verb::Decrease));
        let brightens = self.changes().iter().any(|(property, amount)| *property == Exposure && *amount > 0.0);
        let done = |property| Some(vec![(property, Direction::More)]);
        let undone = |property| Some(vec![(property, Direction::Less)]);
        if has(Sky) {
            return done(if darkens || lessens { Highlights } else { Sky });
        }
        let is_dry = |item: &Item| {
            matches!(item, Item::Dry | Item::Hue) || is_fault_of(item, &[Property::Warmth, Property::Color])
        };
        if has(Lawn) || self.has(Item::Yard) && self.items.iter().any(is_dry) {
            return done(Lawn);
        }
        let fault = self.faults().first().map(|(property, _)| *property);
        if self.is_unseen && self.has(Item::Yard)
            || has(Property::Outdoors) && (fault == Some(Highlights) || verb == Some(Verb::Recover))
        {
            return done(Windows);
        }
        if has(Windows) && !self.is_weak_window(fault) && !brightens {
            return done(Windows);
        }
        // "The lines look oversharpened".
        if has(Upright) && fault.is_none_or(|fault| fault != Sharpness) || fault == Some(Upright) {
            return done(Upright);
        }
        // "The left half is dark".
        if self.has(Item::Region) && fault == Some(Exposure) {
            let is_dark = self.faults().iter().any(|(property, amount)| *property == Exposure && *amount > 0.0);
            return done(if is_dark { Shadows } else { Highlights });
        }
        if has(Shadows) && (darkens || self.has(Item::More)) && !self.is_place(Shadows) {
            return undone(Shadows);
        }
        // "I cannot see anything in the dark corners".
        let is_meant = !self.is_place(Shadows) || fault == Some(Exposure);
        if has(Shadows) && fault != Some(Property::Noise) && is_meant {
            return done(Shadows);
        }
        if has(Highlights) && !self.is_place(Highlights) {
            let raises = brightens || verb == Some(Verb::Increase) || self.has(Item::More);
            return if raises { undone(Highlights) } else { done(Highlights) };
        }
        // "Whites are clipping", "the white curtain is blown out": what is white says where.
        let is_white = |property| property == WhiteBalance || property == Exposure && self.has(Item::Too);
        if fault == Some(Highlights) && self.qualities().iter().all(|(property, _)| is_white(*property)) {
            return done(Highlights);
        }
        // "Better details".
        let is_better =
            !self.qualities().is_empty() && self.qualities().iter().all(|(property, _)| *property == Natural);
        if has(Sharpness) && verb.is_none() && self.changes().is_empty() && fault.is_none() && is_better {
            return done(Sharpness);
        }
        let has_color = self.changes().iter().chain(&self.qualities()).any(|effect| effect.0 == Property::Warmth);
        if (has(WhiteBalance) || matches!(verb, Some(Verb::Correct)) && has(Property::Color))
            && !has_color
            && fault.is_none()
        {
            return done(WhiteBalance);
        }
        None
    }

    /// Returns whether windows are named only in passing ("the hazy view", "the noise in the window").
    pub(super) fn is_weak_window(&self, fault: Option<Property>) -> bool {
        use Property::{Exposure, Highlights};
        fault.is_some_and(|fault| ![Exposure, Highlights].contains(&fault))
            || self.changes().iter().any(|(property, _)| ![Exposure, Highlights].contains(property))
            || self.is_place(Property::Windows)
    }

    /// Returns whether a property is named after a change, to say where.
    pub(super) fn is_place(&self, property: Property) -> bool {
        let at = self.items.iter().position(|item| *item == Item::Property(property));
        let place = self.items.iter().position(|item| *item == Item::Where);
        let first = self.items.iter().position(|item| {
            matches!(item, Item::Change(_) | Item::Fault(_) | Item::Quality(_))
                || matches!(item, Item::Property(p) if ![property, Property::Sharpness].contains(p))
        });
        matches!((first, place, at), (Some(first), Some(place), Some(at)) if first < place && place < at)
    }

    /// Returns changes of light and color.
    pub(super) fn changed(&self, verb: Option<Verb>) -> Vec<(Property, Direction)> {
        use Property::{Color, Contrast, Exposure, Highlights, Natural, Shadows, Sharpness};
        let lessens = self.has(Item::Less) || matches!(verb, Some(Verb::Decrease | Verb::Remove));
        let is_wanted = !lessens && !self.has(Item::Too);
        let signed = |(property, amount): Effect, is_more: bool| (property, if is_more { amount } else { -amount });
        // "Darker than in reality" describes the photo.
        let is_unlike = self.has(Item::Unlike);
        // "Get rid of the orange glow".
        let is_undone = |change: &Effect| is_unlike || lessens && change.0 == Property::Warmth;
        let mut effects: Vec<Effect> =
            self.changes().into_iter().map(|change| signed(change, !is_undone(&change))).collect();
        effects.extend(self.qualities().into_iter().map(|quality| signed(quality, is_wanted && !is_unlike)));
        let adds = self.has(Item::More) && !self.has(Item::Too) || matches!(verb, Some(Verb::Increase | Verb::Add));
        let faults = self
            .faults()
            .into_iter()
            .map(|(property, amount)| (property, if adds && property == Property::Warmth { -amount } else { amount }));
        for fault in faults {
            if effects.iter().all(|(property, _)| *property != fault.0) {
                effects.push(fault);
            }
        }
        // A yellow cast is a matter of warmth.
        if effects.iter().any(|(property, _)| *property == Property::Warmth) {
            effects.retain(|(property, amount)| *property != Property::WhiteBalance || *amount < 0.0);
        }
        let directed = self.has(Item::More) || self.has(Item::Less) || self.has(Item::Too) || verb.is_some();
        if directed || effects.is_empty() {
            let amount = if lessens || self.has(Item::Too) || verb == Some(Verb::Soften) { -1.0 } else { 1.0 };
            let balances = verb == Some(Verb::Balance);
            let named = self.properties().chain(self.has(Item::Light).then_some(Exposure)).filter(|p| !is_scene(*p));
            for property in named {
                match property {
                    Property::Windows if !effects.is_empty() => {}
                    _ if verb.is_none() && !effects.is_empty() && !self.has(Item::More) && !self.has(Item::Less) => {}
                    Exposure if !effects.is_empty() && self.has(Item::Light) => {}
                    Exposure if verb == Some(Verb::Soften) => effects.push((Contrast, -1.0)),
                    Exposure if balances => effects.extend([(Shadows, 1.0), (Highlights, 1.0)]),
                    Exposure if matches!(verb, Some(Verb::Correct | Verb::Enhance)) => effects.push((Natural, 1.0)),
                    property => effects.push((property, amount)),
                }
            }
        }
        if effects.iter().any(|(property, _)| *property != Natural) {
            effects.retain(|(property, _)| *property != Natural);
        }
        if effects.is_empty() {
            effects = match verb {
                Some(Verb::Pop) => vec![(Contrast, 1.0), (Color, 1.0)],
                Some(Verb::Soften) => vec![(Sharpness, -1.0)],
                Some(Verb::Enhance) => vec![(Natural, 1.0)],
                _ => self.properties().filter(|p| is_scene(*p)).map(|p| (p, 1.0)).collect(),
            };
        }
        requests(&effects)
    }
}

/// Returns whether an item is a fault of one of the properties.
fn is_fault_of(item: &Item, properties: &[Property]) -> bool {
    matches!(item, Item::Fault(effects) if effects.iter().any(|(property, _)| properties.contains(property)))
}

/// Returns requests of effects, each property once.
pub(super) fn requests(effects: &[Effect]) -> Vec<(Property, Direction)> {
    let mut requests: Vec<(Property, Direction)> = Vec::new();
    for (property, amount) in effects {
        if requests.iter().all(|(other, _)| other != property) {
            requests.push((*property, direction(*amount)));
        }
    }
    requests
}

pub(super) fn direction(amount: f32) -> Direction {
    if amount > 0.0 { Direction::More } else { Direction::Less }
}

fn is_scene(property: Property) -> bool {
    matches!(property, Property::Indoors | Property::Outdoors)
}
