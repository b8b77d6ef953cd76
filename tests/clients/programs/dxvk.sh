# what: Direct3D 11 by DXVK under wine: two geometry shaders, hull and domain shader
# packages: wine wine64 dxvk vkd3d-compiler gcc-mingw-w64-x86-64-win32
# pictures: same
# seconds: 600
export WINEPREFIX=$OUT/prefix WINEDEBUG=-all WINEDLLOVERRIDES=d3d11,dxgi=n,b DXVK_LOG_PATH=$OUT
programs=$OUT/../../programs
for shader in vs gs vs_point gs_point vs_patch hs ds ps; do
	vkd3d-compiler -x hlsl -b dxbc-tpf -p ${shader%%_*}_5_0 -e $shader "$programs/dxvk.hlsl" -o "$OUT/$shader.dxbc"
done
x86_64-w64-mingw32-gcc -O1 -o "$OUT/dxvk.exe" "$programs/dxvk.c" -ld3d11 -ldxgi
cp /usr/lib/dxvk/wine64/d3d11.dll.so "$OUT/d3d11.dll"
cp /usr/lib/dxvk/wine64/dxgi.dll.so "$OUT/dxgi.dll"
wineboot -i >"$OUT/boot.log" 2>&1
cd "$OUT"
code=0
timeout 200 wine dxvk.exe . picture.ppm >dxvk.log 2>&1 || code=$?
verdict "$(grep -h '^feature level' dxvk.log || grep -ho 'Skipping.*\|No adapters.*\|Required.*not supported.*' ./*.log | head -n 1)"
[ $code = 0 ] && convert picture.ppm picture.png
