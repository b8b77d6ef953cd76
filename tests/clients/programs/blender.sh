# what: Blender's Vulkan back end, a workbench render
# packages: blender
# pictures: same
# seconds: 900
cat >"$OUT/render.py" <<'END'
import bpy, gpu, os
scene = bpy.context.scene
scene.render.engine = 'BLENDER_WORKBENCH'
scene.render.resolution_x, scene.render.resolution_y = 320, 240
scene.render.filepath = os.environ['OUT'] + '/cube.png'
print('backend', gpu.platform.backend_type_get())
bpy.ops.render.render(write_still=True)
bpy.ops.wm.quit_blender()
END
blender --gpu-backend vulkan --factory-startup --python "$OUT/render.py" >"$OUT/blender.log" 2>&1
[ -s "$OUT/cube.png" ]
grep -q 'backend VULKAN' "$OUT/blender.log"
