#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lays out the code of the compiler's library by what runs: llvm-bolt puts the blocks that a training run executes next to each other.

    optimize.py --bolt LLVM-BOLT --train PROGRAM --work DIR --key TEXT --passes FILE LIBRARY RESULT SHADER...

LIBRARY is linked with --emit-relocs. The profile stays in DIR and is made again only when TEXT (the LLVM that is linked) or FILE (the choice of
its passes) changes: what it says of functions that have changed since is passed over. RESULT must generate the same code as LIBRARY; when it does
not, or llvm-bolt is of no use, RESULT is LIBRARY and a line says why. A build does not fail because of this."""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

LAYOUT = ['-reorder-blocks=ext-tsp', '-reorder-functions=cdsort', '-split-functions', '-split-all-cold', '-split-eh', '-icf=safe', '-plt=hot']


def run(command, log, **env):
    """Standard output; what else the command says goes to `log`."""
    with open(log, 'w') as errors:
        done = subprocess.run(command, env=dict(os.environ, **env), stdout=subprocess.PIPE, stderr=errors, text=True)
    if done.returncode:
        raise RuntimeError(f'{os.path.basename(command[0])} failed ({done.returncode}), see {log}')
    return done.stdout


def train(args, library):
    return run([args.train, *args.shaders], args.work / 'train.log', VK_SWRAST_COMPILER=str(library))


def make_profile(args, profile):
    instrumented = args.work / 'instrumented.so'
    raw = args.work / 'profile.new'
    try:
        run([args.bolt, args.library, '-o', instrumented, '-instrument', f'-instrumentation-file={raw}'], args.work / 'instrument.log')
        train(args, instrumented)
        if not raw.exists():
            raise RuntimeError('the training run left no profile')
        raw.replace(profile)
    finally:
        instrumented.unlink(missing_ok=True)


def optimize(args, result):
    profile, key_file = args.work / 'profile', args.work / 'profile.key'
    key = args.key + ' ' + hashlib.sha256(args.passes.read_bytes()).hexdigest()
    if not (profile.exists() and key_file.exists() and key_file.read_text() == key):
        make_profile(args, profile)
        key_file.write_text(key)
    run([args.bolt, args.library, '-o', result, f'-data={profile}', *LAYOUT], args.work / 'bolt.log')
    if train(args, result) != train(args, args.library):
        raise RuntimeError('the library generates other code when it is laid out anew')


def main():
    parser = argparse.ArgumentParser()
    for name in ('--bolt', '--train', '--key'):
        parser.add_argument(name, required=True)
    parser.add_argument('--work', type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument('--passes', type=pathlib.Path, required=True)
    parser.add_argument('library', type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument('result', type=pathlib.Path)
    parser.add_argument('shaders', nargs='+')
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    new = args.work / 'new.so'
    try:
        optimize(args, new)
    except (OSError, RuntimeError) as problem:
        print(f'the compiler keeps the layout that the linker gave it: {problem}', file=sys.stderr)
        shutil.copy2(args.library, new)
    new.replace(args.result)


if __name__ == '__main__':
    main()
