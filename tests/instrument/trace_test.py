#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""VK_SWRAST_TRACE prints the values of one invocation, by line: the same at any width and number of threads, and of nobody else.

Usage: trace_test.py INSTRUMENT_TEST PRINT_TEST"""
import os
import re
import subprocess
import sys

INSTRUMENT, PRINT = 1, 2

# program, its case, VK_SWRAST_TRACE, and lines in their order, with those between left out.
CASES = [
    (INSTRUMENT, "bounds/wrong_stride", "bounds/wrong_stride,85", [
        r'trace of invocation \(21, 0, 0\) of workgroup \(1, 0, 0\), in main, module [0-9a-f]{16}, pipeline "bounds/wrong_stride"',
        r"  bounds_wrong_stride.comp:16:  float z = f_data\[gid \* 3 \+ 2\]; // HERE",
        "    gl_GlobalInvocationID.x is 85", r"    %\d+ OpIMul: 255", r"    %\d+ OpIAdd: 257", r"    f_data\[257\] is 0", "    z = 0"]),
    (INSTRUMENT, "bounds/off_by_one_loop", "bounds/off_by_one_loop,0", [
        "    sum = 0", "    i = 0", "    size is 256", r"    in_data\[0\] is 0", "    i = 1", r"    in_data\[255\] is 255", "    sum = 32640", r"    out_data\[0\] = 32640"]),
    (INSTRUMENT, "numbers/normalize_zero", "numbers/normalize_zero:compute,0,0,0", [
        r"  numbers_normalize_zero.comp:15:  vec3 v = vec3\(f_data\[gid\], 0.0, 0.0\);", r"    v = \(0, 0, 0\)", r"    n = \(nan, 0, 0\)"]),
    (PRINT, "vertices", "*,1,1", [r"trace of fragment \(1, 1\), sample 0 of primitive 0, .*",
                                  "    gl_FragCoord.x is 1.5", r"    %\d+ OpFAdd: 3", r"    %\d+ OpFOrdLessThan: false"]),
    (PRINT, "instances", "*:vertex,2,1", ["trace of vertex 2 of instance 1, .*", "    gl_VertexIndex is 2", r"    gl_Position = \(-1, 3, 0, 1\)"]),
    (PRINT, "tessellation", "*:control,0,2", ["trace of invocation 2 of patch 0, .*", "    gl_InvocationID is 2", r"    gl_TessLevelOuter\[2\] = 1"]),
    (PRINT, "tessellation", "*:evaluation,0", [r"trace of vertex at \(0, 0, 1\) of patch 0, .*", r"    gl_TessCoord.z is 1", r"trace of vertex at \(0, 1, 0\).*"]),
    (PRINT, "geometry", "*:geometry,0", ["trace of invocation 0 of primitive 0, .*", "    i = 0", "    i = 3", r"    %\d+ OpSLessThan: false"]),
    (PRINT, "mesh", "*:task,1", [r"trace of invocation \(1, 0, 0\) of workgroup \(0, 0, 0\), .*", "    gl_LocalInvocationIndex is 1"]),
    (PRINT, "mesh", "*:mesh,2", ["    gl_LocalInvocationIndex is 2", r"    gl_MeshVerticesEXT\[2\].gl_Position = \(-1, 3, 0, 1\)"]),
    (PRINT, "rays", "*,2", [r"trace of launch \(2, 0, 0\), .*", "    value = 2", "    value = 202", "    value is 202"]),
    (PRINT, "rays", "*:closest_hit,0", ["    gl_(HitT|RayTmax)EXT is 1", "    value = 100"]),
]

WIDTHS = [{}, {"VK_SWRAST_LANES": "4", "VK_SWRAST_THREADS": "0"}, {"VK_SWRAST_LANES": "8", "VK_SWRAST_THREADS": "3"}]


def run(program, case, trace, **variables):
    """The programs fail, as their checks are off: what they say of that is on stdout."""
    environment = {**os.environ, "VK_SWRAST_TRACE": trace, "VK_SWRAST_DEBUG": "", **variables}
    result = subprocess.run([sys.argv[program], case], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode in (0, 1), result
    return [line.removeprefix("vk_swrast: ") for line in result.stderr.splitlines() if line.startswith("vk_swrast: ")]


def main():
    for program, case, trace, wanted in CASES:
        lines = run(program, case, trace)
        at = 0
        for text in wanted:
            while at < len(lines) and not re.fullmatch(text, lines[at]):
                at += 1
            assert at < len(lines), f"{case}, {trace}: {text} is not printed in its order: " + "\n".join(lines)
        for variables in WIDTHS[1:]:
            assert run(program, case, trace, **variables) == lines, f"{case}, {trace}: {variables} prints something else"
    assert run(INSTRUMENT, "bounds/wrong_stride", "another name,85") == []
    assert run(INSTRUMENT, "bounds/wrong_stride", "bounds/wrong_stride:vertex,85") == []
    module = re.search("module ([0-9a-f]{16})", run(INSTRUMENT, "bounds/wrong_stride", "*,85")[0])[1]
    assert len(run(INSTRUMENT, "bounds/wrong_stride", module + ",85")) > 5
    for malformed in ("name", "name,", "name,x", ",3"):
        assert "is not NAME,X" in run(PRINT, "formats", malformed)[0], malformed


main()
