//! Materials of a binary glTF file, with the extensions of Khronos that pictures show.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use glam::{Mat2, Vec2, Vec3, Vec4};
use serde::Deserialize;

use crate::material::Material;
use crate::surface::{Alpha, Map, Surface};
use crate::texture::{Channels, DecodePixels, Pixels, Texture};

/// Greatest number of images.
const MAX_IMAGES: usize = 48;
/// Longest side of a texture, pixels, in files of few images and of many; larger ones are scaled down.
const MAX_SIDE: [usize; 2] = [2048, 1024];
/// Number of images from which they are many.
const MANY: usize = 10;

/// Reads the materials of a file.
pub(super) struct Materials<'a> {
    decode: DecodePixels,
    blob: &'a [u8],
    document: &'a gltf::Document,
    described: Vec<Described>,
    /// By texture and meaning: several materials may share one.
    textures: RefCell<HashMap<(usize, Channels), Arc<Texture>>>,
}

/// The extensions that a file may require.
const KNOWN: [&str; 13] = [
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_lights_punctual",
    "KHR_texture_transform",
];

/// Checks that a file requires no extension without which it would look wrong.
pub(super) fn check_extensions(json: &[u8]) -> Result<(), String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Requirements {
        #[serde(default)]
        extensions_required: Vec<String>,
    }
    let required: Requirements =
        serde_json::from_slice(json).map_err(|e| format!("the file is not valid glTF 2.0: {e}"))?;
    match required.extensions_required.iter().find(|name| !KNOWN.contains(&name.as_str())).map(String::as_str) {
        None => Ok(()),
        Some(name @ ("KHR_draco_mesh_compression" | "EXT_meshopt_compression" | "KHR_mesh_quantization")) => {
            Err(format!("its geometry is compressed ({name}); export it without compression"))
        }
        Some(name @ ("KHR_texture_basisu" | "EXT_texture_webp" | "EXT_texture_avif")) => {
            Err(format!("its textures are in a format that is not read ({name}); export them as PNG or JPEG"))
        }
        Some(name) => Err(format!("it requires the extension {name:?}, which is not supported; export it without")),
    }
}

/// The part of a file that describes its materials.
#[derive(Debug, Default, Deserialize)]
struct Root {
    #[serde(default)]
    materials: Vec<Described>,
}

/// A material as the file describes it. Names are those of the specification.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Described {
    pbr_metallic_roughness: Base,
    normal_texture: Option<Reference>,
    emissive_factor: [f32; 3],
    emissive_texture: Option<Reference>,
    alpha_mode: AlphaMode,
    alpha_cutoff: Option<f32>,
    extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Base {
    base_color_factor: [f32; 4],
    base_color_texture: Option<Reference>,
    metallic_factor: f32,
    roughness_factor: f32,
    metallic_roughness_texture: Option<Reference>,
}

