# what: SuperTuxKart's own Vulkan renderer
# packages: supertuxkart
# seconds: 900
shown menu 40 /usr/games/supertuxkart --render-driver=vulkan --no-sound --windowed --screensize=640x400 --unlock-all --track=hacienda --numkarts=2 --profile-time=20
grep -qi 'vulkan' "$OUT/menu.log"
