# what: Direct3D 9 by DXVK without wine: lights, fog, texture stages, sprites, clip planes, multisampling, shader model 3
# packages: libdxvk-native-dev libdxvk-d3d9-0 libsdl3-dev vkd3d-compiler g++
# pictures: same
# seconds: 400
programs=$OUT/../../programs
vkd3d-compiler -x hlsl -b d3dbc -p vs_3_0 -e vs "$programs/dxvk-d3d9.hlsl" -o "$OUT/vs.d3dbc"
vkd3d-compiler -x hlsl -b d3dbc -p ps_3_0 -e ps "$programs/dxvk-d3d9.hlsl" -o "$OUT/ps.d3dbc"
g++ -O1 -w -I/usr/include/dxvk "$programs/dxvk-d3d9.cpp" -o "$OUT/d3d9" -ldxvk_d3d9 -lSDL3
export DXVK_WSI_DRIVER=SDL3 DXVK_LOG_PATH=none
code=0
"$OUT/d3d9" "$OUT" "$OUT/picture.ppm" >"$OUT/d3d9.txt" 2>&1 || code=$?
verdict "$(grep -m 1 -v '^info\|^warn\|^adapter' "$OUT/d3d9.txt")"
[ $code = 0 ] && convert "$OUT/picture.ppm" "$OUT/picture.png"
