// Downsamples the drawn picture to NV12 (BT.709, limited range): the luma plane, then the interleaved chroma plane.
struct Size {
    width: u32,
    height: u32,
    vignette: f32,
    // Offset of the taps, pixels.
    spread: f32,
}
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var picture_sampler: sampler;
@group(0) @binding(3) var<storage, read_write> nv12: array<u32>;

fn pixel(x: u32, y: u32) -> vec3<f32> {
    let texel = 1.0 / vec2<f32>(f32(size.width), f32(size.height));
    let at = (vec2<f32>(f32(x), f32(y)) + 0.5) * texel;
    // Two bilinear taps on a diagonal that alternates from pixel to pixel.
    let d = texel * size.spread * vec2<f32>(1.0, select(-1.0, 1.0, ((x + y) & 1u) == 0u));
    let c = 0.5
        * (textureSampleLevel(picture, picture_sampler, at - d, 0.0).rgb
            + textureSampleLevel(picture, picture_sampler, at + d, 0.0).rgb);
    let from_center = at - 0.5;
    return c * (1.0 - size.vignette * dot(from_center, from_center));
}

fn luma(c: vec3<f32>) -> f32 {
    return 16.0 + 219.0 * dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
}

// Two taps per pixel, one thread per block of four by two pixels.
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

// Four pixels of a row.
struct Row {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
    d: vec3<f32>,
}

fn texel(x: u32, y: u32) -> vec3<f32> {
    return textureLoad(picture, vec2<u32>(x, y), 0).rgb;
}

// Six texels to four pixels: each pixel covers one and a half.
fn across(x: u32, y: u32) -> Row {
    let second = texel(x + 1u, y);
    let fifth = texel(x + 4u, y);
    let share = 1.0 / 3.0;
    return Row(
        mix(texel(x, y), second, share),
        mix(texel(x + 2u, y), second, share),
        mix(texel(x + 3u, y), fifth, share),
        mix(texel(x + 5u, y), fifth, share),
    );
}

fn blend(p: Row, q: Row, share: f32) -> Row {
    return Row(mix(p.a, q.a, share), mix(p.b, q.b, share), mix(p.c, q.c, share), mix(p.d, q.d, share));
}

// Vignette of four pixels, from the squared distances of their columns and their row to the center.
fn light(columns: vec4<f32>, row: f32) -> vec4<f32> {
    return vec4<f32>(1.0 - size.vignette * row) - size.vignette * columns;
}

fn code(row: Row) -> u32 {
    let lumas = vec4<f32>(luma(row.a), luma(row.b), luma(row.c), luma(row.d)) * (1.0 / 255.0);
    return pack4x8unorm(clamp(lumas, vec4<f32>(16.0 / 255.0), vec4<f32>(235.0 / 255.0)));
}

// Cb and Cr of the sum of four pixels.
fn chroma(sum: vec3<f32>) -> vec2<f32> {
    let c = sum * 0.25;
    let l = dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
    return clamp(vec2<f32>(128.0) + 224.0 * vec2<f32>((c.b - l) / 1.8556, (c.r - l) / 1.5748), vec2<f32>(16.0), vec2<f32>(240.0));
}

fn put(upper: Row, lower: Row, id: vec2<u32>, y: u32, columns: vec4<f32>) {
    let middle = (vec2<f32>(f32(y), f32(y + 1u)) + 0.5) / f32(size.height) - 0.5;
    let above = light(columns, middle.x * middle.x);
    let below = light(columns, middle.y * middle.y);
    let p = Row(upper.a * above.x, upper.b * above.y, upper.c * above.z, upper.d * above.w);
    let q = Row(lower.a * below.x, lower.b * below.y, lower.c * below.z, lower.d * below.w);
    let stride = size.width / 4u;
    nv12[y * stride + id.x] = code(p);
    nv12[(y + 1u) * stride + id.x] = code(q);
    let pair = vec4<f32>(chroma(p.a + p.b + q.a + q.b), chroma(p.c + p.d + q.c + q.d)) * (1.0 / 255.0);
    nv12[size.height * stride + y / 2u * stride + id.x] = pack4x8unorm(pair);
}

// Three texels per two pixels across and four per three down, each read once: one thread per six by eight texels, which are four
// by six pixels.
@compute @workgroup_size(8, 8)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x * 4u;
    let y = id.y * 6u;
    if x >= size.width || y >= size.height { return; }
    let at = (vec4<f32>(f32(x)) + vec4<f32>(0.5, 1.5, 2.5, 3.5)) / f32(size.width) - 0.5;
    let columns = at * at;
    let left = id.x * 6u;
    let top = id.y * 8u;
    let r0 = across(left, top);
    let r1 = across(left, top + 1u);
    let r2 = across(left, top + 2u);
    let r3 = across(left, top + 3u);
    put(blend(r0, r1, 0.25), blend(r1, r2, 0.5), id.xy, y, columns);
    let r4 = across(left, top + 4u);
    let r5 = across(left, top + 5u);
    put(blend(r3, r2, 0.25), blend(r4, r5, 0.25), id.xy, y + 2u, columns);
    let r6 = across(left, top + 6u);
    let r7 = across(left, top + 7u);
    put(blend(r5, r6, 0.5), blend(r7, r6, 0.25), id.xy, y + 4u, columns);
}
