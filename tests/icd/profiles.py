#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks of what Khronos' profiles require, as C: profiles.py VK_XML PROFILES_JSON OUT

A line a requirement: PROFILE(name) begins a profile, REQUIRE(condition) is one of the device `features`, `properties`, HAS(extension). Of a list of
capabilities in the profile one is enough, so it is one condition. How a limit compares follows from the registry's limittype.
"""
import json
import sys
import xml.etree.ElementTree as ElementTree


def limit_types(path):
    return {m.find('name').text: m.get('limittype', 'noauto').split(',')[0]
            for t in ElementTree.parse(path).getroot().iter('type') if t.get('category') == 'struct'
            for m in t.findall('member') if m.get('limittype')}


def compare(field, name, value, types):
    if isinstance(value, bool):
        return f'{field} == {"VK_TRUE" if value else "VK_FALSE"}'
    if isinstance(value, list) and value and isinstance(value[0], str):
        bits = ' | '.join(value)
        return f'({field} & ({bits})) == ({bits})'
    if isinstance(value, list):
        if types[name] == 'range':
            return f'{field}[0] <= {value[0]} && {field}[1] >= {value[1]}'
        return ' && '.join(compare(f'{field}[{i}]', name, v, types) for i, v in enumerate(value))
    if types.get(name) not in ('max', 'min', 'bits'):
        sys.exit(f'profiles.py: limits of type {types.get(name)} are not understood: {name}')
    return f'{field} {"<=" if types[name] == "min" else ">="} {value}'


def conditions(capability, types):
    for members in capability.get('features', {}).values():
        yield from (f'features.{name}' for name, value in members.items() if value)
    for struct, members in capability.get('properties', {}).items():
        members = members['limits'] if struct == 'VkPhysicalDeviceProperties' else members
        where = 'properties.core.limits.' if struct == 'VkPhysicalDeviceProperties' else 'properties.'
        yield from (compare(where + name, name, value, types) for name, value in members.items())
    yield from (f'HAS({name[len("VK_"):]})' for name in capability.get('extensions', {}))


def main():
    types = limit_types(sys.argv[1])
    with open(sys.argv[2], encoding='utf-8') as file:
        registry = json.load(file)
    with open(sys.argv[3], 'w', encoding='utf-8') as out:
        for profile, info in sorted(registry['profiles'].items()):
            major, minor, _ = info['api-version'].split('.')
            out.write(f'PROFILE({profile})\nREQUIRE(properties.core.apiVersion >= VK_MAKE_API_VERSION(0, {major}, {minor}, 0))\n')
            for entry in info['capabilities']:
                alternatives = [list(conditions(registry['capabilities'][name], types)) for name in ([entry] if isinstance(entry, str) else entry)]
                for condition in alternatives[0] if len(alternatives) == 1 else [' || '.join(f'({" && ".join(a)})' for a in alternatives)]:
                    out.write(f'REQUIRE({condition})\n')


main()
