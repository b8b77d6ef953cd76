#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of enum values for logs and messages: icd_names.py VK_XML OUT_H OUT_C"""
import sys

import registry
import string_blob

ENUMS = {'VkResult': 'result', 'VkStructureType': 'structure_type', 'VkFormat': 'format',
         'VkObjectType': 'object_type', 'VkDescriptorType': 'descriptor_type'}


def main():
    reg = registry.Registry(sys.argv[1])
    out = [registry.banner('icd_names.py'), '#pragma once\n\n#include <vulkan/vulkan_core.h>\n\n',
           '/* The names of values as in the specification; "unknown" for what is none. Static strings. */\n']
    out += [f'const char *icd_{noun}_name({enum} value);\n' for enum, noun in ENUMS.items()]
    registry.write(sys.argv[2], ''.join(out))

    blob = string_blob.Strings()
    blob.add('unknown')
    tables = []
    for enum, noun in ENUMS.items():
        rows = sorted((value, blob.add(name)) for name, value in reg.enums[enum].items())
        tables.append(f'static const struct entry {noun}s[] = {{\n' +
                      ''.join(f'   {{{value}, {name}}},\n' for value, name in rows) + '};\n\n')
    out = [registry.banner('icd_names.py'), '#include "gen/icd_names.h"\n\n#include <stddef.h>\n#include <stdint.h>\n\n',
           'struct entry {\n   int32_t value;\n   uint32_t name;\n};\n\n', blob.c_array('names'), '\n', *tables,
           '''static const char *find(const struct entry *entries, size_t count, int32_t value)
{
   size_t low = 0, high = count;
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (entries[middle].value < value)
         low = middle + 1;
      else
         high = middle;
   }
   return names + (low < count && entries[low].value == value ? entries[low].name : 0);
}
''']
    out += [f'''
const char *icd_{noun}_name({enum} value)
{{
   return find({noun}s, sizeof({noun}s) / sizeof({noun}s[0]), (int32_t)value);
}}
''' for enum, noun in ENUMS.items()]
    registry.write(sys.argv[3], ''.join(out))


main()
