# SPDX-License-Identifier: MIT
"""Runs cases in processes of deqp-vk, through crashes and hangs, and keeps the results.

The file of results has a line a case: name, status, seconds, detail, with tabs between; its first line is `# version`. A line that a killed run has left
half written is not read."""
import collections
import concurrent.futures
import os
import pathlib
import re
import selectors
import subprocess
import tempfile
import threading
import time

GOOD = ('Pass', 'NotSupported', 'QualityWarning', 'CompatibilityWarning', 'Waiver')
BEGIN = re.compile(r"^Test case '([^']+)'\.\.")
END = re.compile(r'^  ([A-Z][A-Za-z]+) \((.*)\)$')
VERSION = re.compile(r'^dEQP Core (\S+)')
MAX_FALSE_STARTS = 3  # processes in a row that end before their first case

Result = collections.namedtuple('Result', 'status seconds detail')


class CannotRun(Exception):
    pass


class Results(dict):
    """Result by case name."""
    version = 'unknown'


class Deqp:
    def __init__(self, path, icd, timeout, arguments):
        if not os.access(path, os.X_OK):
            raise CannotRun(f'{path} is no program')
        if not icd.exists():
            raise CannotRun(f'{icd} does not exist')
        self.path, self.timeout, self.arguments = path, timeout, arguments
        self.env = dict(os.environ, VK_DRIVER_FILES=str(icd), VK_ICD_FILENAMES=str(icd))
        self.version = None
        self.false_starts = 0

    def command(self, *arguments):
        return [self.path, '--deqp-shadercache=disable', *arguments, *self.arguments]

    def list(self, pattern, folder):
        done = subprocess.run(self.command('--deqp-runmode=txt-caselist', f'--deqp-case={pattern}', '--deqp-log-filename=/dev/null',
                                           f'--deqp-caselist-export-file={folder}/${{packageName}}.${{typeExtension}}'),
                              cwd=self.path.parent, env=self.env, capture_output=True, text=True)
        if done.returncode:
            raise CannotRun(f'{self.path} does not list {pattern}: {(done.stdout + done.stderr).strip()[-300:]}')
        return [line[len('TEST: '):].strip() for file in sorted(folder.iterdir()) for line in file.read_text().splitlines()
                if line.startswith('TEST: ')]

    def lines(self, process, deadline):
        """Lines of a process as they come; ends with the process, or when deadline() is past: then gives None last."""
        selector, buffer = selectors.DefaultSelector(), b''
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(timeout=max(0.0, deadline() - time.monotonic())):
                if time.monotonic() >= deadline():
                    yield None
                    return
                continue
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                return
            *whole, buffer = (buffer + data).split(b'\n')
            yield from (line.decode(errors='replace').rstrip('\r') for line in whole)

    def execute(self, names, emit, log='/dev/null', images='disable'):
        """One process. Calls emit(name, result) for each case that comes to an end in it, also by a crash or a time-out."""
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
            file.write('\n'.join(names) + '\n')
            file.flush()
            process = subprocess.Popen(self.command(f'--deqp-caselist-file={file.name}', f'--deqp-log-filename={log}', f'--deqp-log-images={images}'),
                                       cwd=self.path.parent, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            current, began, last, is_late, has_begun = None, time.monotonic(), '', False, False
            try:
                for line in self.lines(process, lambda: began + self.timeout):
                    if line is None:
                        is_late = True
                        break
                    if match := BEGIN.match(line):
                        current, began, has_begun = match[1], time.monotonic(), True
                    elif (match := END.match(line)) and current:
                        emit(current, Result(match[1], time.monotonic() - began, match[2]))
                        current, began = None, time.monotonic()
                    elif match := VERSION.match(line):
                        self.version = match[1]
                    elif line.strip():
                        last = line.strip()
            finally:
                if process.poll() is None and (is_late or current):
                    process.kill()
                process.wait()
                process.stdout.close()
        self.false_starts = 0 if has_begun or process.returncode == 0 else self.false_starts + 1
        if self.false_starts >= MAX_FALSE_STARTS:
            raise CannotRun(f'{self.path} ends before its first case (exit status {process.returncode}): {last[-300:]}')
        if current:
            how = 'no result' if is_late else f'exit status {process.returncode}'
            emit(current, Result('Timeout' if is_late else 'Crash', time.monotonic() - began, f'{how}: {last}'[:300]))


def execute_all(deqp, names, emit):
    """Processes until every case has a result."""
    left = dict.fromkeys(names)

    def done(name, result):
        if name in left:
            del left[name]
            emit(name, result)

    while left:
        before = len(left)
        deqp.execute(list(left), done)
        if len(left) == before and not deqp.false_starts:  # cases that the list does not have
            for name in list(left):
                done(name, Result('Missing', 0.0, 'deqp-vk does not run it'))


def read(path):
    results = Results()
    if path.exists():
        for line in path.read_text().splitlines(keepends=True):
            parts = line.rstrip('\n').split('\t')
            if line.startswith('# '):
                results.version = line[2:].strip()
            elif len(parts) == 4 and line.endswith('\n'):
                results[parts[0]] = Result(parts[1], float(parts[2]), parts[3])
    return results


def merge(paths):
    merged = Results()
    for path in paths:
        if not path.exists():
            raise CannotRun(f'{path} does not exist')
        part = read(path)
        merged.update(part)
        merged.version = part.version
    return merged


def again(deqp, name, result):
    """A case that fails has a second try by itself; what passes then depends on something."""
    second = []
    deqp.execute([name], lambda found, outcome: second.append(outcome) if found == name else None)
    if second and second[0].status in GOOD:
        return Result('Flaky', result.seconds, f'{result.status} ({result.detail}), then {second[0].status}'[:300])
    return result


def run(deqp, names, path, jobs, batch):
    """Runs the cases that `path` has not yet; all results, in the order of `names`."""
    known = read(path)
    todo = [name for name in names if name not in known]
    lock = threading.Lock()
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.exists() and path.read_bytes()[-1:] in (b'', b'\n')
    with open(path, 'a') as file:
        if path.stat().st_size and not whole:
            file.write('\n')

        def emit(name, result):
            if result.status not in GOOD and result.status != 'Missing':
                result = again(deqp, name, result)
            with lock:
                known[name] = result
                file.write('\t'.join([name, result.status, f'{result.seconds:.3f}', re.sub(r'[\t\n\r]', ' ', result.detail)]) + '\n')
                file.flush()

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            parts = [pool.submit(execute_all, deqp, todo[at:at + batch], emit) for at in range(0, len(todo), batch)]
            try:
                for part in parts:
                    part.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if deqp.version:
            file.write(f'# {deqp.version}\n')
    results = Results((name, known[name]) for name in names)
    results.version = deqp.version or known.version
    return results
