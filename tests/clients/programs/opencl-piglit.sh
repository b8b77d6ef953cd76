# what: piglit's OpenCL programs by rusticl on zink: built-in functions, atomics, vectors, the API
# packages: piglit waffle-utils mesa-opencl-icd
# seconds: 3600
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
piglit run -j 2 --timeout 120 -o quick_cl "$OUT/results" >"$OUT/run.txt" 2>&1 || true
piglit summary console "$OUT/results" >"$OUT/each.txt"
count() { grep -c ": $1\$" "$OUT/each.txt" || true; }
verdict "$(count pass) pass, $(count fail) fail, $(count crash) crash, $(count timeout) out of time, $(count skip) skipped"
[ "$(count crash)" = 0 ] && [ "$(count timeout)" = 0 ]
