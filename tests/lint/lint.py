#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the tree's own rules: layers and what they are made of, file sizes, headers that compile alone, licence tags, folder READMEs, stray paths,
sizes that are added or multiplied without a check, names in words that are not the field's.

Usage: lint.py SOURCE-ROOT CC [CFLAGS...]   Prints each violation and, last, `N passed, N failed`."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

import circles

# What each folder may include, besides itself. (docs/ARCHITECTURE.md, "Layers")
LAYERS = {
    "util": [],
    "abi": ["util"],
    "compiler": ["abi", "util", "gen"],
    "runtime": ["abi", "util", "gen"],
    "wsi": ["abi", "util", "gen"],
    "icd": ["compiler", "runtime", "wsi", "abi", "util", "gen"],
    "tests": None,  # anything
}
# Folders, and files beside them by their stem, from the bottom upwards: each includes itself and what rows above it here name. (runtime/README.md)
SUBLAYERS = {
    "runtime": [
        ["abort", "state", "pool", "pool_internal", "graph", "grid", "parts", "scale", "watchdog", "sparse"],
        ["format", "matrix", "sync"],
        ["image", "accel"],
        ["texture", "cmd"],
        ["instrument"],
        ["device.h"],
        ["draw"],
        ["fragment"],
        ["geometry"],
        ["raster"],
        ["render"],
        ["queue"],
        ["compute", "transfer", "rays", "nodes"],
        ["helpers"],
        ["device.c"],
    ],
}
MAX_LINES, MAX_COLUMNS = 1500, 160
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def layer_of(path):
    return "abi" if path.parts[0] == "include" else path.parts[0]


def check_layers(root, sources):
    for path in sources:
        allowed = LAYERS.get(layer_of(path))
        if allowed is None:
            continue
        for target in INCLUDE.findall((root / path).read_text()):
            top = target.split("/")[0] if "/" in target else None
            if top not in LAYERS and top != "gen":
                yield f"{path}: \"{target}\" is not relative to the root"
            elif top != layer_of(path) and top not in allowed:
                yield f"{path}: {layer_of(path)} may not include {target}"
            elif layer_of(path) == "icd" and top == "compiler" and target != "compiler/compiler.h":
                yield f"{path}: icd sees the compiler through compiler/compiler.h only"


def sublayer_of(path, rows):
    """(row, name) of a file of a layer that has sub-layers; (None, name) if no row names it."""
    parts = path.split("/")
    names = [parts[1]] if len(parts) > 2 else [parts[1], parts[1].rsplit(".", 1)[0]]
    return next(((number, name) for number, row in enumerate(rows) for name in names if name in row), (None, names[-1]))


def check_sublayers(root, sources):
    for path in sources:
        rows = SUBLAYERS.get(path.parts[0])
        if not rows:
            continue
        row, name = sublayer_of(str(path), rows)
        if row is None:
            yield f"{path}: no row of SUBLAYERS names {name}"
            continue
        for target in INCLUDE.findall((root / path).read_text()):
            if not target.startswith(path.parts[0] + "/"):
                continue
            below, other = sublayer_of(target, rows)
            is_base = row == below == 0
            if below is None or not (below < row or other == name or is_base):
                yield f"{path}: {name} may not include {target}: SUBLAYERS"


def check_llvm(root, sources):
    """BLAKE3 is a library of its own, that LLVM only carries."""
    for path in sources:
        text = (root / path).read_text()
        if str(path) == "util/hash.c":
            text = text.replace("llvm-c/blake3.h", "")
        if "llvm-c/" in text and path.parts[:2] != ("compiler", "llvm") and path.parts[0] != "tests":
            yield f"{path}: LLVM is used in compiler/llvm only"


def check_files(root, sources):
    for path in sources:
        text = (root / path).read_text()
        if "SPDX-License-Identifier: MIT" not in text[:200]:
            yield f"{path}: no licence tag"
        if text.count("\n") > MAX_LINES:
            yield f"{path}: {text.count(chr(10))} lines"
        for number, line in enumerate(text.splitlines() if path.parts[0] != "tests" else (), 1):
            if len(line) > MAX_COLUMNS:
                yield f"{path}:{number}: {len(line)} columns"
        if re.search(r'"(/home|/work|/dev/shm|/root)/', text):
            yield f"{path}: names a path of some machine"


# Functions whose arguments are sizes, and what stands between their parentheses.
ALLOCATORS = re.compile(r"\b(?:util_(?:malloc|malloc64|calloc|realloc|alloc|zalloc|arena_alloc|arena_zalloc|arena_alloc_aligned|arena_dup)|"
                        r"icd_(?:alloc|zalloc|object_alloc)|icd_block_add|rt_worker_scratch|rt_cmd_data)\(")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def arguments(text, start):
    depth, end = 1, start
    while depth and end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    return text[start:end - 1]


def check_sizes(root, sources):
    """Sizes are added and multiplied by util/size.h. A count times sizeof is no danger: counts have 32 bits, products then 64."""
    for path in sources:
        if path.parts[0] == "tests":
            continue
        text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), (root / path).read_text())
        for match in ALLOCATORS.finditer(text):
            sizes = re.sub(r"sizeof\([^()]*\)|\w+_BYTES\b", "sizeof", arguments(text, match.end()))
            sizes = re.sub(r"\(size_t\)", "", re.sub(r"[\w.>\[\]()-]+ [*] sizeof|sizeof [*] [\w.>()-]+", "count", sizes))
            is_call = not re.match(r"[^,]*\b(?:struct|const|void)\b", sizes)
            if is_call and re.search(r"\w[\])]* [*] | \+ (?!\d+\b)", sizes):
                yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: a bare sum or product of sizes: {match.group()}{sizes})"
        for match in re.finditer(r"\b\w*_bytes [+*]= ", text):
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: a bare sum of sizes: {match.group()}"


