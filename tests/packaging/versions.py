#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version is the same wherever it is written, and a commit with a version's tag has that version.

Usage: versions.py ROOT VERSION"""
import pathlib
import re
import subprocess
import sys


def tags(root):
    """Versions whose tags name the commit that is checked out; none where there is no git."""
    try:
        done = subprocess.run(['git', '-C', root, 'tag', '--points-at', 'HEAD'], capture_output=True, text=True)
    except OSError:
        return []
    return [tag[1:] for tag in done.stdout.split() if re.fullmatch(r'v\d+\.\d+\.\d+', tag)]


def main():
    root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    found = {
        'CHANGELOG.md': re.search(r'^## (\d\S*)', (root / 'CHANGELOG.md').read_text(), re.M)[1],
        'debian/changelog': re.match(r'\S+ \(([^)]+)\)', (root / 'debian' / 'changelog').read_text())[1],
    } | {f'the tag v{tag}': tag for tag in tags(root)}
    wrong = {where: other for where, other in found.items() if other != version}
    for where, other in wrong.items():
        print(f'{where}: {other}; meson.build has {version}')
    print(f'{len(found) - len(wrong)} passed, {len(wrong)} failed')
    sys.exit(bool(wrong))


main()
