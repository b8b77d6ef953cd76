# what: glmark2 on zink: its own validation of every scene
# packages: glmark2-x11 libgl1-mesa-dri
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
glmark2 --validate --size 400x300 >"$OUT/glmark2.txt" 2>&1
good=$(grep -c 'Validation: Success' "$OUT/glmark2.txt" || true)
bad=$(grep -c 'Validation: Failure\|Unsupported\|Set up failed' "$OUT/glmark2.txt" || true)
verdict "$good scenes valid, $bad not"
[ "$good" -gt 0 ] && [ "$bad" = 0 ]
