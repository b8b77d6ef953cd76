#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs ./check in several configurations, one after the other, and adds up what they say: `N passed, N failed` as the last line.

Usage: ci.py CHECK [MINUTES]      CHECK: what is run with the configuration's name; MINUTES: the budget, 60

plain is always run. Another one begins only if it fits into what is left of the budget, by the time that plain took on this machine; else it is skipped,
which is said. One that lasts till the limit, 30 % beyond the budget, is stopped and counts as failed: it was foreseen to end long before.
Exit status 1 if anything failed or the last line of a configuration is no count."""
import os
import re
import signal
import subprocess
import sys
import time

# The configuration, and how many times as long as plain it takes: measured on two idle processors, without a compiler's cache. toolchains builds the driver
# by clang and the compiler by every other LLVM, and compares bits; asan builds everything and runs the quick tests under the sanitizers.
CONFIGURATIONS = (('plain', 1.0), ('toolchains', 0.4), ('asan', 3.5))
COUNTS = re.compile(r'^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$')


def run(command, limit_s):
    """What the command's last line counts: passed, failed, skipped; one failure if it does not count, or is stopped after limit_s."""
    last = ''
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors='replace', start_new_session=True)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
    signal.alarm(max(1, int(limit_s)))
    for line in process.stdout:
        print(line, end='', flush=True)
        last = line.strip() or last
    status = process.wait()
    signal.alarm(0)
    if not (match := COUNTS.match(last)):
        return [0, 1, 0]
    passed, failed, skipped = (int(number or 0) for number in match.groups())
    return [passed, failed or int(status != 0), skipped]


def main():
    check, budget_s = sys.argv[1], 60 * float(sys.argv[2] if len(sys.argv) > 2 else 60)
    begin_s = time.monotonic()
    total, plain_s, summary = [0, 0, 0], 0.0, []
    for name, factor in CONFIGURATIONS:
        spent_s = time.monotonic() - begin_s
        foreseen_s = factor * plain_s
        if plain_s and spent_s + foreseen_s > budget_s:
            summary.append(f'{name}: skipped, as {foreseen_s / 60:.0f} minutes are not left of {budget_s / 60:.0f}')
            total[2] += 1
            continue
        print(f'==== ./check {name}', flush=True)
        counts = run([check, name], 1.3 * budget_s - spent_s)
        took_s = time.monotonic() - begin_s - spent_s
        plain_s = plain_s or took_s
        summary.append(f'{name}: {counts[0]} passed, {counts[1]} failed, {took_s / 60:.1f} minutes')
        total = [a + b for a, b in zip(total, counts)]
    print(*summary, sep='\n')
    print(f'{total[0]} passed, {total[1]} failed' + (f', {total[2]} skipped' if total[2] else ''))
    sys.exit(total[1] != 0)


main()
