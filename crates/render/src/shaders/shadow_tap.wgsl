@group(0) @binding(1) var shadow_map: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Shadow maps to sample: 0 the near one only, 1 the far one only, 2 the near one where it reaches, 3 the fine one where it
// reaches and else the near one. An override rather than a branch, as a CPU evaluates both sides.
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

// Visibility of the sun from a point of a surface, sampled off the surface by more than a texel of the map.
fn sun_visibility_on(frame: Frame, point: vec3<f32>, normal: vec3<f32>) -> f32 {
    if maps != 3u {
        return sun_visibility(frame, point + normal * 0.18);
    }
    var layer = 2;
    var p = (frame.shadow[2] * vec4<f32>(point + normal * 0.05, 1.0)).xyz;
    if max(abs(p.x), abs(p.y)) > 0.995 {
        layer = 0;
        p = (frame.shadow[0] * vec4<f32>(point + normal * 0.18, 1.0)).xyz;
    }
    let uv = vec2<f32>(p.x * 0.5 + 0.5, 0.5 - p.y * 0.5);
    return textureSampleCompareLevel(shadow_map, shadow_sampler, uv, layer, p.z);
}
