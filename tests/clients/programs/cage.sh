# what: the compositor cage, wlroots' Vulkan renderer, headless
# packages: cage weston
# pictures: same
export WLR_BACKENDS=x11 WLR_RENDERER=vulkan WLR_RENDERER_ALLOW_SOFTWARE=1
shown flower 6 cage -- weston-flower
grep -qi 'vulkan' "$OUT/flower.log"
