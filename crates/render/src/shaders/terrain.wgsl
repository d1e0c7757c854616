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

// The grids of the terrain's heights. The rows of the finer part follow those of the whole in one texture.
struct Terrain {
    // Min x, min y, spacing of the whole.
    whole: vec4<f32>,
    // The same of the finer part.
    near: vec4<f32>,
    // Columns and rows of the whole, and of the finer part (0 where there is none).
    size: vec4<f32>,
}

// Whether the finer part of the terrain reaches a point.
fn is_near(terrain: Terrain, p: vec2<f32>) -> bool {
    let n = p - terrain.near.xy;
    return terrain.size.z > 0.0 && all(n >= vec2<f32>(0.0)) && all(n <= (terrain.size.zw - 1.0) * terrain.near.z);
}

// Meters between the terrain's samples at a point.
fn spacing_at(terrain: Terrain, p: vec2<f32>) -> f32 {
    return select(terrain.whole.z, terrain.near.z, is_near(terrain, p));
}

// Bilinear height of the terrain.
fn height_at(heights: texture_2d<f32>, terrain: Terrain, p: vec2<f32>) -> f32 {
    let near = is_near(terrain, p);
    let grid = select(terrain.whole, terrain.near, near);
    let size = select(terrain.size.xy, terrain.size.zw, near) - 1.0;
    let g = clamp((p - grid.xy) / grid.z, vec2<f32>(0.0), size - vec2<f32>(0.001));
    let i = vec2<i32>(g) + vec2<i32>(0, select(0, i32(terrain.size.y), near));
    let f = g - floor(g);
    let a = textureLoad(heights, i, 0).r;
    let b = textureLoad(heights, i + vec2<i32>(1, 0), 0).r;
    let c = textureLoad(heights, i + vec2<i32>(0, 1), 0).r;
    let d = textureLoad(heights, i + vec2<i32>(1, 1), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}
