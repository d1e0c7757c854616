"""Renders the scene exported by `rays` with Blender's Cycles on the CPU: `staging_peer.py FOLDER`. Needs the `bpy` package.

The same furniture in one gray, the same camera, windows and samples per pixel, three bounces, no denoising; the room emits an even
light at which paths end, as Aerie's do. Cycles also traces the pixels without furniture, whose paths end at once.
"""
import json
import sys
import time
from pathlib import Path

import bpy
import numpy
from mathutils import Matrix, Vector

folder = Path(sys.argv[1])
exported = json.loads((folder / "scene.json").read_text())
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def material(name, color, glow=None):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes = made.node_tree.nodes
    nodes.clear()
    shader = nodes.new("ShaderNodeBsdfDiffuse" if glow is None else "ShaderNodeEmission")
    shader.inputs["Color"].default_value = (*color, 1)
    if glow is not None:
        shader.inputs["Strength"].default_value = glow
    out = nodes.new("ShaderNodeOutputMaterial")
    made.node_tree.links.new(shader.outputs[0], out.inputs["Surface"])
    return made


def add(name, corners, faces, look):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    mesh.materials.append(look)
    scene.collection.objects.link(bpy.data.objects.new(name, mesh))


corners = numpy.fromfile(folder / "corners.f32", "<f4").reshape(-1, 3)
triangles = numpy.fromfile(folder / "triangles.u32", "<u4").reshape(-1, 3)
add("furniture", corners.tolist(), triangles.tolist(), material("gray", (0.45, 0.45, 0.45)))
floor, top = exported["floor"], exported["ceiling"]
count = len(floor)
rim = [(*p, 0.0) for p in floor] + [(*p, top) for p in floor]
walls = [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
add("room", rim, [tuple(range(count)), tuple(range(count, 2 * count)), *walls], material("room", [c / max(exported["ambient"]) for c in exported["ambient"]], max(exported["ambient"])))
for i, window in enumerate(exported["windows"]):
    middle = Vector((0, 0, exported["ceiling"] / 2))
    inward = [tuple(Vector(c).lerp(middle, 0.003)) for c in window["corners"]]
    light = window["light"]
    add(f"window{i}", inward, [(0, 1, 2, 3)], material(f"window{i}", [c / max(light) for c in light], max(light)))

forward = Vector(exported["forward"]).normalized()
right = (Vector(exported["right_of_middle"]) - forward * Vector(exported["right_of_middle"]).dot(forward)).normalized()
up = right.cross(forward)
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.matrix_world = Matrix.Translation(exported["eye"]) @ Matrix((right, up, -forward)).transposed().to_4x4()
camera.data.sensor_fit = "HORIZONTAL"
camera.data.lens = camera.data.sensor_width * exported["focal"] / exported["width"]
camera.data.clip_start = 0.01
scene.collection.objects.link(camera)
scene.camera = camera

import addon_utils  # lies where bpy has put it

addon_utils.enable("cycles", default_set=True)
scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = exported["samples"]
scene.cycles.use_adaptive_sampling = False
scene.cycles.use_denoising = False
scene.cycles.max_bounces = 3
scene.render.resolution_x, scene.render.resolution_y = exported["width"], exported["height"]
scene.render.resolution_percentage = 100
scene.render.filepath = str(folder / "cycles.png")
begun = time.monotonic()
bpy.ops.render.render(write_still=True)
seconds = time.monotonic() - begun
rate = exported["width"] * exported["height"] * exported["samples"] / seconds / 1e6
print(f"cycles {bpy.app.version_string}: all {exported['width']} x {exported['height']} pixels, {exported['samples']} samples: {seconds:.2f} s, {rate:.2f} million samples/s")
