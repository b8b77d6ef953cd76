# SPDX-License-Identifier: MIT
"""A static library whose public names end with a suffix, so that builds of the same files for several instruction sets stand side by side.

level_library.py NM OBJCOPY AR SUFFIX IN.a OUT.a: every symbol that IN.a defines for others is called NAME + SUFFIX in OUT.a, where it is defined and
where it is used; what other libraries define keeps its name.
"""
import os
import subprocess
import sys
import tempfile


def defined(nm, library):
    listing = subprocess.run([nm, '--defined-only', '--extern-only', '--format=posix', library], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in listing.splitlines()]
    return sorted({words[0] for words in lines if len(words) > 1})


def main():
    nm, objcopy, ar, suffix, source, target = sys.argv[1:]
    source, target = os.path.abspath(source), os.path.abspath(target)
    # The members of a thin library stand beside it, by relative paths; objcopy takes files alone.
    members = subprocess.run([ar, 't', source], check=True, capture_output=True, text=True).stdout.split('\n')
    names = defined(nm, source)
    if not names:
        sys.exit(f'{source}: nothing is defined there')
    with tempfile.TemporaryDirectory() as folder:
        renames = os.path.join(folder, 'renames')
        with open(renames, 'w', encoding='utf-8') as out:
            out.writelines(f'{name} {name}{suffix}\n' for name in names)
        objects = []
        for member in filter(None, members):
            renamed = os.path.join(folder, os.path.basename(member))
            if renamed in objects:
                sys.exit(f'{source}: two members are called {os.path.basename(member)}')
            subprocess.run([objcopy, f'--redefine-syms={renames}', os.path.join(os.path.dirname(source), member), renamed], check=True)
            objects.append(renamed)
        if os.path.exists(target):
            os.remove(target)
        subprocess.run([ar, 'crsD', target] + objects, check=True)


main()
