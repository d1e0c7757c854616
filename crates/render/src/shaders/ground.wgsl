@group(0) @binding(0) var<uniform> frame: Frame;
struct Level {
    window: vec4<f32>,
}
@group(1) @binding(0) var<uniform> level: Level;
@group(1) @binding(1) var lit: texture_2d<f32>;
@group(1) @binding(2) var lit_sampler: sampler;
@group(1) @binding(3) var noise: texture_2d<f32>;

// Whether fine grain shows, and whether there is water: a processor works out both sides of a branch.
override grained: bool = true;
override wet: bool = true;

struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn place(@location(0) position: vec3<f32>) -> Out {
    var out: Out;
    out.position = frame.view_proj * vec4<f32>(position, 1.0);
    out.world = position;
    return out;
}

@fragment
fn ground(in: Out) -> @location(0) vec4<f32> {
    return vec4<f32>(ground_colour(in), 1.0);
}

fn ground_colour(in: Out) -> vec3<f32> {
    let to = in.world - frame.eye.xyz;
    let distance = length(to);
    let towards = to / distance;
    let offset = (in.world.xy - level.window.xy) / (2.0 * level.window.z);
    let uv = vec2<f32>(offset.x + 0.5, 0.5 - offset.y);
    // Pixel footprint on the ground: short across the view, long along it. Two taps along the long axis, from the two
    // levels of detail that enclose the footprint, so that no border between levels shows.
    let across = distance * frame.eye.w;
    let lean = max(-towards.z, 0.08);
    let along = across / lean;
    let size = max(across, along * 0.42);
    let lod = log2(max(size / level.window.w, 1.0));
    let ahead = towards.xy * (along * 0.22 / (2.0 * level.window.z * max(length(towards.xy), 0.01)));
    let step = vec2<f32>(ahead.x, -ahead.y);
    let a = textureSampleLevel(lit, lit_sampler, uv + step, floor(lod));
    let b = textureSampleLevel(lit, lit_sampler, uv - step, ceil(lod));
    let s = mix(a, b, 0.35 + 0.3 * fract(lod));
    var colour = s.rgb * s.rgb * 1.25;
    // Grain below the texture's own resolution.
    let grain_lod = log2(max(size * 256.0 / 3.1, 1.0));
    if grained && grain_lod < 6.0 {
        let g = textureSampleLevel(noise, lit_sampler, in.world.xy / 3.1, floor(grain_lod + 0.5)).g - 0.5;
        colour *= 1.0 + g * 0.55 * s.a;
    }
    // Water mirrors the sky.
    let mirror = clamp(1.0 - s.a * 4.0, 0.0, 1.0);
    if wet && mirror > 0.0 {
        let cosine = max(-towards.z, 0.0);
        let fresnel = 0.02 + 0.98 * pow(1.0 - cosine, 5.0);
        let ripple = textureSampleLevel(noise, lit_sampler, in.world.xy / 23.0, max(grain_lod - 3.0, 0.0)).rg - 0.5;
        let mirrored = normalize(vec3<f32>(towards.xy + ripple * 0.05, abs(towards.z) + 0.02));
        colour = mix(colour, mix(colour, sky_radiance(frame, mirrored), fresnel), mirror);
    }
    return film(frame, hazed(frame, colour, distance, towards));
}
