#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy, with the checks of `.clang-tidy`, on the lines that a branch has changed of a build's sources: each file in which it finds something has failed.
What it says of all lines is for people: most follows paths that do not exist.

Usage: tidy.py BUILD [--all | BASE]     --all: every line of every file; BASE: what differs from that commit; default: where the branch left origin/main or main
Exit status: 0 if nothing is found, 1 if something is, 77 if there is no clang-tidy, or no file to look at."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import branch

SKIPPED = 77


def sources(build, root):
    """The tree's own files that are compiled, by path from its root."""
    commands = json.loads((build / 'compile_commands.json').read_text())
    paths = {pathlib.Path(os.path.normpath(pathlib.Path(command['directory']) / command['file'])) for command in commands}
    return sorted(path.relative_to(root) for path in paths if path.suffix == '.c' and root in path.parents and build not in path.parents)


def write_commands(build, folder):
    """How files are compiled, into a folder: without what gcc alone knows."""
    text = (build / 'compile_commands.json').read_text()
    (folder / 'compile_commands.json').write_text(re.sub(r" (['\"]?)-mtune-ctrl=\S*?\1(?=[ \"])", '', text))


def look(commands, root, path, runs):
    """What is said of a file's runs of lines, or of all; not where it comes from."""
    only = ['--line-filter=' + json.dumps([{'name': str(path), 'lines': runs}])] if runs else []
    done = subprocess.run(['clang-tidy', '-p', str(commands), '--quiet', *only, str(root / path)], capture_output=True, text=True)
    found = sorted(set(re.findall(r'^\S+?:\d+:\d+: (?:warning|error): .*$', done.stdout, re.MULTILINE)))
    return found if found or done.returncode == 0 else [f'{path}: clang-tidy ended with {done.returncode}: {done.stderr.strip()[-300:]}']


def main():
    build, what = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else ''
    root = pathlib.Path(__file__).resolve().parents[2]
    os.chdir(root)
    files, changed = sources(build, root), {}
    if what != '--all':
        changed = branch.changed(what or branch.base())
        files = [path for path in files if str(path) in changed]
    if not shutil.which('clang-tidy') or not files:
        print('skipped: no clang-tidy' if files else 'skipped: no file has changed')
        sys.exit(SKIPPED)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        write_commands(build, pathlib.Path(folder))
        for found in pool.map(lambda path: look(folder, root, path, changed.get(str(path))), files):
            failed += bool(found)
            print('\n'.join(found), end='\n' if found else '')
    print(f'{len(files) - failed} passed, {failed} failed')
    sys.exit(failed != 0)


main()
