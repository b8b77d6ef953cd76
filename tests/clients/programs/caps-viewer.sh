# what: the Vulkan capability viewer, its report saved
# packages: vulkan-caps-viewer-x11 python3
export QT_QPA_PLATFORM=offscreen
vulkanCapsViewer-x11 -s "$OUT/report.json" >"$OUT/viewer.log" 2>&1
verdict "$(python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(len(r["extensions"]), "extensions,", len(r["formats"]), "formats")' "$OUT/report.json")"
