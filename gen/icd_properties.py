#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Properties: icd_properties.py VK_XML OUT_H OUT_C

Like icd_features.py, for the structures that extend VkPhysicalDeviceProperties2: members have many types, and a few
have another name in the core version's structure. Members that point at arrays of the caller's are left to the icd.
"""
import sys

import registry

# The same property under another name.
SAME = {('VkPhysicalDeviceSubgroupProperties', 'supportedStages'): 'subgroupSupportedStages',
        ('VkPhysicalDeviceSubgroupProperties', 'supportedOperations'): 'subgroupSupportedOperations',
        ('VkPhysicalDeviceSubgroupProperties', 'quadOperationsInAllStages'): 'subgroupQuadOperationsInAllStages'}
# Arrays of the caller's with their counts: in icd/properties.c.
BY_HAND = {'copySrcLayoutCount', 'copyDstLayoutCount', 'layeredApiCount'}
# Not part of the driver: answered by layers.
NOT_OURS = {'VkPhysicalDeviceLayeredApiVulkanPropertiesKHR'}


def main():
    reg = registry.Registry(sys.argv[1])
    s_types = reg.enums['VkStructureType']
    structs = [s for s in reg.structs_extending('VkPhysicalDeviceProperties2')
               if s.s_type() in s_types and s.name not in NOT_OURS]
    structs.sort(key=lambda s: s_types[s.s_type()])

    fields, members = {}, {}
    for struct in structs:
        members[struct.name] = []
        for member in struct.fields():
            if member.is_pointer or member.name in BY_HAND:
                continue
            name = SAME.get((struct.name, member.name), member.name)
            shape = (member.type, member.array)
            # Bit masks of one and of several bits are the same.
            assert fields.setdefault(name, shape)[1] == shape[1], (struct.name, member.name, fields[name], shape)
            members[struct.name].append((member.name, name))

    out = [registry.banner('icd_properties.py'), '''#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* All properties, by name. */
struct icd_properties {
   VkPhysicalDeviceProperties core;
''']
    out += [f'   {member} {name}{array};\n' for name, (member, array) in fields.items()]
    out.append(f'''}};

/* A member of a property structure: byte offsets in it and in struct icd_properties, and its size. */
struct icd_property_field {{
   uint16_t vk_offset, offset, size_bytes;
}};

/* A structure that extends VkPhysicalDeviceProperties2, sorted by sType. */
struct icd_property_struct {{
   VkStructureType type;
   uint16_t first, count; /* in icd_property_fields */
}};

enum {{ ICD_NUM_PROPERTY_STRUCTS = {len(structs)} }};

extern const struct icd_property_field icd_property_fields[];
extern const struct icd_property_struct icd_property_structs[ICD_NUM_PROPERTY_STRUCTS];
''')
    registry.write(sys.argv[2], ''.join(out))

    out = [registry.banner('icd_properties.py'), '#include "gen/icd_properties.h"\n\n#include <stddef.h>\n#include <vulkan/vulkan.h>\n\n',
           '#define FIELD(vk_struct, vk_name, name)                                                        \\\n'
           '   {offsetof(vk_struct, vk_name), offsetof(struct icd_properties, name),                      \\\n'
           '    (uint16_t)(sizeof(((struct icd_properties *)0)->name) /                                   \\\n'
           '               (sizeof(((struct icd_properties *)0)->name) == sizeof(((vk_struct *)0)->vk_name)))}\n\n',
           'const struct icd_property_field icd_property_fields[] = {\n']
    firsts, first = [], 0
    for struct in structs:
        firsts.append(first)
        first += len(members[struct.name])
        out += [f'   FIELD({struct.name}, {vk_name}, {name}),\n' for vk_name, name in members[struct.name]]
    out.append('};\n\nconst struct icd_property_struct icd_property_structs[ICD_NUM_PROPERTY_STRUCTS] = {\n')
    out += [f'   {{{s.s_type()}, {f}, {len(members[s.name])}}},\n' for s, f in zip(structs, firsts)]
    out.append('};\n')
    registry.write(sys.argv[3], ''.join(out))


main()
