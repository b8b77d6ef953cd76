#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What enables SPIR-V's capabilities and extensions: icd_spirv.py VK_XML SPIRV_GRAMMAR OUT_H OUT_C

Two tables drawn from the registry's <spirvcapability> and <spirvextension>: a row a capability or extension, with the
conditions of which one must be met, and for which of Vulkan's extensions SPIR-V's grammar is new enough. Conditions whose feature, property or extension is not among those that the driver
can ever have are kept as text only, so that a message can name them.
"""
import json
import sys
import xml.etree.ElementTree as ElementTree

import registry

# Of capabilities that are newer than the grammar, or that have never been given a number in public.
NO_NUMBER = 0xffffffff
# Capabilities that the registry gives to an extension as a whole, and the specification to a property of it.
BY_PROPERTY = {'FragmentFullyCoveredEXT': ('VkPhysicalDeviceConservativeRasterizationPropertiesEXT', 'fullyCoveredFragmentShaderInputVariable')}
# Extensions that no enumerant of the grammar names, and newer registries do not: what enables them, and an instruction of the revision which we know.
UNNAMED = {'SPV_AMDX_shader_enqueue': ('VK_AMDX_shader_enqueue', 'OpTypeNodePayloadArrayAMDX')}
# Whose names of capabilities end so.
AUTHORS = ('NV', 'EXT', 'KHR')


def conditions(element, reg, features, properties, extensions):
    rows = []
    if element.get('name') in BY_PROPERTY:
        struct, member = BY_PROPERTY[element.get('name')]
        return [('PROPERTY', f'offsetof(struct icd_properties, {member})', '1', f'{struct}::{member}')]
    for e in element.findall('enable'):
        if e.get('version'):
            version = registry.core_version(e.get('version'))
            if not version:
                raise registry.NotUnderstood(f'{element.get("name")} is enabled by version {e.get("version")}')
            major, minor = version
            rows.append(('VERSION', f'VK_MAKE_API_VERSION(0, {major}, {minor}, 0)', '0', f'Vulkan {major}.{minor}'))
        elif e.get('extension'):
            short = e.get('extension')[len('VK_'):]
            known = short in extensions
            rows.append(('EXTENSION' if known else 'NEVER', f'ICD_EXT_{short}' if known else '0', '0', e.get('extension')))
        elif e.get('feature'):
            known = reg.struct_root(e.get('struct')) in features and e.get('feature') in features[reg.struct_root(e.get('struct'))]
            value = f'offsetof(struct icd_features, {e.get("feature")})' if known else '0'
            rows.append(('FEATURE' if known else 'NEVER', value, '0', f'{e.get("struct")}::{e.get("feature")}'))
        else:
            known = reg.struct_root(e.get('property')) in properties
            bit = '1' if e.get('value') == 'VK_TRUE' else e.get('value')
            value = f'offsetof(struct icd_properties, {e.get("member")})' if known else '0'
            rows.append(('PROPERTY' if known else 'NEVER', value, bit if known else '0',
                         f'{e.get("property")}::{e.get("member")}'))
    return rows


def main():
    reg = registry.Registry(sys.argv[1])
    root = ElementTree.parse(sys.argv[1]).getroot()
    named = {e.get('name') for e in root.find('spirvextensions')}
    for name, (extension, _) in UNNAMED.items():
        if name not in named:
            element = ElementTree.SubElement(root.find('spirvextensions'), 'spirvextension', name=name)
            ElementTree.SubElement(element, 'enable', extension=extension)
    by_name = lambda base: {s.name: {m.name for m in s.fields()}
                            for s in reg.structs_extending(base) + [reg.structs[base.replace('2', '')]]}
    features, properties = by_name('VkPhysicalDeviceFeatures2'), by_name('VkPhysicalDeviceProperties2')
    extensions = {e.short for e in reg.extensions}

    with open(sys.argv[2], encoding='utf-8') as file:
        grammar = json.load(file)
    operands = grammar['operand_kinds']
    numbers, implied = {}, {}
    for e in next(k for k in operands if k['kind'] == 'Capability')['enumerants']:
        for name in [e['enumerant'], *e.get('aliases', [])]:
            numbers[name] = e['value']
            implied[name] = e.get('capabilities', [])

    def in_grammar(name):
        """The grammar may know a capability by the name that it had before another author took it over."""
        stem = next((name[:-len(author)] for author in AUTHORS if name.endswith(author)), name)
        return next((n for n in [name, *(stem + author for author in AUTHORS)] if n in numbers), name)

    # Vulkan's extensions that are there for one of SPIR-V which this grammar has.
    grammar_extensions = {name for k in operands for e in k.get('enumerants', []) for name in e.get('extensions', [])}
    opcodes = {i['opname'] for i in grammar['instructions']}
    grammar_extensions |= {name for name, (_, opcode) in UNNAMED.items() if opcode in opcodes}
    known = {e.name for e in reg.extensions}
    usable = sorted({e.get('extension') for element in root.find('spirvextensions') if element.get('name') in grammar_extensions
                     for e in element.findall('enable') if e.get('extension') in known})

    def is_shader(name):
        return name == 'Shader' or any(is_shader(other) for other in implied.get(name, []))

    # Instructions that a capability is for; those that nearly every module declares say nothing.
    needs = sorted({(i['opcode'], numbers[c]) for i in grammar['instructions'] for c in i.get('capabilities', [])
                    if c not in ('Shader', 'Kernel', 'Matrix', 'Addresses', 'Linkage')})

    # Which image format of SPIR-V a format is compatible with. Source: "Compatibility Between SPIR-V Image Formats and Vulkan Formats".
    images = {e['enumerant']: e['value'] for e in next(k for k in operands if k['kind'] == 'ImageFormat')['enumerants']}
    formats = [(f.get('name'), images[i.get('name')]) for f in root.find('formats') for i in f.findall('spirvimageformat')]

    enables, rows = [], {'capability': [], 'extension': []}
    for class_name in rows:
        for element in root.find(f'spirv{"capabilities" if class_name == "capability" else "extensions"}'):
            own = conditions(element, reg, features, properties, extensions)
            is_capability = class_name == 'capability'
            name = in_grammar(element.get('name')) if is_capability else element.get('name')
            rows[class_name].append((name, numbers.get(name, NO_NUMBER) if is_capability else 0, len(enables), len(own),
                               1 if is_capability and is_shader(name) else 0))
            enables += own

    defines = '\n'.join(f'#define ICD_SPIRV_HAS_{name[len("VK_"):]}' for name in usable)
    registry.write(sys.argv[3], registry.banner('icd_spirv.py') + f'''#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum icd_enable_class {{
   ICD_ENABLE_NEVER,     /* what this driver cannot have; text only */
   ICD_ENABLE_VERSION,   /* value: the lowest version */
   ICD_ENABLE_EXTENSION, /* value: enum icd_extension_id */
   ICD_ENABLE_FEATURE,   /* value: byte offset in struct icd_features */
   ICD_ENABLE_PROPERTY,  /* value: byte offset in struct icd_properties of a uint32_t that has the bit */
}};

struct icd_spirv_enable {{
   enum icd_enable_class class;
   uint32_t value, bit;
   const char *text; /* as the registry names it */
}};

/* Defined where the extension's part in SPIR-V is known to the headers, and so to SPIRV-Tools of the same time. */
{defines}

/* A capability or a SPIR-V extension and the conditions of which one must be met. */
struct icd_spirv_row {{
   const char *name;
   uint32_t number; /* SpvCapability, UINT32_MAX if it has none; 0 for extensions */
   uint16_t first, count; /* in icd_spirv_enables */
   uint8_t is_shader;     /* is the capability Shader, or implies it */
}};

enum {{ ICD_NUM_SPIRV_CAPABILITIES = {len(rows["capability"])}, ICD_NUM_SPIRV_EXTENSIONS = {len(rows["extension"])} }};

extern const struct icd_spirv_enable icd_spirv_enables[];
extern const struct icd_spirv_row icd_spirv_capabilities[ICD_NUM_SPIRV_CAPABILITIES];
extern const struct icd_spirv_row icd_spirv_extensions[ICD_NUM_SPIRV_EXTENSIONS];

/* True if the capability is one of those that let a module have the instruction. Nearly every module's are left out. */
bool icd_spirv_op_needs(uint32_t op, uint32_t capability);

/* The SpvImageFormat that is compatible with a format; 0 (Unknown): none is. */
uint32_t icd_spirv_image_format(VkFormat format);
''')
    out = [registry.banner('icd_spirv.py'), '#include "gen/icd_spirv.h"\n\n#include "gen/icd_entrypoints.h"\n'
           '#include "gen/icd_features.h"\n#include "gen/icd_properties.h"\n\n#include <stddef.h>\n\n'
           'const struct icd_spirv_enable icd_spirv_enables[] = {\n']
    out += [f'   {{ICD_ENABLE_{k}, {v}, {b}, "{t}"}},\n' for k, v, b, t in enables]
    for class_name, title in (('capability', 'capabilities'), ('extension', 'extensions')):
        out.append(f'}};\n\nconst struct icd_spirv_row icd_spirv_{title}[ICD_NUM_SPIRV_{title.upper()}] = {{\n')
        out += [f'   {{"{n}", {i}u, {f}, {c}, {s}}},\n' for n, i, f, c, s in rows[class_name]]
    out.append('};\n\nbool icd_spirv_op_needs(uint32_t op, uint32_t capability)\n{\n   static const uint16_t rows[][2] = {\n')
    out += [f'      {{{op}, {capability}}},\n' for op, capability in needs]
    out.append('''   };
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      if (rows[i][0] == op && rows[i][1] == capability)
         return true;
   }
   return false;
''')
    out.append('}\n\nuint32_t icd_spirv_image_format(VkFormat format)\n{\n   switch (format) {\n')
    out += [f'   case {name}: return {value};\n' for name, value in formats]
    out.append('   default: return 0;\n   }\n}\n')
    registry.write(sys.argv[4], ''.join(out))


main()
