// Paints the ground's materials, seen straight from above, into an albedo texture. Alpha tells what lies there:
// 0 water, 0.35 hard surfaces, 1 vegetation; the frame shader takes its fine grain from it.
struct Level {
    // Centre x, y, half extent in metres, metres per texel.
    window: vec4<f32>,
    // The picture laid over the painting: centre x, y, half extent; 0 where there is none.
    drape: vec4<f32>,
}
@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var noise: texture_2d<f32>;
@group(0) @binding(2) var noise_sampler: sampler;
@group(0) @binding(3) var drape: texture_2d<f32>;
@group(0) @binding(4) var drape_sampler: sampler;

struct In {
    @location(0) position: vec2<f32>,
    // Linear albedo, and the cover's number.
    @location(1) colour: vec4<f32>,
    @location(2) grain: vec2<f32>,
    // Position along and across (roads), or in the field's own frame.
    @location(3) local: vec2<f32>,
}
struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec2<f32>,
    @location(1) colour: vec4<f32>,
    @location(2) grain: vec2<f32>,
    @location(3) local: vec2<f32>,
}

@vertex
fn place(in: In) -> Out {
    var out: Out;
    // What lies on top comes first and hides the rest, so that each texel is painted once.
    out.clip = vec4<f32>((in.position - level.window.xy) / level.window.z, in.grain.y, 1.0);
    out.world = in.position;
    out.colour = in.colour;
    out.grain = in.grain;
    out.local = in.local;
    return out;
}

fn tap(at: vec2<f32>, metres: f32) -> vec2<f32> {
    // The noise tile is 256 texels; choose the level of detail from the texel's size on the ground.
    let lod = log2(max(level.window.w * 256.0 / metres, 1.0));
    return textureSampleLevel(noise, noise_sampler, at / metres, lod).rg;
}

// A wave whose contrast fades as a texel grows towards its length.
fn rows(x: f32, length: f32) -> f32 {
    let fade = clamp(1.6 - 2.4 * level.window.w / length, 0.0, 1.0);
    return sin(x * 6.2831853 / length) * fade;
}

@fragment
fn paint(in: Out) -> @location(0) vec4<f32> {
    let cover = u32(in.grain.x + 0.5);
    let p = in.world;
    var c = in.colour.rgb;
    var alpha = 1.0;
    // Two tiles that do not line up, so that no repeat shows from afar.
    let turned = vec2<f32>(p.x * 0.82 - p.y * 0.57, p.x * 0.57 + p.y * 0.82);
    let broad = 0.55 * (tap(p, 410.0).r + tap(turned, 1370.0).r - 1.0);
    let middle = tap(turned + vec2<f32>(31.0, 17.0), 67.0).r - 0.5;
    let fine = tap(p, 9.0).g - 0.5;
    let finest = tap(p.yx, 2.3).g - 0.5;
    switch cover {
        case 0u: { // hard surfaces: asphalt, concrete, paving
            c *= 1.0 + 0.16 * middle + 0.14 * fine + 0.10 * finest;
            alpha = 0.35;
        }
        case 1u: { // lawn
            let dry = clamp(0.5 + 1.1 * middle + 0.8 * broad, 0.0, 1.0);
            c = mix(c, c * vec3<f32>(1.32, 1.10, 0.80), dry * 0.5);
            c *= 1.0 + 0.22 * fine + 0.22 * finest + 0.18 * middle;
        }
        case 2u: { // meadow
            let dry = clamp(0.5 + 1.4 * broad + 0.9 * middle, 0.0, 1.0);
            c = mix(c, c * vec3<f32>(1.5, 1.18, 0.9), dry * 0.6);
            c *= 1.0 + 0.30 * middle + 0.28 * fine + 0.22 * finest;
        }
        case 3u: { // arable: rows of the field's own direction
            let tram = smoothstep(0.86, 0.95, cos(in.local.y * 6.2831853 / 18.0));
            c *= 1.0 + 0.10 * rows(in.local.y, 1.5) + 0.12 * middle + 0.20 * fine + 0.12 * finest + 0.25 * broad;
            c = mix(c, c * vec3<f32>(0.80, 0.74, 0.66), tram * 0.55);
        }
        case 4u: { // vineyard, orchard rows
            let row = 0.5 + 0.5 * rows(in.local.y, 2.2);
            c = mix(c, vec3<f32>(0.065, 0.115, 0.030), row * 0.65);
            c *= 1.0 + 0.3 * fine + 0.2 * middle + 0.25 * finest;
        }
        case 5u: { // forest floor and scrub
            c *= 1.0 + 0.5 * fine + 0.35 * middle + 0.35 * finest;
        }
        case 6u: { // water
            c *= 1.0 + 0.3 * broad + 0.12 * middle;
            alpha = 0.0;
        }
        case 7u: { // gravel, earth, sand, rock
            c *= 1.0 + 0.25 * middle + 0.25 * fine + 0.35 * finest;
            alpha = 0.6;
        }
        case 8u: { // carriageway: worn along its lanes, patched, cracked
            let lane = abs(abs(in.local.y) - 0.5);
            let worn = smoothstep(0.35, 0.0, lane) * 0.10;
            let patched = step(0.24, tap(in.local * vec2<f32>(0.5, 2.0), 83.0).r - 0.5) * 0.12;
            c *= 1.0 + worn - patched + 0.18 * middle + 0.12 * fine + 0.10 * finest + 0.10 * broad;
            alpha = 0.35;
        }
        case 9u: { // pitch: mown in bands
            let band = step(0.0, sin(in.local.x * 6.2831853 / 11.0)) - 0.5;
            c *= 1.0 + 0.13 * band + 0.12 * fine + 0.14 * finest + 0.1 * middle;
        }
        default: { // paint: road markings, kerbs
            c *= 1.0 + 0.25 * fine + 0.1 * finest;
            alpha = 0.35;
        }
    }
    let on = (p - level.drape.xy) / max(2.0 * level.drape.z, 1e-3);
    if level.drape.z > 0.0 && max(abs(on.x), abs(on.y)) < 0.5 {
        let seen = textureSampleLevel(drape, drape_sampler, vec2<f32>(on.x + 0.5, 0.5 - on.y), 0.0);
        // The picture's own grain ends where its pixels do; a little of ours below them.
        c = mix(c, seen.rgb * seen.rgb * (1.0 + 0.12 * finest + 0.06 * fine), seen.a);
        alpha = mix(alpha, min(alpha, 0.4), seen.a);
    }
    // Square-root code, for fine steps in the dark.
    return vec4<f32>(sqrt(clamp(c, vec3<f32>(0.004), vec3<f32>(1.0))), alpha);
}
