// Paints the ground in top view into an albedo texture. Alpha encodes the kind of surface: 0 water, 0.35 hard surfaces,
// 1 vegetation; the ground shader derives its grain from it.
struct Level {
    // Center x, y, half extent in meters, meters per texel.
    window: vec4<f32>,
    // The orthophoto: center x, y, half extent, number (0 or 1).
    orthophoto: vec4<f32>,
}
@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var noise: texture_2d<f32>;
@group(0) @binding(2) var noise_sampler: sampler;
@group(0) @binding(3) var orthophoto: texture_2d<f32>;
@group(0) @binding(4) var orthophoto_sampler: sampler;

struct In {
    @location(0) position: vec2<f32>,
    // Linear albedo.
    @location(1) color: vec4<f32>,
    // Number of the cover, depth.
    @location(2) grain: vec2<f32>,
    // Position along and across (roads), or in the shape's own frame.
    @location(3) local: vec2<f32>,
}
struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec2<f32>,
    @location(1) color: vec4<f32>,
    @location(2) grain: vec2<f32>,
    @location(3) local: vec2<f32>,
}

@vertex
fn vertex_main(in: In) -> Out {
    var out: Out;
    // Topmost triangles come first and hide the rest, so that each texel is shaded once.
    out.clip = vec4<f32>((in.position - level.window.xy) / level.window.z, in.grain.y, 1.0);
    out.world = in.position;
    out.color = in.color;
    out.grain = in.grain;
    out.local = in.local;
    return out;
}

fn tap(at: vec2<f32>, meters: f32) -> vec2<f32> {
    // The noise tile has 256 texels per side; the mip level follows from the texel's size on the ground.
    let lod = log2(max(level.window.w * 256.0 / meters, 1.0));
    return textureSampleLevel(noise, noise_sampler, at / meters, lod).rg;
}

// Parameters of a cover: weights of broad, middle, fine and finest noise, and the alpha that encodes its kind.
struct Grain {
    share: vec4<f32>,
    alpha: f32,
    // Period of its rows, meters, and their contrast.
    rows: vec2<f32>,
    // Share of dry grass, and its tint relative to green grass.
    dry: f32,
    dry_tint: vec3<f32>,
}

// Parameters instead of branches, as a CPU evaluates every branch for every pixel.
fn grain_of(cover: u32) -> Grain {
    switch cover {
        case 0u: { return Grain(vec4<f32>(0.0, 0.16, 0.14, 0.10), 0.35, vec2<f32>(1.0, 0.0), 0.0, vec3<f32>(1.0)); } // hard
        case 1u: { return Grain(vec4<f32>(0.0, 0.18, 0.22, 0.22), 1.0, vec2<f32>(1.0, 0.0), 0.5, vec3<f32>(1.32, 1.10, 0.80)); } // lawn
        case 2u: { return Grain(vec4<f32>(0.0, 0.30, 0.28, 0.22), 1.0, vec2<f32>(1.0, 0.0), 0.6, vec3<f32>(1.5, 1.18, 0.9)); } // meadow
        case 3u: { return Grain(vec4<f32>(0.25, 0.12, 0.20, 0.12), 1.0, vec2<f32>(1.5, 0.10), 0.0, vec3<f32>(1.0)); } // arable
        case 4u: { return Grain(vec4<f32>(0.0, 0.2, 0.3, 0.25), 1.0, vec2<f32>(2.0, 0.0), 0.0, vec3<f32>(1.0)); } // rows of vines
        case 5u: { return Grain(vec4<f32>(0.0, 0.35, 0.5, 0.35), 1.0, vec2<f32>(1.0, 0.0), 0.0, vec3<f32>(1.0)); } // woodland
        case 6u: { return Grain(vec4<f32>(0.3, 0.12, 0.0, 0.0), 0.0, vec2<f32>(1.0, 0.0), 0.0, vec3<f32>(1.0)); } // water
        case 7u: { return Grain(vec4<f32>(0.0, 0.25, 0.25, 0.35), 0.6, vec2<f32>(1.0, 0.0), 0.0, vec3<f32>(1.0)); } // gravel, earth
        case 8u: { return Grain(vec4<f32>(0.10, 0.18, 0.12, 0.10), 0.35, vec2<f32>(1.0, 0.0), 0.0, vec3<f32>(1.0)); } // carriageway
        case 9u: { return Grain(vec4<f32>(0.0, 0.1, 0.12, 0.14), 1.0, vec2<f32>(11.0, 0.0), 0.0, vec3<f32>(1.0)); } // pitch
        default: { return Grain(vec4<f32>(0.0, 0.0, 0.25, 0.1), 0.35, vec2<f32>(1.0, 0.0), 0.0, vec3<f32>(1.0)); } // markings
    }
}

