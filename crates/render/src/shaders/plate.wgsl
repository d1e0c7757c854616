// One photo on a few planes, from a camera that has moved: each pixel looks along its ray to the nearest plane, and from
// there back into the photo. Four taps a pixel, which also stand along its way while the shutter is open.
struct Pose {
    // From a pixel to a direction.
    ray: mat3x3<f32>,
    position: vec3<f32>,
    // Of each plane, what it gives with a ray is one over the distance.
    planes: array<vec4<f32>, 6>,
}
struct Shot {
    opened: Pose,
    closed: Pose,
    // From a place to the photo, 0 to 1 across and down of what is at hand of it.
    photo: mat3x3<f32>,
    gain: f32,
    // 1 where the photo itself is shown.
    is_photo: u32,
}
@group(0) @binding(0) var<uniform> shot: Shot;
@group(0) @binding(1) var fitted: texture_2d<f32>;
@group(0) @binding(2) var double: texture_2d<f32>;
@group(0) @binding(3) var double_sampler: sampler;

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let at = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4<f32>(at * 2.0 - 1.0, 0.0, 1.0);
}

fn seen(pose: Pose, pixel: vec2<f32>) -> vec2<f32> {
    let ray = pose.ray * vec3<f32>(pixel, 1.0);
    var nearness = 0.0;
    for (var i = 0; i < 6; i++) {
        nearness = max(nearness, dot(pose.planes[i].xyz, ray));
    }
    let at = shot.photo * (ray + pose.position * nearness);
    return at.xy / at.z;
}

@fragment
fn photo(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    if shot.is_photo == 1u {
        return vec4<f32>(textureLoad(fitted, vec2<i32>(position.xy), 0).rgb, 1.0);
    }
    let start = seen(shot.opened, position.xy);
    let end = seen(shot.closed, position.xy);
    // A quarter of a pixel to each side of the middle of the way.
    let right = 0.25 * (seen(shot.closed, position.xy + vec2<f32>(1.0, 0.0)) - end);
    let down = 0.25 * (seen(shot.closed, position.xy + vec2<f32>(0.0, 1.0)) - end);
    var sum = textureSampleLevel(double, double_sampler, mix(start, end, 0.125) - right - down, 0.0).rgb;
    sum += textureSampleLevel(double, double_sampler, mix(start, end, 0.375) + right - down, 0.0).rgb;
    sum += textureSampleLevel(double, double_sampler, mix(start, end, 0.625) - right + down, 0.0).rgb;
    sum += textureSampleLevel(double, double_sampler, mix(start, end, 0.875) + right + down, 0.0).rgb;
    return vec4<f32>(sum * 0.25 * shot.gain, 1.0);
}
