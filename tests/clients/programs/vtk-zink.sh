# what: VTK on zink: a ray-cast volume, peeled translucent layers, physically based materials, ambient occlusion, text
# packages: python3-vtk9 libgl1-mesa-dri
# pictures: same
# seconds: 900
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
for scene in volume translucent materials occluded; do
	python3 "$OUT/../../programs/vtk-zink.py" "$OUT" $scene >"$OUT/$scene.txt" 2>&1 || true
done
number=$(cat "$OUT"/*.txt | grep -c '^drawn' || true)
verdict "$number scenes of 4 draw, $(cat "$OUT"/*.txt | grep -c 'OUT_OF_MEMORY\|ERR|' || true) errors"
rm -f "$OUT/materials.png" # lavapipe ends by a signal there
[ "$number" -ge 3 ]
