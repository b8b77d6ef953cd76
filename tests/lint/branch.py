# SPDX-License-Identifier: MIT
"""What a branch has changed, for tools that look at that alone."""
import re
import subprocess


def git(*arguments):
    done = subprocess.run(['git', *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ''


def base():
    """The commit where the branch left origin/main or main, else HEAD."""
    return (git('merge-base', 'HEAD', 'origin/main') or git('merge-base', 'HEAD', 'main') or 'HEAD').strip()


def top():
    return git('rev-parse', '--show-toplevel').strip()


def changed(since):
    """(first, last) of the changed runs of lines of C, by path."""
    runs, path = {}, None
    for line in git('diff', '--unified=0', '--diff-filter=d', since, '--', '*.c', '*.h').splitlines():
        if line.startswith('+++ b/'):
            path = line[6:]
        elif match := re.match(r'@@ -\S+ \+(\d+)(?:,(\d+))? @@', line):
            first, count = int(match[1]), int(match[2] or 1)
            if count:
                runs.setdefault(path, []).append((first, first + count - 1))
    return runs
