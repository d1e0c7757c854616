"""Renders the scene that `rays` exported with Blender's Cycles on the processor: `staging_peer.py FOLDER`. Needs the `bpy` package.

The same furniture in one gray, the same camera, windows and samples a pixel, three bounces, no denoising; the room gives off an
even light at which paths end, as Aerie's do. Cycles also traces the pixels without furniture, whose paths end at once.
"""
import json
import sys
import time
from pathlib import Path

import bpy
import numpy
from mathutils import Matrix, Vector

folder = Path(sys.argv[1])
told = json.loads((folder / "scene.json").read_text())
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
floor, top = told["floor"], told["ceiling"]
count = len(floor)
rim = [(*p, 0.0) for p in floor] + [(*p, top) for p in floor]
walls = [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
add("room", rim, [tuple(range(count)), tuple(range(count, 2 * count)), *walls], material("room", [c / max(told["ambient"]) for c in told["ambient"]], max(told["ambient"])))
for i, window in enumerate(told["windows"]):
    middle = Vector((0, 0, told["ceiling"] / 2))
    inward = [tuple(Vector(c).lerp(middle, 0.003)) for c in window["corners"]]
    light = window["light"]
    add(f"window{i}", inward, [(0, 1, 2, 3)], material(f"window{i}", [c / max(light) for c in light], max(light)))

forward = Vector(told["forward"]).normalized()
right = (Vector(told["right_of_middle"]) - forward * Vector(told["right_of_middle"]).dot(forward)).normalized()
up = right.cross(forward)
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.matrix_world = Matrix.Translation(told["eye"]) @ Matrix((right, up, -forward)).transposed().to_4x4()
camera.data.sensor_fit = "HORIZONTAL"
camera.data.lens = camera.data.sensor_width * told["focal"] / told["width"]
camera.data.clip_start = 0.01
scene.collection.objects.link(camera)
scene.camera = camera

import addon_utils  # lies where bpy has put it

addon_utils.enable("cycles", default_set=True)
scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = told["samples"]
scene.cycles.use_adaptive_sampling = False
scene.cycles.use_denoising = False
scene.cycles.max_bounces = 3
scene.render.resolution_x, scene.render.resolution_y = told["width"], told["height"]
scene.render.resolution_percentage = 100
scene.render.filepath = str(folder / "cycles.png")
begun = time.monotonic()
bpy.ops.render.render(write_still=True)
seconds = time.monotonic() - begun
rate = told["width"] * told["height"] * told["samples"] / seconds / 1e6
print(f"cycles {bpy.app.version_string}: all {told['width']} x {told['height']} pixels, {told['samples']} samples: {seconds:.2f} s, {rate:.2f} million samples/s")
