# SPDX-License-Identifier: MIT
"""The Vulkan registry (vk.xml) as plain objects: what the generators need of it and no more.

Only what is of the API "vulkan" and neither provisional nor of a foreign platform is kept, but for provisional extensions that are named here.
"""
import re
import xml.etree.ElementTree as ElementTree

# Window systems of Linux; their commands stand in the table without their headers being needed.
PLATFORMS = {None, 'xcb', 'xlib', 'wayland'}
# Extensions of these authors have feature and property structures that we answer; others' names clash with them.
AUTHORS = {'KHR', 'EXT'}
# But for these.
ALSO = {'VK_AMDX_shader_enqueue', 'VK_AMD_shader_early_and_late_fragment_tests', 'VK_INTEL_shader_integer_functions2', 'VK_MESA_image_alignment_control',
        'VK_NV_cooperative_matrix2', 'VK_NV_cooperative_vector', 'VK_NV_memory_decompression', 'VK_NV_raw_access_chains',
        'VK_NV_ray_tracing_linear_swept_spheres', 'VK_NV_shader_atomic_float16_vector', 'VK_QCOM_fragment_density_map_offset', 'VK_QCOM_image_processing',
        'VK_QCOM_render_pass_shader_resolve', 'VK_VALVE_fragment_density_map_layered', 'VK_VALVE_shader_mixed_float_dot_product'}
# Provisional extensions, which change from one revision to the next, and the revision of them that we know. Their types stand behind
# VK_ENABLE_BETA_EXTENSIONS, which meson.build defines.
PROVISIONAL = {'VK_AMDX_shader_enqueue': 2}


class NotUnderstood(Exception):
    """The registry says something in a form that these scripts have not been written for."""


def core_version(name):
    """(major, minor) if `name` is that of a core version, else None. Since 1.4.331 a version is made of parts, which the API
    "vulkan" has all of: VK_BASE_VERSION_1_4, VK_COMPUTE_VERSION_1_4, VK_GRAPHICS_VERSION_1_4."""
    match = re.fullmatch(r'VK_(?:[A-Z]+_)?VERSION_(\d+)_(\d+)', name or '')
    return (int(match[1]), int(match[2])) if match else None


def core_name(name):
    """The whole version's name for one of its parts; any other name as it is."""
    version = core_version(name)
    return f'VK_VERSION_{version[0]}_{version[1]}' if version else name


def is_ours(element):
    return 'vulkan' in element.get('api', 'vulkan').split(',')


class Member:
    """A member of a structure: name, type, the text of array bounds, and the fixed value of sType."""

    def __init__(self, element):
        self.name = element.find('name').text
        self.type = element.find('type').text
        self.value = element.get('values')
        whole = ''.join(element.itertext())
        comment = element.find('comment')
        if comment is not None:
            whole = whole.replace(''.join(comment.itertext()), '')
        self.is_pointer = '*' in whole
        self.array = ''.join(re.findall(r'\[[^]]*\]', whole.split(self.name, 1)[1]))


class Struct:
    def __init__(self, element):
        self.name = element.get('name')
        self.extends = (element.get('structextends') or '').split(',')
        self.members = [Member(m) for m in element.findall('member') if is_ours(m)]

    def fields(self):
        return [m for m in self.members if m.name not in ('sType', 'pNext')]

    def s_type(self):
        return next((m.value for m in self.members if m.name == 'sType'), None)


class Command:
    def __init__(self, element):
        proto = element.find('proto')
        self.name = proto.find('name').text
        self.result = proto.find('type').text
        params = [p for p in element.findall('param') if is_ours(p)]
        self.params = [re.sub(r'\s+', ' ', ''.join(p.itertext())).strip() for p in params]
        self.first_type = params[0].find('type').text if params else None


class Extension:
    def __init__(self, element):
        self.name = element.get('name')
        self.short = self.name[len('VK_'):]
        self.number = int(element.get('number'))
        self.scope = element.get('type')
        self.platform = element.get('platform') if element.get('platform') != 'provisional' else None
        self.promoted_to = core_name(element.get('promotedto'))
        self.depends = element.get('depends')
        self.requires = [r for r in element.findall('require') if is_ours(r)]
        self.spec_version = 0
        for enum in element.iter('enum'):
            if enum.get('name', '').endswith('_SPEC_VERSION') and enum.get('value'):
                self.spec_version = int(enum.get('value'))

    def author(self):
        return self.short.split('_', 1)[0]


