# what: VTK on zink: a ray-cast volume, peeled translucent layers, physically based materials, ambient occlusion, text
# packages: python3-vtk9 libgl1-mesa-dri
# pictures: same
# seconds: 900
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
python3 "$OUT/../../programs/vtk-zink.py" "$OUT" >"$OUT/vtk.txt" 2>&1
verdict "$(grep -c '^drawn' "$OUT/vtk.txt") scenes of 4 draw"
[ "$(grep -c '^drawn' "$OUT/vtk.txt")" = 4 ]
