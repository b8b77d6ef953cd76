# what: weston's Vulkan renderer
# packages: weston
# pictures: same
shown desktop 8 weston --backend=x11 --renderer=vulkan --width=640 --height=400 --no-config --socket=w1
grep -qi 'vulkan' "$OUT/desktop.log"
