#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/conformance/run with a fake deqp-vk whose cases pass, fail, crash, hang and change their mind.

Usage: run_test.py"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
checks = []


def check(what, got, wanted):
    checks.append(got == wanted)
    if got != wanted:
        print(f'failed: {what}: {got!r}, not {wanted!r}')


class Sandbox:
    """A folder with a manifest, lists of what is expected and the record of what the fake has run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.ran = self.folder / 'ran'
        (self.folder / 'icd.json').write_text('{}')
        (self.folder / 'fails.txt').write_text('# Known, and not.\ndEQP-VK.api.known.fail\ndEQP-VK.api.known.pass\n')

    def run(self, *arguments, out='out', env={}):
        self.ran.write_text('')
        fixed = ['--icd', self.folder / 'icd.json', '--out', self.folder / out, '--expected', self.folder, '--timeout', '3', '--jobs', '2']
        return subprocess.run([sys.executable, HERE / 'run', *map(str, fixed), *map(str, arguments)], capture_output=True, text=True,
                              env=dict(os.environ, FAKE_RAN=str(self.ran), **env))

    def statuses(self, out='out'):
        lines = (self.folder / out / 'results.tsv').read_text().splitlines()
        return {line.split('\t')[0].removeprefix('dEQP-VK.api.'): line.split('\t')[1] for line in lines if not line.startswith('#')}


def test_statuses(sandbox):
    done = sandbox.run('--batch', 100, '--write', sandbox.folder / 'groups.md', HERE / 'fake_deqp.py', 'api')
    check('statuses', sandbox.statuses(), {
        'a.pass': 'Pass', 'a.quality': 'QualityWarning', 'a.none': 'NotSupported', 'b.fail': 'Fail', 'b.crash': 'Crash', 'b.hang': 'Timeout', 'b.pass': 'Pass',
        'c.flake': 'Flaky', 'c.lost': 'Fail', 'c.pass': 'Pass', 'known.fail': 'Fail', 'known.pass': 'Pass'})
    check('exit status', done.returncode, 1)
    check('last line', done.stdout.splitlines()[-1], '4 new failures, 1 new flakes, 1 known, 1 fixed')
    check('table', '| `api` | 12 | 5 | 1 | 6 | fake-1 | whole |' in (sandbox.folder / 'groups.md').read_text(), True)
    page = (sandbox.folder / 'out' / 'failures.html').read_text()
    check('pictures', (page.count('<img '), page.count('<h2>'), '<pre>1 &lt; 2</pre>' in page), (2, 6, True))


def test_resume(sandbox):
    sandbox.run(HERE / 'fake_deqp.py', 'draw')
    path = sandbox.folder / 'out' / 'results.tsv'
    lines = [line for line in path.read_text().splitlines(keepends=True) if not line.startswith('#')]
    check('first run', len(lines), 40)
    path.write_text(''.join(lines[:30]) + lines[30][:-5])
    done = sandbox.run(HERE / 'fake_deqp.py', 'draw')
    check('what was missing is run', len(sandbox.ran.read_text().split()), 10)
    check('exit status', (done.returncode, done.stdout.splitlines()[-1]), (0, '0 new failures, 0 new flakes, 0 known, 0 fixed'))


def test_shards(sandbox):
    for number in range(1, 4):
        sandbox.run('--shard', f'{number}/3', HERE / 'fake_deqp.py', 'draw', out=f'part{number}')
    parts = [set(sandbox.statuses(f'part{number}')) for number in range(1, 4)]
    check('shards are parts', (len(set.union(*parts)), sum(map(len, parts)), min(map(len, parts)) > 0), (40, 40, True))
    done = sandbox.run('--merge', *(sandbox.folder / f'part{number}' for number in range(1, 4)), out='merged')
    check('merged', (done.returncode, '| draw | 40 | 40 | 0 | 0 |' in done.stdout, sandbox.ran.read_text()), (0, True, ''))
    sandbox.run('--sample', 4, HERE / 'fake_deqp.py', 'draw', out='sample')
    check('a sample is fewer', 0 < len(sandbox.statuses('sample')) < 30, True)


def test_table(sandbox):
    path = sandbox.folder / 'groups.md'
    path.write_text('# Head\n\n## Runs of `tests/conformance/run`\n\n| group |\n|---|\n| `zzz` | 1 | 1 | 0 | 0 | old-1 | whole |\n'
                    '| `draw` | 41 | 41 | 0 | 0 | old-1 | whole |\n| `draw` | 7 | 7 | 0 | 0 | fake-1 | every 4. |\n\n## After\n\ntext\n')
    done = sandbox.run('--write', path, HERE / 'fake_deqp.py', 'draw')
    text = path.read_text()
    check('rows stay and change', ('| `zzz` | 1 |' in text, '| `draw` | 40 | 40 | 0 | 0 | fake-1 | whole |' in text, '| `draw` | 41 |' in text, '| every 4. |' in text,
                                   text.startswith('# Head\n'), text.endswith('## After\n\ntext\n')), (True, True, False, True, True, True))
    check('other tests are not worse', (done.returncode, 'draw, whole: 40 40 0 0 with fake-1, recorded are 41 41 0 0 with old-1\n' in done.stdout), (0, True))
    sandbox.run('--write', path, HERE / 'fake_deqp.py', 'draw', out='again')
    check('the same counts say nothing', (path.read_text(), sandbox.run('--write', path, HERE / 'fake_deqp.py', 'draw').stdout.count('recorded')), (text, 0))


def test_counts(sandbox):
    path = sandbox.folder / 'groups.md'
    head = '## Runs of `tests/conformance/run`\n\n| group |\n|---|\n'
    path.write_text(head + '| `draw` | 40 | 41 | 0 | 0 | fake-1 | whole |\n')
    done = sandbox.run('--write', path, HERE / 'fake_deqp.py', 'draw')
    check('fewer pass', (done.returncode, 'with fake-1: worse\n' in done.stdout, '| `draw` | 40 | 41 |' in path.read_text()), (1, True, True))
    path.write_text(head + '| `draw` | 40 | 39 | 1 | 0 | fake-1 | whole |\n')
    done = sandbox.run(HERE / 'fake_deqp.py', 'draw')
    check('more pass', (done.returncode, 'recorded are 40 39 1 0 with fake-1\n' in done.stdout), (0, True))
    done = sandbox.run('--write', path, HERE / 'fake_deqp.py', 'draw.n1', out='part')
    check('a part is not the whole', (done.stdout.count('recorded'), '| `draw.n1` |\n' in path.read_text(), '| whole |\n' in path.read_text()), (0, True, True))


def test_problems(sandbox):
    broken = sandbox.run(HERE / 'fake_deqp.py', 'api', env={'FAKE_BROKEN': '1'})
    check('a program that does not run', (broken.returncode, 'no Vulkan here' in broken.stderr), (2, True))
    check('no such group', sandbox.run(HERE / 'fake_deqp.py', 'nothing').returncode, 2)
    check('bad shard', sandbox.run('--shard', '3/2', HERE / 'fake_deqp.py', 'api').returncode, 2)
    (sandbox.folder / 'list.txt').write_text('# mustpass\ndEQP-VK.api.a.pass\ndEQP-VK.api.gone\n')
    check('a list with a case that is gone', (sandbox.run(HERE / 'fake_deqp.py', sandbox.folder / 'list.txt', out='list').returncode, sandbox.statuses('list')),
          (1, {'a.pass': 'Pass', 'gone': 'Missing'}))
    (sandbox.folder / 'fails.txt').write_text('dEQP-VK.api.known.fail\n')
    check('a failure without a reason', sandbox.run(HERE / 'fake_deqp.py', 'draw').returncode, 2)


def main():
    for test in (test_statuses, test_resume, test_shards, test_table, test_counts, test_problems):
        with tempfile.TemporaryDirectory() as folder:
            test(Sandbox(folder))
    print(f'{sum(checks)} passed, {len(checks) - sum(checks)} failed')
    sys.exit(not all(checks))


main()
