//! Albedos of ground surfaces, linear.

/// Linear albedo.
pub(crate) type Albedo = [f32; 3];

pub(crate) const PAVING: Albedo = [0.235, 0.225, 0.21];
pub(crate) const CONCRETE: Albedo = [0.26, 0.25, 0.235];
pub(crate) const GRAVEL: Albedo = [0.245, 0.222, 0.185];
pub(crate) const EARTH: Albedo = [0.165, 0.125, 0.085];
pub(crate) const MEADOW: Albedo = [0.090, 0.112, 0.043];
/// White of road markings.
pub(crate) const MARKING: Albedo = [0.55, 0.55, 0.53];
