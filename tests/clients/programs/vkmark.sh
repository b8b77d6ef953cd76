# what: vkmark, short, every scene
# packages: vkmark
vkmark -s 640x360 --winsys xcb -b vertex:duration=2 -b texture:duration=2 -b shading:duration=2 -b desktop:duration=2 \
	-b effect2d:duration=2 -b cube:duration=2 -b clear:duration=2 >"$OUT/vkmark.txt" 2>&1
verdict "$(awk '/FPS:/ { n++; for (i = 1; i <= NF; i++) if ($i == "FPS:") s += log($(i + 1)) } END { printf "%d scenes, %.0f frames a second", n, exp(s / n); exit n < 7 }' "$OUT/vkmark.txt")"
