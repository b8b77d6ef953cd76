# what: Skia on OpenGL by zink: gradients, paths, clips, every blend mode, filters and runtime effects, with and without multisampling
# packages: libskia-dev libgl-dev libx11-dev libgl1-mesa-dri g++
# pictures: same
# seconds: 600
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
g++ -std=c++20 -O1 -w -I/usr/include/skia "$OUT/../../programs/skia-zink.cpp" -o "$OUT/skia" -lskia -lGL -lX11
code=0
"$OUT/skia" "$OUT" >"$OUT/skia.txt" 2>&1 || code=$?
verdict "$(grep -m 1 fails "$OUT/skia.txt" || grep -c ^drawn "$OUT/skia.txt") of 2 draw"
exit $code
