#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows how clang-format would lay out the lines that a branch has changed. Not part of the tests: tables that are aligned by hand stay so.

Usage: format.py [BASE]     BASE: the commit to compare with; default: where the branch left origin/main or main, else HEAD
Exit status: 1 if there is a difference."""
import re
import subprocess
import sys


def git(*arguments):
    done = subprocess.run(['git', *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ''


def changed(base):
    """(first, last) of the changed runs of lines, by path."""
    runs, path = {}, None
    for line in git('diff', '--unified=0', '--diff-filter=d', base, '--', '*.c', '*.h').splitlines():
        if line.startswith('+++ b/'):
            path = line[6:]
        elif match := re.match(r'@@ -\S+ \+(\d+)(?:,(\d+))? @@', line):
            first, count = int(match[1]), int(match[2] or 1)
            if count:
                runs.setdefault(path, []).append((first, first + count - 1))
    return runs


def main():
    base = sys.argv[1] if len(sys.argv) > 1 else (git('merge-base', 'HEAD', 'origin/main') or git('merge-base', 'HEAD', 'main') or 'HEAD').strip()
    top = git('rev-parse', '--show-toplevel').strip()
    differs = False
    for path, runs in changed(base).items():
        laid_out = subprocess.run(['clang-format', *(f'--lines={first}:{last}' for first, last in runs), path], cwd=top, check=True, stdout=subprocess.PIPE)
        shown = subprocess.run(['diff', '--unified=1', f'--label={path}', '--label=clang-format', path, '-'], cwd=top, input=laid_out.stdout)
        differs |= shown.returncode != 0
    sys.exit(differs)


main()
