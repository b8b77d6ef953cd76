#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of the format table, and exact sRGB tables: formats.py VK_XML OUT_ROWS OUT_SRGB

OUT_ROWS is a list of macro calls, in order of VkFormat's values (0 to 184 without a gap, then the extensions'):
   RT_CODEC(codec, bytes, R, G, B, A)      one a distinct layout; channels are RT_CH(bits, shift, numeric)
   RT_FORMAT(VK_FORMAT_X, "X", bytes, block width, height, depth, class, planes, flags, channels, codec, decoder, R, G, B, A,
             parts, first part, second, third, source of R, of G, of B, of A)
Parts are RT_PART(VK_FORMAT_Y, width divisor, height divisor), sources RT_SOURCE(part, channel of the part's format).
Formats whose contents we do not know how to read (PVRTC, fixed point, vendors' own) are left out.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree
from decimal import Decimal, getcontext
from fractions import Fraction

import registry

NUMERICS = {'UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT', 'UFLOAT', 'SFLOAT', 'SRGB'}
ABSENT = 'RT_CH(0, 0, RT_NUMERIC_NONE)'
# Texel sizes of the depth plane; stencil is a plane of its own.
COMBINED = {'D16S8': 2, 'D24S8': 4, 'D32S8': 4}
DEPTHS = {'D16S8': 'VK_FORMAT_D16_UNORM', 'D24S8': 'VK_FORMAT_X8_D24_UNORM_PACK32', 'D32S8': 'VK_FORMAT_D32_SFLOAT'}
# What the two texels of a block with luma of their own and shared chroma are read as, by bits of a component: luma a
# texel, with one of the chroma components beside it; whole blocks.
PAIRED = {8: ('VK_FORMAT_R8G8_UNORM', 'VK_FORMAT_R8G8B8A8_UNORM'),
          10: ('VK_FORMAT_R10X6G10X6_UNORM_2PACK16', 'VK_FORMAT_R10X6G10X6B10X6A10X6_UNORM_4PACK16'),
          12: ('VK_FORMAT_R12X4G12X4_UNORM_2PACK16', 'VK_FORMAT_R12X4G12X4B12X4A12X4_UNORM_4PACK16'),
          16: ('VK_FORMAT_R16G16_UNORM', 'VK_FORMAT_R16G16B16A16_UNORM')}
# Classes that runtime/format/ decodes; the decoder is rt_decode_<class>_<numeric>.
DECODED = ('BC', 'ETC2', 'EAC', 'ASTC LDR', 'ASTC HDR')


class Format:
    def __init__(self, element, value):
        self.name, self.value = element.get('name'), value
        self.klass = element.get('class')
        self.bytes = COMBINED.get(self.klass, int(element.get('blockSize')))
        self.compression = element.get('compressed')
        extent = (element.get('blockExtent') or '1,1,1').split(',')
        self.block = tuple(int(e) for e in extent)
        self.components = [(c.get('name'), c.get('bits'), c.get('numericFormat')) for c in element.findall('component')]
        self.plane_parts = [(p.get('compatible'), int(p.get('widthDivisor')), int(p.get('heightDivisor')))
                            for p in element.findall('plane')]
        self.plane_of = [int(c.get('planeIndex') or 0) for c in element.findall('component')]
        self.planes = max(1, len(self.plane_parts), 2 if self.klass in COMBINED else 1)
        self.needs_conversion = bool(element.get('chroma'))
        self.is_paired = self.block != (1, 1, 1) and not self.compression
        self.packed = int(element.get('packed') or 0)

    def is_known(self, vendors):
        return all(n in NUMERICS for _, _, n in self.components) and self.compression != 'PVRTC' and \
            self.name.rsplit('_', 1)[1] not in vendors

    def numeric(self):
        numerics = [n for _, _, n in self.components]
        return 'SRGB' if 'SRGB' in numerics else numerics[0]  # alpha is UNORM then, and may be first

    def channels(self):
        """(bits, shift, numeric) by position: R G B A; depth in 0, stencil in 1 (0 where it is alone)."""
        found = [None] * 4
        offsets = {'R': 0, 'G': 1, 'B': 2, 'A': 3, 'D': 0, 'S': 1 if self.klass in COMBINED else 0}
        padded = re.search(r'X([246])', self.name) if self.packed == 16 else None
        shift = 0
        # Packed formats are named from the most significant bit, arrays from the first byte.
        order = self.components if not self.packed or padded else self.components[::-1]
        for name, bits, numeric in order:
            if bits == 'compressed':
                bits = 16 if 'FLOAT' in numeric else 8
            bits = int(bits)
            if padded:
                found[offsets[name]] = (bits, shift + 16 - bits, numeric)
                shift += 16
            else:
                found[offsets[name]] = (bits, 0 if name == 'S' or self.compression else shift, numeric)
                shift += bits
            if name == 'A' and numeric == 'SRGB':
                found[3] = (found[3][0], found[3][1], 'UNORM')
        return found

    def flags(self):
        names = [c[0] for c in self.components]
        flags = []
        if self.packed:
            flags.append('RT_ROW_PACKED')
        if self.compression:
            flags.append('RT_ROW_COMPRESSED')
        if self.needs_conversion:
            flags.append('RT_ROW_CONVERTED')
        if 'D' in names:
            flags.append('RT_ROW_DEPTH')
        if 'S' in names:
            flags.append('RT_ROW_STENCIL')
        if self.numeric() == 'SRGB':
            flags.append('RT_ROW_SRGB')
        if self.numeric() in ('UINT', 'SINT'):
            flags.append('RT_ROW_INT')
        if self.numeric() in ('SNORM', 'SSCALED', 'SINT', 'SFLOAT'):
            flags.append('RT_ROW_SIGNED')
        return ' | '.join(flags) or '0'

    def codec_key(self):
        if self.compression or len(self.parts()) > 1 and self.klass not in COMBINED:
            return None
        channels = self.channels()
        if self.klass in COMBINED:
            channels[1] = None
        if any(c and c[0] == 64 for c in channels):
            # Up to two 64-bit numbers go as their halves, low ones first.
            if self.bytes > 16:
                return None
            halves = [(32, 32 * i, 'UINT') for i in range(self.bytes // 4)]
            return (self.bytes, tuple(halves + [None] * (4 - len(halves))), '')
        return (self.bytes, tuple(channels), 'e5b9g9r9' if 'E5B9' in self.name else '')

    def parts(self):
        """(format, width divisor, height divisor): what sampling reads instead of the format; none: the format itself."""
        if self.klass in COMBINED:
            return [(DEPTHS[self.klass], 1, 1), ('VK_FORMAT_S8_UINT', 1, 1)]
        if self.is_paired:
            luma, chroma = PAIRED[int(self.components[0][1])]
            return [(luma, 1, 1), (chroma, 2, 1)]
        return self.plane_parts

    def sources(self):
        """(part, channel) of R, G, B, A; those that there are not: as if the format were a part."""
        found = [(0, i) for i in range(4)]
        if len(self.parts()) < 2 or self.klass in COMBINED:
            return found
        for i, (name, _, _) in enumerate(self.components):
            if not self.is_paired:
                found['RGBA'.index(name)] = (self.plane_of[i], i - self.plane_of.index(self.plane_of[i]))
            elif name == 'G':
                found[1] = (0, i % 2)
            else:
                found['RGBA'.index(name)] = (1, i)
        return found

    def decoder(self):
        if self.compression not in DECODED:
            return 'NULL'
        return f'rt_decode_{self.klass.lower()}_{self.numeric().lower()}'


def short(name):
    return name[len('VK_FORMAT_'):]


def channel(c):
    return f'RT_CH({c[0]}, {c[1]}, RT_{c[2]})' if c else ABSENT


def part(p):
    return f'RT_PART({p[0]}, {p[1]}, {p[2]})'


def write_rows(path, formats):
    codecs, classes, rows = {}, {}, []
    for f in formats:
        key = f.codec_key()
        if key and key not in codecs:
            codecs[key] = short(f.name).lower()
        number = classes.setdefault(f.klass, len(classes) + 1)
        channels, parts = f.channels(), f.parts() or [(f.name, 1, 1)]
        sources = [f'RT_SOURCE({p}, {c})' for p, c in f.sources()]
        rows.append(f'RT_FORMAT({f.name}, "{short(f.name)}", {f.bytes}, {", ".join(str(b) for b in f.block)}, {number}, {f.planes}, '
                    f'{f.flags()}, {sum(1 for c in channels if c)}, {codecs.get(key, "none")}, {f.decoder()}, '
                    f'{", ".join(channel(c) for c in channels)}, {len(parts)}, '
                    f'{", ".join(part(p) for p in (parts + [("VK_FORMAT_UNDEFINED", 1, 1)] * 2)[:3])}, {", ".join(sources)})\n')
    out = [registry.banner('formats.py'), '#ifdef RT_CODEC\n']
    for key, name in codecs.items():
        macro = 'RT_CODEC_E5B9G9R9' if key[2] else 'RT_CODEC'
        out.append(f'{macro}({name}, {key[0]}, {", ".join(channel(c) for c in key[1])})\n')
    out += ['#endif\n#ifdef RT_FORMAT\n', *rows, '#endif\n']
    registry.write(path, ''.join(out))


def float_bits(value):
    """The bits of the float nearest to a positive Fraction in float's normal range, ties to even."""
    exponent = 0
    while value >= 2:
        value, exponent = value / 2, exponent + 1
    while value < 1:
        value, exponent = value * 2, exponent - 1
    return ((exponent + 126) << 23) + round(value * (1 << 23))


def srgb_to_linear(code):
    """Spec: Khronos Data Format Specification, "sRGB transfer function": an 8-bit value (halves too) to a linear one."""
    c = Decimal(code.numerator) / Decimal(code.denominator) / 255
    if c <= Decimal('0.04045'):
        return c / Decimal('12.92')
    return ((c + Decimal('0.055')) / Decimal('1.055')) ** Decimal('2.4')


# Encoding looks at floats from 2^-13 on, 128 buckets an octave; in none of them do more than two codes meet.
FIRST_BUCKET, LAST_BUCKET = (127 - 13) << 7, 127 << 7


def write_srgb(path):
    getcontext().prec = 60
    decode = [0] + [float_bits(Fraction(srgb_to_linear(Fraction(i)))) for i in range(1, 256)]
    filtered = [round(srgb_to_linear(Fraction(i)) * 0xffff) for i in range(256)]
    # The least float that encodes to code k or more lies at the inverse of k - 1/2.
    limits = []
    for k in range(1, 256):
        exact = Fraction(srgb_to_linear(Fraction(2 * k - 1, 2)))
        bits = float_bits(exact)
        nearest = Fraction((bits & 0x7fffff) | 0x800000) * Fraction(2) ** ((bits >> 23) - 150)
        limits.append(bits if nearest >= exact else bits + 1)
    encode = []
    for bucket in range(FIRST_BUCKET, LAST_BUCKET + 1):
        low = bucket << 16
        base = sum(1 for limit in limits if limit <= low)
        inside = [limit - low for limit in limits if low < limit < low + 0x10000]
        assert len(inside) <= 1
        encode.append((base << 16) + (0x10000 - inside[0] if inside else 0))

    def array(values):
        lines = [', '.join(f'{v:#x}' for v in values[i:i + 8]) for i in range(0, len(values), 8)]
        return '{\n   ' + ',\n   '.join(lines) + ',\n}'

    registry.write(path, registry.banner('formats.py') + f'''#include "runtime/format/srgb.h"

const uint32_t rt_srgb_decode_table[256] = {array(decode)};

const uint32_t rt_srgb_filtered_table[256] = {array([float_bits(Fraction(v)) if v else 0 for v in filtered])};

const int16_t rt_srgb_signed_table[256] = {array([v - 0x8000 for v in filtered])};

/* code << 16, plus what makes the low 16 bits of a float at or above the bucket's limit carry into the next code */
const uint32_t rt_srgb_encode_table[RT_SRGB_LAST_BUCKET - RT_SRGB_FIRST_BUCKET + 1] = {array(encode)};
''')


def main():
    reg = registry.Registry(sys.argv[1])
    values = reg.enums['VkFormat']
    root = ElementTree.parse(sys.argv[1]).getroot()
    formats = [Format(e, values[e.get('name')]) for e in root.find('formats') if e.get('name') in values]
    vendors = {tag.get('name') for tag in root.find('tags')} - registry.AUTHORS
    formats = sorted((f for f in formats if f.is_known(vendors)), key=lambda f: f.value)
    assert [f.value for f in formats[:184]] == list(range(1, 185))
    write_rows(sys.argv[2], formats)
    write_srgb(sys.argv[3])


main()
