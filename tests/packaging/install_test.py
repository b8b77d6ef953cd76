#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`meson install` into an empty folder: nothing but what users need, stripped, where it belongs; and what is installed works when it is moved,
with a manifest that names the driver relative to itself, as tarballs have it.

Usage: install_test.py BUILD PROGRAM PREFIX LIBDIR DATADIR MANDIR   (the last three relative to the prefix; `PROGRAM --child` draws, and says if it is right)"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LIBRARIES = {'libvk_swrast.so': 8, 'libvk_swrast_compiler.so': 70}  # and MB, which they stay below
results = []


def check(is_good, what):
    results.append(bool(is_good))
    if not is_good:
        print('failed:', what)


def sections(path):
    return subprocess.run(['readelf', '--wide', '--sections', path], check=True, capture_output=True, text=True).stdout


def check_files(top, prefix, libdir, datadir, mandir):
    base = pathlib.Path(prefix.lstrip('/'))
    manifest = base / datadir / 'vulkan' / 'icd.d' / 'vk_swrast_icd.json'
    wanted = {base / libdir / name for name in LIBRARIES} | {manifest, base / mandir / 'man7' / 'vk_swrast.7'} | {
        base / datadir / 'licenses' / 'vk_swrast' / name for name in ('LICENSE', 'NOTICE')}
    found = {path.relative_to(top) for path in top.rglob('*') if not path.is_dir()}
    check(found == wanted, f'installed: {sorted(map(str, found ^ wanted))} is missing or too much')
    check(json.loads((top / manifest).read_text())['ICD']['library_path'] == f'{prefix}/{libdir}/libvk_swrast.so',
          'the manifest names the installed driver')
    for name in LIBRARIES:
        text = sections(top / base / libdir / name)
        check('.symtab' not in text and '.debug_info' not in text and '.note.gnu.build-id' in text, f'{name} is stripped, and has its build id')
        size_mb = (top / base / libdir / name).stat().st_size / 1e6
        check(size_mb < LIBRARIES[name], f'{name} has {size_mb:.1f} MB, less than {LIBRARIES[name]}')
        print(f'size of {name}: {size_mb:.1f} MB')
    return top / base / libdir, top / manifest


def check_moved(libraries, manifest, top, program):
    folder = top / 'some where'
    folder.mkdir()
    for name in LIBRARIES:
        shutil.copy2(libraries / name, folder)
    description = json.loads(manifest.read_text())
    description['ICD']['library_path'] = './libvk_swrast.so'
    (folder / 'vk_swrast_icd.json').write_text(json.dumps(description))
    env = dict(os.environ, VK_DRIVER_FILES=str(folder / 'vk_swrast_icd.json'), VK_ICD_FILENAMES=str(folder / 'vk_swrast_icd.json'),
               VK_SWRAST_DEBUG='nocache')
    env.pop('VK_SWRAST_COMPILER', None)
    done = subprocess.run(['vulkaninfo', '--summary'], env=env, cwd='/', capture_output=True, text=True)
    check(done.returncode == 0 and 'vk_swrast' in done.stdout and 'cannot load' not in done.stderr,
          f'the driver works in another folder: {done.stdout[-500:]} {done.stderr[-500:]}')
    # vulkaninfo does not need the compiler.
    done = subprocess.run([program, '--child'], env=env, cwd='/', capture_output=True, text=True)
    check(done.returncode == 0 and 'right' in done.stdout, f'and its compiler: {done.returncode} {done.stdout[-500:]} {done.stderr[-500:]}')


def main():
    build, program, *folders = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name).resolve() / 'root'
        subprocess.run(['meson', 'install', '-C', build, '--no-rebuild', '--quiet'], check=True, env=dict(os.environ, DESTDIR=str(top)))
        libraries, manifest = check_files(top, *folders)
        check_moved(libraries, manifest, top, pathlib.Path(program).resolve())
    print(f'{sum(results)} passed, {len(results) - sum(results)} failed')
    sys.exit(not all(results))


main()
