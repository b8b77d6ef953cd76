#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""VK_SWRAST_DEBUG=cmd prints labels and the scopes of barriers with the commands, in their order.

Usage: cmd_test.py SYNC_TEST"""
import os
import subprocess
import sys

EXPECTED = {
    "read_after_dispatch": ["label read_after_dispatch", "dispatch 4 x 1 x 1, base 0 0 0",
                            "dependency COMPUTE_SHADER (NONE) before ALL_TRANSFER (NONE); COMPUTE_SHADER (SHADER_WRITE) before ALL_TRANSFER (TRANSFER_READ)",
                            "barrier", "copy_buffer", "label ends"],
    "transition_too_early": ["dependency COMPUTE_SHADER (NONE) before ALL_TRANSFER (NONE); COMPUTE_SHADER (SHADER_WRITE) before ALL_TRANSFER "
                             "(TRANSFER_READ), of a part of memory, a layout transition"],
    "behind_event": ["set_event", "wait_events 1 events", "dependency COMPUTE_SHADER (NONE) before ALL_TRANSFER (NONE)"],
}


def main():
    for case, wanted in EXPECTED.items():
        result = subprocess.run([sys.argv[1], case], env={**os.environ, "VK_SWRAST_DEBUG": "sync,cmd"}, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stdout
        lines = [line.removeprefix("vk_swrast: ") for line in result.stderr.splitlines()]
        at = 0
        for text in wanted:
            while at < len(lines) and not lines[at].startswith(text):
                at += 1
            assert at < len(lines), f"{case}: {text} is not printed in its place:\n{result.stderr}"


main()
