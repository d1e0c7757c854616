@group(0) @binding(0) var<uniform> frame: Frame;
struct Level {
    window: vec4<f32>,
    // The reflection map: center x, y, half extent.
    reflections: vec4<f32>,
}
@group(1) @binding(0) var<uniform> level: Level;
@group(1) @binding(1) var lit: texture_2d<f32>;
@group(1) @binding(2) var lit_sampler: sampler;
@group(1) @binding(3) var noise: texture_2d<f32>;
@group(1) @binding(4) var noise_sampler: sampler;
@group(1) @binding(5) var reflections: texture_2d<f32>;

// Whether to draw fine grain and water. Overrides rather than branches, as a CPU evaluates both sides of a branch.
override grained: bool = true;
override wet: bool = true;

struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn vertex_main(@location(0) position: vec3<f32>) -> Out {
    var out: Out;
    out.position = frame.view_proj * vec4<f32>(position, 1.0);
    out.world = position;
    return out;
}

// Color that the reflected ray meets: objects on the banks, or `sky`. The ray rises by `slope` along `run`. Samples are farther
// apart and coarser with distance, so that four of them leave no gap.
fn reflected(place: vec2<f32>, run: vec2<f32>, slope: f32, sky: vec3<f32>) -> vec3<f32> {
    let on = (place - level.reflections.xy) / (2.0 * level.reflections.z);
    if max(abs(on.x), abs(on.y)) > 0.47 { return sky; }
    var open = 1.0;
    var hard = 0.0;
    var far = 3.0;
    for (var i = 0; i < 4; i++) {
        let at = on + run * (far / (2.0 * level.reflections.z));
        let stands = textureSampleLevel(reflections, noise_sampler, vec2<f32>(at.x + 0.5, 0.5 - at.y), f32(i)).rg * 40.0;
        let met = clamp((stands.r * 1.15 - slope * far) / (0.35 * stands.r + 0.3), 0.0, 1.0);
        hard += open * met * clamp(stands.g / max(stands.r, 0.1), 0.0, 1.0);
        open *= 1.0 - met;
        far *= 2.4;
    }
    let light = frame.sky_light.rgb + 0.35 * frame.sun_color.rgb;
    return sky * open + light * (vec3<f32>(0.034, 0.046, 0.020) * (1.0 - open - hard) + vec3<f32>(0.22, 0.20, 0.18) * hard);
}

@fragment
fn ground(in: Out) -> @location(0) vec4<f32> {
    return vec4<f32>(ground_color(in), 1.0);
}

fn ground_color(in: Out) -> vec3<f32> {
    let to = in.world - frame.eye.xyz;
    let distance = length(to);
    let towards = to / distance;
    let offset = (in.world.xy - level.window.xy) / (2.0 * level.window.z);
    let uv = vec2<f32>(offset.x + 0.5, 0.5 - offset.y);
    // Pixel footprint on the ground: short across the view, long along it. Two taps along the long axis, from the two mip levels
    // around the footprint's size, so that no border between levels shows.
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
    var color = s.rgb * s.rgb * 1.25;
    // Grain finer than the texture.
    let grain_lod = log2(max(size * 256.0 / 3.1, 1.0));
    if grained && grain_lod < 6.0 {
        let g = textureSampleLevel(noise, noise_sampler, in.world.xy / 3.1, floor(grain_lod + 0.5)).g - 0.5;
        color *= 1.0 + g * 0.55 * s.a;
    }
    // Water reflects the sky.
    let mirror = clamp(1.0 - s.a * 4.0, 0.0, 1.0);
    if wet && mirror > 0.0 {
        // Ripples tilt the surface slightly, less with distance.
        let ripple = textureSampleLevel(noise, noise_sampler, in.world.yx / 13.0, max(grain_lod - 1.2, 0.0)).rg - 0.5;
        let run = towards.xy / max(length(towards.xy), 0.05);
        let cosine = clamp(-towards.z + 0.045 * (ripple.x * run.x + ripple.y), 0.0, 1.0);
        let fresnel = 0.02 + 0.98 * pow(1.0 - cosine, 5.0);
        let mirrored = normalize(vec3<f32>(towards.xy + ripple * 0.05, cosine + 0.02));
        let seen = reflected(in.world.xy, run, cosine / max(length(towards.xy), 0.05), sky_radiance(frame, mirrored));
        color = mix(color, mix(color, seen, fresnel), mirror);
    }
    // Land that the map does not show dissolves in haze: nothing is claimed about it.
    let veil = 0.92 * (1.0 - exp2(-beyond_known(frame, in.world.xy) / 260.0));
    return tonemap(frame, mix(apply_haze(frame, color, distance, towards), air(frame, towards), veil));
}
