# what: llama.cpp's test-backend-ops, whole
# packages: llama.cpp-tests libggml0-backend-vulkan
# seconds: 14400
export GGML_VK_VISIBLE_DEVICES=0
code=0
/usr/libexec/*/llama.cpp-tests/test-backend-ops test -b Vulkan0 >"$OUT/ops.txt" 2>&1 || code=$?
verdict "$(grep -o '[0-9]*/[0-9]* tests passed' "$OUT/ops.txt" | tail -n 1)"
exit $code
