@group(0) @binding(1) var shadow_map: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Which of the maps are asked: 0 the near one alone, 1 the far one alone, 2 the near one where it reaches. A processor works
// out both sides of a branch.
override maps: u32 = 2u;

// Share of the sun that reaches a point: one hardware tap.
fn sun_reaches(frame: Frame, point: vec3<f32>) -> f32 {
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
