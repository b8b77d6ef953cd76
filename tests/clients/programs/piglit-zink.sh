# what: piglit on zink: each 100th test of its quick profile
# packages: piglit waffle-utils libgl1-mesa-dri
# seconds: 5400
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
piglit print-cmd --format '{name}' quick 2>/dev/null | awk 'NR % 100 == 50' >"$OUT/tests.txt"
piglit run -p glx -j 2 --timeout 120 --test-list "$OUT/tests.txt" -o quick "$OUT/results" >"$OUT/run.txt" 2>&1
piglit summary console -a "$OUT/results" >"$OUT/each.txt"
count() { grep -c ": $1\$" "$OUT/each.txt" || true; }
verdict "$(count pass) pass, $(count fail) fail, $(count crash) crash, $(count timeout) out of time, $(count skip) skipped"
[ "$(count crash)" = 0 ] && [ "$(count timeout)" = 0 ]
