#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the polynomials of lower_math*.c: prints their coefficients and the largest error. Not part of the build; needs mpmath.

The polynomial P in  f(x) ~ base(x) + scale(x) * P(u(x)),  with a small largest error relative to f. Coefficients are rounded to
32-bit floats one after the other from the lowest degree, and the others fitted again after each."""
import struct
from mpmath import mp, mpf, matrix, lu_solve, sqrt, log, exp, sin, cos, asin, atan, sinh, tanh, asinh, acosh, atanh, pi, cos as mcos

mp.dps = 50


def to_float(x):
    return mpf(struct.unpack('f', struct.pack('f', float(x)))[0])


def minimax(target, weight, low, high, degrees):
    """Coefficients c so that sum(c[k] x^degrees[k]) is close to target with the least largest weighted error.

    Lawson's method: weighted least squares on Chebyshev points, weights multiplied by the error each round."""
    n, count = len(degrees), 120
    points = [(low + high) / 2 + (high - low) / 2 * mcos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    rows = [[x ** d for d in degrees] for x in points]
    values = [target(x) for x in points]
    squares = [weight(x) ** 2 for x in points]
    lawson = [mpf(1) / count] * count
    best = None
    for _ in range(12):
        a, b = matrix(n, n), matrix(n, 1)
        for i in range(count):
            w = squares[i] * lawson[i]
            for j in range(n):
                wj = w * rows[i][j]
                b[j] += wj * values[i]
                for k in range(j, n):
                    a[j, k] += wj * rows[i][k]
        for j in range(n):
            for k in range(j):
                a[j, k] = a[k, j]
        solution = lu_solve(a, b)
        c = [solution[k] for k in range(n)]
        errors = [abs(sum(ck * r for ck, r in zip(c, rows[i])) - values[i]) * sqrt(squares[i]) for i in range(count)]
        worst = max(errors)
        if best is None or worst < best[0]:
            best = (worst, c)
        lawson = [l * e for l, e in zip(lawson, errors)]
        total = sum(lawson)
        lawson = [l / total for l in lawson]
    return best[1]


def fit(name, f, base, scale, low, high, count, unit=None):
    """P has `count` coefficients and argument x in [low, high]; all of f, base, scale and unit, of which errors are counted, are functions of that x."""
    unit = unit or f
    eps = mpf(10) ** -12
    low = mpf(low) if low != 0 else eps
    high = mpf(high)

    def safe(g):
        return lambda x: g(x if abs(x) > eps else eps)
    f, base, scale, unit = safe(f), safe(base), safe(scale), safe(unit)
    done = []
    while True:
        k = len(done)
        rest = list(range(k, count))
        if not rest:
            break
        target = lambda x: (f(x) - base(x)) / scale(x) - sum(c * x ** i for i, c in enumerate(done))
        weight = lambda x: abs(scale(x) / unit(x))
        done.append(to_float(minimax(target, weight, low, high, rest)[0]))
    worst = mpf(0)
    for i in range(2001):
        x = low + (high - low) * i / 2000
        x = x if abs(x) > eps else eps
        p = sum(c * x ** i for i, c in enumerate(done))
        worst = max(worst, abs((base(x) + scale(x) * p - f(x)) / unit(x)))
    print(f'/* {name}: [{float(low):.6g}, {float(high):.6g}], {count} coefficients, error 2^{float(log(worst, 2)):.1f} */')
    print('   ' + ', '.join(float(c).hex() + 'f' for c in done))


if __name__ == '__main__':
    root = sqrt(mpf(2))
    one = mpf(1)
    fit('exp2: 1 + x P(x)', lambda x: mpf(2) ** x, lambda x: one, lambda x: x, 0, 1, 5, unit=lambda x: one) # floats are as far apart in all of [1, 2)
    fit('exp2 for pow: 1 + x P(x)', lambda x: mpf(2) ** x, lambda x: one, lambda x: x, 0, 1, 6)
    zero, low, high = mpf(0), -0.25, 0.5
    fit('log: x + x^2 P(x)', lambda x: log(1 + x), lambda x: x, lambda x: x * x, low, high, 9)
    fit('log2: x P(x)', lambda x: log(1 + x, 2), lambda x: zero, lambda x: x, low, high, 10)
    # functions of z = x^2
    fit('sin: x + x z P(z)', lambda z: sin(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, mpf('1.6') ** 2, 4)
    fit('asin: x + x z P(z)', lambda z: asin(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, 0.25, 5)
    eighth = (root - 1) ** 2
    fit('atan: x + x z P(z)', lambda z: atan(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, eighth, 4)
    fit('atan: x + x z P(z)', lambda z: atan(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, eighth, 5)
    fit('sinh: x + x z P(z)', lambda z: sinh(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, 1, 4)
    fit('tanh: x + x z P(z)', lambda z: tanh(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, mpf('0.390625'), 5)
    fit('tanh: x + x z P(z)', lambda z: tanh(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, mpf('0.390625'), 6)
    fit('asinh: x + x z P(z)', lambda z: asinh(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, 0.25, 5)
    fit('atanh: x + x z P(z)', lambda z: atanh(sqrt(z)) / sqrt(z), lambda z: one, lambda z: z, 0, 0.25, 6)
    fit('acosh(1 + t): sqrt(2 t) (1 + t P(t))', lambda t: acosh(1 + t) / sqrt(2 * t), lambda t: one, lambda t: t, 0, 0.5, 5)
