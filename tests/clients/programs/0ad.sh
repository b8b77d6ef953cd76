# what: 0 A.D.'s own Vulkan renderer: a match's first minute, terrain, shadows and hundreds of models
# packages: 0ad
# pictures: alike
# seconds: 900
# It takes 1.4 GB to download. It does not run as root.
mkdir -p "$OUT/home/.config/0ad/config"
printf 'rendererbackend = "vulkan"\nwindowed = true\nxres = 640\nyres = 480\nsplashscreenenable = false\n' >"$OUT/home/.config/0ad/config/user.cfg"
chmod -R a+rwX "$OUT"
export HOME="$OUT/home" XDG_CONFIG_HOME="$OUT/home/.config" XDG_CACHE_HOME="$OUT/home/cache" XDG_RUNTIME_DIR="$OUT/home" SDL_AUDIODRIVER=dummy
setpriv --reuid=nobody --regid=nogroup --clear-groups /usr/games/pyrogenesis -mod=public -nosound -quickstart -autostart=skirmishes/acropolis_bay_2p \
	-autostart-seed=1 -autostart-civ=1:athen -autostart-civ=2:athen >"$OUT/match.log" 2>&1 &
tries=0
while picture match; [ "$(identify -format %k "$OUT/match.png")" -lt 20000 ]; do
	tries=$((tries + 1))
	[ $tries -lt $((60 * PATIENCE)) ]
	kill -0 $!
	sleep 2
done
sleep $((5 * PATIENCE))
picture match
kill -9 $!
grep -q 'SwapChain image count' "$OUT/home/.local/state/0ad/log/mainlog.html"
