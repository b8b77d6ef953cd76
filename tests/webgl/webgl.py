#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a page in chromium on the driver and compares its picture with a reference: webgl.py scene1 [--write]."""
import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

WIDTH = HEIGHT = 256
SKIPPED = 77
TOLERANCE = 8        # of a colour; rounding in ANGLE's and the browser's conversions
MAX_DIFFERENT = 400  # bytes beyond it: texels along edges
FOLDER = os.path.dirname(os.path.abspath(__file__))


def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))


def write_png(path, rows):
    header = struct.pack('>IIBBBBB', WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    with open(path, 'wb') as f:
        f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) +
                chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows), 9)) + chunk(b'IEND', b''))


def read_png(path):
    """Rows of a file that write_png() wrote: one IDAT chunk, no filters."""
    with open(path, 'rb') as f:
        data = f.read()
    at = data.index(b'IDAT')
    size = struct.unpack('>I', data[at - 4:at])[0]
    raw = zlib.decompress(data[at + 4:at + 4 + size])
    stride = WIDTH * 3 + 1
    return [raw[y * stride + 1:(y + 1) * stride] for y in range(HEIGHT)]


def start_display():
    """An X server on a free display, and the display's name."""
    read, write = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(write), '-screen', '0', '640x480x24', '-nolisten', 'tcp'],
                              pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as f:
        number = f.readline().strip()
    return server, ':' + number


def draw(scene, chromium, display, home):
    environment = dict(os.environ, DISPLAY=display, HOME=home, VK_SWRAST_DEBUG='nocache,validate')
    # Sanitizers of malloc and the like are for our programs.
    environment.pop('MALLOC_PERTURB_', None)
    return subprocess.run(
        [chromium, '--no-sandbox', '--no-first-run', '--disable-extensions', '--user-data-dir=' + home + '/profile', '--headless=new',
         '--ozone-platform=x11', '--use-gl=angle', '--use-angle=vulkan', '--ignore-gpu-blocklist', '--disable-gpu-sandbox',
         '--virtual-time-budget=20000', '--dump-dom', 'file://' + os.path.join(FOLDER, scene + '.html')],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace', timeout=100, check=False)


def main():
    scene = sys.argv[1]
    chromium = shutil.which('chromium') or shutil.which('google-chrome')
    if not chromium or not shutil.which('Xvfb'):
        print('no chromium or no Xvfb')
        return SKIPPED
    server, display = start_display()
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            result = draw(scene, chromium, display, home)
    finally:
        server.terminate()
        server.wait()

    broken = re.findall(r'VUID-\S+', result.stderr)
    title = re.search(r'<title>([^<]*)</title>', result.stdout)
    pixels = re.search(r'<pre id="pixels"[^>]*>([^<]*)</pre>', result.stdout)
    print('the page says:', title[1] if title else None)
    if broken or not pixels or title[1] != 'done':
        print(result.stderr[-4000:])
        return 1
    data = base64.b64decode(pixels[1])
    rows = [data[y * WIDTH * 3:(y + 1) * WIDTH * 3] for y in reversed(range(HEIGHT))]
    reference = os.path.join(FOLDER, scene + '.png')
    if '--write' in sys.argv:
        write_png(reference, rows)
        return 0
    different = sum(abs(a - b) > TOLERANCE for row, other in zip(rows, read_png(reference)) for a, b in zip(row, other))
    print(different, 'bytes are different')
    return different > MAX_DIFFERENT


sys.exit(main())
