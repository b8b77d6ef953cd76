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


def update(path, found, version, part):
    """Puts the rows into the file's table, which is made at its end if there is none. Rows of other groups and all other text stay."""
    text = path.read_text() if path.exists() else ''
    before, heading, rest = text.partition(HEADING)
    if not heading:
        before = before.rstrip('\n') + '\n\n' if before else ''
    end = rest.find('\n## ')
    body, after = (rest, '') if end < 0 else (rest[:end], rest[end:])
    lines = {line.split('|')[1].strip(): line for line in body.splitlines() if line.startswith('| `')}
    for row in found:
        lines[f'`{row.group}`'] = f'| `{row.group}` | {row.cases} | {row.passed} | {row.not_supported} | {row.failed} | {version} | {part or "whole"} |'
    path.write_text(before + HEADING + '\n' + HEAD + ''.join(lines[key] + '\n' for key in sorted(lines)) + after)
