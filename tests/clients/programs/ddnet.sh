# what: DDNet's own Vulkan renderer, its menu
# packages: ddnet
# pictures: alike
shown menu 15 /usr/games/DDNet "gfx_backend Vulkan" "gfx_fullscreen 0" "gfx_screen_width 800" "gfx_screen_height 600"
grep -q 'Created Vulkan' "$OUT/menu.log"
