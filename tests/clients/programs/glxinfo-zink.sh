# what: OpenGL on Vulkan by Mesa's zink: the version it gives
# packages: mesa-utils libgl1-mesa-dri
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
glxinfo -B >"$OUT/info.txt" 2>&1
grep -q 'OpenGL renderer string: zink' "$OUT/info.txt"
verdict "OpenGL $(sed -n 's/^OpenGL core profile version string: \([0-9.]*\).*/\1/p' "$OUT/info.txt"), ES $(sed -n 's/^OpenGL ES profile version string: OpenGL ES \([0-9.]*\).*/\1/p' "$OUT/info.txt")"
