# what: OBS Studio's window, a scene composed by OpenGL on zink
# packages: obs-studio libgl1-mesa-dri
# pictures: alike
# seconds: 600
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 HOME=$OUT QT_QPA_PLATFORM=xcb
mkdir -p "$OUT/.config/obs-studio/basic/scenes" "$OUT/.config/obs-studio/basic/profiles/Untitled"
printf '[General]\nFirstRun=true\nPre19Defaults=false\nLastVersion=536870912\n[Basic]\nProfile=Untitled\nProfileDir=Untitled\nSceneCollection=scene\nSceneCollectionFile=scene\n' >"$OUT/.config/obs-studio/global.ini"
cp "$OUT/.config/obs-studio/global.ini" "$OUT/.config/obs-studio/user.ini"
printf '[General]\nName=Untitled\n[Video]\nBaseCX=640\nBaseCY=360\nOutputCX=640\nOutputCY=360\n' >"$OUT/.config/obs-studio/basic/profiles/Untitled/basic.ini"
cat >"$OUT/.config/obs-studio/basic/scenes/scene.json" <<'SCENE'
{"name": "scene", "current_scene": "S", "current_program_scene": "S", "scene_order": [{"name": "S"}], "sources": [
 {"id": "color_source", "versioned_id": "color_source_v3", "name": "C", "settings": {"color": 4292311040, "width": 400, "height": 200},
  "filters": [{"id": "color_filter", "versioned_id": "color_filter_v2", "name": "F", "settings": {"hue_shift": 60.0, "contrast": 0.5}}]},
 {"id": "scene", "name": "S", "settings": {"items": [{"name": "C", "id": 1, "visible": true, "pos": {"x": 60.0, "y": 50.0}, "rot": 20.0, "scale": {"x": 1.0, "y": 1.0}}], "id_counter": 1}}]}
SCENE
shown window 15 obs --multi --disable-updater --disable-missing-files-check
verdict "$(grep -ho 'OpenGL loaded successfully, version [0-9.]*' "$OUT/window.log" | head -n 1)"
