#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs vulkaninfo on the driver: it must end well, name the driver, and say nothing on stderr but that there is no display.

Some versions write what --json asks for into a file in the working directory, so it runs in one of its own.

Usage: vulkaninfo.py [ARGUMENT...]   Exit status 77 (skipped) where vulkaninfo is not installed."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NOISE = re.compile(r"DISPLAY|XDG_RUNTIME_DIR|WAYLAND")


def main():
    if not shutil.which("vulkaninfo"):
        print("vulkaninfo is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["vulkaninfo", *sys.argv[1:]], capture_output=True, text=True, cwd=folder)
        output = run.stdout + "".join(path.name + path.read_text() for path in pathlib.Path(folder).iterdir())
    problems = [line for line in run.stderr.splitlines() if line.strip() and not NOISE.search(line)]
    if run.returncode:
        problems.append(f"exit status {run.returncode}")
    if "vk_swrast" not in output:
        problems.append("the driver is not listed")
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
