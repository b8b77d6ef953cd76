# what: SDL3's GPU programs and its renderer on GPU and Vulkan
# packages: libsdl3-tests
# pictures: alike
cd /usr/libexec/installed-tests/SDL3
for each in testgpu_simple_clear testgpu_spinning_cube testgpurender_effects testgpurender_msdf; do
	shown $each 4 env SDL_GPU_DRIVER=vulkan ./$each
done
rm "$OUT/testgpu_simple_clear.png" # its colour follows the clock
shown testgeometry-vulkan 4 ./testgeometry --renderer vulkan
shown testsprite-gpu 4 ./testsprite --renderer gpu
verdict "6 programs draw"
