"""Renders one model as the studio of `aerie furniture` does, with Blender's Cycles on the CPU: `furniture_peer.py STUDIO.json MODEL.glb OUT.png`.

Needs the `bpy` package. The same camera, the same even room with one window, the same number of samples; paths end at the room, as
Aerie's do. The floor is a shadow catcher's: it shows the even room, darkened where the model takes its light.
"""
import json
import sys
from math import pi
from pathlib import Path

import bpy
from mathutils import Matrix, Vector

described = json.loads(Path(sys.argv[1]).read_text())
studio = described["setup"]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[2])
scene = bpy.context.scene
for light in [o for o in scene.objects if o.type in ("LIGHT", "CAMERA")]:
    bpy.data.objects.remove(light)

# On the floor, centered, turned as the studio turns it.
meshes = [o for o in scene.objects if o.type == "MESH"]
corners = [o.matrix_world @ Vector(c) for o in meshes for c in o.bound_box]
low = Vector([min(c[i] for c in corners) for i in range(3)])
high = Vector([max(c[i] for c in corners) for i in range(3)])
middle = Vector(((low.x + high.x) / 2, (low.y + high.y) / 2, low.z))
placed = Matrix.Rotation(-described["turn"], 4, "Z") @ Matrix.Scale(described["size"][0] / (high.x - low.x), 4) @ Matrix.Translation(-middle)
for o in [o for o in scene.objects if o.parent is None]:
    o.matrix_world = placed @ o.matrix_world

world = bpy.data.worlds.new("even")
world.use_nodes = True
even = studio["even"]
world.node_tree.nodes["Background"].inputs["Color"].default_value = (even, even, even, 1)
scene.world = world
window = bpy.data.lights.new("window", "AREA")
window.shape = "RECTANGLE"
near, far = (Vector(corner) for corner in studio["window"])
window.size, window.size_y = far.y - near.y, far.z - near.z
# Radiance times the area times pi is the power of a diffuse emitter.
window.energy = studio["bright"] * window.size * window.size_y * pi
lamp = bpy.data.objects.new("window", window)
lamp.location = (near + far) / 2
# It shines to the right, its first side along Y.
lamp.matrix_world = Matrix.Translation(lamp.location) @ Matrix(((0, 0, -1), (1, 0, 0), (0, -1, 0))).to_4x4()
scene.collection.objects.link(lamp)
bpy.ops.mesh.primitive_plane_add(size=40)
bpy.context.object.is_shadow_catcher = True

camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = studio["eye"]
camera.rotation_euler = (Vector(studio["target"]) - camera.location).to_track_quat("-Z", "Y").to_euler()
camera.data.angle = studio["field"]
scene.collection.objects.link(camera)
scene.camera = camera

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = described["samples"]
scene.cycles.use_denoising = False
scene.cycles.max_bounces = 8
scene.render.film_transparent = False
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x = scene.render.resolution_y = described["side"]
scene.render.resolution_percentage = 100
scene.render.filepath = sys.argv[3]
bpy.ops.render.render(write_still=True)
