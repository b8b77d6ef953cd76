# what: SPIR-V modules that other compilers have made: vkmark's, and those of a folder /modules, if the root has one
# packages: vkmark gcc libc6-dev libvulkan-dev libspirv-cross-c-shared-dev
# seconds: 3600
gcc -O1 -o "$OUT/modules" "$OUT/../../programs/modules.c" "$OUT/../../programs/reflection.c" -lvulkan -lspirv-cross-c-shared
code=0
find /usr/share/vkmark /modules -name '*.spv' -print0 2>/dev/null | sort -z | xargs -0 "$OUT/modules" >"$OUT/modules.txt" || code=$?
verdict "$(tail -n 1 "$OUT/modules.txt")"
exit $code
