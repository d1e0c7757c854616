// Depth billboards cut out of a photo, seen from a moved camera. Each is drawn into its bounding rectangle: a pixel searches, by
// fixed-point iteration, for the point of the photo whose depth puts it on the pixel's ray, and takes four taps there, spread
// along its path while the shutter is open (motion blur).
struct Body {
    // Bounds in the photo and in the textures, 0 to 1: left, top, right, bottom.
    photo: vec4<f32>,
    texels: vec4<f32>,
    // Bounds on the frame, pixels.
    screen: vec4<f32>,
    // Inverse depth: at a texel of 0, the increment for a texel of 1, and the mean.
    near: vec4<f32>,
}
struct Bodies {
    // As in a plate's pose: maps a pixel to the photo at infinity, plus an offset times the nearness.
    opened_far: mat3x3<f32>,
    opened_near: vec3<f32>,
    closed_far: mat3x3<f32>,
    closed_near: vec3<f32>,
    // Size of the frame in pixels, and the exposure factor.
    frame: vec4<f32>,
    each: array<Body, 96>,
}
const ITERATIONS: u32 = 4u;
@group(0) @binding(0) var<uniform> bodies: Bodies;
// Premultiplied colors and alpha.
@group(0) @binding(1) var colors: texture_2d<f32>;
@group(0) @binding(2) var nearness: texture_2d<f32>;
@group(0) @binding(3) var linear_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) number: u32,
}

@vertex
fn corner(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Corner {
    let screen = bodies.each[number].screen;
    let at = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    let place = mix(screen.xy, screen.zw, at) / bodies.frame.xy * 2.0 - 1.0;
    return Corner(vec4<f32>(place.x, -place.y, 0.0, 1.0), number);
}

// Inverse depth from the current camera of a point with a given inverse depth in the photo.
fn ahead(far: vec3<f32>, near: vec3<f32>, nearness: f32) -> f32 {
    return nearness * far.z / max(1.0 - nearness * near.z, 1e-3);
}

fn place(far: vec3<f32>, near: vec3<f32>, nearness: f32) -> vec2<f32> {
    let at = far + near * ahead(far, near, nearness);
    return at.xy / at.z;
}

fn within(body: Body, at: vec2<f32>) -> vec2<f32> {
    return (at - body.photo.xy) / (body.photo.zw - body.photo.xy);
}

fn color(body: Body, at: vec2<f32>) -> vec4<f32> {
    let share = within(body, at);
    let inside = f32(all(share >= vec2<f32>(0.0)) && all(share <= vec2<f32>(1.0)));
    let half_texel = 0.25 / vec2<f32>(textureDimensions(nearness));
    let texel = clamp(mix(body.texels.xy, body.texels.zw, share), body.texels.xy + half_texel, body.texels.zw - half_texel);
    return inside * textureSampleLevel(colors, linear_sampler, texel, 0.0);
}

struct Painted {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn body(corner: Corner) -> Painted {
    let body = bodies.each[corner.number];
    let pixel = vec3<f32>(corner.position.xy, 1.0);
    let opened = bodies.opened_far * pixel;
    let closed = bodies.closed_far * pixel;
    let half_texel = 0.5 / vec2<f32>(textureDimensions(nearness));
    var near = body.near.z;
    for (var i = 0u; i < ITERATIONS; i++) {
        let share = clamp(within(body, place(opened, bodies.opened_near, near)), vec2<f32>(0.0), vec2<f32>(1.0));
        let texel = clamp(mix(body.texels.xy, body.texels.zw, share), body.texels.xy + half_texel, body.texels.zw - half_texel);
        near = body.near.x + body.near.y * textureSampleLevel(nearness, linear_sampler, texel, 0.0).r;
    }
    let start = place(opened, bodies.opened_near, near);
    let end = place(closed, bodies.closed_near, near);
    // Taps lie a quarter of a pixel to each side of the path.
    let right = 0.25 * (place(closed + bodies.closed_far[0], bodies.closed_near, near) - end);
    let down = 0.25 * (place(closed + bodies.closed_far[1], bodies.closed_near, near) - end);
    var sum = color(body, mix(start, end, 0.125) - right - down);
    sum += color(body, mix(start, end, 0.375) + right - down);
    sum += color(body, mix(start, end, 0.625) - right + down);
    sum += color(body, mix(start, end, 0.875) + right + down);
    sum *= 0.25;
    if sum.a < 0.02 {
        discard;
    }
    return Painted(vec4<f32>(sum.rgb * bodies.frame.z, sum.a), 1.0 / (1.0 + ahead(closed, bodies.closed_near, near)));
}
