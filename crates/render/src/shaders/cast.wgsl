// Depth from the sun.
@group(0) @binding(0) var<uniform> sun_view: mat4x4<f32>;

@vertex
fn vertex_main(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    return sun_view * vec4<f32>(position, 1.0);
}
