//! Forms of the kinds of furniture: the shapes that a kind comes in, and the styles that they suit.

use aerie_math::Rng;

use crate::piece::PieceKind;
use crate::style::Style;

/// A shape of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// What it is called, for sheets and documentation.
    pub name: &'static str,
    /// The styles that it suits; empty if it suits all.
    pub styles: &'static [Style],
}

/// A form that suits every style.
const fn plain(name: &'static str) -> Form {
    Form { name, styles: &[] }
}

/// The forms of a kind. The number of a form is its index; none may be taken away, since clients hold recipes that name it.
#[must_use]
pub fn of(kind: PieceKind) -> &'static [Form] {
    const ONE: &[Form] = &[plain("usual")];
    match kind {
        PieceKind::PottedPlant => const { &[plain("tree"), plain("blades")] },
        PieceKind::Rug => const { &[plain("rectangular"), plain("round")] },
        _ => ONE,
    }
}

/// Draws a form that suits a style; the first if none does. The forms of a kind that a plan picks itself are not drawn.
#[must_use]
pub fn fitting(kind: PieceKind, style: Style, rng: &mut Rng) -> u8 {
    if matches!(kind, PieceKind::PottedPlant | PieceKind::Rug | PieceKind::FramedArt) {
        return 0;
    }
    let suits = |form: &&(usize, &Form)| form.1.styles.is_empty() || form.1.styles.contains(&style);
    let suitable: Vec<(usize, &Form)> = of(kind).iter().enumerate().collect();
    let suitable: Vec<usize> = suitable.iter().filter(suits).map(|(number, _)| *number).collect();
    suitable.get(rng.below(suitable.len().max(1))).map_or(0, |number| *number as u8)
}
