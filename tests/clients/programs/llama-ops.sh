# what: llama.cpp's test-backend-ops, whole
# packages: llama.cpp-tests libggml0-backend-vulkan
# seconds: 14400
export GGML_VK_VISIBLE_DEVICES=0
ops=$(/usr/libexec/*/llama.cpp-tests/test-backend-ops --list-ops 2>/dev/null | sed -n 's/^  //p')
good=0 count=0 bad=
for op in $ops; do
	code=0
	/usr/libexec/*/llama.cpp-tests/test-backend-ops test -b Vulkan0 -o "$op" >"$OUT/$op.txt" 2>&1 || code=$?
	sums=$(grep -o '[0-9]*/[0-9]* tests passed' "$OUT/$op.txt" | tail -n 1 | sed 's, .*,,')
	good=$((good + ${sums%/*})) count=$((count + ${sums#*/}))
	[ $code = 0 ] || bad="$bad $op"
	verdict "$good of $count tests${bad:+; not all of$bad}"
done
[ -z "$bad" ]
