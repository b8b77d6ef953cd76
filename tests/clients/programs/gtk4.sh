# what: GTK 4 drawing on Vulkan: a window of widgets, and render nodes
# packages: gtk-4-examples libgtk-4-bin gstreamer1.0-plugins-base
# pictures: same
export GSK_RENDERER=vulkan GTK_A11Y=none GDK_BACKEND=x11 GSETTINGS_BACKEND=memory
shown widgets 8 gtk4-widget-factory
rm "$OUT/widgets.png" # it has one of two layouts, by chance
cat >"$OUT/scene.node" <<'END'
color { bounds: 0 0 320 240; color: rgb(30,40,70); }
rounded-clip {
  clip: 20 20 180 120 / 30;
  child: linear-gradient { bounds: 20 20 180 120; start: 20 20; end: 200 140; stops: 0 rgb(255,160,0), 0.5 rgb(200,40,90), 1 rgb(60,0,160); }
}
shadow {
  shadows: rgb(0,0,0) 6 6 8;
  child: text { color: rgb(255,255,255); font: "DejaVu Sans 24"; glyphs: "Vulkan"; offset: 60 190; }
}
blend { mode: difference; bottom: radial-gradient { bounds: 180 90 130 130; center: 245 155; hradius: 65; vradius: 65; start: 0; end: 1; stops: 0 rgb(255,255,0), 1 rgb(0,90,120); }
  top: color { bounds: 210 120 60 60; color: rgba(255,255,255,0.7); } }
blur { blur: 5; child: border { outline: 230 20 70 50 / 12; widths: 8; colors: rgb(120,255,180); } }
END
gtk4-rendernode-tool render --renderer=vulkan "$OUT/scene.node" "$OUT/scene.png" >"$OUT/render.log" 2>&1
