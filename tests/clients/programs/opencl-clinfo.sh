# what: OpenCL by Mesa's rusticl on zink: the version it gives
# packages: mesa-opencl-icd clinfo
# seconds: 600
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
clinfo >"$OUT/info.txt" 2>&1
verdict "$(sed -n 's/^ *Device Version  *\(OpenCL [0-9.]*\).*/\1/p' "$OUT/info.txt" | head -n 1), $(sed -n 's/^ *Device OpenCL C Version  *\(OpenCL C [0-9.]*\).*/\1/p' "$OUT/info.txt" | head -n 1)"
grep -q 'Device Name.*zink' "$OUT/info.txt"
