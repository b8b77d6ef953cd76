#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Features: icd_features.py VK_XML OUT_H OUT_C

One struct with a bool for each feature name of core versions and of KHR and EXT extensions: a feature that several
structures have (an extension's and the core version's that it became part of) is one field. A table maps the members
of each structure to the fields, so that answering and collecting chains is one loop over data.
"""
import sys

import registry
import string_blob


def main():
    reg = registry.Registry(sys.argv[1])
    core = reg.structs['VkPhysicalDeviceFeatures']
    s_types = reg.enums['VkStructureType']
    structs = [s for s in reg.structs_extending('VkPhysicalDeviceFeatures2') if s.s_type() in s_types]
    structs.sort(key=lambda s: s_types[s.s_type()])

    fields = {}
    for member in core.fields():
        fields[member.name] = [core.name]
    for struct in structs:
        for member in struct.fields():
            assert member.type == 'VkBool32' and not member.array and not member.is_pointer, (struct.name, member.name)
            fields.setdefault(member.name, []).append(struct.name)

    out = [registry.banner('icd_features.py'), '''#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* All features, by name. The comments list the structures that have them. */
struct icd_features {
''']
    short = {s.name: s.name.replace('VkPhysicalDevice', '').replace('Features', '') or 'core' for s in [core] + structs}
    out += [f'   bool {name}; /* {", ".join(short[s] for s in where)} */\n' for name, where in fields.items()]
    out.append(f'''}};

enum {{ ICD_NUM_FEATURES = {len(fields)} }};

/* A member of a feature structure: byte offsets in it and in struct icd_features. */
struct icd_feature_field {{
   uint16_t vk_offset, offset;
}};

/* A structure that extends VkPhysicalDeviceFeatures2, sorted by sType. */
struct icd_feature_struct {{
   VkStructureType type;
   uint16_t first, count; /* in icd_feature_fields */
}};

enum {{ ICD_NUM_FEATURE_STRUCTS = {len(structs)}, ICD_NUM_CORE_FEATURES = {len(core.fields())} }};

extern const struct icd_feature_field icd_feature_fields[];
extern const struct icd_feature_struct icd_feature_structs[ICD_NUM_FEATURE_STRUCTS];
/* The members of VkPhysicalDeviceFeatures. */
extern const struct icd_feature_field icd_core_features[ICD_NUM_CORE_FEATURES];

/* The name of the feature at that byte offset in struct icd_features. */
const char *icd_feature_name(uint32_t offset);
''')
    registry.write(sys.argv[2], ''.join(out))

    out = [registry.banner('icd_features.py'), '#include "gen/icd_features.h"\n\n#include <stddef.h>\n#include <vulkan/vulkan.h>\n\n',
           '#define FIELD(vk_struct, name) {offsetof(vk_struct, name), offsetof(struct icd_features, name)}\n\n',
           'const struct icd_feature_field icd_core_features[ICD_NUM_CORE_FEATURES] = {\n',
           *[f'   FIELD({core.name}, {m.name}),\n' for m in core.fields()], '};\n\n',
           'const struct icd_feature_field icd_feature_fields[] = {\n']
    firsts, first = [], 0
    for struct in structs:
        firsts.append(first)
        first += len(struct.fields())
        out += [f'   FIELD({struct.name}, {m.name}),\n' for m in struct.fields()]
    out.append('};\n\nconst struct icd_feature_struct icd_feature_structs[ICD_NUM_FEATURE_STRUCTS] = {\n')
    out += [f'   {{{s.s_type()}, {f}, {len(s.fields())}}},\n' for s, f in zip(structs, firsts)]
    out.append('};\n\n')

    blob = string_blob.Strings()
    rows = [f'   [offsetof(struct icd_features, {name})] = {blob.add(name)},\n' for name in fields]
    out += [blob.c_array('names'), '\nstatic const uint16_t name_offsets[] = {\n', *rows, '};\n\n',
            'const char *icd_feature_name(uint32_t offset)\n{\n   return names + name_offsets[offset];\n}\n']
    registry.write(sys.argv[3], ''.join(out))


main()
