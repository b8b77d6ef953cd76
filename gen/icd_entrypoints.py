#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Entry points and extensions: icd_entrypoints.py VK_XML OUT_H OUT_C

Writes the prototypes of icd_*, the ids and the table of all extensions, and the table that says for each command
which function implements it and what exposes it.
"""
import re
import sys

import registry
import string_blob

LEVELS = {'VkInstance': 'INSTANCE', 'VkPhysicalDevice': 'PHYSICAL_DEVICE', 'VkDevice': 'DEVICE', 'VkQueue': 'DEVICE',
         'VkCommandBuffer': 'DEVICE'}
PROTECT = {'xcb': 'VK_USE_PLATFORM_XCB_KHR', 'xlib': 'VK_USE_PLATFORM_XLIB_KHR',
           'wayland': 'VK_USE_PLATFORM_WAYLAND_KHR'}
# Extensions whose commands are there whatever else is: programs ask for all states of shader objects, and set those that they use.
UNCONDITIONAL = {'VK_EXT_shader_object'}
# Slots of the hash table of names; at most a third is used, so that most look-ups end at the first.
HASH_SLOTS = 2048


# ---- what exposes a command: a set of alternatives, each a set of version and extension names ----

def any_of(a, b):
    return a | b


def all_of(a, b):
    return {x | y for x in a for y in b}


def parse_depends(text, reg):
    """The registry's depends expressions: names, '+' for and, ',' for or, equal precedence, parentheses.

    What an extension has been promoted to serves as well as the extension itself: it has the same states and structures.
    Older registries name the first of a line of extensions only, later ones all of it."""
    tokens = re.findall(r'[\w:]+|\S', text or '')

    def primary():
        token = tokens.pop(0) if tokens else ''
        if token == '(':
            value = expression()
            if not tokens or tokens.pop(0) != ')':
                raise registry.NotUnderstood(f'depends="{text}"')
            return value
        # Struct::feature: an extension's command may be asked for whether or not the feature is there.
        if '::' in token:
            return {frozenset()}
        if not token.startswith('VK'):
            raise registry.NotUnderstood(f'depends="{text}"')
        return {frozenset([name]) for name in [registry.core_name(token), *reg.successors(token)]}

    def expression():
        value = primary()
        while tokens and tokens[0] in '+,':
            combine = all_of if tokens.pop(0) == '+' else any_of
            value = combine(value, primary())
        return value

    result = expression() if tokens else {frozenset()}
    if tokens:
        raise registry.NotUnderstood(f'depends="{text}"')
    return result


def minimal(alternatives, known):
    """Drops alternatives that name something unknown or that others imply."""
    usable = [a for a in alternatives if a <= known]
    return sorted((a for a in usable if not any(b < a for b in usable)), key=lambda a: (len(a), sorted(a)))


def collect_exposure(reg):
    exposure, platforms = {}, {}
    for owner in reg.versions + reg.extensions:
        for require in owner.requires:
            depends = None if owner.name in UNCONDITIONAL else require.get('depends')
            condition = all_of({frozenset([owner.name])}, parse_depends(depends, reg))
            for element in require.findall('command'):
                name = element.get('name')
                exposure[name] = any_of(exposure.get(name, set()), condition)
                if getattr(owner, 'platform', None):
                    platforms[reg.command_root(name)] = owner.platform
    known = {o.name for o in reg.versions + reg.extensions}
    return {name: minimal(e, known) for name, e in exposure.items()}, platforms


# ---- output ----

def fnv1a(text):
    value = 0x811c9dc5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xffffffff
    return value


def level_of(command):
    if command.name == 'vkGetInstanceProcAddr':
        return 'GLOBAL'
    return LEVELS.get(command.first_type, 'GLOBAL')


def write_header(path, reg, roots, platforms, extensions):
    out = [registry.banner('icd_entrypoints.py'), '''#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

/* Ids of all extensions of the registry, sorted by name. */
enum icd_extension {
''']
    out += [f'   ICD_EXT_{e.short},\n' for e in extensions]
    out += [f'''   ICD_NUM_EXTENSIONS,
}};

struct icd_extension_set {{
   uint64_t words[{(len(extensions) + 63) // 64}];
}};

/* What the registry says of an extension. */
struct icd_extension_info {{
   uint16_t name; /* see icd_extension_name() */
   uint16_t spec_version;
   bool is_device;         /* else an instance extension */
   uint8_t promoted_minor; /* of the core version 1.x that it became part of; 255: none */
}};

extern const struct icd_extension_info icd_extension_infos[ICD_NUM_EXTENSIONS];
const char *icd_extension_name(enum icd_extension id);
/* The id of the named extension, or ICD_NUM_EXTENSIONS. */
enum icd_extension icd_extension_find(const char *name);

enum icd_command_level {{
   ICD_COMMAND_GLOBAL,
   ICD_COMMAND_INSTANCE,
   ICD_COMMAND_PHYSICAL_DEVICE,
   ICD_COMMAND_DEVICE,
}};

struct icd_command {{
   uint16_t name;
   uint16_t function; /* aliases share one */
   uint16_t exposure; /* what must be enabled: see the table in the source */
   uint8_t level;     /* enum icd_command_level */
}};

/* The command of that name, or NULL; exposed and implemented or not. */
const struct icd_command *icd_command_find(const char *name);
/* The command of a number, for walks over all of them; NULL past the last. */
const struct icd_command *icd_command_at(uint32_t index);
const char *icd_command_name(const struct icd_command *command);
/* Its function, or NULL if the driver has none. */
PFN_vkVoidFunction icd_command_function(const struct icd_command *command);
/* True if core `version` or what is in `extensions` has it. */
bool icd_command_is_exposed(const struct icd_command *command, uint32_t version,
                            const struct icd_extension_set *extensions);

#pragma GCC visibility push(hidden)
''']
    for command in roots:
        protect = PROTECT.get(platforms.get(command.name))
        prototype = (f'VKAPI_ATTR {command.result} VKAPI_CALL icd_{command.name[2:]}'
                     f'({", ".join(command.params) or "void"});\n')
        out.append(f'#ifdef {protect}\n{prototype}#endif\n' if protect else prototype)
    out.append('#pragma GCC visibility pop\n\n'
               '/* Which of several names is the function\'s changes from registry to registry. */\n')
    names = {c.name for c in roots}
    out += [f'#define icd_{alias[2:]} icd_{reg.command_root(alias)[2:]}\n' for alias in sorted(reg.command_aliases)
            if reg.command_root(alias) in names]
    registry.write(path, ''.join(out))


def encode_exposure(alternatives, ids):
    """0 ends, 1 starts the next alternative, 0x8000 + minor is a core version, 2 + id an extension."""
    words = []
    for i, alternative in enumerate(alternatives):
        words += [1] if i else []
        for name in sorted(alternative):
            version = registry.core_version(name)
            words.append(0x8000 + version[1] if version else 2 + ids[name])
    return tuple(words + [0])


def hash_table(names):
    slots = [0xffff] * HASH_SLOTS
    for index, name in enumerate(names):
        slot = fnv1a(name) % HASH_SLOTS
        while slots[slot] != 0xffff:
            slot = (slot + 1) % HASH_SLOTS
        slots[slot] = index
    return slots


def numbers(values, width=16):
    rows = [values[i:i + width] for i in range(0, len(values), width)]
    return '\n'.join('   ' + ', '.join(str(v) for v in row) + ',' for row in rows)


FUNCTIONS = '''
const char *icd_extension_name(enum icd_extension id)
{
   return extension_names + icd_extension_infos[id].name;
}

enum icd_extension icd_extension_find(const char *name)
{
   unsigned low = 0, high = ICD_NUM_EXTENSIONS;
   while (low < high) {
      const unsigned middle = (low + high) / 2;
      const int order = strcmp(name, icd_extension_name((enum icd_extension)middle));
      if (order == 0)
         return (enum icd_extension)middle;
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return ICD_NUM_EXTENSIONS;
}

const struct icd_command *icd_command_find(const char *name)
{
   uint32_t hash = 0x811c9dc5u; /* FNV-1a */
   for (const char *c = name; *c; c++)
      hash = (hash ^ (unsigned char)*c) * 0x01000193u;
   for (uint32_t slot = hash % HASH_SLOTS;; slot = (slot + 1) % HASH_SLOTS) {
      if (slots[slot] == 0xffff)
         return NULL;
      const struct icd_command *command = &commands[slots[slot]];
      if (strcmp(command_names + command->name, name) == 0)
         return command;
   }
}

const struct icd_command *icd_command_at(uint32_t index)
{
   return index < sizeof(commands) / sizeof(commands[0]) ? &commands[index] : NULL;
}

const char *icd_command_name(const struct icd_command *command)
{
   return command_names + command->name;
}

PFN_vkVoidFunction icd_command_function(const struct icd_command *command)
{
   return functions[command->function];
}

bool icd_command_is_exposed(const struct icd_command *command, uint32_t version,
                            const struct icd_extension_set *extensions)
{
   bool all = true;
   for (const uint16_t *term = &exposures[command->exposure];; term++) {
      if (*term <= TERM_OR) {
         if (all)
            return true;
         if (*term == TERM_END)
            return false;
         all = true;
      } else if (*term & TERM_VERSION) {
         all = all && version >= VK_MAKE_API_VERSION(0, 1, *term & 0xff, 0);
      } else {
         const uint32_t id = *term - TERM_EXTENSION;
         all = all && (extensions->words[id / 64] >> (id % 64) & 1);
      }
   }
}
'''


def write_source(path, reg, names, roots, exposure, platforms, extensions):
    ids = {e.name: i for i, e in enumerate(extensions)}
    out = [registry.banner('icd_entrypoints.py'),
           '#include "gen/icd_entrypoints.h"\n\n#include <string.h>\n\n']

    blob = string_blob.Strings()
    rows = []
    for e in extensions:
        promoted = registry.core_version(e.promoted_to)
        rows.append(f'   [ICD_EXT_{e.short}] = {{{blob.add(e.name)}, {e.spec_version}, '
                    f'{"true" if e.scope == "device" else "false"}, {promoted[1] if promoted else 255}}},\n')
    assert blob.size < 0x10000
    out += [blob.c_array('extension_names'),
            '\nconst struct icd_extension_info icd_extension_infos[ICD_NUM_EXTENSIONS] = {\n', *rows, '};\n\n']

    out.append('/* A command without a function of ours is NULL. */\n')
    for command in roots:
        function = f'icd_{command.name[2:]}'
        if platforms.get(command.name):
            out.append(f'__attribute__((visibility("hidden"))) VKAPI_ATTR void VKAPI_CALL {function}(void);\n')
        out.append(f'#pragma weak {function}\n')
    function_index = {command.name: i for i, command in enumerate(roots)}
    out += ['\nstatic const PFN_vkVoidFunction functions[] = {\n',
            *[f'   (PFN_vkVoidFunction)icd_{command.name[2:]},\n' for command in roots], '};\n\n']

    terms, positions = [], {}
    blob = string_blob.Strings()
    rows = []
    for name in names:
        words = encode_exposure(exposure[name], ids)
        if words not in positions:
            positions[words] = len(terms)
            terms += words
        root = reg.commands[reg.command_root(name)]
        rows.append(f'   {{{blob.add(name)}, {function_index[root.name]}, {positions[words]}, '
                    f'ICD_COMMAND_{level_of(root)}}}, /* {name} */\n')
    assert blob.size < 0x10000 and len(terms) < 0x10000 and len(names) * 2 < HASH_SLOTS
    out += [blob.c_array('command_names'), '\n',
            '/* Alternatives, each a list of terms that must all hold. */\n'
            'enum { TERM_END = 0, TERM_OR = 1, TERM_EXTENSION = 2, TERM_VERSION = 0x8000 };\n',
            f'static const uint16_t exposures[] = {{\n{numbers(terms)}\n}};\n\n',
            'static const struct icd_command commands[] = {\n', *rows, '};\n\n',
            f'enum {{ HASH_SLOTS = {HASH_SLOTS} }};\n',
            f'static const uint16_t slots[HASH_SLOTS] = {{\n{numbers(hash_table(names))}\n}};\n', FUNCTIONS]
    registry.write(path, ''.join(out))


def main():
    reg = registry.Registry(sys.argv[1])
    exposure, platforms = collect_exposure(reg)
    names = sorted(name for name, alternatives in exposure.items() if alternatives)
    roots = [reg.commands[name] for name in sorted({reg.command_root(name) for name in names})]
    extensions = sorted(reg.extensions, key=lambda e: e.name.encode())
    write_header(sys.argv[2], reg, roots, platforms, extensions)
    write_source(sys.argv[3], reg, names, roots, exposure, platforms, extensions)


main()
