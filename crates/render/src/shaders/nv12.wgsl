// The drawn picture, larger than the film, down to NV12 (BT.709, limited range): two taps a pixel, one thread for a
// block of four by two pixels. The luma plane comes first, then the interleaved chroma plane, as ffmpeg expects.
struct Size {
    width: u32,
    height: u32,
    vignette: f32,
    // How far the taps stand apart, pixels.
    spread: f32,
}
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var picture_sampler: sampler;
@group(0) @binding(3) var<storage, read_write> nv12: array<u32>;

fn pixel(x: u32, y: u32) -> vec3<f32> {
    let texel = 1.0 / vec2<f32>(f32(size.width), f32(size.height));
    let at = (vec2<f32>(f32(x), f32(y)) + 0.5) * texel;
    // Two taps on a diagonal, which turns from pixel to pixel; each tap blends four texels.
    let d = texel * size.spread * vec2<f32>(1.0, select(-1.0, 1.0, ((x + y) & 1u) == 0u));
    let c = 0.5
        * (textureSampleLevel(picture, picture_sampler, at - d, 0.0).rgb
            + textureSampleLevel(picture, picture_sampler, at + d, 0.0).rgb);
    let from_centre = at - 0.5;
    return c * (1.0 - size.vignette * dot(from_centre, from_centre));
}

fn luma(c: vec3<f32>) -> f32 {
    return 16.0 + 219.0 * dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
}

@compute @workgroup_size(8, 8)
fn convert(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x * 4u;
    let y = id.y * 2u;
    if x >= size.width || y >= size.height { return; }
    var upper = 0u;
    var lower = 0u;
    var chroma = 0u;
    var pair = vec3<f32>(0.0);
    for (var i = 0u; i < 4u; i++) {
        let a = pixel(x + i, y);
        let b = pixel(x + i, y + 1u);
        upper |= u32(clamp(luma(a) + 0.5, 16.0, 235.0)) << (8u * i);
        lower |= u32(clamp(luma(b) + 0.5, 16.0, 235.0)) << (8u * i);
        pair += a + b;
        if (i & 1u) == 1u {
            let c = pair * 0.25;
            let l = dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
            let u = u32(clamp(128.5 + 224.0 * (c.b - l) / 1.8556, 16.0, 240.0));
            let v = u32(clamp(128.5 + 224.0 * (c.r - l) / 1.5748, 16.0, 240.0));
            chroma |= (u | (v << 8u)) << (16u * (i >> 1u));
            pair = vec3<f32>(0.0);
        }
    }
    let stride = size.width / 4u;
    nv12[y * stride + id.x] = upper;
    nv12[(y + 1u) * stride + id.x] = lower;
    nv12[size.height * stride + id.y * stride + id.x] = chroma;
}
