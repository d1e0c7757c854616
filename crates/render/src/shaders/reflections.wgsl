// Heights above ground of everything that stands on it, for reflections in water; once per film.
struct Level {
    // The depth maps: center x, y, half extent, range of heights.
    place: vec4<f32>,
    terrain: Terrain,
}
@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var all_map: texture_depth_2d;
@group(0) @binding(3) var solid_map: texture_depth_2d;

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Out {
    return square_corner(level.place.xyz, i);
}

// Red: everything, green: solids alone; as shares of 40 m.
@fragment
fn reflections(in: Out) -> @location(0) vec2<f32> {
    let texel = vec2<i32>(in.position.xy);
    let ground = height_at(heights, level.terrain, in.world);
    // Depth is 0 at the highest point, 1 at the lowest.
    let near = vec2<f32>(textureLoad(all_map, texel, 0), textureLoad(solid_map, texel, 0));
    return clamp(((1.0 - near) * level.place.w - 500.0 - ground) / 40.0, vec2<f32>(0.0), vec2<f32>(1.0));
}
