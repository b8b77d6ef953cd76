#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows how clang-format would lay out the lines that a branch has changed. Not part of the tests: tables that are aligned by hand stay so.

Usage: format.py [BASE]     BASE: the commit to compare with; default: where the branch left origin/main or main, else HEAD
Exit status: 1 if there is a difference."""
import subprocess
import sys

import branch


def main():
    differs = False
    for path, runs in branch.changed(sys.argv[1] if len(sys.argv) > 1 else branch.base()).items():
        laid_out = subprocess.run(['clang-format', *(f'--lines={first}:{last}' for first, last in runs), path], cwd=branch.top(), check=True, stdout=subprocess.PIPE)
        shown = subprocess.run(['diff', '--unified=1', f'--label={path}', '--label=clang-format', path, '-'], cwd=branch.top(), input=laid_out.stdout)
        differs |= shown.returncode != 0
    sys.exit(differs)


main()
