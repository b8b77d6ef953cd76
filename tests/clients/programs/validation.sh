# what: vkcube under the validation layer, with synchronization
# packages: vulkan-tools vulkan-validationlayers
# pictures: alike
# seconds: 600
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_VALIDATE_SYNC=true
shown cube 2 vkcube --suppress_popups
verdict "$(grep -c 'Validation Error' "$OUT/cube.log" || true) errors"
! grep -q 'Validation Error' "$OUT/cube.log"
