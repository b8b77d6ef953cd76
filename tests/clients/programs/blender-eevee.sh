# what: Blender's renderer EEVEE on Vulkan: ray-traced reflections, glass, soft shadows, a volume, depth of field
# packages: blender
# pictures: same
# seconds: 1500
cat >"$OUT/render.py" <<'END'
import bpy, gpu, os
scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 240, 160, 100
scene.render.filepath = os.environ['OUT'] + '/eevee.png'
scene.eevee.taa_render_samples = 16
scene.eevee.use_raytracing = True
def material(name, **values):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    for key, value in values.items():
        made.node_tree.nodes['Principled BSDF'].inputs[key.replace('_', ' ')].default_value = value
    return made
def add(make, mat, **where):
    make(**where)
    bpy.context.object.data.materials.append(mat)
bpy.data.objects.remove(bpy.data.objects['Cube'])
add(bpy.ops.mesh.primitive_plane_add, material('floor', Base_Color=(.5, .5, .6, 1), Roughness=.15), size=12, location=(0, 0, -1))
add(bpy.ops.mesh.primitive_monkey_add, material('gold', Base_Color=(1, .6, .2, 1), Metallic=1, Roughness=.25), location=(0, 0, .1), rotation=(0, 0, .9))
add(bpy.ops.mesh.primitive_uv_sphere_add, material('glass', Transmission_Weight=1, Roughness=0, IOR=1.45), radius=.8, location=(2, -1.2, -.2))
add(bpy.ops.mesh.primitive_torus_add, material('skin', Base_Color=(.9, .2, .2, 1), Subsurface_Weight=1), location=(-1.5, 1.5, -.6))
fog = bpy.data.materials.new('fog')
fog.use_nodes = True
fog.node_tree.nodes.clear()
scatter, end = fog.node_tree.nodes.new('ShaderNodeVolumePrincipled'), fog.node_tree.nodes.new('ShaderNodeOutputMaterial')
scatter.inputs['Density'].default_value = .25
fog.node_tree.links.new(scatter.outputs[0], end.inputs['Volume'])
add(bpy.ops.mesh.primitive_cube_add, fog, size=2.5, location=(-2.5, -1, 0))
scene.camera.data.dof.use_dof, scene.camera.data.dof.focus_distance, scene.camera.data.dof.aperture_fstop = True, 11, 1
print('backend', gpu.platform.backend_type_get())
bpy.ops.render.render(write_still=True)
bpy.ops.wm.quit_blender()
END
blender --gpu-backend vulkan --factory-startup --python "$OUT/render.py" >"$OUT/blender.log" 2>&1
[ -s "$OUT/eevee.png" ]
grep -q 'backend VULKAN' "$OUT/blender.log"
