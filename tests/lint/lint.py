#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the tree's own rules: layers, file sizes, headers that compile alone, licence tags, folder READMEs, stray paths.

Usage: lint.py SOURCE-ROOT CC [CFLAGS...]   Prints each violation and, last, `N passed, N failed`."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

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
MAX_LINES = 1500
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


def check_llvm(root, sources):
    for path in sources:
        if "llvm-c/" in (root / path).read_text() and path.parts[:2] != ("compiler", "llvm") and path.parts[0] != "tests":
            yield f"{path}: LLVM is used in compiler/llvm only"


def check_files(root, sources):
    for path in sources:
        text = (root / path).read_text()
        if "SPDX-License-Identifier: MIT" not in text[:200]:
            yield f"{path}: no licence tag"
        if text.count("\n") > MAX_LINES:
            yield f"{path}: {text.count(chr(10))} lines"
        if re.search(r'"(/home|/work|/dev/shm|/root)/', text):
            yield f"{path}: names a path of some machine"


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
    checks = [check_layers(root, files), check_llvm(root, files), check_files(root, files), check_readmes(root, files),
              check_headers(root, headers, compiler)]
    failed = 0
    for check in checks:
        problems = list(check)
        failed += bool(problems)
        print("\n".join(problems), end="\n" if problems else "")
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


main()
