// A photo projected onto a few surfaces, seen from a moved camera: each pixel intersects its ray with the nearest plane of a
// surface and looks up that point in the photo. Four taps per pixel, spread along its path while the shutter is open (motion
// blur). A partly transparent surface shows the next one behind it.
struct Surface {
    // The dot product of a plane and a pixel is the inverse distance.
    planes: array<vec4<f32>, 6>,
    // Planes that meet in a convex corner: the farthest counts as one more plane.
    corner: array<vec4<f32>, 3>,
}
struct Pose {
    // Maps a pixel to the photo, 0 to 1 across and down, at infinity.
    far: mat3x3<f32>,
    // Offset, times the nearness.
    near: vec3<f32>,
    surfaces: array<Surface, 2>,
}
struct Shot {
    opened: Pose,
    closed: Pose,
    // For each surface: 1 where it shows the background, the number of its mask, 1 where it has a mask.
    covers: array<vec4<u32>, 2>,
    gain: f32,
    // 1 to show the photo itself.
    is_photo: u32,
}
// Maximum numbers, so that loops have a fixed length.
override SURFACES: u32 = 1u;
override PLANES: u32 = 6u;
override CORNERED: bool = false;
// Opacity that is invisible in eight bits.
const MIN_OPACITY: f32 = 0.002;
@group(0) @binding(0) var<uniform> shot: Shot;
@group(0) @binding(1) var fitted: texture_2d<f32>;
// The photo, and the background behind its cut-outs.
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

// A single opaque surface.
@fragment
fn whole(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    if shot.is_photo == 1u {
        return vec4<f32>(textureLoad(fitted, vec2<i32>(position.xy), 0).rgb, 1.0);
    }
    let start = opened(0u, position.xy);
    let end = closed(0u, position.xy);
    // Taps lie a quarter of a pixel to each side of the path.
    let right = 0.25 * (closed(0u, position.xy + vec2<f32>(1.0, 0.0)) - end);
    let down = 0.25 * (closed(0u, position.xy + vec2<f32>(0.0, 1.0)) - end);
    var sum = color(0u, mix(start, end, 0.125) - right - down);
    sum += color(0u, mix(start, end, 0.375) + right - down);
    sum += color(0u, mix(start, end, 0.625) - right + down);
    sum += color(0u, mix(start, end, 0.875) + right + down);
    return vec4<f32>(sum * 0.25 * shot.gain, 1.0);
}

// Several surfaces with masks.
@fragment
fn cut(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    if shot.is_photo == 1u {
        return vec4<f32>(textureLoad(fitted, vec2<i32>(position.xy), 0).rgb, 1.0);
    }
    var sum = vec3<f32>(0.0);
    // Transmittance so far.
    var left = 1.0;
    for (var surface = 0u; surface < SURFACES; surface++) {
        if left < MIN_OPACITY {
            break;
        }
        let cover = shot.covers[surface];
        let start = opened(surface, position.xy);
        let end = closed(surface, position.xy);
        // Masks are soft over several pixels, so one tap in the middle of the path is enough.
        var covered = left;
        if cover.z == 1u {
            covered *= textureSampleLevel(masks, double_sampler, mix(start, end, 0.5), cover.y, 0.0).r;
        }
        if covered < MIN_OPACITY {
            continue;
        }
        // Taps lie a quarter of a pixel to each side of the path.
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
