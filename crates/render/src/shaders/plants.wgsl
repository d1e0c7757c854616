// Plants with light baked into their vertices: transform and haze only.
@group(0) @binding(0) var<uniform> frame: Frame;

struct Out {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec3<f32>,
}

@vertex
fn vertex_main(@location(0) position: vec3<f32>, @location(1) baked: vec4<f32>) -> Out {
    var out: Out;
    out.position = frame.view_proj * vec4<f32>(position, 1.0);
    let to = position - frame.eye.xyz;
    let distance = length(to);
    let color = baked.rgb * baked.rgb;
    out.color = tonemap(frame, apply_haze(frame, color, distance, to / distance));
    return out;
}

@fragment
fn plant(in: Out) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color, 1.0);
}