def check_outside(root, sources):
    """The environment, and files that are made anywhere, through util/outside.h."""
    for path in sources:
        if path.parts[0] == "tests" or path.name in ("outside.c", "train.c"):
            continue
        for name in re.findall(r'\b(?:secure_)?getenv\(|\bfopen\([^;]*, "[wa]', COMMENT.sub("", (root / path).read_text())):
            yield f"{path}: {name} is not asked for through util/outside.h"


def check_intrinsics(root, sources):
    """What is written for one family of processors: its header is util/simd.h."""
    for path in sources:
        if path.parts[0] == "tests" or str(path) in ("util/simd.h", "util/cpu.c"):
            continue
        for name in re.findall(r"#\s*include <(\w*mmintrin\.h|immintrin\.h|x86intrin\.h|arm_\w+\.h)>", (root / path).read_text()):
            yield f"{path}: {name} is included by util/simd.h"


# Words that names have no use for: the field says class or type, location, address or offset, maximum, path, report. (docs/STYLE.md)
PRIVATE = re.compile(r"(?:^|_)(?:kinds?|places?|most|ways?|tells?|told|telling)(?:_|$)", re.I)
FIELD = re.compile(r"hit_kinds?|in_place", re.I)  # SPIR-V's HitKind; an idiom
# The same in comments, messages and pages; "at most" is English.
PRIVATE_TEXT = re.compile(r"\b(?:kinds?|places?|ways?|tells?|told|telling)\b", re.I)
FIELD_TEXT = re.compile(r"hit kinds?|\b(?:in|last) place\b|be kind", re.I)  # units in the last place; the code of conduct
TEXT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def check_names(root, sources):
    for path in sources:
        code = TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), (root / path).read_text())
        for number, line in enumerate(code.splitlines(), 1):
            for name in re.findall(r"[A-Za-z_]\w*", line):
                if PRIVATE.search(FIELD.sub("", name)):
                    yield f"{path}:{number}: {name}: not the field's word"


def check_words(root, sources):
    pages = [page.relative_to(root) for top in [".", "docs", "setup", "gen", "util", "include", "compiler", "runtime", "wsi", "icd", "tests"]
             for page in (root / top).glob("*.md" if top == "." else "**/*.md")]
    scripts = [path.relative_to(root) for top in ("gen", "tests") for path in (root / top).rglob("*.py") if path.name not in ("lint.py", "icd_spirv.py")]
    for path in [*sources, *pages, *scripts, pathlib.Path("icd/validate/rules.def"), pathlib.Path("docs/vk_swrast.7")]:
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            for word in PRIVATE_TEXT.findall(FIELD_TEXT.sub("", line)):
                yield f"{path}:{number}: {word}: not the field's word"


def check_recipes(root, sources):
    """What the recipes for contributors name is there."""
    for name in re.findall(r"`(\.?[\w-]+/[\w./-]+)`", (root / "CONTRIBUTING.md").read_text()):
        homes = [root, *(root / home for home in ("compiler", "icd", "runtime"))]
        if not any((home / name).exists() or list(home.glob(name + "_test.c")) for home in homes):
            yield f"CONTRIBUTING.md: {name} is not there"


def check_readmes(root, sources):
    folders = {path.parent for path in sources if path.parts[0] != "tests"}
    for folder in sorted(folders | {pathlib.Path("tests"), pathlib.Path("setup"), pathlib.Path("gen"), pathlib.Path("docs")}):
        if folder.parts and not (root / folder / "README.md").exists():
            yield f"{folder}: no README.md"


def check_headers(root, headers, compiler):
    def compiles(path):
        run = subprocess.run([*compiler, "-fsyntax-only", "-x", "c", "-"], input=f'#include "{include_name(path)}"\n', text=True,
                             cwd=root, capture_output=True)
        return None if run.returncode == 0 else f"{path} does not compile alone: {run.stderr.splitlines()[0]}"

    def include_name(path):
        return "/".join(path.parts[1:]) if path.parts[0] == "include" else str(path)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield from filter(None, pool.map(compiles, headers))


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    files = [path.relative_to(root) for top in ["util", "include", "compiler", "runtime", "wsi", "icd", "tests"]
             for path in sorted((root / top).rglob("*.[ch]"))]
    # Tables that are included several times are no headers.
    headers = [path for path in files if path.suffix == ".h" and path.name not in ("ir_ops.h",) and path.parts[0] != "tests"]
    checks = [check_layers(root, files), check_sublayers(root, files), check_llvm(root, files), check_files(root, files), check_sizes(root, files),
              check_outside(root, files), check_intrinsics(root, files), check_names(root, files), check_words(root, files), check_recipes(root, files),
              check_readmes(root, files), circles.check_circles(root, files), check_headers(root, headers, compiler)]
    failed = 0
    for check in checks:
        problems = list(check)
        failed += bool(problems)
        print("\n".join(problems), end="\n" if problems else "")
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
