@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var noise: texture_2d<f32>;
@group(1) @binding(1) var noise_sampler: sampler;

struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Out {
    let xy = vec2<f32>(f32((i << 1u) & 2u), f32(i & 2u)) * 2.0 - 1.0;
    let far = frame.inverse_view_proj * vec4<f32>(xy, 0.5, 1.0);
    var out: Out;
    out.position = vec4<f32>(xy, 0.0, 1.0);
    out.ray = far.xyz / far.w - frame.eye.xyz;
    return out;
}

// Cloud density at a point of the cloud plane. `texels`: binary logarithm of the noise texels per pixel there.
fn cloud_at(at: vec2<f32>, texels: f32) -> f32 {
    let heap = textureSampleLevel(noise, noise_sampler, at * 0.23, max(texels - 2.1, 0.0)).r;
    let puff = textureSampleLevel(noise, noise_sampler, at * 0.61, max(texels - 0.7, 0.0)).r;
    return heap * 0.62 + puff * 0.38;
}

@fragment
fn sky(in: Out) -> @location(0) vec4<f32> {
    let ray = normalize(in.ray);
    var color = sky_radiance(frame, ray);
    let height = max(ray.z, 0.0);
    let towards_sun = max(dot(ray, frame.sun_direction.xyz), 0.0);
    if ray.z > 0.004 {
        // Fair-weather clouds on a plane that curves down to the horizon, thinning out there.
        let reach = 1.0 / (ray.z + 0.045);
        let at = ray.xy * reach * 0.23 + frame.sun_direction.xy * 0.7;
        let texels = log2(max(frame.eye.w * reach * reach * 0.23 * 256.0, 0.001));
        let body = cloud_at(at, texels);
        let ragged = textureSampleLevel(noise, noise_sampler, at * 2.3, max(texels + 1.2, 0.0)).g - 0.5;
        let thick = smoothstep(0.53, 0.66, body + 0.10 * ragged);
        // The sunward side is bright; the other side and the base are in the cloud's own shadow.
        let sunward = cloud_at(at + normalize(frame.sun_direction.xy + vec2<f32>(0.001, 0.0)) * 0.055, texels);
        let shade = clamp(0.42 + 4.5 * (sunward - body) + 2.2 * max(body - 0.60, 0.0), 0.0, 1.0);
        let silver = 0.22 * pow(towards_sun, 6.0) * (1.0 - 0.6 * thick);
        let lit = mix(vec3<f32>(1.06, 1.02, 0.97), vec3<f32>(0.55, 0.60, 0.68), shade) * (1.0 + silver);
        color = mix(color, lit, thick * smoothstep(0.004, 0.075, height) * 0.9);
    }
    color += frame.sun_color.rgb * 0.12 * pow(towards_sun, 64.0);
    // At the horizon the sky has the color of the haze.
    return vec4<f32>(tonemap(frame, mix(color, air(frame, ray), exp(-height * 24.0))), 1.0);
}
