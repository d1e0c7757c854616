//! A form of a kind of furniture, and the styles that it suits.

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
pub(super) const fn plain(name: &'static str) -> Form {
    Form { name, styles: &[] }
}

/// A form that suits some styles.
pub(super) const fn suited(name: &'static str, styles: &'static [Style]) -> Form {
    Form { name, styles }
}
