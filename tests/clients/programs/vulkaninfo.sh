# what: vulkaninfo, whole
# packages: vulkan-tools
vulkaninfo >"$OUT/info.txt" 2>"$OUT/info.err"
verdict "$(sed -n 's/^\tdeviceName *= //p' "$OUT/info.txt" | head -n 1), Vulkan $(sed -n 's/^\tapiVersion *= \([0-9.]*\).*/\1/p' "$OUT/info.txt" | head -n 1)"
