# what: mpv's gpu-next output on Vulkan
# packages: mpv
# pictures: same
shown video 6 mpv --no-config --vo=gpu-next --gpu-sw=yes --gpu-api=vulkan --no-audio --no-osc --osd-level=0 --pause --start=1 --geometry=640x360+0+0 --no-border --dither=no av://lavfi:testsrc2=size=640x360:rate=10