@fragment
fn paint(in: Out) -> @location(0) vec4<f32> {
    let cover = u32(in.grain.x + 0.5);
    let p = in.world;
    var c = in.color.rgb;
    let grain = grain_of(cover);
    var alpha = grain.alpha;
    // Rotated tiles of different sizes, so that no repetition shows from afar.
    let turned = vec2<f32>(p.x * 0.82 - p.y * 0.57, p.x * 0.57 + p.y * 0.82);
    let broad = 0.9 * (tap(turned.yx, 730.0).r - 0.5);
    let middle = tap(turned + vec2<f32>(31.0, 17.0), 67.0).rg - 0.5;
    let fine = tap(p, 9.0).g - 0.5;
    let finest = tap(p.yx, 2.3).g - 0.5;

    let dry = clamp(0.5 + 1.25 * middle.r + 1.1 * broad, 0.0, 1.0) * grain.dry;
    c = mix(c, c * grain.dry_tint, dry);
    // Rows, whose contrast fades as texels approach their period.
    let fade = clamp(1.6 - 2.4 * level.window.w / grain.rows.x, 0.0, 1.0);
    let wave = sin(select(in.local.y, in.local.x, cover == 9u) * 6.2831853 / grain.rows.x);
    var tone = dot(grain.share, vec4<f32>(broad, middle.r, fine, finest)) + grain.rows.y * wave * fade;
    // A pitch is mown in bands.
    tone += select(0.0, 0.13 * (step(0.0, wave) - 0.5), cover == 9u);
    // A carriageway is worn along its lanes, and patched.
    let worn = max(1.0 - abs(abs(in.local.y) - 0.5) * 2.857, 0.0) * 0.10;
    tone += select(0.0, worn - step(0.27, middle.g) * 0.10, cover == 8u);
    c = mix(c, vec3<f32>(0.065, 0.115, 0.030), select(0.0, (0.5 + 0.5 * wave * fade) * 0.65, cover == 4u));
    c *= 1.0 + tone;
    // Tramlines in a field, every 18 m.
    let tram = select(0.0, clamp((0.075 - abs(fract(in.local.y / 18.0) - 0.5)) * 30.0, 0.0, 1.0), cover == 3u);
    c = mix(c, c * vec3<f32>(0.80, 0.74, 0.66), tram * 0.55);
    let on = (p - level.orthophoto.xy) / max(2.0 * level.orthophoto.z, 1e-3);
    for (var i = 0; i < i32(level.orthophoto.w); i++) {
        var seen = textureSampleLevel(orthophoto, orthophoto_sampler, vec2<f32>(on.x + 0.5, 0.5 - on.y), 0.0);
        seen.a *= step(max(abs(on.x), abs(on.y)), 0.5);
        // Add some grain finer than the orthophoto's pixels.
        c = mix(c, seen.rgb * seen.rgb * (1.0 + 0.12 * finest + 0.06 * fine), seen.a);
        alpha = mix(alpha, min(alpha, 0.4), seen.a);
    }
    // Stored as square roots, for fine steps in the dark.
    return vec4<f32>(sqrt(clamp(c, vec3<f32>(0.004), vec3<f32>(1.0))), alpha);
}
