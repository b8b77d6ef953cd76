# SPDX-License-Identifier: MIT
"""Which cases are run: groups to names, shards and samples of them."""
import hashlib
import pathlib
import tempfile

PACKAGE = 'dEQP-VK.'


def pattern_of(group):
    """dEQP's pattern for what users call a group: the name alone means all below it."""
    pattern = group if group.startswith(PACKAGE) or group == PACKAGE[:-1] else PACKAGE + group
    return pattern if '*' in pattern else pattern + '*'


def matches(name, group):
    """'a.b' is also the case a.b itself, but not a.bc."""
    whole = group if group.startswith(PACKAGE) else PACKAGE + group
    return '*' in group or name == whole or name.startswith(whole + '.')


def list_all(deqp, groups):
    """Names of the groups' cases, each once, in the tests' order."""
    names = {}
    for group in groups:
        if pathlib.Path(group).is_file():
            with open(group) as file:
                found = [line.strip() for line in file if line.strip() and not line.startswith('#')]
        else:
            with tempfile.TemporaryDirectory() as folder:
                found = [name for name in deqp.list(pattern_of(group), pathlib.Path(folder)) if matches(name, group)]
        names.update(dict.fromkeys(found))
    return list(names)


def number_of(name):
    """The same number on every machine and with every version of Python."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], 'big')


def choose(names, shard, sample):
    """The sample first: the shards of a sample are parts of it."""
    number, count = shard
    return [name for name in names if number_of(name) % sample == 0 and number_of(name) // sample % count == number - 1]
