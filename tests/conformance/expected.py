# SPDX-License-Identifier: MIT
"""What is recorded: cases that fail (fails.txt) and cases that do so now and then (flakes.txt), a case a line below `# reason`."""
import collections

import executor

Lists = collections.namedtuple('Lists', 'fails flakes')


def read_list(path):
    """Reason by case; a case without a reason is an error."""
    reasons, reason = {}, ''
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        line = line.strip()
        if line.startswith('#'):
            reason = line[1:].strip()
        elif line and not reason:
            raise executor.CannotRun(f'{path}:{number}: {line} has no reason')
        elif line:
            reasons[line] = reason
    return reasons


def read(folder):
    return Lists(read_list(folder / 'fails.txt'), read_list(folder / 'flakes.txt'))


class Verdict:
    def __init__(self):
        self.new, self.known, self.flaky, self.fixed = [], [], [], []

    def is_worse(self):
        return bool(self.new or self.flaky)

    def text(self):
        titles = (('new', 'fails, and is not listed'), ('flaky', 'fails now and then, and is not listed'),
                  ('fixed', 'is listed in fails.txt and passes: take it out'))
        lines = [f'{name}: {title}\n' for which, title in titles for name in getattr(self, which)]
        return ''.join(lines) + f'{len(self.new)} new failures, {len(self.flaky)} new flakes, {len(self.known)} known, {len(self.fixed)} fixed\n'


def compare(results, lists):
    verdict = Verdict()
    for name, result in results.items():
        if result.status in executor.GOOD:
            if name in lists.fails and result.status != 'NotSupported':
                verdict.fixed.append(name)
        elif name in lists.fails or name in lists.flakes:
            verdict.known.append(name)
        else:
            (verdict.flaky if result.status == 'Flaky' else verdict.new).append(name)
    return verdict
