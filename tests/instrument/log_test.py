#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""VK_SWRAST_SANITIZE_LOG adds a line of JSON a finding; VK_SWRAST_SANITIZE_FATAL ends the process with its code, but only where something is found.

Usage: log_test.py INSTRUMENT_TEST"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

KEYS = {"id", "line", "column", "file", "what", "object", "text", "invocation", "words", "shader"}
OTHER_KEYS = {"other_place", "other_text", "other_invocation", "other_words"}


def run(case, **variables):
    environment = {**os.environ, "VK_SWRAST_DEBUG": "sanitize", **variables}
    return subprocess.run([sys.argv[1], case], env=environment, capture_output=True, timeout=120)


def check_log(path):
    assert run("numbers/normalize_zero", VK_SWRAST_SANITIZE_LOG=str(path)).returncode == 0
    assert run("race/no_barrier_between", VK_SWRAST_SANITIZE_LOG=str(path)).returncode == 0
    first, second = [json.loads(line) for line in path.read_text().splitlines()]
    assert set(first) == KEYS, first
    assert set(second) == KEYS | OTHER_KEYS, second
    assert first["id"] == "SANITIZE-numbers-not-finite" and first["file"] == "numbers_normalize_zero.comp", first
    assert "normalize(v)" in first["text"] and first["words"] == [0] * 6 and 'pipeline "numbers/normalize_zero"' in first["shader"], first
    assert second["id"] == "SANITIZE-race-shared" and second["line"] > 0 and len(second["other_words"]) == 6, second
    assert path.stat().st_mode & 0o077 == 0


def check_unwritable(path):
    result = run("numbers/normalize_zero", VK_SWRAST_SANITIZE_LOG=str(path / "none" / "log"))
    assert result.returncode == 0 and b"cannot be written" in result.stderr, result.stderr


def check_fatal():
    assert run("numbers/normalize_zero", VK_SWRAST_SANITIZE_FATAL="42").returncode == 42
    assert run("numbers/normalize_zero", VK_SWRAST_SANITIZE_FATAL="42", VK_SWRAST_DEBUG="").returncode != 42
    assert run("numbers/normalize_zero", VK_SWRAST_SANITIZE_FATAL="").returncode == 0


def main():
    with tempfile.TemporaryDirectory() as name:
        check_log(pathlib.Path(name) / "log")
        check_unwritable(pathlib.Path(name))
    check_fatal()


main()
