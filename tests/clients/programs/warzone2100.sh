# what: Warzone 2100's own Vulkan renderer, its menu
# packages: warzone2100
# pictures: alike
# seconds: 600
# The package starts it in a sandbox that wants /dev/dri.
mkdir -p "$OUT/config"
shown menu 60 /usr/games/warzone2100.real --gfxbackend=vulkan --window --resolution=640x480 --nosound --configdir="$OUT/config"
grep -qi 'vulkan' "$OUT/menu.log"
