# what: llama.cpp's test-llama-archs: a small model of every architecture, beside the CPU
# packages: llama.cpp-tests libggml0-backend-vulkan
# seconds: 3600
export GGML_VK_VISIBLE_DEVICES=0
code=0
/usr/libexec/*/llama.cpp-tests/test-llama-archs >"$OUT/archs.txt" 2>&1 || code=$?
rows() { grep -E '\| *(vk_swrast|llvmpipe)' "$OUT/archs.txt"; }
verdict "$(rows | grep -vc FAIL) models good, $(rows | grep -c FAIL || true) not"
exit $code
