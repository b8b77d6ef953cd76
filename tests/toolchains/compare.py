#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the driver by clang without a warning, and its compiler with every other LLVM that is installed, and compares what they render and
compute with the plain build: the same bits.

Usage: compare.py BUILD           BUILD: the plain build directory, whose same_bits_test is used
       compare.py BUILD OTHER     OTHER: a build directory for another family of processors, whose own test the system runs by an emulator
What is not installed is skipped: a clang (clang-NN), other versions of LLVM (llvm-19-dev and newer). The builds stay in BUILD-clang and BUILD-llvm-NN."""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OLDEST_CLANG, OLDEST_LLVM = 15, 19
LANES = ('16', '4')
DRIVER, COMPILER = 'libvk_swrast.so', 'libvk_swrast_compiler.so'


def options(build):
    """What the plain build was made with, for the others; without debuggers' tables, which are most of a build and which nobody reads here."""
    found = {option['name']: option['value'] for option in json.loads((build / 'meson-info' / 'intro-buildoptions.json').read_text())}
    return [f'-Ddeps_prefix={found["deps_prefix"] or ROOT / "build" / "deps"}', f'-Dbuildtype={found["buildtype"]}', '-Ddebug=false',
            '-Dcompiler_layout=disabled', '--werror']


def make(build, targets, arguments, env):
    if not (build / 'build.ninja').exists():
        subprocess.run(['meson', 'setup', build, *arguments], cwd=ROOT, check=True, env=dict(os.environ, **env), stdout=subprocess.DEVNULL)
    done = subprocess.run(['ninja', '-C', build, *targets], stdout=subprocess.PIPE, text=True, errors='replace')
    if done.returncode:
        sys.exit(f'{build.name} does not build:\n{done.stdout[-4000:]}')


def version(name):
    match = re.search(r'(\d+)$', name)
    return int(match[1]) if match else 0


def newest_clang():
    """The newest that is installed, or nothing."""
    found = [os.path.basename(path) for path in glob.glob('/usr/bin/clang-*') if re.fullmatch(r'clang-\d+', os.path.basename(path))]
    return max((name for name in found if version(name) >= OLDEST_CLANG), key=version, default=None)


def other_llvms(build):
    """Versions of LLVM that are installed with their static libraries, but for the one that BUILD has."""
    found = {int(match[1]) for path in glob.glob('/usr/lib/llvm-*/lib/libLLVMX86CodeGen.a') if (match := re.search(r'llvm-(\d+)/', path))}
    own = max((number for number in found), default=0)
    configured = re.search(r'/llvm-(\d+)/', (build / 'build.ninja').read_text())
    return sorted(number for number in found if number >= OLDEST_LLVM and number != (int(configured[1]) if configured else own))


def bits(build, driver, compiler, lanes):
    """The line of hashes that a driver and a compiler give to the test of BUILD."""
    env = dict(os.environ, VK_DRIVER_FILES=str(driver / 'vk_swrast_icd.json'), VK_ICD_FILENAMES=str(driver / 'vk_swrast_icd.json'),
               VK_SWRAST_COMPILER=str(compiler / COMPILER), VK_SWRAST_DEBUG='nocache', VK_SWRAST_LANES=lanes,
               VK_SWRAST_TIMEOUT='0')  # an emulator's processor time says nothing of hangs
    done = subprocess.run([build / 'tests' / 'render' / 'same_bits_test', '--child'], env=env, capture_output=True, text=True)
    if done.returncode or 'right' not in done.stdout:
        return f'exit status {done.returncode}: {(done.stdout + done.stderr)[-300:]}'
    return done.stdout


def compare_builds(build, other):
    """Whether both give the same bits."""
    passed = 0
    for lanes in LANES:
        wanted, found = bits(build, build, build, lanes), bits(other, other, other, lanes)
        is_same = found == wanted and 'right' in found
        print(f'{other.name}, {lanes} lanes: ' + ('the same bits' if is_same else f'{found.strip()}\n   not {wanted.strip()}'))
        passed += is_same
    print(f'{passed} passed, {len(LANES) - passed} failed')
    sys.exit(passed != len(LANES))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if len(sys.argv) > 2:
        compare_builds(build, pathlib.Path(sys.argv[2]).resolve())
    variants, results = [], []
    if clang := newest_clang():
        other = build.with_name(build.name + '-clang')
        make(other, [DRIVER, COMPILER], options(build), {'CC': clang, 'CXX': clang.replace('clang', 'clang++')})
        print(f'{clang}: no warning')
        results.append(True)
        variants.append((clang, other, other))
    llvms = other_llvms(build)
    for number in llvms:
        other = build.with_name(f'{build.name}-llvm-{number}')
        make(other, [COMPILER], [*options(build), f'-Dllvm_config=/usr/lib/llvm-{number}/bin/llvm-config'], {})
        variants.append((f'LLVM {number}', build, other))
    if variants:
        for lanes in LANES:
            wanted = bits(build, build, build, lanes)
            for name, driver, compiler in variants:
                found = bits(build, driver, compiler, lanes)
                results.append(found == wanted and 'right' in found)
                print(f'{name}, {lanes} lanes: ' + ('the same bits' if results[-1] else f'{found.strip()}\n   not {wanted.strip()}'))
    if not clang:
        print(f'skipped: no clang-NN from {OLDEST_CLANG} on')
    if not llvms:
        print(f'skipped: no other LLVM from {OLDEST_LLVM} on')
    skipped = (not clang) + (not llvms)
    print(f'{sum(results)} passed, {len(results) - sum(results)} failed' + (f', {skipped} skipped' if skipped else ''))
    sys.exit(not all(results))


if __name__ == '__main__':
    if not shutil.which('meson'):
        sys.exit('meson is not installed: setup/setup')
    main()
