// Lights the vertices of plants, once per film.
@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> raw: array<u32>;
@group(1) @binding(1) var<storage, read_write> lit: array<u32>;

@compute @workgroup_size(64)
fn light(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * groups.x * 64u;
    if i * 4u >= arrayLength(&lit) { return; }
    let position = vec3<f32>(bitcast<f32>(raw[i * 5u]), bitcast<f32>(raw[i * 5u + 1u]), bitcast<f32>(raw[i * 5u + 2u]));
    let packed = unpack4x8snorm(raw[i * 5u + 3u]);
    let albedo_and_thinness = unpack4x8unorm(raw[i * 5u + 4u]);
    let normal = normalize(packed.xyz + vec3<f32>(0.0, 0.0, 1e-4));
    let open = packed.w;
    let albedo = albedo_and_thinness.rgb * albedo_and_thinness.rgb;
    let thin = albedo_and_thinness.a;
    let facing = dot(normal, frame.sun_direction.xyz);
    // Wrapped diffuse light and translucency of leaves.
    let wrapped = max((facing + thin * 0.5) / (1.0 + thin * 0.5), 0.0);
    let through = max(-facing, 0.0) * 0.35 * thin;
    // Leaves let light through and scatter it, so that shadows within a crown are soft and not black.
    var reach = 0.0;
    for (var i = 0; i < 3; i++) {
        reach += sun_visibility(frame, position + frame.sun_direction.xyz * (0.35 + thin * (0.5 + 0.8 * f32(i))));
    }
    reach = mix(reach / 3.0, 1.0, 0.22 * thin) * cloud_transmittance(frame, position.xy);
    let sun = frame.sun_color.rgb * (wrapped + through * vec3<f32>(0.9, 1.15, 0.4)) * reach * mix(1.0, open, 0.6);
    let color = albedo * (sun + ambient(frame, normal) * open);
    let code = pack4x8unorm(vec4<f32>(sqrt(clamp(color, vec3<f32>(0.0), vec3<f32>(1.0))), 1.0));
    lit[i * 4u] = raw[i * 5u];
    lit[i * 4u + 1u] = raw[i * 5u + 1u];
    lit[i * 4u + 2u] = raw[i * 5u + 2u];
    lit[i * 4u + 3u] = code;
}
