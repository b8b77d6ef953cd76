#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every environment variable that the driver reads is documented, and no other is: in the README, the manual page and docs/STABILITY.md.

Usage: variables.py ROOT"""
import pathlib
import re
import sys

READ = re.compile(r'\b(?:util_env|util_env_number)\("(VK_SWRAST_[A-Z_]+)"')
FOR_DEVELOPERS = {'VK_SWRAST_COMPILER', 'VK_SWRAST_FAIL_ALLOC'}   # not in the README


def named(text):
    """VK_SWRAST_A, and the short forms `_B` that tables use after it."""
    return set(re.findall(r'\bVK_SWRAST_[A-Z_]+', text)) | {'VK_SWRAST' + name for name in re.findall(r'`(_[A-Z_]+)`', text)}


def main():
    root = pathlib.Path(sys.argv[1])
    read = {name for layer in ('util', 'compiler', 'runtime', 'wsi', 'icd') for path in (root / layer).rglob('*.c')
            for name in READ.findall(path.read_text())}
    pages = {'README.md': read - FOR_DEVELOPERS, 'docs/vk_swrast.7': read, 'docs/STABILITY.md': read}
    failed = 0
    for page, wanted in pages.items():
        found = named((root / page).read_text())
        for what, names in (('does not name', wanted - found), ('names what the driver does not read:', found - read)):
            if names:
                failed += 1
                print(f'{page} {what} {", ".join(sorted(names))}')
    print(f'{len(pages) - failed} passed, {failed} failed')
    sys.exit(bool(failed) or not read)


main()
