# what: piglit on zink: each 100th test of its quick profile
# packages: piglit waffle-utils libgl1-mesa-dri
# seconds: 5400
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
piglit print-cmd --format '{name}' quick 2>/dev/null | awk 'NR % 100 == 50' >"$OUT/tests.txt"
for _ in $(seq 30); do # it prints names that it does not take, and ends at the first of them
	rm -rf "$OUT/results"
	piglit run -p glx -j 2 --timeout 120 --test-list "$OUT/tests.txt" -o quick "$OUT/results" >"$OUT/run.txt" 2>&1 || true
	unknown=$(sed -n "s/^KeyError: ['\"]\(.*\)['\"]\$/\1/p" "$OUT/run.txt")
	[ -n "$unknown" ] || break
	grep -vF -e "$unknown" "$OUT/tests.txt" >"$OUT/known.txt" && mv "$OUT/known.txt" "$OUT/tests.txt"
done
piglit_verdict
