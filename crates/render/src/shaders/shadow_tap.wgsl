@group(0) @binding(1) var shadow_map: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Shadow maps to sample: 0 the near one only, 1 the far one only, 2 the near one where it reaches. An override rather than a
// branch, as a CPU evaluates both sides.
override maps: u32 = 2u;

// Visibility of the sun from a point: one hardware tap.
fn sun_visibility(frame: Frame, point: vec3<f32>) -> f32 {
    var layer = 0;
    var p = vec3<f32>(0.0);
    if maps != 1u {
        p = (frame.shadow[0] * vec4<f32>(point, 1.0)).xyz;
    }
    if maps == 1u || (maps == 2u && max(abs(p.x), abs(p.y)) > 0.995) {
        layer = 1;
        p = (frame.shadow[1] * vec4<f32>(point, 1.0)).xyz;
    }
    let uv = vec2<f32>(p.x * 0.5 + 0.5, 0.5 - p.y * 0.5);
    return textureSampleCompareLevel(shadow_map, shadow_sampler, uv, layer, p.z);
}
