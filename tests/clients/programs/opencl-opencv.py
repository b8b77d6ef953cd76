# SPDX-License-Identifier: MIT
# For opencl-opencv.sh: what OpenCV computes by OpenCL is compared with what it computes by the CPU.
import sys
import time

import cv2
import numpy

random = numpy.random.default_rng(7)
GREY = cv2.resize(random.integers(0, 256, (40, 60), numpy.uint8), (481, 321), interpolation=cv2.INTER_CUBIC)
COLOUR = cv2.merge([GREY, cv2.flip(GREY, 0), cv2.flip(GREY, 1)])
FLOATS = GREY.astype(numpy.float32) / 255
MATRIX = random.standard_normal((192, 192)).astype(numpy.float32)
TURN = cv2.getRotationMatrix2D((240, 160), 17, 0.9)
TILT = numpy.array([[1, 0.1, -20], [0.05, 1, 5], [0.0002, 0.0003, 1]])

# Each: what it computes of its input, and how far the results may be from each other.
OPERATIONS = {
    'GaussianBlur': (lambda x: cv2.GaussianBlur(x, (9, 9), 2), COLOUR, 2),
    'medianBlur': (lambda x: cv2.medianBlur(x, 5), GREY, 0),
    'bilateralFilter': (lambda x: cv2.bilateralFilter(x, 9, 40, 40), COLOUR, 2),
    'filter2D': (lambda x: cv2.filter2D(x, cv2.CV_32F, numpy.arange(25, dtype=numpy.float32).reshape(5, 5) / 300), GREY, 1e-2),
    'Sobel': (lambda x: cv2.Sobel(x, cv2.CV_16S, 1, 1, ksize=5), GREY, 0),
    'Canny': (lambda x: cv2.Canny(x, 60, 120), GREY, 0),
    'erode': (lambda x: cv2.erode(x, numpy.ones((7, 3), numpy.uint8)), COLOUR, 0),
    'morphologyEx': (lambda x: cv2.morphologyEx(x, cv2.MORPH_GRADIENT, numpy.ones((5, 5), numpy.uint8)), GREY, 0),
    'resize, area': (lambda x: cv2.resize(x, (123, 77), interpolation=cv2.INTER_AREA), COLOUR, 2),
    'resize, linear': (lambda x: cv2.resize(x, (700, 500), interpolation=cv2.INTER_LINEAR), COLOUR, 2),
    'warpAffine': (lambda x: cv2.warpAffine(x, TURN, (481, 321), flags=cv2.INTER_LINEAR), FLOATS, 3e-2),
    'warpPerspective': (lambda x: cv2.warpPerspective(x, TILT, (481, 321), flags=cv2.INTER_NEAREST), GREY, 255),
    'pyrDown': (lambda x: cv2.pyrDown(x), COLOUR, 1),
    'cvtColor, Lab': (lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2Lab), COLOUR, 2),
    'cvtColor, HSV': (lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2HSV), COLOUR, 2),
    'cvtColor, YUV': (lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2YUV), COLOUR, 1),
    'equalizeHist': (lambda x: cv2.equalizeHist(x), GREY, 1),
    'integral': (lambda x: cv2.integral(x), GREY, 0),
    'threshold': (lambda x: cv2.threshold(x, 100, 255, cv2.THRESH_TOZERO)[1], COLOUR, 0),
    'adaptiveThreshold': (lambda x: cv2.adaptiveThreshold(x, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 3), GREY, 0),
    'matchTemplate': (lambda x: cv2.matchTemplate(x, GREY[100:120, 200:230], cv2.TM_CCOEFF_NORMED), GREY, 1e-2),
    'dft': (lambda x: cv2.dft(x, flags=cv2.DFT_COMPLEX_OUTPUT), cv2.resize(FLOATS, (256, 240)), 0.2),
    'gemm': (lambda x: cv2.gemm(x, x, 0.5, x, 2.0, flags=cv2.GEMM_1_T), MATRIX, 1e-3),
    'transpose': (lambda x: cv2.transpose(x), COLOUR, 0),
    'flip': (lambda x: cv2.flip(x, -1), COLOUR, 0),
    'exp': (lambda x: cv2.exp(x), MATRIX, 1e-3),
    'pow': (lambda x: cv2.pow(x, 3), MATRIX, 1e-3),
    'sqrt': (lambda x: cv2.sqrt(x), FLOATS, 1e-5),
    'normalize': (lambda x: cv2.normalize(x, None, 0, 1, cv2.NORM_MINMAX), FLOATS, 1e-5),
    'reduce': (lambda x: cv2.reduce(x, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S), GREY, 0),
    'addWeighted': (lambda x: cv2.addWeighted(x, 0.3, x, 0.9, 5), COLOUR, 1),
    'LUT': (lambda x: cv2.LUT(x, numpy.arange(255, -1, -1).astype(numpy.uint8)), COLOUR, 0),
}


def share_that_differs(a, b, bound):
    a, b = numpy.asarray(a, numpy.float64), numpy.asarray(b, numpy.float64)
    return 1.0 if a.shape != b.shape else float((~(abs(a - b) <= bound)).mean())


cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    print('no OpenCL')
    sys.exit(1)
print(cv2.ocl.Device.getDefault().name())
good = 0
for name, (operation, values, bound) in OPERATIONS.items():
    start = time.monotonic()
    result = operation(cv2.UMat(values)).get()
    first = time.monotonic() - start
    cv2.ocl.setUseOpenCL(False)
    expected = operation(values)
    cv2.ocl.setUseOpenCL(True)
    share = share_that_differs(result, expected, bound)
    print(f'{name}: {share:.6f} differ, {first * 1e3:.0f} ms', flush=True)
    good += share <= 0.001
print(f'{good} of {len(OPERATIONS)} operations agree')
sys.exit(good < len(OPERATIONS))
