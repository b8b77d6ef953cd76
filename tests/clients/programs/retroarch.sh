# what: RetroArch's menu on Vulkan
# packages: retroarch
# pictures: alike
mkdir -p "$OUT/config"
printf 'video_driver = "vulkan"\nvideo_fullscreen = "false"\nmenu_driver = "rgui"\naudio_driver = "null"\npause_nonactive = "false"\n' >"$OUT/config/retroarch.cfg"
shown menu 6 retroarch --verbose --config "$OUT/config/retroarch.cfg" --menu
grep -q 'Found vulkan\|\[Vulkan\]' "$OUT/menu.log"
