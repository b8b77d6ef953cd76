#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the corpus of faulty programs and their repaired twins into a C table.

Usage: cases.py GLSLANG OUTPUT STAGE PREAMBLE FILE...

A file holds cases. One starts with a line `//! name finds=ID[,ID] by=WHO groups=N`, followed by GLSL; what stands between `#if FAULTY` and `#else`
is the faulty program, what follows the repaired one. `// HERE` ends the line that is to be reported, `// HERE 2` the one of the second finding, and so on; without it
it is the line of the one before.
`by` is what the message says of the invocation, `_` for a space; one for each finding, separated by `;`. A case may have `local=X[,Y[,Z]]`
(default 64), `env=vulkan1.2`, `ext=NAME[,NAME]`, `checks=` those that are on alone, `preamble=none`, `instances=N` of a draw. Of compute shaders `groups` counts
workgroups, of fragment shaders primitives. Where STAGE is `many` a line `//@ vert` and so on begins each shader of a case."""
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor


STAGES = {"vert": "VK_SHADER_STAGE_VERTEX_BIT", "tesc": "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", "tese": "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT",
          "geom": "VK_SHADER_STAGE_GEOMETRY_BIT", "task": "VK_SHADER_STAGE_TASK_BIT_EXT", "mesh": "VK_SHADER_STAGE_MESH_BIT_EXT", "frag": "VK_SHADER_STAGE_FRAGMENT_BIT",
          "comp": "VK_SHADER_STAGE_COMPUTE_BIT", "rgen": "VK_SHADER_STAGE_RAYGEN_BIT_KHR", "rint": "VK_SHADER_STAGE_INTERSECTION_BIT_KHR",
          "rahit": "VK_SHADER_STAGE_ANY_HIT_BIT_KHR", "rchit": "VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR", "rmiss": "VK_SHADER_STAGE_MISS_BIT_KHR",
          "rcall": "VK_SHADER_STAGE_CALLABLE_BIT_KHR"}


def parse(path):
    case = None
    for line in path.read_text().splitlines():
        if line.startswith("//! "):
            if case:
                yield case
            words = line[4:].split()
            case = dict(word.split("=", 1) for word in words[1:])
            case.update(name=words[0], lines=[], group=path.stem)
        elif case:
            case["lines"].append(line)
    if case:
        yield case


def shaders_of(case, stage):
    """Stage and lines of each shader."""
    if stage != "many":
        return [(stage, case["lines"])]
    shaders = []
    for line in case["lines"]:
        if line.startswith("//@ "):
            shaders.append((line[4:].strip(), []))
        else:
            shaders[-1][1].append(line)
    return shaders


def source_of(case, stage, preamble, code):
    size = (case.get("local", "64") + ",1,1").split(",")
    wanted = [name for name in case.get("ext", "").split(",") if name and (name != "GL_EXT_mesh_shader" or stage in ("task", "mesh", "frag"))]
    head = ["#version 460"] + [f"#extension {name} : require" for name in wanted]
    if stage == "comp":
        head.append(f"layout(local_size_x = {size[0]}, local_size_y = {size[1]}, local_size_z = {size[2]}) in;")
    return head + ([] if case.get("preamble") == "none" else preamble) + code


def compile_one(glslang, folder, case, stage, lines, is_faulty):
    source = folder / f"{case['group']}_{case['name']}.{stage}"
    output = folder / f"{case['name']}_{stage}_{int(is_faulty)}.spv"
    if is_faulty:
        source.write_text("\n".join(lines) + "\n")
    result = subprocess.run([glslang, "--quiet", "-V", "-g", "--target-env", case.get("env", "vulkan1.2"), f"-DFAULTY={int(is_faulty)}", "-o",
                             output.name, source.name], cwd=folder, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{case['name']}:\n{result.stdout}")
    locations = {}
    for number, line in enumerate(lines, 1):
        mark = re.search(r"// HERE ?(\d*)$", line.rstrip())
        if mark:
            locations[int(mark.group(1) or 1)] = f"{source.name}:{number}"
    return output.read_bytes(), locations


def words_of(code):
    return ",".join(f"0x{int.from_bytes(code[i:i + 4], 'little'):x}" for i in range(0, len(code), 4))


def build(glslang, folder, case, stage, preamble):
    arrays, shaders, locations = "", "", {}
    name = f"{case['group']}_{case['name']}"
    for of, code in shaders_of(case, stage):
        lines = source_of(case, of, preamble, code)
        for twin, is_faulty in (("faulty", True), ("fixed", False)):
            words, found = compile_one(glslang, folder, case, of, lines, is_faulty)
            arrays += f"static const uint32_t {name}_{of}_{twin}[] = {{{words_of(words)}}};\n"
            locations.update(found)
        shaders += f"{{{STAGES[of]}, {{{name}_{of}_faulty, {name}_{of}_fixed}}, {{sizeof({name}_{of}_faulty), sizeof({name}_{of}_fixed)}}}}, "
    finds, by = case["finds"].split(","), case.get("by", "").replace("_", " ").split(";")
    for i in range(2, len(finds) + 1):
        locations.setdefault(i, locations[i - 1])
    rows = "".join(f'{{"SANITIZE-{finds[i]}", "{locations[i + 1]}", "{by[i] if i < len(by) else ""}"}}, ' for i in range(len(finds)))
    row = (f'   {{"{case["group"]}/{case["name"]}", {{{shaders}}}, '
           f'{case.get("groups", "1")}, {case.get("instances", "1")}, {len(finds)}, {{{rows}}}}},\n')
    return arrays, row


def main():
    glslang, output, stage = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    preamble, files = pathlib.Path(sys.argv[4]).read_text().splitlines(), [pathlib.Path(name) for name in sys.argv[5:]]
    cases = [case for path in files for case in parse(path)]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        built = list(pool.map(lambda case: build(glslang, pathlib.Path(name), case, stage, preamble), cases))
    text = "/* Made by tests/instrument/cases.py. */\n" + "".join(arrays for arrays, _ in built)
    text += "static const struct instrument_case cases[] = {\n" + "".join(row for _, row in built) + "};\n"
    output.write_text(text)


if __name__ == "__main__":
    main()
