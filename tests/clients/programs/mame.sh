# what: MAME's BGFX output on Vulkan: Pong, whose circuit needs no file, through the shaders of two screens
# packages: mame
# pictures: alike
# seconds: 900
export HOME=$OUT SDL_AUDIODRIVER=dummy
games=/usr/share/games/mame
# It does not end when it is asked to while it emulates.
for chain in hlsl lcd-grid; do
	timeout -s KILL $((60 * PATIENCE)) /usr/games/mame pong -homepath "$OUT" -inipath "$OUT" -artpath $games/artwork -video bgfx -bgfx_path $games/bgfx \
		-bgfx_backend vulkan -bgfx_screen_chains $chain -window -nomax -resolution 640x480 -sound none -skip_gameinfo -nothrottle >"$OUT/$chain.log" 2>&1 &
	sleep $((20 * PATIENCE))
	picture $chain
	kill -9 $! || verdict "$chain ended early"
	pkill -9 -x mame || true
	sleep 1
	[ "$(identify -format %k "$OUT/$chain.png")" -gt 2 ]
	! grep -i 'unable to load\|falling back' "$OUT/$chain.log"
done
