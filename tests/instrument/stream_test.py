#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The reports of the whole corpus are the same words in the same order at any width of vectors and number of threads, on stderr and in the log.

Usage: stream_test.py PROGRAM..."""
import os
import pathlib
import subprocess
import sys
import tempfile

MACHINES = [(4, 1), (8, 16), (16, 2), (32, 7)]  # lanes, threads
MIN_REPORTS = 100


def reports_of(programs, lanes, threads):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        environment = {**os.environ, "VK_SWRAST_DEBUG": "sanitize", "VK_SWRAST_SANITIZE_LOG": str(log), "VK_SWRAST_LANES": str(lanes),
                       "VK_SWRAST_THREADS": str(threads)}
        texts = [subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, text=True).stderr
                 for program in programs]
        return log.read_text().splitlines(), "".join(texts).splitlines()


def first_difference(expected, found):
    for number, (a, b) in enumerate(zip(expected, found), 1):
        if a != b:
            return f"line {number}:\n   {a}\n   {b}"
    return f"{len(expected)} and {len(found)} lines"


def main():
    expected = reports_of(sys.argv[1:], *MACHINES[0])
    if len(expected[0]) < MIN_REPORTS:
        sys.exit(f"{len(expected[0])} reports are too few to compare")
    for lanes, threads in MACHINES[1:]:
        for name, a, b in zip(("log", "stderr"), expected, reports_of(sys.argv[1:], lanes, threads)):
            if a != b:
                sys.exit(f"{lanes} lanes, {threads} threads: the {name} is another one, {first_difference(a, b)}")
    print(f"{len(expected[0])} reports are the same on {len(MACHINES)} machines")


main()
