#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Program headers and exports of the two libraries as they are shipped, after whatever rewrites them:
stacks that are not executable, RELRO, no segment both writable and executable, all symbols bound at the start, no relocations in code,
and no exports but the loader's entry points.

Usage: libraries.py DRIVER COMPILER   Source: System V ABI, "Program Header", "Dynamic Section"."""
import struct
import sys

PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474e551, 0x6474e552
PF_X, PF_W, PF_R = 1, 2, 4
DT_NULL, DT_STRTAB, DT_SYMTAB, DT_TEXTREL, DT_FLAGS, DT_FLAGS_1, DT_GNU_HASH = 0, 5, 6, 22, 30, 0x6ffffffb, 0x6ffffef5
DF_TEXTREL, DF_BIND_NOW, DF_1_NOW = 4, 8, 1
EXPORTS = [{'vk_icdNegotiateLoaderICDInterfaceVersion', 'vk_icdGetInstanceProcAddr', 'vk_icdGetPhysicalDeviceProcAddr',
            'vkGetInstanceProcAddr'}, {'vk_swrast_compiler'}]


class Library:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.bytes = file.read()
        offset, = struct.unpack_from('<Q', self.bytes, 32)
        size, count = struct.unpack_from('<HH', self.bytes, 54)
        # (type, flags, offset, address, bytes in the file)
        rows = [struct.unpack_from('<IIQQQQQQ', self.bytes, offset + i * size) for i in range(count)]
        self.segments = [(r[0], r[1], r[2], r[3], r[5]) for r in rows]
        self.dynamic = {}
        at = self.of_type(PT_DYNAMIC)[0][2]
        while True:
            tag, value = struct.unpack_from('<QQ', self.bytes, at)
            if tag == DT_NULL:
                break
            self.dynamic[tag] = value
            at += 16

    def of_type(self, section_type):
        return [s for s in self.segments if s[0] == section_type]

    def at(self, address):
        return next(s[2] + address - s[3] for s in self.of_type(PT_LOAD) if s[3] <= address < s[3] + s[4])

    def exports(self):
        """Names in the hash table, which holds what is defined and nothing else."""
        at = self.at(self.dynamic[DT_GNU_HASH])
        num_buckets, first, num_bloom, _ = struct.unpack_from('<IIII', self.bytes, at)
        buckets_at = at + 16 + num_bloom * 8
        buckets = struct.unpack_from(f'<{num_buckets}I', self.bytes, buckets_at)
        names = set()
        for index in (b for b in buckets if b):
            while True:
                symbol = self.at(self.dynamic[DT_SYMTAB]) + index * 24
                name = self.at(self.dynamic[DT_STRTAB]) + struct.unpack_from('<I', self.bytes, symbol)[0]
                names.add(self.bytes[name:self.bytes.index(0, name)].decode())
                if struct.unpack_from('<I', self.bytes, buckets_at + num_buckets * 4 + (index - first) * 4)[0] & 1:
                    break
                index += 1
        return names

    def problems(self, exports):
        stacks = [s[1] for s in self.of_type(PT_GNU_STACK)]
        if stacks != [PF_R | PF_W]:
            yield f'GNU_STACK: {stacks}, not one of {PF_R | PF_W} (readable, writable)'
        if len(self.of_type(PT_GNU_RELRO)) != 1:
            yield 'no GNU_RELRO'
        for s in self.of_type(PT_LOAD):
            if s[1] & PF_W and s[1] & PF_X:
                yield f'the segment at {s[3]:#x} is writable and executable'
        flags, flags_1 = self.dynamic.get(DT_FLAGS, 0), self.dynamic.get(DT_FLAGS_1, 0)
        if not (flags & DF_BIND_NOW or flags_1 & DF_1_NOW):
            yield 'symbols are bound late'
        if DT_TEXTREL in self.dynamic or flags & DF_TEXTREL:
            yield 'relocations in segments that are not writable'
        if self.exports() != exports:
            yield f'exports {sorted(self.exports())}'


def main():
    failed = 0
    for path, exports in zip(sys.argv[1:], EXPORTS, strict=True):
        problems = list(Library(path).problems(exports))
        failed += bool(problems)
        for problem in problems:
            print(f'{path}: {problem}')
    print(f'{len(EXPORTS) - failed} passed, {failed} failed')
    sys.exit(bool(failed))


main()
