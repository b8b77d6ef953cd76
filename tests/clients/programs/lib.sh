# SPDX-License-Identifier: MIT
# What the programs' scripts share. They run inside the root file system with the driver chosen; $OUT is a folder for pictures.

# picture NAME: what the X server shows now becomes $OUT/NAME.png.
picture() { import -silent -window root "$OUT/$1.png"; }

# shown NAME SECONDS COMMAND...: runs COMMAND in the background until its window is no longer blank (a minute at most, $PATIENCE times), takes a picture SECONDS later
# and ends it. Fails if COMMAND ended before or drew nothing.
shown() {
	name=$1 seconds=$2; shift 2
	"$@" >"$OUT/$name.log" 2>&1 &
	shown_pid=$!
	shown_tries=0
	while picture "$name"; [ "$(identify -format %k "$OUT/$name.png")" = 1 ]; do
		shown_tries=$((shown_tries + 1))
		if ! kill -0 $shown_pid 2>/dev/null; then
			wait $shown_pid && code=0 || code=$?
			verdict "$name ended early with status $code"
			return 1
		fi
		if [ $shown_tries = $((60 * PATIENCE)) ]; then
			kill $shown_pid
			verdict "$name draws nothing"
			return 1
		fi
		sleep 1
	done
	sleep "$seconds"
	picture "$name"
	kill $shown_pid 2>/dev/null || true
	wait $shown_pid 2>/dev/null || true
	sleep 1
}

# verdict TEXT: the line that the report prints for this run; the last one counts.
verdict() { echo "$*" >"$OUT/verdict"; }

# piglit_verdict: how many of piglit's tests in $OUT/results ended how; fails if one crashed or ran out of time.
piglit_verdict() {
	piglit summary console "$OUT/results" >"$OUT/each.txt"
	piglit_count() { grep -c ": $1\$" "$OUT/each.txt" || true; }
	verdict "$(piglit_count pass) pass, $(piglit_count fail) fail, $(piglit_count crash) crash, $(piglit_count timeout) out of time, $(piglit_count skip) skipped"
	[ "$(piglit_count crash)" = 0 ] && [ "$(piglit_count timeout)" = 0 ]
}
