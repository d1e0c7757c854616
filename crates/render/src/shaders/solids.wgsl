// Solids: walls with procedural windows, roofs with procedural coverings, and plain faces.
@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var noise: texture_2d<f32>;
@group(1) @binding(1) var noise_sampler: sampler;

// Roof covering: 0 tiles or slates, 1 standing seams, 2 flat. An override rather than a branch, as a CPU evaluates both sides.
override roofing: u32 = 0u;

struct In {
    @location(0) position: vec3<f32>,
    // xyz: normal, w: share of open sky.
    @location(1) normal: vec4<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) material: vec4<u32>,
}
struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) uv: vec2<f32>,
    @location(2) open: f32,
    @location(3) @interpolate(flat) normal: vec3<f32>,
    @location(4) @interpolate(flat) material: vec4<u32>,
    // Transmittance of clouds.
    @location(5) @interpolate(flat) cloud: f32,
}

@vertex
fn vertex_main(in: In) -> Out {
    var out: Out;
    out.position = frame.view_proj * vec4<f32>(in.position, 1.0);
    out.world = in.position;
    out.uv = in.uv;
    out.open = in.normal.w;
    out.normal = normalize(in.normal.xyz);
    out.material = in.material;
    out.cloud = cloud_transmittance(frame, in.position.xy);
    return out;
}

fn color_of(word: u32) -> vec3<f32> {
    let c = unpack4x8unorm(word).rgb;
    return c * c;
}

fn finish(in: Out, albedo: vec3<f32>, sun_share: f32, extra: vec3<f32>) -> vec4<f32> {
    let to = in.world - frame.eye.xyz;
    let distance = length(to);
    let facing = max(dot(in.normal, frame.sun_direction.xyz), 0.0);
    var sun = 0.0;
    if facing > 0.0 {
        sun = sun_visibility_on(frame, in.world, in.normal) * sun_share * in.cloud;
    }
    let light = frame.sun_color.rgb * facing * sun + ambient(frame, in.normal) * in.open;
    return vec4<f32>(tonemap(frame, apply_haze(frame, albedo * light + extra, distance, to / distance)), 1.0);
}

@fragment
fn plain(in: Out) -> @location(0) vec4<f32> {
    return finish(in, color_of(in.material.x), 1.0, vec3<f32>(0.0));
}

