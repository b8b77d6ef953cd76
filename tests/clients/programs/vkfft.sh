# what: VkFFT: transforms of powers, products and primes, of two and three dimensions, of reals, beside a DFT in double precision
# packages: libvkfft-dev libvulkan-dev glslang-dev spirv-tools g++
# seconds: 900
g++ -O1 -w -DVKFFT_BACKEND=0 -I/usr/include/vkFFT -I/usr/include/glslang/Include "$OUT/../../programs/vkfft.cpp" -o "$OUT/vkfft" -lvulkan -lglslang \
	-lglslang-default-resource-limits -lSPIRV-Tools-opt -lSPIRV-Tools
"$OUT/vkfft" >"$OUT/vkfft.txt" 2>&1 && code=0 || code=$?
verdict "$(tail -n 1 "$OUT/vkfft.txt")"
exit $code
