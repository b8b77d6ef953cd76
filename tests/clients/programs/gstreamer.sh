# what: GStreamer's Vulkan elements
# packages: gstreamer1.0-tools gstreamer1.0-plugins-bad gstreamer1.0-plugins-base gstreamer1.0-plugins-good
# pictures: same
gst-launch-1.0 videotestsrc num-buffers=1 ! video/x-raw,format=BGRA,width=320,height=240 ! vulkanupload ! vulkancolorconvert ! 'video/x-raw(memory:VulkanImage),format=RGBA' ! vulkandownload ! pngenc ! filesink location="$OUT/bars.png" >"$OUT/gst.log" 2>&1
[ -s "$OUT/bars.png" ]
