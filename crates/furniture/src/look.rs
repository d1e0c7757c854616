//! How a surface looks at a point: what the tracer needs of it.

use glam::Vec3;

/// Appearance of a material at a point.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Diffuse reflectance.
    pub albedo: Vec3,
    /// Specular reflectance at normal incidence; 0 for none.
    pub mirror: Vec3,
    /// Roughness.
    pub roughness: f32,
    /// Slope of its relief, in the material's axes.
    pub slope: Vec3,
    /// Emitted light, as a share of the mean light in the room.
    pub emitted: Vec3,
    /// Color of the sheen of cloth; black for none.
    pub sheen: Vec3,
    /// Its roughness.
    pub sheen_roughness: f32,
    /// Strength of a clear coat, and its roughness.
    pub coat: f32,
    /// The roughness of the coat.
    pub coat_roughness: f32,
    /// Share of the light that passes straight through.
    pub clear: Vec3,
}

impl Look {
    /// A matt surface.
    #[must_use]
    pub fn matt(albedo: Vec3, roughness: f32) -> Self {
        Self {
            albedo,
            mirror: Vec3::ZERO,
            roughness,
            slope: Vec3::ZERO,
            emitted: Vec3::ZERO,
            sheen: Vec3::ZERO,
            sheen_roughness: 1.0,
            coat: 0.0,
            coat_roughness: 0.0,
            clear: Vec3::ZERO,
        }
    }
}
