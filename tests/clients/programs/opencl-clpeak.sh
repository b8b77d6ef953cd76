# what: clpeak, OpenCL by rusticl on zink: memory and arithmetic
# packages: mesa-opencl-icd clpeak
# seconds: 1200
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
clpeak --global-bandwidth --compute-sp --compute-integer -i 2 >"$OUT/peak.txt" 2>&1
verdict "$(grep -cE '^ +(float|int)[0-9]* +: +[0-9.]+$' "$OUT/peak.txt") rates, float4 $(awk '/Single-precision/ { p = 1 } p && $1 == "float4" { print $3; exit }' "$OUT/peak.txt") GFLOP/s"
