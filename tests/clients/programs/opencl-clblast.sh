# what: CLBlast's tests in OpenCL by rusticl on zink: vectors, matrices, products and solutions, in single, double and half precision, beside a CPU's BLAS
# packages: mesa-opencl-icd clblast-tests
# seconds: 3600
export RUSTICL_ENABLE=llvmpipe,zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 RUSTICL_FEATURES=fp64
ended=0
for routine in xaxpy xdot xnrm2 xgemv xsymv xtrsv xger xgemm xsyrk xtrsm xomatcopy xim2col; do
	code=0
	timeout 300 "clblast_test_$routine" -platform 0 -device 0 >"$OUT/$routine.txt" 2>&1 || code=$?
	[ "$code" -le 1 ] || ended=$((ended + 1)) # 1: a test failed
done
# Without colours: "N test(s) passed".
count() { sed 's/\x1b\[[0-9;]*m//g' "$OUT"/x*.txt | awk -v w="$1" '$2 == "test(s)" && $3 == w { n += $1 } END { print n + 0 }'; }
verdict "$(count passed) passed, $(count failed) failed, $ended of 12 programs ended by a signal or out of time"
[ "$ended" = 0 ] && [ "$(count failed)" = 0 ]
