# what: piglit's OpenCL programs by rusticl on zink: built-in functions, atomics, vectors, the API
# packages: piglit waffle-utils mesa-opencl-icd
# seconds: 3600
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
piglit run -j 2 --timeout 120 -o quick_cl "$OUT/results" >"$OUT/run.txt" 2>&1 || true
piglit_verdict
