// Squares of ground, and the height of the terrain.
struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec2<f32>,
}

// A corner of the triangle that covers a square: center x, y, half extent.
fn square_corner(square: vec3<f32>, i: u32) -> Out {
    let xy = vec2<f32>(f32((i << 1u) & 2u), f32(i & 2u)) * 2.0 - 1.0;
    var out: Out;
    out.position = vec4<f32>(xy, 0.0, 1.0);
    out.world = square.xy + xy * square.z;
    return out;
}

// Bilinear height of the terrain. `grid`: min x, min y, spacing, columns.
fn height_at(heights: texture_2d<f32>, grid: vec4<f32>, p: vec2<f32>) -> f32 {
    let size = vec2<f32>(textureDimensions(heights)) - 1.0;
    let g = clamp((p - grid.xy) / grid.z, vec2<f32>(0.0), size - vec2<f32>(0.001));
    let i = vec2<i32>(g);
    let f = g - floor(g);
    let a = textureLoad(heights, i, 0).r;
    let b = textureLoad(heights, i + vec2<i32>(1, 0), 0).r;
    let c = textureLoad(heights, i + vec2<i32>(0, 1), 0).r;
    let d = textureLoad(heights, i + vec2<i32>(1, 1), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}
