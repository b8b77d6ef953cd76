# what: Halide's Vulkan back end: blurs, reductions and tables scheduled for the GPU, beside its own CPU code
# packages: libhalide21-dev g++
# seconds: 1200
g++ -O1 -std=c++17 -w -I/usr/include/halide21 "$OUT/../../programs/halide.cpp" -o "$OUT/halide" -lHalide21
"$OUT/halide" >"$OUT/halide.txt" 2>&1 && code=0 || code=$?
verdict "$(tail -n 1 "$OUT/halide.txt")"
exit $code
