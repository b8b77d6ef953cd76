#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up what the test programs of a build directory's last `meson test` said: `N passed, N failed` as the last line.

A program that prints such a line itself counts with its numbers, any other as one test. Exit status 1 if any failed or none ran."""
import json
import pathlib
import re
import sys

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")


def counts(result):
    if result["result"] == "SKIP":
        return 0, 0, 1
    lines = (result.get("stdout") or "").strip().splitlines()
    match = COUNTS.match(lines[-1]) if lines else None
    if not match:
        return (1, 0, 0) if result["result"] == "OK" else (0, 1, 0)
    passed, failed, skipped = (int(n or 0) for n in match.groups())
    if result["result"] != "OK" and not failed:
        failed = 1
    return passed, failed, skipped


def main():
    log = pathlib.Path(sys.argv[1]) / "meson-logs" / "testlog.json"
    total = [0, 0, 0]
    for line in log.read_text().splitlines():
        result = json.loads(line)
        numbers = counts(result)
        total = [a + b for a, b in zip(total, numbers)]
        if numbers[1]:
            print(f"FAILED: {result['name']}")
    skipped = f", {total[2]} skipped" if total[2] else ""
    print(f"{total[0]} passed, {total[1]} failed{skipped}")
    sys.exit(total[1] != 0 or total[0] == 0)


main()