impl Default for Base {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Extensions {
    #[serde(rename = "KHR_materials_emissive_strength")]
    strength: Strength,
    #[serde(rename = "KHR_materials_ior")]
    ior: Ior,
    #[serde(rename = "KHR_materials_specular")]
    specular: Specular,
    #[serde(rename = "KHR_materials_sheen")]
    sheen: Sheen,
    #[serde(rename = "KHR_materials_clearcoat")]
    coat: Coat,
    #[serde(rename = "KHR_materials_transmission")]
    transmission: Transmission,
    #[serde(rename = "KHR_materials_volume")]
    volume: Volume,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Strength {
    emissive_strength: f32,
}

impl Default for Strength {
    fn default() -> Self {
        Self { emissive_strength: 1.0 }
    }
}

#[derive(Debug, Deserialize)]
#[serde(default)]
struct Ior {
    ior: f32,
}

impl Default for Ior {
    fn default() -> Self {
        Self { ior: 1.5 }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Specular {
    specular_factor: f32,
    specular_color_factor: [f32; 3],
    specular_color_texture: Option<Reference>,
}

impl Default for Specular {
    fn default() -> Self {
        Self { specular_factor: 1.0, specular_color_factor: [1.0; 3], specular_color_texture: None }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Sheen {
    sheen_color_factor: [f32; 3],
    sheen_color_texture: Option<Reference>,
    sheen_roughness_factor: f32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Coat {
    clearcoat_factor: f32,
    clearcoat_texture: Option<Reference>,
    clearcoat_roughness_factor: f32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Transmission {
    transmission_factor: f32,
    transmission_texture: Option<Reference>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Volume {
    thickness_factor: f32,
    attenuation_distance: Option<f32>,
    attenuation_color: [f32; 3],
}

impl Default for Volume {
    fn default() -> Self {
        Self { thickness_factor: 0.0, attenuation_distance: None, attenuation_color: [1.0; 3] }
    }
}

/// A texture as a material refers to it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    index: usize,
    #[serde(default)]
    tex_coord: u32,
    /// Factor on the slope of a normal map.
    #[serde(default = "one")]
    scale: f32,
    #[serde(default)]
    extensions: ReferenceExtensions,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct ReferenceExtensions {
    #[serde(rename = "KHR_texture_transform")]
    transform: Transform,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Transform {
    offset: [f32; 2],
    rotation: f32,
    scale: [f32; 2],
    tex_coord: Option<u32>,
}

impl Default for Transform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

fn one() -> f32 {
    1.0
}

impl Reference {
    /// The set of texture coordinates.
    fn set(&self) -> u32 {
        self.extensions.transform.tex_coord.unwrap_or(self.tex_coord)
    }
}

impl Described {
    fn references(&self) -> [Option<&Reference>; 8] {
        let (base, more) = (&self.pbr_metallic_roughness, &self.extensions);
        [
            &base.base_color_texture,
            &base.metallic_roughness_texture,
            &self.normal_texture,
            &self.emissive_texture,
            &more.specular.specular_color_texture,
            &more.sheen.sheen_color_texture,
            &more.coat.clearcoat_texture,
            &more.transmission.transmission_texture,
        ]
        .map(Option::as_ref)
    }
}

impl<'a> Materials<'a> {
    /// `json` is the file's description of itself.
    pub(super) fn new(
        json: &[u8],
        document: &'a gltf::Document,
        blob: &'a [u8],
        decode: DecodePixels,
    ) -> Result<Self, String> {
        if document.images().len() > MAX_IMAGES {
            return Err(format!("the file has more than {MAX_IMAGES} images; bake them into fewer"));
        }
        let root: Root =
            serde_json::from_slice(json).map_err(|e| format!("the file's materials are not valid glTF 2.0: {e}"))?;
        Ok(Self { blob, document, decode, described: root.materials, textures: RefCell::default() })
    }

    /// The set of texture coordinates that a material uses: that of its first texture. Textures with another one are left out.
    pub(super) fn set(&self, number: Option<usize>) -> u32 {
        let described = number.and_then(|number| self.described.get(number));
        described.and_then(|described| described.references().into_iter().flatten().next()).map_or(0, Reference::set)
    }

    /// A material, for a part with `density` texture widths per meter, whose vertices have a color.
    pub(super) fn read(&self, number: Option<usize>, density: f32, tone: Vec3) -> Result<Material, String> {
        let plain = Described::default();
        let described = number.and_then(|number| self.described.get(number)).unwrap_or(&plain);
        let set = self.set(number);
        let map = |reference: &Option<Reference>, channels: Channels| -> Result<Option<Map>, String> {
            let reference = reference.as_ref().filter(|reference| reference.set() == set);
            reference.map(|reference| self.map(reference, channels, density)).transpose()
        };
        let (base, more) = (&described.pbr_metallic_roughness, &described.extensions);
        let straight = ((more.ior.ior - 1.0) / (more.ior.ior + 1.0)).powi(2);
        let specular = Vec3::from_array(more.specular.specular_color_factor) * more.specular.specular_factor * straight;
        let tint = match more.volume.attenuation_distance {
            // The wall of a hollow thing is passed twice.
            Some(distance) if more.volume.thickness_factor > 0.0 && distance > 0.0 => {
                let share = 0.5 * more.volume.thickness_factor / distance;
                Vec3::from_array(more.volume.attenuation_color).map(|c| c.max(0.0).powf(share))
            }
            _ => Vec3::ONE,
        };
        let normal_map = match &described.normal_texture {
            Some(reference) => {
                map(&described.normal_texture, Channels::Data)?.map(|normals| (normals, reference.scale))
            }
            None => None,
        };
        let surface = Surface {
            color: Vec4::from_array(base.base_color_factor) * tone.extend(1.0),
            color_map: map(&base.base_color_texture, Channels::Color)?,
            alpha: match described.alpha_mode {
                AlphaMode::Opaque => Alpha::Opaque,
                AlphaMode::Mask => Alpha::Mask(described.alpha_cutoff.unwrap_or(0.5)),
                AlphaMode::Blend => Alpha::Blend,
            },
            metalness: base.metallic_factor,
            roughness: base.roughness_factor,
            finish_map: map(&base.metallic_roughness_texture, Channels::Data)?,
            normal_map,
            emission: Vec3::from_array(described.emissive_factor) * more.strength.emissive_strength,
            emission_map: map(&described.emissive_texture, Channels::Color)?,
            specular,
            specular_map: map(&more.specular.specular_color_texture, Channels::Color)?,
            sheen: Vec3::from_array(more.sheen.sheen_color_factor),
            sheen_map: map(&more.sheen.sheen_color_texture, Channels::Color)?,
            sheen_roughness: more.sheen.sheen_roughness_factor,
            coat: more.coat.clearcoat_factor,
            coat_map: map(&more.coat.clearcoat_texture, Channels::Data)?,
            coat_roughness: more.coat.clearcoat_roughness_factor,
            transmission: more.transmission.transmission_factor,
            transmission_map: map(&more.transmission.transmission_texture, Channels::Data)?,
            tint,
        };
        Ok(Material::of(surface.checked()?))
    }

    fn map(&self, reference: &Reference, channels: Channels, density: f32) -> Result<Map, String> {
        let Transform { offset, rotation, scale, .. } = reference.extensions.transform;
        let (sin, cos) = rotation.sin_cos();
        // As the extension defines it: scaled first, then rotated, then shifted.
        let turn = Mat2::from_cols(Vec2::new(cos, -sin) * scale[0], Vec2::new(sin, cos) * scale[1]);
        if turn.determinant().abs() < 1e-9 || !turn.is_finite() {
            return Err("a texture is scaled to nothing by KHR_texture_transform".to_owned());
        }
        let texture = self.texture(reference.index, channels)?;
        let density = density * turn.determinant().abs().sqrt();
        Ok(Map { texture, turn, shift: Vec2::from_array(offset), density })
    }

    fn texture(&self, number: usize, channels: Channels) -> Result<Arc<Texture>, String> {
        if let Some(texture) = self.textures.borrow().get(&(number, channels)) {
            return Ok(Arc::clone(texture));
        }
        let texture =
            self.document.textures().nth(number).ok_or("a material refers to a texture that does not exist")?;
        let gltf::image::Source::View { view, .. } = texture.source().source() else {
            return Err("an image is stored outside the file; export it as `.glb` with everything embedded".to_owned());
        };
        let bytes = self.blob.get(view.offset()..view.offset().saturating_add(view.length()));
        let bytes = bytes.ok_or("an image extends past the end of the file")?;
        let Pixels { width, height, pixels } =
            (self.decode)(bytes).map_err(|e| format!("an image cannot be read: {e}"))?;
        let most = MAX_SIDE[usize::from(self.document.images().len() > MANY)];
        let texture = Arc::new(Texture::new(channels, width, height, pixels, most));
        self.textures.borrow_mut().insert((number, channels), Arc::clone(&texture));
        Ok(texture)
    }
}
