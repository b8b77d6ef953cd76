#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs vulkaninfo on the driver: it must end well, name the driver, and say nothing on stderr but that there is no display.

Usage: vulkaninfo.py [ARGUMENT...]   Exit status 77 (skipped) where vulkaninfo is not installed."""
import re
import shutil
import subprocess
import sys

NOISE = re.compile(r"DISPLAY|XDG_RUNTIME_DIR|WAYLAND")


def main():
    if not shutil.which("vulkaninfo"):
        print("vulkaninfo is not installed")
        sys.exit(77)
    run = subprocess.run(["vulkaninfo", *sys.argv[1:]], capture_output=True, text=True)
    problems = [line for line in run.stderr.splitlines() if line.strip() and not NOISE.search(line)]
    if run.returncode:
        problems.append(f"exit status {run.returncode}")
    if "vk_swrast" not in run.stdout:
        problems.append("the driver is not listed")
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
