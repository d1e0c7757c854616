@group(0) @binding(1) var shadow_map: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Share of the sun that reaches a point: one hardware tap, near map where it reaches, else the far one.
fn sun_reaches(frame: Frame, point: vec3<f32>) -> f32 {
    var layer = 0;
    var p = (frame.shadow[0] * vec4<f32>(point, 1.0)).xyz;
    if max(abs(p.x), abs(p.y)) > 0.995 {
        layer = 1;
        p = (frame.shadow[1] * vec4<f32>(point, 1.0)).xyz;
    }
    let uv = vec2<f32>(p.x * 0.5 + 0.5, 0.5 - p.y * 0.5);
    return textureSampleCompareLevel(shadow_map, shadow_sampler, uv, layer, p.z);
}
