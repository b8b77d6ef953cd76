# what: Chromium drawing all of itself on Vulkan
# packages: chromium
# pictures: same
cat >"$OUT/page.html" <<'END'
<body style="margin:0;background:linear-gradient(45deg,#204060,#e0a030)"><div style="margin:40px;width:200px;height:120px;border-radius:30px;background:#fff8;box-shadow:8px 8px 20px #000;transform:rotate(8deg);font:40px 'DejaVu Sans'">Vulkan</div>
END
timeout 200 chromium --headless --no-sandbox --disable-background-networking --user-data-dir="$OUT/profile" --use-angle=vulkan --use-vulkan=native --enable-features=Vulkan --ignore-gpu-blocklist \
	--window-size=400,300 --virtual-time-budget=4000 --screenshot="$OUT/page.png" "file://$OUT/page.html" >"$OUT/chromium.log" 2>&1
[ -s "$OUT/page.png" ]
! grep -q 'Failed to initialize Skia\|is not supported' "$OUT/chromium.log"
