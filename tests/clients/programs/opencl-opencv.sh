# what: OpenCV's kernels in OpenCL by rusticl on zink: filters, transforms and matrices beside OpenCV's own CPU code
# packages: mesa-opencl-icd python3-opencv
# seconds: 1200
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 OPENCV_OPENCL_DEVICE=:CPU: OPENCV_OPENCL_CACHE_ENABLE=false
code=0
python3 "$OUT/../../programs/opencl-opencv.py" >"$OUT/opencv.txt" 2>&1 || code=$?
verdict "$(tail -n 1 "$OUT/opencv.txt")"
exit $code