@fragment
fn wall(in: Out) -> @location(0) vec4<f32> {
    let to = in.world - frame.eye.xyz;
    let distance = length(to);
    let towards = to / distance;
    // Footprint of a pixel on the wall, along it and up it.
    let pixel = distance * frame.eye.w * 0.85;
    let slant = max(abs(dot(towards, in.normal)), 0.12);
    let flat_dir = vec3<f32>(-in.normal.y, in.normal.x, 0.0);
    let wu = pixel * mix(1.0, 1.0 / slant, abs(dot(towards, flat_dir)));
    let wv = pixel * mix(1.0, 1.0 / slant, abs(towards.z));

    var albedo = color_of(in.material.x);
    let kind = (in.material.x >> 24u) & 3u;
    // Height of the door's foot above the ground floor.
    let door_foot = f32(bitcast<i32>(in.material.x) >> 26u) * 0.125;
    let seed = in.material.y >> 24u;
    let sizes = in.material.z;
    let story_height = f32(sizes & 255u) * 0.02;
    let bay = f32((sizes >> 8u) & 255u) * 0.05;
    let window_width = f32((sizes >> 16u) & 255u) * 0.02;
    let window_height = f32(sizes >> 24u) * 0.02;
    let stories = in.material.w & 255u;
    let flags = (in.material.w >> 8u) & 255u;
    let bays = (in.material.w >> 16u) & 255u;
    let door_bay = in.material.w >> 24u;
    let u = in.uv.x;
    let v = in.uv.y;

    // Weathering: a broad stain, streaks under the eaves, dirt above the ground.
    let stain = textureSampleLevel(noise, noise_sampler, vec2<f32>(u * 0.11, v * 0.07) + f32(seed) * 0.37, 1.0).rg;
    albedo *= 0.94 + 0.12 * stain.r;
    albedo *= 1.0 - 0.16 * exp(-max(v, 0.0) * 1.4);
    if kind == 1u { // brick: courses of 7.5 cm fade with distance
        let course = span(fract(v / 0.075), 0.0, 0.16, wv / 0.075);
        albedo = mix(albedo, albedo * 1.35 + 0.02, course);
        let tone = hash_to_unit(u32(i32(floor(v / 0.075)) * 977 + i32(floor(u / 0.22)) + 9000));
        albedo *= 1.0 + (tone - 0.5) * 0.35 * clamp(1.2 - wu / 0.22, 0.0, 1.0);
    } else if kind == 2u { // boards
        let gap = span(fract(u / 0.16), 0.0, 0.12, wu / 0.16);
        let tone = hash_to_unit(u32(i32(floor(u / 0.16)) + 5000) + seed * 31u);
        albedo *= (1.0 - 0.45 * gap) * (1.0 + (tone - 0.5) * 0.22 * clamp(1.2 - wu / 0.16, 0.0, 1.0));
    } else if kind == 3u { // sheet metal
        let rib = span(fract(u / 0.30), 0.0, 0.2, wu / 0.30);
        albedo *= 1.0 - 0.22 * rib;
    }
    var extra = vec3<f32>(0.0);
    var sun_share = 1.0;
    // Plinth.
    if (flags & 8u) != 0u {
        let plinth = 1.0 - smoothstep(0.35 - wv * 0.5, 0.35 + wv * 0.5, v);
        albedo = mix(albedo, vec3<f32>(0.19, 0.18, 0.17), plinth);
    }
    let top = f32(stories) * story_height;
    // A cornice under the roof and a string course over the ground floor, where windows have surrounds.
    if (flags & 32u) != 0u && stories > 1u {
        let cornice = span(v, top - 0.18, top + 0.22, wv) + 0.6 * span(v, story_height - 0.12, story_height + 0.10, wv);
        let line = span(v, top - 0.30, top - 0.18, wv) + 0.6 * span(v, story_height - 0.20, story_height - 0.12, wv);
        albedo = mix(albedo, vec3<f32>(0.60, 0.58, 0.54), 0.55 * min(cornice, 1.0)) * (1.0 - 0.38 * min(line, 1.0));
    }
    let column = min(u32(max(u / max(bay, 0.01), 0.0)), max(bays, 1u) - 1u);
    let foot = select(0.0, min(door_foot, 0.0), column == door_bay);
    if bays > 0u && v > foot - 0.05 && v < top {
        let story = u32(max(floor(v / story_height), 0.0));
        let cell = seed * 7919u + story * 131u + column;
        let du = u - (f32(column) + 0.5) * bay;
        var dv = v - f32(story) * story_height;
        var half = window_width * 0.5;
        var sill = 0.92;
        var head = sill + window_height;
        var is_door = false;
        var is_shop = false;
        if story == 0u && (flags & 4u) != 0u {
            is_shop = true;
            half = bay * 0.5 - 0.22;
            sill = 0.32;
            head = min(story_height - 0.55, 2.9);
        }
        // A door takes the place of every window that would open behind it.
        let door_head = door_foot + 2.25;
        if column == door_bay && (v < door_head || f32(story) * story_height + sill < door_head) {
            is_door = true;
            dv = v - door_foot;
            is_shop = false;
            half = 0.56;
            sill = 0.0;
            head = 2.15;
        }
        if (flags & 16u) != 0u && !is_door {
            half = bay * 0.5;
        }
        let outer = span(du, -half, half, wu) * span(dv, sill, head, wv);
        // Surround: a pale band around the opening, a sill below.
        let trim = span(du, -half - 0.11, half + 0.11, wu) * span(dv, sill - 0.11, head + 0.11, wv);
        let band = vec3<f32>(0.66, 0.65, 0.62);
        if (flags & 32u) != 0u {
            albedo = mix(albedo, band, trim * 0.75);
        }
        let ledge = span(du, -half - 0.10, half + 0.10, wu) * span(dv, sill - 0.07, sill, wv);
        albedo = mix(albedo, band, ledge * 0.8 * select(1.0, 0.0, is_door));
        if (flags & 1u) != 0u && !is_door && !is_shop {
            let wide = half * 0.95;
            let left = span(du, -half - wide - 0.04, -half - 0.04, wu);
            let right = span(du, half + 0.04, half + wide + 0.04, wu);
            let leaf = (left + right) * span(dv, sill - 0.02, head + 0.02, wv);
            let slats = 1.0 - 0.3 * span(fract(dv / 0.09), 0.0, 0.35, wv / 0.09);
            albedo = mix(albedo, color_of(in.material.y) * slats, leaf);
        }
        if outer > 0.003 {
            if is_door {
                let panel = span(abs(du), 0.10, 0.44, wu) * max(span(dv, 0.25, 0.95, wv), span(dv, 1.15, 1.95, wv));
                let wood = color_of(in.material.y) * (1.0 - 0.25 * panel);
                albedo = mix(albedo, wood, outer);
                sun_share = mix(1.0, 0.75, outer);
            } else {
                // Frame, mullion, transom, then panes set 12 cm deep.
                let rim = 0.07;
                let pane_u = span(du, -half + rim, half - rim, wu);
                let pane_v = span(dv, sill + rim, head - rim, wv);
                var bars = 0.0;
                if (flags & 2u) != 0u {
                    bars = span(du, -0.035, 0.035, wu);
                }
                if is_shop || (flags & 16u) != 0u {
                    bars = span(fract(du / 1.4 + 0.5), 0.47, 0.53, wu / 1.4);
                }
                let pane = pane_u * pane_v * (1.0 - bars);
                let frame_color = select(vec3<f32>(0.70, 0.70, 0.68), vec3<f32>(0.07, 0.07, 0.075), (flags & 64u) != 0u);
                albedo = mix(albedo, frame_color, outer - pane * outer);
                // Reveal: the upper and sunward edges cast a shadow.
                let depth = 0.13;
                let s = frame.sun_direction.xyz;
                let sideways = dot(s, flat_dir) / max(dot(s, in.normal), 0.15);
                let upward = s.z / max(dot(s, in.normal), 0.15);
                let lit_u = span(du, -half + max(sideways, 0.0) * depth, half + min(sideways, 0.0) * depth, wu);
                let lit_v = span(dv, sill, head - clamp(upward, 0.0, 2.5) * depth, wv);
                sun_share = mix(1.0, lit_u * lit_v, outer);
                // Panes: a dim room, some blinds or curtains, the reflected sky.
                let room = hash_to_unit(cell);
                var inside = vec3<f32>(0.018, 0.019, 0.022) * (0.5 + room);
                let drawn = hash_to_unit(cell + 77u);
                let cloth = select(0.0, 1.0, drawn < 0.42);
                let hang = max(span(abs(du), half * 0.45, half, wu), span(dv, head - (head - sill) * drawn * 1.1, head, wv) * 0.8);
                inside = mix(inside, vec3<f32>(0.20, 0.19, 0.175), cloth * hang * 0.75);
                let cosine = max(-dot(towards, in.normal), 0.0);
                let fresnel = 0.045 + 0.955 * pow(1.0 - cosine, 5.0);
                let tilt = (vec3<f32>(hash_to_unit(cell + 3u), hash_to_unit(cell + 5u), hash_to_unit(cell + 9u)) - 0.5) * 0.03;
                let mirrored = reflect(towards, normalize(in.normal + tilt));
                var seen = sky_radiance(frame, mirrored);
                // Below the horizon, panes reflect the houses and gardens opposite.
                let opposite = vec3<f32>(0.16, 0.17, 0.14) * (0.7 + 0.6 * stain.g);
                seen = mix(opposite, seen, smoothstep(-0.04, 0.16, mirrored.z + (room - 0.5) * 0.08));
                let glass = inside + seen * min(fresnel * 2.0 + 0.09, 1.0);
                albedo = mix(albedo, vec3<f32>(0.0), pane * outer);
                extra = glass * pane * outer;
            }
        }
    }
    return finish(in, albedo, sun_share, extra);
}

