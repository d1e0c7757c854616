// Multiplies the painted ground by its light, once per film.
struct Level {
    // The tile: center x, y, half extent, meters per texel.
    window: vec4<f32>,
    // The tile in the texture: left, top, texels per side.
    place: vec4<f32>,
    terrain: Terrain,
    // The sky openness map: center x, y, half extent.
    tops: vec4<f32>,
}
// Number of shadow samples per texel.
override sun_samples: i32 = 5;
// Their offset from its center, meters.
override spread: f32 = 0.13;
@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<uniform> level: Level;
@group(1) @binding(1) var albedo: texture_2d<f32>;
@group(1) @binding(2) var heights: texture_2d<f32>;
@group(1) @binding(3) var open_map: texture_2d<f32>;
@group(1) @binding(4) var open_sampler: sampler;

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Out {
    return square_corner(level.window.xyz, i);
}

// Share of open sky, from the map that `openness.wgsl` rendered.
fn openness(p: vec2<f32>) -> f32 {
    let on = (p - level.tops.xy) / (2.0 * level.tops.z);
    if max(abs(on.x), abs(on.y)) > 0.49 { return 1.0; }
    return textureSampleLevel(open_map, open_sampler, vec2<f32>(on.x + 0.5, 0.5 - on.y), 0.0).r;
}

@fragment
fn bake(in: Out) -> @location(0) vec4<f32> {
    let paint = textureLoad(albedo, vec2<i32>(in.position.xy - level.place.xy), 0);
    let z = height_at(heights, level.terrain, in.world);
    let e = spacing_at(level.terrain, in.world) * 0.5;
    let slope = vec2<f32>(height_at(heights, level.terrain, in.world + vec2<f32>(e, 0.0)) - z, height_at(heights, level.terrain, in.world + vec2<f32>(0.0, e)) - z) / e;
    let normal = normalize(vec3<f32>(-slope, 1.0));
    let facing = max(dot(normal, frame.sun_direction.xyz), 0.0);
    let along = normalize(frame.sun_direction.xy + vec2<f32>(0.0001, 0.0));
    let across = vec2<f32>(-along.y, along.x);
    // Soft shadow edges: four corners, plus the center of five samples; two samples lie across the light.
    var sun = 0.0;
    for (var i = 0; i < sun_samples; i++) {
        let turn = vec2<f32>(f32((i & 1) * 2 - 1), f32((i & 2) - 1));
        let offset = select(turn.x * across, (along * turn.x + across * turn.y) * select(1.0, 0.0, i == 4), sun_samples > 2) * spread;
        sun += sun_visibility(frame, vec3<f32>(in.world + offset, z + 0.12));
    }
    sun /= f32(sun_samples);
    let light = frame.sun_color.rgb * (facing * sun * cloud_transmittance(frame, in.world)) + ambient(frame, normal) * openness(in.world);
    // Stored as square roots, for fine steps in the dark; filtered in that encoding.
    return vec4<f32>(sqrt(clamp(paint.rgb * paint.rgb * light * 0.8, vec3<f32>(0.0), vec3<f32>(1.0))), paint.a);
}
