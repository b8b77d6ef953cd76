#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""VK_SWRAST_SHADER_DUMP writes modules by hash; VK_SWRAST_SHADER_REPLACE takes one instead of the program's, if it can be read and is valid.

Usage: replace_test.py INSTRUMENT_TEST"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CASE = "numbers/normalize_zero"


def run(**variables):
    environment = {**os.environ, "VK_SWRAST_DEBUG": "sanitize,nocache", **variables}
    return subprocess.run([sys.argv[1], CASE], env=environment, capture_output=True, text=True, timeout=120)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        result = run(VK_SWRAST_SHADER_DUMP=name)
        assert result.returncode == 0, result.stdout
        faulty = re.search(r"module ([0-9a-f]{16})", result.stderr).group(1)
        files = {path.stem: path for path in folder.glob("*.spv")}
        assert faulty in files and len(files) == 2, files
        assert all(path.read_bytes()[:4] == b"\x03\x02\x23\x07" and not path.stat().st_mode & 0o077 for path in files.values())
        fixed = next(path for stem, path in files.items() if stem != faulty).read_bytes()

        files[faulty].write_bytes(fixed)   # the repaired twin instead of the faulty one
        result = run(VK_SWRAST_SHADER_REPLACE=name)
        assert f"{faulty}.spv is taken" in result.stderr and "SANITIZE" not in result.stderr, result.stderr
        assert "another number of findings" in result.stdout

        for bad in (b"", b"abc", b"\0" * (1 << 10)):   # what is no module changes nothing; what is none but looks like one is refused
            files[faulty].write_bytes(bad)
            result = run(VK_SWRAST_SHADER_REPLACE=name)
            if len(bad) % 4 or not bad:
                assert result.returncode == 0 and "no module that can be read" in result.stderr and "SANITIZE" in result.stderr, result.stderr
            else:
                assert result.returncode == 1 and "vkCreateShaderModule" in result.stdout + result.stderr, (result.returncode, result.stdout, result.stderr)
        assert run(VK_SWRAST_SHADER_REPLACE="/nonexistent").returncode == 0
        result = run(VK_SWRAST_SHADER_DUMP=str(folder / "none"))
        assert result.returncode == 0 and "cannot be written" in result.stderr, result.stderr


main()
