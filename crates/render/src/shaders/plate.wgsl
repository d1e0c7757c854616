// One photo on a few surfaces, from a camera that has moved: each pixel looks along its ray to the nearest plane of a
// surface, and from there back into the photo. Four taps a pixel, which also stand along its way while the shutter is open.
// A surface that covers part of the picture lets the next one be seen past it.
struct Surface {
    // Of each plane, what it gives with a pixel is one over the distance.
    planes: array<vec4<f32>, 6>,
    // Planes that meet in a corner towards the camera: the least counts as one plane more.
    corner: array<vec4<f32>, 3>,
}
struct Pose {
    // From a pixel to the photo, 0 to 1 across and down of what is at hand of it, for what is infinitely far.
    far: mat3x3<f32>,
    // What is added for what is near.
    near: vec3<f32>,
    surfaces: array<Surface, 2>,
}
struct Shot {
    opened: Pose,
    closed: Pose,
    // Of each surface: 1 where it is painted with what lies behind, the number of its mask, 1 where it has one.
    covers: array<vec4<u32>, 2>,
    gain: f32,
    // 1 where the photo itself is shown.
    is_photo: u32,
}
// How much there is at most of each, so that loops over it are of known length.
override SURFACES: u32 = 1u;
override PLANES: u32 = 6u;
override CORNERED: bool = false;
// Cover of which nothing is seen in eight bits.
const LEAST: f32 = 0.002;
@group(0) @binding(0) var<uniform> shot: Shot;
@group(0) @binding(1) var fitted: texture_2d<f32>;
// The photo, and what lies behind what is cut out of it.
@group(0) @binding(2) var double: texture_2d_array<f32>;
@group(0) @binding(3) var double_sampler: sampler;
@group(0) @binding(4) var masks: texture_2d_array<f32>;

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let at = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4<f32>(at * 2.0 - 1.0, 0.0, 1.0);
}

fn opened(surface: u32, pixel: vec2<f32>) -> vec2<f32> {
    let place = vec3<f32>(pixel, 1.0);
    var nearness = 0.0;
    if CORNERED {
        nearness = dot(shot.opened.surfaces[surface].corner[0].xyz, place);
        nearness = min(nearness, dot(shot.opened.surfaces[surface].corner[1].xyz, place));
        nearness = max(0.0, min(nearness, dot(shot.opened.surfaces[surface].corner[2].xyz, place)));
    }
    for (var i = 0u; i < PLANES; i++) {
        nearness = max(nearness, dot(shot.opened.surfaces[surface].planes[i].xyz, place));
    }
    let at = shot.opened.far * place + shot.opened.near * nearness;
    return at.xy / at.z;
}

fn closed(surface: u32, pixel: vec2<f32>) -> vec2<f32> {
    let place = vec3<f32>(pixel, 1.0);
    var nearness = 0.0;
    if CORNERED {
        nearness = dot(shot.closed.surfaces[surface].corner[0].xyz, place);
        nearness = min(nearness, dot(shot.closed.surfaces[surface].corner[1].xyz, place));
        nearness = max(0.0, min(nearness, dot(shot.closed.surfaces[surface].corner[2].xyz, place)));
    }
    for (var i = 0u; i < PLANES; i++) {
        nearness = max(nearness, dot(shot.closed.surfaces[surface].planes[i].xyz, place));
    }
    let at = shot.closed.far * place + shot.closed.near * nearness;
    return at.xy / at.z;
}

fn color(layer: u32, at: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(double, double_sampler, at, layer, 0.0).rgb;
}

// A single surface of planes alone, everywhere.
@fragment
fn whole(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    if shot.is_photo == 1u {
        return vec4<f32>(textureLoad(fitted, vec2<i32>(position.xy), 0).rgb, 1.0);
    }
    let start = opened(0u, position.xy);
    let end = closed(0u, position.xy);
    // A quarter of a pixel to each side of the middle of the way.
    let right = 0.25 * (closed(0u, position.xy + vec2<f32>(1.0, 0.0)) - end);
    let down = 0.25 * (closed(0u, position.xy + vec2<f32>(0.0, 1.0)) - end);
    var sum = color(0u, mix(start, end, 0.125) - right - down);
    sum += color(0u, mix(start, end, 0.375) + right - down);
    sum += color(0u, mix(start, end, 0.625) - right + down);
    sum += color(0u, mix(start, end, 0.875) + right + down);
    return vec4<f32>(sum * 0.25 * shot.gain, 1.0);
}

// Surfaces cut out of one another.
@fragment
fn cut(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    if shot.is_photo == 1u {
        return vec4<f32>(textureLoad(fitted, vec2<i32>(position.xy), 0).rgb, 1.0);
    }
    var sum = vec3<f32>(0.0);
    // How much is not covered yet.
    var left = 1.0;
    for (var surface = 0u; surface < SURFACES; surface++) {
        if left < LEAST {
            break;
        }
        let cover = shot.covers[surface];
        let start = opened(surface, position.xy);
        let end = closed(surface, position.xy);
        // Masks fade over several pixels: one tap in the middle of the way is as good as four.
        var covered = left;
        if cover.z == 1u {
            covered *= textureSampleLevel(masks, double_sampler, mix(start, end, 0.5), cover.y, 0.0).r;
        }
        if covered < LEAST {
            continue;
        }
        // A quarter of a pixel to each side of the middle of the way.
        let right = 0.25 * (closed(surface, position.xy + vec2<f32>(1.0, 0.0)) - end);
        let down = 0.25 * (closed(surface, position.xy + vec2<f32>(0.0, 1.0)) - end);
        var seen = color(cover.x, mix(start, end, 0.125) - right - down);
        seen += color(cover.x, mix(start, end, 0.375) + right - down);
        seen += color(cover.x, mix(start, end, 0.625) - right + down);
        seen += color(cover.x, mix(start, end, 0.875) + right + down);
        sum += covered * seen;
        left -= covered;
    }
    return vec4<f32>(sum * 0.25 * shot.gain, 1.0);
}
