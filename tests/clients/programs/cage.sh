# what: the compositor cage, wlroots' Vulkan renderer, headless
# packages: cage weston
# pictures: same
export WLR_BACKENDS=x11 WLR_RENDERER=vulkan WLR_RENDERER_ALLOW_SOFTWARE=1
shown flower 6 cage -- weston-flower || { verdict "$(sed -n 's/.*ERROR.*] //p' "$OUT/flower.log" | head -n 1)"; exit 1; }
grep -qi 'vulkan' "$OUT/flower.log"