@fragment
fn roof(in: Out) -> @location(0) vec4<f32> {
    let to = in.world - frame.eye.xyz;
    let distance = length(to);
    let towards = to / distance;
    let pixel = distance * frame.eye.w * 0.85;
    let slant = max(abs(dot(towards, in.normal)), 0.15);
    let w = pixel / sqrt(slant);
    var albedo = color_of(in.material.x);
    let kind = in.material.x >> 24u;
    let seed = in.material.y >> 24u;
    let u = in.uv.x;
    let v = in.uv.y;
    // Flat roofs vary slowly in tone; pitched ones weather in patches.
    let patch_size = select(17.0, 67.0, roofing == 2u);
    let broad = textureSampleLevel(noise, noise_sampler, in.world.xy / patch_size + f32(seed) * 0.21, 0.0).r - 0.5;
    if roofing == 0u {
        // Tiles or slates: courses, joints, a tone per piece, streaks down the slope, moss.
        let course = select(0.34, 0.22, kind == 1u);
        let piece = select(0.30, 0.26, kind == 1u);
        let row = floor(v / course);
        let shift = fract(row * 0.5) * piece;
        let column = floor((u + shift) / piece);
        let near = clamp(1.25 - w / course, 0.0, 1.0);
        let tone = hash_to_unit(u32(i32(row) * 613 + i32(column) + 40000) + seed * 97u);
        let patched = hash_to_unit(u32(i32(floor(row / 5.0)) * 71 + i32(floor(column / 7.0)) + 3000) + seed);
        albedo *= 1.0 + (tone - 0.5) * 0.34 * near + (patched - 0.5) * 0.10;
        let lip = span(fract(v / course), 0.0, 0.20, w / course);
        albedo *= 1.0 - select(0.42, 0.30, kind == 1u) * lip;
        if kind == 0u {
            let wave = span(fract((u + shift) / piece), 0.0, 0.22, w / piece);
            albedo *= 1.0 - 0.22 * wave;
        }
        let streak = textureSampleLevel(noise, noise_sampler, vec2<f32>(u * 0.16, v * 0.012 + f32(seed) * 0.13), 1.0).g - 0.5;
        albedo *= 1.0 + 0.42 * streak + 0.40 * broad;
        albedo = mix(albedo, vec3<f32>(0.075, 0.080, 0.050), clamp(broad * 1.3 + 0.05, 0.0, 0.35));
    } else if roofing == 1u { // standing seams
        let seam = span(fract(u / 0.55), 0.0, 0.09, w / 0.55);
        albedo *= (1.0 - 0.30 * seam) * (1.0 + 0.30 * broad);
    } else { // flat: grit, or sheets of membrane with a tone each
        let fine = textureSampleLevel(noise, noise_sampler, in.world.xy / 3.7, clamp(log2(max(w * 69.0, 1.0)), 0.0, 7.0)).g - 0.5;
        let grit = f32(seed & 1u);
        let joint = span(fract(u / 2.1), 0.0, 0.03, w / 2.1) + span(fract(v / 7.3), 0.0, 0.010, w / 7.3);
        let sheet = hash_to_unit(u32(i32(floor(u / 2.1)) * 613 + i32(floor(v / 7.3)) + 40000) + seed * 97u) - 0.5;
        let patched = textureSampleLevel(noise, noise_sampler, in.world.yx / 41.0 + f32(seed) * 0.13, 1.0).g - 0.5;
        let sheets = 0.14 * sheet * clamp(1.5 - w / 2.1, 0.0, 1.0) - 0.16 * min(joint, 1.0) + 0.16 * fine;
        albedo *= 1.0 + 0.22 * broad + 0.09 * patched + mix(sheets, 0.34 * fine, grit);
    }
    return finish(in, max(albedo, vec3<f32>(0.01)), 1.0, vec3<f32>(0.0));
}