class Version:
    """A core version, VK_VERSION_1_1 and so on, or a part of one under the same name."""

    def __init__(self, element):
        version = core_version(element.get('name'))
        if not version or element.get('number') != f'{version[0]}.{version[1]}' or version[0] != 1:
            raise NotUnderstood(f'feature {element.get("name")} {element.get("number")} is no core version 1.x')
        self.name = core_name(element.get('name'))
        self.minor = version[1]
        self.requires = [r for r in element.findall('require') if is_ours(r)]


class Registry:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.structs, self.struct_aliases = {}, {}
        for element in root.find('types').findall('type'):
            if not is_ours(element) or element.get('category') != 'struct':
                continue
            if element.get('alias'):
                self.struct_aliases[element.get('name')] = element.get('alias')
            else:
                self.structs[element.get('name')] = Struct(element)

        self.commands, self.command_aliases = {}, {}
        for element in root.find('commands').findall('command'):
            if not is_ours(element):
                continue
            if element.get('alias'):
                self.command_aliases[element.get('name')] = element.get('alias')
            else:
                command = Command(element)
                self.commands[command.name] = command

        self.versions = [Version(e) for e in root.findall('feature') if is_ours(e)]
        self.extensions = [e for e in (Extension(e) for e in root.find('extensions').findall('extension')
                                       if 'vulkan' in e.get('supported', '').split(',') and
                                       (e.get('provisional') == 'true' and e.get('name') in PROVISIONAL or
                                        e.get('platform') in PLATFORMS and e.get('provisional') != 'true'))
                           if PROVISIONAL.get(e.name, e.spec_version) == e.spec_version]
        self.enums = self._read_enums(root)

    def _read_enums(self, root):
        """Values by enum type: {'VkResult': {'VK_SUCCESS': 0, ...}}, without aliases."""
        enums = {}
        for block in root.findall('enums'):
            if block.get('type') == 'enum':
                enums[block.get('name')] = {e.get('name'): int(e.get('value'), 0) for e in block.findall('enum')
                                            if e.get('value') and is_ours(e)}
        for owner in self.versions + self.extensions:
            for require in owner.requires:
                for e in require.findall('enum'):
                    if not e.get('extends') or e.get('extends') not in enums or e.get('alias') or not is_ours(e):
                        continue
                    if e.get('offset'):
                        number = int(e.get('extnumber') or owner.number)
                        value = 1000000000 + (number - 1) * 1000 + int(e.get('offset'))
                        value = -value if e.get('dir') == '-' else value
                    elif e.get('value'):
                        value = int(e.get('value'), 0)
                    else:
                        continue
                    enums[e.get('extends')][e.get('name')] = value
        return enums

    def successors(self, name):
        """What the extension was promoted to, and that to, up to a core version."""
        found, promoted = [], {e.name: e.promoted_to for e in self.extensions}
        while promoted.get(name) and promoted[name] not in found:
            name = promoted[name]
            found.append(name)
        return found

    def command_root(self, name):
        while name in self.command_aliases:
            name = self.command_aliases[name]
        return name

    def struct_root(self, name):
        while name in self.struct_aliases:
            name = self.struct_aliases[name]
        return name

    def structs_extending(self, base):
        """Structures of core versions and of our extensions that extend `base`, in the registry's order."""
        found = {}
        for owner in self.versions + [e for e in self.extensions
                                     if e.author() in AUTHORS or e.name in ALSO]:
            for require in owner.requires:
                for element in require.findall('type'):
                    struct = self.structs.get(self.struct_root(element.get('name')))
                    if struct and base in struct.extends and struct.s_type():
                        found[struct.name] = struct
        return list(found.values())


def banner(script):
    return f'/* SPDX-License-Identifier: MIT\n * Generated by gen/{script} from vk.xml. */\n'


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
