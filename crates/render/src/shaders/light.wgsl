// Shared by all surfaces: the frame uniform, sun, sky, haze and tonemapping.
// Units: meters, linear sRGB radiance. x east, y north, z up.

struct Frame {
    view_proj: mat4x4<f32>,
    // Camera position; w: vertical angle of one output pixel, radians.
    eye: vec4<f32>,
    // Unit vector toward the sun.
    sun_direction: vec4<f32>,
    sun_color: vec4<f32>,
    // Ambient light from above and from below.
    sky_light: vec4<f32>,
    bounce_light: vec4<f32>,
    // x: half the extinction of red per meter, as an exponent of two; y: increase of density per meter of distance.
    haze_density: vec4<f32>,
    haze_color: vec4<f32>,
    zenith_color: vec4<f32>,
    horizon_color: vec4<f32>,
    // World to shadow map: near, far, fine.
    shadow: array<mat4x4<f32>, 3>,
    // Inverse of view_proj, for the sky.
    inverse_view_proj: mat4x4<f32>,
    // x: exposure, y: saturation, zw: center of interest.
    grade: vec4<f32>,
    // The land that the map shows: lowest and highest corner.
    known: vec4<f32>,
}

fn sky_radiance(frame: Frame, direction: vec3<f32>) -> vec3<f32> {
    let up = clamp(direction.z, 0.0, 1.0);
    let towards_sun = max(dot(direction, frame.sun_direction.xyz), 0.0);
    let low = frame.horizon_color.rgb + frame.sun_color.rgb * 0.03 * towards_sun * towards_sun;
    let t = 1.0 - up;
    return mix(frame.zenith_color.rgb, low, t * t * t);
}

// Ambient light on a surface, by how far it faces up.
fn ambient(frame: Frame, normal: vec3<f32>) -> vec3<f32> {
    return mix(frame.bounce_light.rgb, frame.sky_light.rgb, normal.z * 0.5 + 0.5);
}

// Distance of a point from the land that the map shows.
fn beyond_known(frame: Frame, at: vec2<f32>) -> f32 {
    return length(max(max(frame.known.xy - at, at - frame.known.zw), vec2<f32>(0.0)));
}

// Transmittance of fair-weather clouds: 1 around the property and beyond the map, less in patches between.
fn cloud_transmittance(frame: Frame, at: vec2<f32>) -> f32 {
    let drawn = 1.0 - smoothstep(0.0, 150.0, beyond_known(frame, at));
    let away = drawn * smoothstep(240.0, 520.0, distance(at, frame.grade.zw));
    if away <= 0.0 { return 1.0; }
    let q = at / 610.0;
    let bent = q + 0.45 * vec2<f32>(sin(q.y * 2.3 + 0.7), sin(q.x * 2.1 + 2.1));
    let broad = sin(bent.x * 2.7 + 0.4) * sin(bent.y * 2.9 + 1.2);
    let fine = sin(bent.x * 7.1 - bent.y * 4.3) * sin(bent.y * 8.3 + bent.x * 2.2);
    return 1.0 - 0.52 * away * smoothstep(0.12, 0.62, broad + 0.22 * fine);
}

// Radiance of infinitely deep air.
fn air(frame: Frame, towards: vec3<f32>) -> vec3<f32> {
    let glow = max(dot(towards, frame.sun_direction.xyz), 0.0);
    return frame.haze_color.rgb * (1.0 + 0.35 * glow * glow * glow);
}

// Blends in haze. Green is extinguished 1.5 times as fast as red, blue 2.5 times, so that one exponential serves all three.
// Density grows with distance, so that the ground blends into the sky at the horizon.
fn apply_haze(frame: Frame, color: vec3<f32>, distance: f32, towards: vec3<f32>) -> vec3<f32> {
    let keep = exp2(-frame.haze_density.x * distance * (1.0 + frame.haze_density.y * distance));
    let squared = keep * keep;
    let by_channel = vec3<f32>(squared, squared * keep, squared * squared * keep);
    return mix(air(frame, towards), color, by_channel);
}

// Filmic curve that yields display code values (Hejl and Burgess-Dawson 2010), so that no power function is needed; with a deeper
// toe, which compensates for the haze, and a slight gain, so that sunlit white is white.
fn tonemap(frame: Frame, linear: vec3<f32>) -> vec3<f32> {
    let exposed = linear * frame.grade.x;
    let gray = dot(exposed, vec3<f32>(0.2126, 0.7152, 0.0722));
    let x = max(mix(vec3<f32>(gray), exposed, frame.grade.y) - vec3<f32>(0.009), vec3<f32>(0.0));
    return (x * (6.63 * x + 0.535)) / (x * (6.2 * x + 1.7) + 0.06);
}

fn hash(n: u32) -> u32 {
    var x = n * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
    return (x >> 22u) ^ x;
}

fn hash_to_unit(n: u32) -> f32 {
    return f32(hash(n) & 0xffffu) / 65535.0;
}

// Coverage of the interval a..b by a pixel of width w at x: a box filter, so that patterns fade rather than alias.
fn span(x: f32, a: f32, b: f32, w: f32) -> f32 {
    let lo = max(x - w * 0.5, a);
    let hi = min(x + w * 0.5, b);
    return clamp((hi - lo) / w, 0.0, 1.0);
}
