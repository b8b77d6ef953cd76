#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ci.py with a ./check that only prints: counts are added up, what does not fit or does not end is said, and nothing that fails is lost."""
import pathlib
import subprocess
import sys
import tempfile

CI = pathlib.Path(__file__).with_name('ci.py')
passed = failed = 0


def test(what, script, minutes, last, *expected):
    """The script is the check, with the configuration in $1."""
    global passed, failed
    with tempfile.TemporaryDirectory() as folder:
        check = pathlib.Path(folder) / 'check'
        check.write_text('#!/bin/sh\n' + script)
        check.chmod(0o755)
        done = subprocess.run([sys.executable, CI, check, str(minutes)], capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    right = lines[-1] == last and (done.returncode == 0) == (', 0 failed' in last) and all(text in done.stdout for text in expected)
    passed += right
    failed += not right
    if not right:
        print(f'FAIL {what}: exit status {done.returncode}\n{done.stdout}{done.stderr}')


test('all pass', 'echo "building"; echo "2 passed, 0 failed, 1 skipped"', 60, '6 passed, 0 failed, 3 skipped', 'asan: 2 passed, 0 failed')
test('a test fails', '[ $1 = asan ] && echo "1 passed, 1 failed" && exit 1; echo "2 passed, 0 failed"', 60, '5 passed, 1 failed')
test('a build fails', '[ $1 = toolchains ] && echo "error: x" && exit 1; echo "2 passed, 0 failed"', 60, '4 passed, 1 failed')
test('status without a failure', 'echo "2 passed, 0 failed"; [ $1 != asan ]', 60, '6 passed, 1 failed')
test('too little time', 'sleep 1; echo "2 passed, 0 failed"', 0.05, '4 passed, 0 failed, 1 skipped', 'asan: skipped, as')
test('no end', '[ $1 = plain ] || sleep 60; echo "2 passed, 0 failed"', 0.03, '2 passed, 1 failed, 1 skipped')
print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
