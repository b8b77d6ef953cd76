# what: vkBasalt's layer (sharpening, FXAA, SMAA) over vkcube
# packages: vulkan-tools vkbasalt
# pictures: alike
printf 'effects = cas:fxaa:smaa\n' >"$OUT/vkBasalt.conf"
export ENABLE_VKBASALT=1 VKBASALT_CONFIG_FILE=$OUT/vkBasalt.conf VKBASALT_LOG_FILE=$OUT/layer.log
shown basalt 2 vkcube --suppress_popups
grep -q 'vkBasalt info' "$OUT/layer.log"
