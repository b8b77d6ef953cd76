# what: FFmpeg's Vulkan filters, the picture of each
# packages: ffmpeg
# pictures: same
good=0 bad=
filter() {
	name=$1 graph=$2
	if ffmpeg -hide_banner -loglevel error -y -init_hw_device vulkan=v -filter_hw_device v -f lavfi -i testsrc2=size=640x360:rate=10 -f lavfi -i smptebars=size=640x360:rate=10 \
		-filter_complex "[0]format=$3,hwupload[a];[1]format=$3,hwupload[b];$graph,hwdownload,format=$3" -frames:v 1 "$OUT/$name.png" 2>"$OUT/$name.log"; then
		good=$((good + 1))
	else
		bad="$bad $name"
	fi
}
filter avgblur '[b]nullsink;[a]avgblur_vulkan' rgba
filter gblur '[b]nullsink;[a]gblur_vulkan' rgba
filter flip '[b]nullsink;[a]flip_vulkan' rgba
filter hflip '[b]nullsink;[a]hflip_vulkan' yuv420p
filter vflip '[b]nullsink;[a]vflip_vulkan' yuv420p
filter transpose '[b]nullsink;[a]transpose_vulkan' rgba
filter scale '[b]nullsink;[a]scale_vulkan=w=320:h=200' nv12
filter nlmeans '[b]nullsink;[a]nlmeans_vulkan=s=3' yuv420p
filter bwdif '[b]nullsink;[a]bwdif_vulkan' yuv420p
filter interlace '[b]nullsink;[a]interlace_vulkan' yuv420p
filter overlay '[a][b]overlay_vulkan=x=20:y=10' rgba
filter blend '[a][b]blend_vulkan=all_mode=multiply' rgba
filter xfade '[a][b]xfade_vulkan=duration=1' rgba
filter libplacebo '[b]nullsink;[a]libplacebo=w=320:h=180:upscaler=ewa_lanczos' rgba
verdict "$good filters of 14${bad:+; not:$bad}"
[ -z "$bad" ]
