// A boundary on the ground, as part of the ground's shader: it follows the terrain and is occluded with it. Lengths in meters;
// colors are display values, applied after tonemapping.
struct Edge {
    // Start xy, end xy.
    ends: vec4<f32>,
    // Share of the ring's length at both ends; z: 1 where the start has a corner marker.
    span: vec4<f32>,
}
struct Marking {
    // Bounding box, with a margin for the line.
    bounds: vec4<f32>,
    // Color; w: half the line's width.
    style: vec4<f32>,
    // x: share of each ring that is drawn, y: opacity of the fill, z: texels per pixel of the film.
    state: vec4<f32>,
}
@group(2) @binding(0) var<uniform> marking: Marking;
@group(2) @binding(1) var<storage, read> edges: array<Edge>;

// The nearest point so far.
struct Nearest {
    distance: f32,
    offset: vec2<f32>,
}

fn nearer(a: Nearest, offset: vec2<f32>) -> Nearest {
    let distance = length(offset);
    if distance < a.distance {
        return Nearest(distance, offset);
    }
    return a;
}

// Meters per texel in the direction of an offset.
fn texel_along(offset: vec2<f32>, right: vec2<f32>, down: vec2<f32>) -> f32 {
    let direction = offset / max(length(offset), 1e-5);
    return max(length(vec2<f32>(dot(direction, right), dot(direction, down))), 1e-4);
}

fn cover(distance: f32, half: f32, texel: f32) -> f32 {
    return clamp((half - distance) / texel + 0.5, 0.0, 1.0);
}

@fragment
fn marked(in: Out) -> @location(0) vec4<f32> {
    let at = in.world.xy;
    let right = dpdx(at);
    let down = dpdy(at);
    var color = ground_color(in);
    if any(at < marking.bounds.xy) || any(at > marking.bounds.zw) {
        return vec4<f32>(color, 1.0);
    }
    let drawn = marking.state.x;
    let pixel = marking.state.z;
    var line = Nearest(1e6, vec2<f32>(1.0, 0.0));
    var rim = 1e6;
    var corner = Nearest(1e6, vec2<f32>(1.0, 0.0));
    var corner_age = 0.0;
    var inside = false;
    for (var i = 0u; i < arrayLength(&edges); i++) {
        let a = edges[i].ends.xy;
        let b = edges[i].ends.zw;
        let span = edges[i].span;
        if (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
        let d = b - a;
        let along = dot(at - a, d) / max(dot(d, d), 1e-6);
        rim = min(rim, length(at - a - d * clamp(along, 0.0, 1.0)));
        if span.x < drawn {
            let reached = clamp((drawn - span.x) / max(span.y - span.x, 1e-6), 0.0, 1.0);
            line = nearer(line, at - a - d * clamp(along, 0.0, reached));
            if span.z > 0.5 {
                let before = corner.distance;
                corner = nearer(corner, at - a);
                if corner.distance < before {
                    corner_age = drawn - span.x;
                }
            }
        }
    }
    let ink = marking.style.rgb;
    // Stronger toward the edge, so that the ground shows in the middle.
    if inside {
        color = mix(color, ink, marking.state.y * (0.55 + 0.9 * exp(-rim * 0.4)));
    }
    let texel = texel_along(line.offset, right, down);
    let half = max(marking.style.w, 0.9 * pixel * texel);
    let casing = half + max(0.4 * marking.style.w, 0.7 * pixel * texel);
    color = mix(color, vec3<f32>(0.03), 0.38 * cover(line.distance, casing, texel * 1.6));
    color = mix(color, ink, cover(line.distance, half, texel));
    // Corner markers: discs that grow when the line reaches them.
    let grown = smoothstep(0.0, 0.025, corner_age);
    if grown > 0.0 {
        let dot_texel = texel_along(corner.offset, right, down);
        let size = max(marking.style.w * 2.3, 2.6 * pixel * dot_texel) * grown;
        color = mix(color, vec3<f32>(0.03), 0.38 * cover(corner.distance, size * 1.22, dot_texel * 1.6));
        color = mix(color, ink, cover(corner.distance, size, dot_texel));
        color = mix(color, vec3<f32>(0.98), cover(corner.distance, size * 0.62, dot_texel));
    }
    return vec4<f32>(color, 1.0);
}
