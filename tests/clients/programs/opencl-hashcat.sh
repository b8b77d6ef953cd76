# what: hashcat, OpenCL by rusticl on zink: finds a password of four letters by its MD5
# packages: mesa-opencl-icd hashcat
# seconds: 1800
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
printf lava | md5sum | cut -d ' ' -f 1 >"$OUT/hash"
hashcat -m 0 -a 3 -D 1,2 --force --potfile-disable --quiet -o "$OUT/found" "$OUT/hash" '?l?l?l?l' >"$OUT/hashcat.log" 2>&1 || true
grep -q ':lava$' "$OUT/found"
verdict "found"
