# SPDX-License-Identifier: MIT
"""Counts by group, as Markdown, and the table of groups.md that runs keep up to date."""
import collections

import executor

HEADING = '## Runs of `tests/conformance/run`\n'
HEAD = '| group | cases | passed | NotSupported | failed | dEQP | part |\n|---|---|---|---|---|---|---|\n'

Row = collections.namedtuple('Row', 'group cases passed not_supported failed')


def group_of(name):
    """dEQP-VK.api.smoke.x: api; groups with many thousands of cases are named by two words."""
    words = name.split('.')[1:]
    return '.'.join(words[:2]) if words[0] in ('pipeline', 'spirv_assembly', 'wsi') and len(words) > 2 else words[0]


def rows(results):
    counts = collections.defaultdict(collections.Counter)
    for name, result in results.items():
        counts[group_of(name)]['passed' if result.status in executor.GOOD[:1] + executor.GOOD[2:] else
                               'not' if result.status == 'NotSupported' else 'failed'] += 1
    return [Row(group, sum(count.values()), count['passed'], count['not'], count['failed']) for group, count in sorted(counts.items())]


def markdown(found):
    total = Row('**all**', *(sum(row[column] for row in found) for column in range(1, 5)))
    return '| group | cases | passed | NotSupported | failed |\n|---|---|---|---|---|\n' + ''.join(
        '| ' + ' | '.join(map(str, row)) + ' |\n' for row in [*found, total])


def part_of(group, chosen, shares):
    """What a row is of: all of the group, or what the words of the command line leave of it. `shares`: texts of samples and shards."""
    lists = [f'`{word}`' for word in chosen if '/' in word or word.endswith('.txt') or word.startswith(group + '.') or '*' in word]
    return ', '.join([*lists, *shares]) or 'whole'


def split(path):
    """Text before the table's heading, its rows by group and part, text after it."""
    text = path.read_text() if path.exists() else ''
    before, _, rest = text.partition(HEADING)
    end = rest.find('\n## ')
    body, after = (rest, '') if end < 0 else (rest[:end], rest[end:])
    found = {}
    for line in body.splitlines():
        cells = [cell.strip() for cell in line.split('|')[1:-1]]
        if len(cells) == 7 and cells[0].startswith('`'):
            found[cells[0].strip('`'), cells[6]] = cells
    return before, found, after


class Comparison:
    """Counts beside those that are recorded of the same group and part. Worse are, with the same tests, fewer that pass or more that fail."""

    def __init__(self, path, found, version, parts):
        self.lines, self.worse = [], set()
        recorded = split(path)[1]
        for row in found:
            cells = recorded.get((row.group, parts[row.group]))
            counts = [str(count) for count in row[1:]]
            if not cells or cells[1:5] == counts:
                continue
            if cells[5] == version and (row.passed < int(cells[2]) or row.failed > int(cells[4])):
                self.worse.add(row.group)
            self.lines.append(f'{row.group}, {parts[row.group]}: ' + ' '.join(counts) + f' with {version}, recorded are ' + ' '.join(cells[1:5]) +
                              f' with {cells[5]}{": worse" if row.group in self.worse else ""}\n')

    def text(self):
        head = 'cases, passed, NotSupported, failed that differ from what is recorded:\n'
        return head + ''.join(self.lines) if self.lines else ''


def update(path, found, version, parts, worse):
    """Puts the rows into the file's table, which is made at its end if there is none: all but worse ones. Other rows and all other text stay."""
    before, rows_there, after = split(path)
    if before and not before.endswith('\n\n'):
        before = before.rstrip('\n') + '\n\n'
    for row in found:
        if row.group not in worse:
            rows_there[row.group, parts[row.group]] = [f'`{row.group}`', *map(str, row[1:]), version, parts[row.group]]
    lines = ('| ' + ' | '.join(rows_there[key]) + ' |\n' for key in sorted(rows_there))
    path.write_text(before + HEADING + '\n' + HEAD + ''.join(lines) + after)
