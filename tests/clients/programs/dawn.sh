# what: WebGPU by Dawn without a browser: subgroups, half precision, shadows, multi-draw, clip distances, two sources of blending
# packages: libwebgpu-dawn-dev g++
# pictures: same
# seconds: 600
g++ -std=c++20 -O1 -w "$OUT/../../programs/dawn.cpp" -o "$OUT/dawn" -lwebgpu_dawn
code=0
"$OUT/dawn" "$OUT/picture.ppm" >"$OUT/dawn.txt" 2>&1 || code=$?
verdict "$(grep -m 1 -E '^(error|lost|WRONG|no )' "$OUT/dawn.txt" || grep ' features of ' "$OUT/dawn.txt")"
[ $code = 0 ] && convert "$OUT/picture.ppm" "$OUT/picture.png"
