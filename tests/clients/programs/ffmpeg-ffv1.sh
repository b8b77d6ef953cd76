# what: FFmpeg's ffv1 encoder and decoder on Vulkan, lossless there and back
# packages: ffmpeg
source="-f lavfi -i testsrc2=size=320x240:rate=5:duration=1"
ffmpeg -hide_banner -loglevel error -y -init_hw_device vulkan=v -filter_hw_device v $source -vf format=yuv420p,hwupload -c:v ffv1_vulkan -level 4 -strict experimental "$OUT/v.mkv" 2>"$OUT/encode.log"
ffmpeg -hide_banner -loglevel error $source -vf format=yuv420p -f framemd5 - | grep -v '^#' >"$OUT/want.txt"
ffmpeg -hide_banner -loglevel error -i "$OUT/v.mkv" -vf format=yuv420p -f framemd5 - | grep -v '^#' >"$OUT/encoded.txt"
ffmpeg -hide_banner -loglevel error -init_hw_device vulkan=v -hwaccel vulkan -hwaccel_output_format vulkan -i "$OUT/v.mkv" -vf hwdownload,format=yuv420p -f framemd5 - 2>"$OUT/decode.log" | grep -v '^#' >"$OUT/decoded.txt"
sums() { awk '{ print $NF }' "$1"; }
[ "$(sums "$OUT/want.txt")" = "$(sums "$OUT/encoded.txt")" ] && encoder=lossless || encoder=wrong
[ "$(sums "$OUT/want.txt")" = "$(sums "$OUT/decoded.txt")" ] && decoder=lossless || decoder=wrong
verdict "encoder $encoder, decoder $decoder"
[ $encoder = lossless ] && [ $decoder = lossless ]
