# what: whisper.cpp, a small model with random weights: what it hears
# packages: whisper.cpp-tools libggml0-backend-vulkan python3 python3-numpy
# seconds: 900
export GGML_VK_VISIBLE_DEVICES=0
python3 "$OUT/../../programs/whisper.py" "$OUT/model.bin" "$OUT/sound.wav"
listen() { whisper-cli -m "$OUT/model.bin" -f "$OUT/sound.wav" -bs 1 -bo 1 -nf -oj -of "$OUT/$1" ${2:-} >"$OUT/$1.log" 2>&1; }
words() { sed -n '/"transcription"/,$ s/.*"text": "\(.*\)".*/\1/p' "$OUT/$1.json"; }
listen cpu -ng
listen gpu
grep -q 'using Vulkan0 backend' "$OUT/gpu.log"
verdict "$(words gpu | wc -w) words, $(diff "$OUT/cpu.json" "$OUT/gpu.json" >/dev/null && echo 'those of the CPU' || echo 'not those of the CPU')"
rm "$OUT/model.bin"
