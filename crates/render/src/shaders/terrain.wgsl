// The ground's height at a place. `grid`: min x, min y, spacing, columns.
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
