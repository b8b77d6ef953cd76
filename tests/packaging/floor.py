#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which GNU C library a shared object needs: the newest symbol version that it asks for must not be above the floor, and nothing but the C
library's own parts may be needed.

Usage: floor.py VERSION LIBRARY...   Source: objdump's private headers, "Version References"."""
import re
import subprocess
import sys

# Other than symbols' versions, and the first C library that has it.
ABIS = {'GLIBC_ABI_DT_RELR': '2.36'}
OWN_PARTS = re.compile(r'^(lib(c|m|dl|pthread|rt)\.so\.\d+|ld-linux-x86-64\.so\.2)$')


def number(version):
    return [int(part) for part in version.split('.')]


def problems(floor, library):
    text = subprocess.run(['objdump', '-p', library], check=True, capture_output=True, text=True).stdout
    versions = re.findall(r'\bGLIBC_(\d[\d.]*)$', text, re.M)
    symbols = subprocess.run(['objdump', '-T', library], check=True, capture_output=True, text=True).stdout
    for abi in set(re.findall(r'\bGLIBC_[A-Z]\w*$', text, re.M)):
        if number(ABIS.get(abi, '99')) > number(floor):
            yield f'{abi} is newer than {floor}'
    if not versions:
        yield 'no version of the C library is named'
    for version in sorted({v for v in versions if number(v) > number(floor)}, key=number):
        names = re.findall(rf'\(GLIBC_{re.escape(version)}\)\s+(\S+)$', symbols, re.M)
        yield f'GLIBC_{version} is newer than {floor}: {", ".join(names)} (a row in util/glibc_floor.c and util/meson.build)'
    for name in re.findall(r'^\s+NEEDED\s+(\S+)$', text, re.M):
        if not OWN_PARTS.match(name):
            yield f'{name} is needed'
    if versions:
        print(f'{library}: needs GLIBC_{max(versions, key=number)}')


def main():
    failed = 0
    for library in sys.argv[2:]:
        found = list(problems(sys.argv[1], library))
        failed += bool(found)
        for problem in found:
            print(f'{library}: {problem}')
    print(f'{len(sys.argv[2:]) - failed} passed, {failed} failed')
    sys.exit(bool(failed))


main()
