#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""VK_SWRAST_DEBUG=cmd prints labels and the scopes of barriers with the commands, in their order; profile prints times by command and
shader; VK_SWRAST_TIMELINE writes when things were done.

Usage: cmd_test.py SYNC_TEST"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXPECTED = {
    "read_after_dispatch": ["label read_after_dispatch", "dispatch 4 x 1 x 1, base 0 0 0",
                            "dependency COMPUTE_SHADER (NONE) before ALL_TRANSFER (NONE); COMPUTE_SHADER (SHADER_WRITE) before ALL_TRANSFER (TRANSFER_READ)",
                            "barrier", "copy_buffer", "label ends"],
    "transition_too_early": ["dependency COMPUTE_SHADER (NONE) before ALL_TRANSFER (NONE); COMPUTE_SHADER (SHADER_WRITE) before ALL_TRANSFER "
                             "(TRANSFER_READ), of a part of memory, a layout transition"],
    "behind_event": ["set_event", "wait_events 1 events", "dependency COMPUTE_SHADER (NONE) before ALL_TRANSFER (NONE)"],
}


def run(case, switches, **variables):
    result = subprocess.run([sys.argv[1], case], env={**os.environ, "VK_SWRAST_DEBUG": switches, **variables}, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout
    return [line.removeprefix("vk_swrast: ") for line in result.stderr.splitlines()]


def check_profile():
    """Each twin runs once: two dispatches and two copies, or two draws within their passes."""
    for case, times in (("read_after_dispatch", {"dispatch": 2, "copy_buffer": 2}), ("read_by_fragments", {"fill_buffer": 2, "draw": 2, "end_rendering": 2})):
        rows = [line.split(None, 6) for line in run(case, "sync,profile") if re.match(r"profile: +[0-9.]+ +[0-9.]+%", line)]
        table = {row[6].split(",")[0]: row for row in rows}
        assert all(name in table and int(table[name][3]) == count for name, count in times.items()), rows
        totals = [float(row[1]) for row in rows]
        assert totals == sorted(totals, reverse=True), totals
        assert abs(sum(float(row[2].rstrip("%")) for row in rows) - 100) < 2, rows
        assert case != "read_after_dispatch" or 'pipeline "the kernel"' in table["dispatch"][6], rows
    assert not any(line.startswith("profile:") for line in run("read_after_dispatch", "sync"))


def check_timeline():
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "timeline.json"
        run("semaphore_at_other_stage", "sync,nocache", VK_SWRAST_TIMELINE=str(path))
        run("read_by_fragments", "sync,nocache", VK_SWRAST_TIMELINE=str(pathlib.Path(name) / "passes.json"))
        events, passes = (json.loads(each.read_text()) for each in (path, pathlib.Path(name) / "passes.json"))
        names = {(event["cat"], event["name"]) for event in events}
        assert {("wait", "for semaphores"), ("submission", "submission"), ("wait", "vkWaitForFences")} <= names, names
        assert any(category == "compile" and "module" in name for category, name in names), names
        assert sum(event["cat"] == "pass" for event in passes) == 2, passes
        assert all(event["ph"] == "X" and event["dur"] >= 0 and event["ts"] >= 0 and event["tid"] > 0 for event in events)
        assert "cannot be written" in "".join(run("read_after_fill", "sync", VK_SWRAST_TIMELINE=str(path / "none")))


def main():
    check_profile()
    check_timeline()
    for case, wanted in EXPECTED.items():
        lines = run(case, "sync,cmd")
        at = 0
        for text in wanted:
            while at < len(lines) and not lines[at].startswith(text):
                at += 1
            assert at < len(lines), f"{case}: {text} is not printed in its order: {lines}"


main()
