#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in for deqp-vk: the last word of a case's name is what it does. What was run is appended to the file $FAKE_RAN."""
import os
import pathlib
import sys
import time

OPTIONS = dict(word[2:].split('=', 1) for word in sys.argv[1:] if word.startswith('--') and '=' in word)
CASES = ['dEQP-VK.api.' + name for name in
         ['a.pass', 'a.quality', 'a.none', 'b.fail', 'b.crash', 'b.hang', 'b.pass', 'c.flake', 'c.lost', 'c.pass', 'known.fail', 'known.pass']] + [
         f'dEQP-VK.draw.n{number}.pass' for number in range(40)] + ['dEQP-VK.drawn.pass']
PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='


def execute(name, log):
    print(f"\nTest case '{name}'..", flush=True)
    with open(os.environ['FAKE_RAN'], 'a') as ran:
        ran.write(name + '\n')
    times = pathlib.Path(os.environ['FAKE_RAN']).read_text().split('\n').count(name)
    what = name.rsplit('.', 1)[1]
    if what == 'crash':
        os.abort()
    if what == 'hang':
        time.sleep(60)
    if what == 'fail':
        log.write(f'<Text>1 &lt; 2</Text><Image Name="Result" Width="1" Height="1" Format="RGBA8888" CompressionMode="PNG">\n{PNG}\n</Image>')
    if what in ('fail', 'lost') or what == 'flake' and times == 1:
        print('  Fail (pixels differ)', flush=True)
    else:
        print({'quality': '  QualityWarning (coarse)', 'none': '  NotSupported (no feature (of any sort))'}.get(what, '  Pass (ok)'), flush=True)
    if what == 'lost':
        sys.exit(1)


def main():
    if os.environ.get('FAKE_BROKEN'):
        sys.exit('no Vulkan here')
    if OPTIONS.get('deqp-runmode') == 'txt-caselist':
        prefix = OPTIONS['deqp-case'].rstrip('*')
        path = OPTIONS['deqp-caselist-export-file'].replace('${packageName}', 'dEQP-VK').replace('${typeExtension}', 'txt')
        pathlib.Path(path).write_text('GROUP: dEQP-VK\n' + ''.join(f'TEST: {name}\n' for name in CASES if name.startswith(prefix)))
        return
    print('dEQP Core fake-1 (0x1) starting..', flush=True)
    with open(OPTIONS['deqp-log-filename'], 'w') as log:
        for name in pathlib.Path(OPTIONS['deqp-caselist-file']).read_text().split():
            if name in CASES:
                execute(name, log)


main()
