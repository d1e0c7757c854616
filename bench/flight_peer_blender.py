"""Renders a frame of the scene written by `flight_for_peers` with Blender's Cycles on the CPU: `flight_peer_blender.py FOLDER`.

Needs the `bpy` package. Simplified for Blender, as for three.js: one color per face, no windows, tiles or grain; eight samples per
pixel and Intel's denoiser, one bounce, the ground from above with one color per texel of 60 cm. Prints the milliseconds of the
middle frame, without building the scene, and writes it to FOLDER/blender.png.
"""
import json
import sys
import time
from pathlib import Path

import bpy
import numpy
from mathutils import Vector

folder = Path(sys.argv[1])
exported = json.loads((folder / "scene.json").read_text())
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def material(name, image=None):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    shader = nodes.new("ShaderNodeBsdfDiffuse")
    if image is None:
        color = nodes.new("ShaderNodeVertexColor")
        color.layer_name = "color"
    else:
        color = nodes.new("ShaderNodeTexImage")
        color.image = image
        color.extension = "EXTEND"
    links.new(color.outputs["Color"], shader.inputs["Color"])
    out = nodes.new("ShaderNodeOutputMaterial")
    links.new(shader.outputs[0], out.inputs["Surface"])
    return made


def mesh(name, corners, triangles, look):
    made = bpy.data.meshes.new(name)
    made.vertices.add(len(corners))
    made.vertices.foreach_set("co", corners.astype("f4").ravel())
    made.loops.add(triangles.size)
    made.loops.foreach_set("vertex_index", triangles.astype("i4").ravel())
    made.polygons.add(len(triangles))
    made.polygons.foreach_set("loop_start", numpy.arange(0, triangles.size, 3, dtype="i4"))
    made.update()
    made.materials.append(look)
    scene.collection.objects.link(bpy.data.objects.new(name, made))
    return made


def body(name):
    corners = numpy.fromfile(folder / f"{name}.positions", "f4").reshape(-1, 3)
    colors = numpy.fromfile(folder / f"{name}.colors", "u1").reshape(-1, 4) / numpy.float32(255)
    triangles = numpy.fromfile(folder / f"{name}.indices", "u4").reshape(-1, 3)
    made = mesh(name, corners, triangles, material(name))
    made.attributes.new("color", "FLOAT_COLOR", "POINT").data.foreach_set("color", colors.astype("f4").ravel())


def ground():
    x0, y0, spacing, columns, rows = exported["terrain"]
    heights = numpy.fromfile(folder / "heights", "f4").reshape(rows, columns)
    x, y = numpy.meshgrid(numpy.arange(columns) * spacing + x0, numpy.arange(rows) * spacing + y0)
    at = (numpy.arange(rows - 1)[:, None] * columns + numpy.arange(columns - 1)).ravel()
    triangles = numpy.concatenate([numpy.stack([at, at + 1, at + columns + 1], 1), numpy.stack([at, at + columns + 1, at + columns], 1)])
    # Paints the ground triangle by triangle; triangles that cover no texel center are skipped.
    side, half = 2048, 600.0
    focus = numpy.array(exported["focus"][:2])
    paint = numpy.fromfile(folder / "paint", "f4").reshape(-1, 3, 5)
    picture = numpy.full((side, side, 4), (0.10, 0.14, 0.05, 1.0), "f4")
    places = (paint[:, :, :2] - focus + half) / (2 * half) * side
    for (a, b, c), color in zip(places, paint[:, 0, 2:]):
        low = numpy.maximum(numpy.floor(numpy.minimum(numpy.minimum(a, b), c)), 0).astype(int)
        high = numpy.minimum(numpy.ceil(numpy.maximum(numpy.maximum(a, b), c)), side).astype(int)
        if (high <= low).any():
            continue
        u, v = numpy.meshgrid(numpy.arange(low[0], high[0]) + 0.5, numpy.arange(low[1], high[1]) + 0.5)
        edge = lambda p, q: (q[0] - p[0]) * (v - p[1]) - (q[1] - p[1]) * (u - p[0])
        turns = [edge(a, b), edge(b, c), edge(c, a)]
        inside = numpy.all([t >= 0 for t in turns], 0) | numpy.all([t <= 0 for t in turns], 0)
        picture[low[1] : high[1], low[0] : high[0], :3][inside] = color
    image = bpy.data.images.new("ground", side, side, float_buffer=True)
    image.pixels.foreach_set(picture.ravel())
    image.pack()
    made = mesh("ground", numpy.stack([x, y, heights], 2).reshape(-1, 3), triangles, material("ground", image))
    share = (numpy.stack([x, y], 2).reshape(-1, 2) - focus + half) / (2 * half)
    made.uv_layers.new(name="place").data.foreach_set("uv", share[triangles.ravel()].astype("f4").ravel())


body("solids")
body("plants")
ground()
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy = 4.0
sun.rotation_euler = Vector(exported["sun"]).to_track_quat("Z", "Y").to_euler()
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.5, 0.65, 0.9, 1)

eye, aim, up, field = exported["cameras"][len(exported["cameras"]) // 2]
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = eye
camera.rotation_euler = (Vector(aim) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
camera.data.sensor_fit, camera.data.angle = "VERTICAL", field
camera.data.clip_start, camera.data.clip_end = 2.0, 20000.0
scene.collection.objects.link(camera)
scene.camera = camera

import addon_utils  # lies where bpy has put it

addon_utils.enable("cycles", default_set=True)
scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = 8
scene.cycles.use_adaptive_sampling = False
scene.cycles.use_denoising = True
scene.cycles.max_bounces = 1
scene.render.use_persistent_data = True
scene.render.resolution_x, scene.render.resolution_y = 1920, 1080
scene.render.resolution_percentage = 100
scene.render.filepath = str(folder / "blender.png")
# The first frame uploads the scene and builds the acceleration structure; the second one is timed.
bpy.ops.render.render(write_still=False)
begun = time.monotonic()
bpy.ops.render.render(write_still=True)
print(f"blender {bpy.app.version_string}: {1000 * (time.monotonic() - begun):.0f} ms")
