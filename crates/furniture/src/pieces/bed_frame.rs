//! Measures of a bed.

/// The measures of a bed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// Width of the mattress.
    pub(super) width: f32,
    /// Half the width of the bed.
    pub(super) half: f32,
    /// Where it ends, at the foot and at the head.
    pub(super) foot: f32,
    pub(super) head: f32,
    /// Height of the headboard.
    pub(super) high: f32,
}
