//! Reads a binary glTF 2.0 file (Khronos, ISO/IEC 12113): triangles and materials.

mod materials;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use glam::{Mat4, Vec2, Vec3};

use self::materials::Materials;
use crate::material::Material;
use crate::mesh::{Mesh, Solid, Vertex};
use crate::texture::DecodePixels;

/// Limits of a file: no piece of furniture in a picture needs more.
const MAX_BYTES: u64 = 64 << 20;
const MAX_TRIANGLES: usize = 400_000;
const MAX_PARTS: usize = 4096;
/// Limits of the scene graph.
const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 20_000;

/// Contents of a file. The mesh is in the file's axes; its parts index `materials`.
pub(super) struct Contents {
    pub(super) mesh: Mesh,
    pub(super) materials: Vec<Material>,
}

/// Reads a file.
pub(super) fn read(path: &Path, decode: DecodePixels) -> Result<Contents, String> {
    let length = std::fs::metadata(path).map_err(|e| format!("the file cannot be read: {e}"))?.len();
    if length > MAX_BYTES {
        return Err(format!("the file has {} MiB; the limit is {} MiB", length >> 20, MAX_BYTES >> 20));
    }
    let bytes = std::fs::read(path).map_err(|e| format!("the file cannot be read: {e}"))?;
    if !bytes.starts_with(b"glTF") {
        return Err("the file is not binary glTF; export it as `.glb`, with buffers and images embedded".to_owned());
    }
    // A panic in the third-party reader must cost one model, not the job.
    catch_unwind(AssertUnwindSafe(|| read_bytes(&bytes, decode)))
        .unwrap_or_else(|_| Err("the file is damaged".to_owned()))
}

fn read_bytes(bytes: &[u8], decode: DecodePixels) -> Result<Contents, String> {
    let invalid = |e: gltf::Error| format!("the file is not valid glTF 2.0: {e}");
    let file = gltf::binary::Glb::from_slice(bytes).map_err(invalid)?;
    materials::check_extensions(&file.json)?;
    let mut root = gltf::json::deserialize::from_slice::<gltf::json::Root>(&file.json)
        .map_err(|e| invalid(gltf::Error::Deserialize(e)))?;
    // They were checked: the library knows fewer.
    root.extensions_required.clear();
    let document = gltf::Document::from_json(root).map_err(invalid)?;
    let blob = file.bin.as_deref().unwrap_or_default();
    let reader = Reader { blob, nodes: Cell::new(0), materials: Materials::new(&file.json, &document, blob, decode)? };
    let mut model = Contents { mesh: Mesh::default(), materials: Vec::new() };
    let scene = document.default_scene().or_else(|| document.scenes().next());
    for node in scene.ok_or("the file has no scene")?.nodes() {
        reader.node(&node, Mat4::IDENTITY, 0, &mut model)?;
    }
    if model.mesh.triangles.is_empty() {
        return Err("the file has no triangles".to_owned());
    }
    Ok(model)
}

struct Reader<'a> {
    blob: &'a [u8],
    /// Nodes visited.
    nodes: Cell<usize>,
    materials: Materials<'a>,
}

