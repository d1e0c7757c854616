// Sky openness over the ground, from the top-down depth map; once per film.
struct Level {
    // The top-down depth map: center x, y, half extent, range of heights.
    place: vec4<f32>,
    terrain: Terrain,
}
@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var tops_map: texture_depth_2d;

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Out {
    return square_corner(level.place.xyz, i);
}

// Twelve samples in two rings.
@fragment
fn open(in: Out) -> @location(0) f32 {
    let size = f32(textureDimensions(tops_map).x);
    let scale = size / (2.0 * level.place.z);
    let ground = height_at(heights, level.terrain, in.world);
    let limit = i32(size) - 1;
    var hidden = 0.0;
    for (var i = 0; i < 12; i++) {
        let radius = select(1.6, 4.5, i >= 6);
        let angle = f32(i) * 1.0471976 + select(0.0, 0.52, i >= 6);
        let q = in.world + vec2<f32>(cos(angle), sin(angle)) * radius;
        let texel = vec2<i32>((q - level.place.xy + vec2<f32>(level.place.z)) * scale);
        if texel.x < 0 || texel.y < 0 || texel.x > limit || texel.y > limit { continue; }
        // Depth is 0 at the highest point, 1 at the lowest.
        let top = (1.0 - textureLoad(tops_map, vec2<i32>(texel.x, limit - texel.y), 0)) * level.place.w - 500.0;
        let rise = clamp(top - ground - 0.3, 0.0, 9.0);
        hidden += rise / (rise + radius * 1.4);
    }
    return 1.0 - hidden / 12.0 * 0.75;
}
