// How much of the sky is open over the ground, once for a whole film, from the map of what stands on it.
struct Level {
    // Center x, y, half extent of the map of tops; its top height.
    place: vec4<f32>,
    // Terrain: min x, min y, spacing, columns.
    grid: vec4<f32>,
}
@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var tops_map: texture_depth_2d;

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Out {
    return over(level.place.xyz, i);
}

// Twelve looks at the tops, in two rings.
@fragment
fn open(in: Out) -> @location(0) f32 {
    let size = f32(textureDimensions(tops_map).x);
    let scale = size / (2.0 * level.place.z);
    let ground = height_at(heights, level.grid, in.world);
    let limit = i32(size) - 1;
    var hidden = 0.0;
    for (var i = 0; i < 12; i++) {
        let radius = select(1.6, 4.5, i >= 6);
        let angle = f32(i) * 1.0471976 + select(0.0, 0.52, i >= 6);
        let q = in.world + vec2<f32>(cos(angle), sin(angle)) * radius;
        let texel = vec2<i32>((q - level.place.xy + vec2<f32>(level.place.z)) * scale);
        if texel.x < 0 || texel.y < 0 || texel.x > limit || texel.y > limit { continue; }
        // Stored as 1 for the lowest, 0 for the highest point.
        let top = (1.0 - textureLoad(tops_map, vec2<i32>(texel.x, limit - texel.y), 0)) * level.place.w - 500.0;
        let rise = clamp(top - ground - 0.3, 0.0, 9.0);
        hidden += rise / (rise + radius * 1.4);
    }
    return 1.0 - hidden / 12.0 * 0.75;
}