impl Reader<'_> {
    fn node(&self, node: &gltf::Node<'_>, above: Mat4, depth: usize, model: &mut Contents) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("nodes are nested more than {MAX_DEPTH} deep"));
        }
        // A node may be a child of many, so a small file can describe an endless walk.
        if self.nodes.replace(self.nodes.get() + 1) > MAX_NODES {
            return Err(format!("the file has more than {MAX_NODES} nodes"));
        }
        let at = above * Mat4::from_cols_array_2d(&node.transform().matrix());
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            self.primitive(&primitive, at, model)?;
        }
        node.children().try_for_each(|child| self.node(&child, at, depth + 1, model))
    }

    fn primitive(&self, primitive: &gltf::Primitive<'_>, at: Mat4, model: &mut Contents) -> Result<(), String> {
        if primitive.mode() != gltf::mesh::Mode::Triangles {
            return Err("the mesh has primitives other than triangles; triangulate it".to_owned());
        }
        // Parts may share their vertices, so a small file can describe any number of them.
        if model.materials.len() >= MAX_PARTS {
            return Err(format!("the model has more than {MAX_PARTS} parts; join them"));
        }
        let accessors = primitive.attributes().map(|(_, accessor)| accessor).chain(primitive.indices());
        if accessors.into_iter().any(|accessor| accessor.count() > 3 * MAX_TRIANGLES) {
            return Err(too_many());
        }
        let reader = primitive.reader(|buffer| match buffer.source() {
            gltf::buffer::Source::Bin => Some(self.blob),
            gltf::buffer::Source::Uri(_) => None,
        });
        let places: Vec<Vec3> = reader
            .read_positions()
            .ok_or("vertices are stored outside the file; export it as `.glb` with everything embedded")?
            .map(|p| at.transform_point3(Vec3::from_array(p)))
            .collect();
        if places.iter().any(|p| !p.is_finite()) {
            return Err("a vertex position is not finite".to_owned());
        }
        let turn = glam::Mat3::from_mat4(at).inverse().transpose();
        let normals: Option<Vec<Vec3>> = reader
            .read_normals()
            .map(|normals| normals.map(|n| (turn * Vec3::from_array(n)).normalize_or(Vec3::Y)).collect());
        let number = primitive.material().index();
        let texel: Option<Vec<Vec2>> =
            reader.read_tex_coords(self.materials.set(number)).map(|uv| uv.into_f32().map(Vec2::from_array).collect());
        let count = places.len();
        if model.mesh.vertices.len() + count > 3 * MAX_TRIANGLES {
            return Err(too_many());
        }
        let indices: Vec<u32> = match (primitive.indices(), reader.read_indices()) {
            (None, _) => (0..count as u32).collect(),
            (Some(_), Some(indices)) => indices.into_u32().collect(),
            (Some(_), None) => {
                return Err(
                    "triangle indices are stored outside the file; export it as `.glb` with everything embedded"
                        .to_owned(),
                );
            }
        };
        let is_mirrored = at.determinant() < 0.0;
        let triangles: Vec<[u32; 3]> = indices
            .chunks_exact(3)
            .map(|t| if is_mirrored { [t[0], t[2], t[1]] } else { [t[0], t[1], t[2]] })
            .collect();
        if triangles.iter().flatten().any(|i| *i as usize >= count) {
            return Err("a triangle refers to a vertex that does not exist".to_owned());
        }
        if model.mesh.triangles.len() + triangles.len() > MAX_TRIANGLES {
            return Err(too_many());
        }
        let uv =
            |i: usize| texel.as_ref().and_then(|t| t.get(i)).copied().filter(|t| t.is_finite()).unwrap_or_default();
        let normal = |i: usize| normals.as_ref().and_then(|n| n.get(i)).copied();
        let vertices = places
            .iter()
            .enumerate()
            .map(|(i, p)| Vertex { place: *p, normal: normal(i).unwrap_or(Vec3::Y), tex: uv(i).extend(0.0) })
            .collect();
        let density = density(&places, &triangles, uv);
        let mut solid = Solid { vertices, triangles, turn: glam::Mat3::IDENTITY };
        if normals.is_none() {
            solid.smoothen();
        }
        let tone = reader.read_colors(0).map_or(Vec3::ONE, |colors| mean(colors.into_rgb_f32()));
        let material = self.materials.read(number, density, tone)?;
        model.mesh.add(solid, model.materials.len());
        model.materials.push(material);
        Ok(())
    }
}

fn too_many() -> String {
    format!("the model has more than {MAX_TRIANGLES} triangles; decimate it")
}

/// The mean of vertex colors.
fn mean(colors: impl Iterator<Item = [f32; 3]>) -> Vec3 {
    let (sum, count) = colors.fold((Vec3::ZERO, 0.0_f32), |(sum, count), c| (sum + Vec3::from_array(c), count + 1.0));
    (sum / count.max(1.0)).clamp(Vec3::ZERO, Vec3::ONE)
}

/// Texture widths per meter, on average over a mesh.
fn density(places: &[Vec3], triangles: &[[u32; 3]], uv: impl Fn(usize) -> Vec2) -> f32 {
    let (mut on_texture, mut in_room) = (0.0_f32, 0.0_f32);
    for [a, b, c] in triangles.iter().map(|t| t.map(|i| i as usize)) {
        in_room += (places[b] - places[a]).cross(places[c] - places[a]).length();
        on_texture += (uv(b) - uv(a)).perp_dot(uv(c) - uv(a)).abs();
    }
    (on_texture / in_room.max(1e-9)).sqrt()
}
