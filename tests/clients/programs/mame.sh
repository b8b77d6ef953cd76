# what: MAME's BGFX output on Vulkan: Pong, whose circuit needs no file, through the shaders of two screens
# packages: mame
# pictures: alike
# seconds: 900
export HOME=$OUT SDL_AUDIODRIVER=dummy
for chain in crt-geom-deluxe hlsl; do
	shown $chain $((10 * PATIENCE)) mame pong -homepath "$OUT" -inipath "$OUT" -video bgfx -bgfx_backend vulkan -bgfx_screen_chains $chain -bgfx_debug 0 -window -nomax \
		-resolution 640x480 -sound none -skip_gameinfo -nothrottle
done
