# SPDX-License-Identifier: MIT
"""Circles of files that call each other: somebody should be able to read a folder from its lowest file up, so there are
none but those that ALLOWED and KNOWN name.

A file calls another if it names a function or a global variable that the other defines. Definitions are found by the tree's layout (a name at the
left margin, a brace on a line of its own), names by their prefix; what macros make up is not seen, and neither are inline functions of headers."""
import collections
import re

# Calls that go up, by file and function, with the reason.
ALLOWED = {
    ("compiler/llvm/cg_value.c", "cg_emit_instr"): "a value that another segment made is computed again where it is read",
    ("compiler/llvm/cg_flow.c", "cg_emit_instr"): "a region is made of instructions, of which some have regions",
    ("compiler/llvm/cg_workgroup.c", "cg_emit_instr"): "the same between barriers",
    ("compiler/spirv/spirv_function.c", "spirv_instruction"): "a function is made of instructions, of which some call functions",
    ("compiler/spirv/memory/spirv_values.c", "spirv_load"): "a part of an array that stayed in memory is loaded where something names it",
    ("compiler/spirv/memory/spirv_values.c", "spirv_pointer_child"): "the same",
    ("compiler/spirv/memory/spirv_values.c", "spirv_variable_pointer"): "a variable has a pointer as soon as something names it",
}
# Files that call each other, with the reason.
KNOWN = {
    frozenset(f"compiler/spirv/{name}.c" for name in ("memory/spirv_heap", "memory/spirv_interface", "memory/spirv_memory", "memory/spirv_pointer",
                                                      "memory/spirv_rows", "rays/spirv_ray", "rays/spirv_trace")):
        "a step into a pointer may load, of a mapped binding or an input that is copied, and a load steps into pointers; what of a ray is asked "
        "by name stands in a variable",
    frozenset({"icd/accel/acceleration_structure.c", "icd/accel/build.c"}): "structures and what makes them are not separated yet",
    frozenset(f"runtime/instrument/{name}.c" for name in ("accesses", "patterns", "races", "recordings")):
        "races take out what accesses put off, and what was not noted since another workgroup did it may have to be noted yet",
    frozenset(f"runtime/texture/{name}.c" for name in ("converted", "fast", "run", "whole")): "each runs what it does not do itself by another",
}
LAYERS = ("util", "compiler", "runtime", "wsi", "icd")
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
FUNCTION = re.compile(r"^(?!static\b|typedef\b)(?=[a-zA-Z_])[^;{}=#]*?\b([a-z]\w+)\([^;{}]*\)[^;{}()]*\n\{", re.M)
VARIABLE = re.compile(r"^(?!static\b|extern\b|typedef\b|return\b)(?=[a-zA-Z_])[^;{}=#()]*?\b([a-z]\w+)(?:\[[^\]]*\])* =", re.M)
DECLARATION = re.compile(r"^(?=[a-zA-Z_])[^;{}=#]*\([^;{}]*\)[^;{}]*;", re.M)
NAME = re.compile(r"(?<!struct )(?<!union )(?<!enum )(?<![.>\w])(?:util|abi|spirv|ir|cg|comp|rt|wsi|icd)_\w+")


def calls_of(texts):
    """What each file names of each other: {caller: {callee: {names}}}."""
    owners = {match.group(1): path for path, text in texts.items() for pattern in (FUNCTION, VARIABLE) for match in pattern.finditer(text)}
    calls = {path: collections.defaultdict(set) for path in texts}
    for path, text in texts.items():
        for name in set(NAME.findall(DECLARATION.sub("", text))):
            owner = owners.get(name)
            if owner and owner != path and (path, name) not in ALLOWED:
                calls[path][owner].add(name)
    return calls


def circles_of(calls):
    """Sets of files each of which reaches all others: Tarjan's algorithm, without recursion."""
    index, low, stack, found = {}, {}, [], []
    for start in calls:
        walk = [(start, None)] if start not in index else []
        while walk:
            node, targets = walk.pop()
            if targets is None:
                index[node] = low[node] = len(index)
                stack.append(node)
                targets = iter(calls[node])
            for target in targets:
                if target not in index:
                    walk += [(node, targets), (target, None)]
                    break
                if target in stack:
                    low[node] = min(low[node], low[target])
            else:
                if low[node] == index[node]:
                    circle = stack[stack.index(node):]
                    del stack[-len(circle):]
                    found += [circle] if len(circle) > 1 else []
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
    return found


def check_circles(root, sources):
    texts = {str(path): NO_CODE.sub("", (root / path).read_text()) for path in sources if path.suffix == ".c" and path.parts[0] in LAYERS}
    calls = calls_of(texts)
    for circle in circles_of(calls):
        if any(known.issuperset(circle) for known in KNOWN):
            continue
        yield f"{len(circle)} files call each other in a circle (docs/STYLE.md; tests/lint/circles.py):"
        for path in sorted(circle):
            for other in sorted(set(calls[path]) & set(circle)):
                yield f"   {path} calls {other}: {', '.join(sorted(calls[path][other]))}"
