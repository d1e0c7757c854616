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

@fragment
fn sky(in: Out) -> @location(0) vec4<f32> {
    let ray = normalize(in.ray);
    var colour = sky_radiance(frame, ray);
    let height = max(ray.z, 0.0);
    if ray.z > 0.012 {
        // A plane of fair-weather cloud at 1,600 m, thinned towards the horizon.
        let at = ray.xy / (ray.z + 0.045) * 0.23 + frame.sun_direction.xy * 0.7;
        let a = textureSampleLevel(noise, noise_sampler, at * 0.31, 0.0).r;
        let b = textureSampleLevel(noise, noise_sampler, at * 0.97, 0.0).g;
        let c = textureSampleLevel(noise, noise_sampler, at * 2.9, 1.0).g;
        let thick = smoothstep(0.50, 0.78, a * 0.62 + b * 0.28 + c * 0.1);
        let edge = smoothstep(0.012, 0.12, height);
        let lit = mix(vec3<f32>(0.92, 0.90, 0.88), vec3<f32>(0.60, 0.64, 0.70), thick * 0.55);
        colour = mix(colour, lit * 0.95, thick * edge * 0.85);
    }
    let towards_sun = max(dot(ray, frame.sun_direction.xyz), 0.0);
    colour += frame.sun_colour.rgb * 0.12 * pow(towards_sun, 64.0);
    // The ground's rim melts into the sky.
    let rim = exp(-height * 26.0);
    colour = mix(colour, frame.haze_colour.rgb, rim * 0.92);
    return vec4<f32>(film(frame, colour), 1.0);
}
