#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads all that vulkaninfo prints of the driver for contradictions: a feature without the extension that it is about, a limit below what
the specification requires, a number that two structures give differently, versions of manifest, device and conformance tests, and an
identity that programs cannot show.

Usage: contradictions.py MANIFEST   Exit status 77 (skipped) where vulkaninfo is not installed.
Source: Limits, "Required Limits"; Features, the descriptions of the features named here; Devices, VkPhysicalDeviceProperties; WebGPU,
"normalized identifier string"."""
import json
import os
import re
import shutil
import subprocess
import sys

# Features that say something about another extension: one of those must be there.
ABOUT = {
    'fragmentShaderShadingRateInterlock': ['VK_KHR_fragment_shading_rate', 'VK_NV_shading_rate_image'],
    'extendedDynamicState3ColorBlendAdvanced': ['VK_EXT_blend_operation_advanced'],
    'extendedDynamicState3ConservativeRasterizationMode': ['VK_EXT_conservative_rasterization'],
    'extendedDynamicState3ExtraPrimitiveOverestimationSize': ['VK_EXT_conservative_rasterization'],
    'extendedDynamicState3CoverageModulationMode': ['VK_NV_framebuffer_mixed_samples'],
    'extendedDynamicState3CoverageModulationTable': ['VK_NV_framebuffer_mixed_samples'],
    'extendedDynamicState3CoverageModulationTableEnable': ['VK_NV_framebuffer_mixed_samples'],
    'extendedDynamicState3CoverageReductionMode': ['VK_NV_coverage_reduction_mode'],
    'extendedDynamicState3CoverageToColorEnable': ['VK_NV_fragment_coverage_to_color'],
    'extendedDynamicState3CoverageToColorLocation': ['VK_NV_fragment_coverage_to_color'],
    'extendedDynamicState3DepthClipEnable': ['VK_EXT_depth_clip_enable'],
    'extendedDynamicState3DepthClipNegativeOneToOne': ['VK_EXT_depth_clip_control'],
    'extendedDynamicState3LineRasterizationMode': ['VK_EXT_line_rasterization', 'VK_KHR_line_rasterization'],
    'extendedDynamicState3LineStippleEnable': ['VK_EXT_line_rasterization', 'VK_KHR_line_rasterization'],
    'extendedDynamicState3ProvokingVertexMode': ['VK_EXT_provoking_vertex'],
    'extendedDynamicState3RasterizationStream': ['VK_EXT_transform_feedback'],
    'extendedDynamicState3RepresentativeFragmentTestEnable': ['VK_NV_representative_fragment_test'],
    'extendedDynamicState3SampleLocationsEnable': ['VK_EXT_sample_locations'],
    'extendedDynamicState3ShadingRateImageEnable': ['VK_NV_shading_rate_image'],
    'extendedDynamicState3ViewportSwizzle': ['VK_NV_viewport_swizzle'],
    'extendedDynamicState3ViewportWScalingEnable': ['VK_NV_clip_space_w_scaling'],
}

# The least value of Vulkan 1.4 and of the profiles Roadmap 2022 and 2024, or with a feature's name: the least value where that feature is there.
LEAST = '''
maxImageDimension1D 8192            maxImageDimension2D 8192           maxImageDimension3D 512          maxImageDimensionCube 8192
maxImageArrayLayers 2048            maxTexelBufferElements 65536       maxUniformBufferRange 65536      maxStorageBufferRange 134217728
maxPushConstantsSize 256            maxMemoryAllocationCount 4096      maxSamplerAllocationCount 4000   maxBoundDescriptorSets 7
maxPerStageDescriptorSamplers 64    maxPerStageDescriptorUniformBuffers 15                              maxPerStageDescriptorStorageBuffers 30
maxPerStageDescriptorSampledImages 200                                 maxPerStageDescriptorStorageImages 16
maxPerStageDescriptorInputAttachments 4                                maxPerStageResources 200         maxDescriptorSetSamplers 576
maxDescriptorSetUniformBuffers 90   maxDescriptorSetUniformBuffersDynamic 8                             maxDescriptorSetStorageBuffers 96
maxDescriptorSetStorageBuffersDynamic 4                                maxDescriptorSetSampledImages 1800                               maxDescriptorSetStorageImages 144
maxDescriptorSetInputAttachments 4  maxVertexInputAttributes 16        maxVertexInputBindings 16        maxVertexInputAttributeOffset 2047
maxVertexInputBindingStride 2048    maxVertexOutputComponents 64       maxFragmentInputComponents 64    maxFragmentOutputAttachments 4
maxFragmentDualSrcAttachments 1 dualSrcBlend                           maxFragmentCombinedOutputResources 16
maxComputeSharedMemorySize 16384    maxComputeWorkGroupInvocations 256 subPixelPrecisionBits 4          subTexelPrecisionBits 8
mipmapPrecisionBits 6               maxDrawIndexedIndexValue 16777215  maxDrawIndirectCount 1           maxSamplerLodBias 14
maxSamplerAnisotropy 1              maxViewports 16 multiViewport      maxTexelOffset 7                 maxTexelGatherOffset 7 shaderImageGatherExtended
maxInterpolationOffset 0.4375 sampleRateShading                        subPixelInterpolationOffsetBits 4 sampleRateShading
maxFramebufferWidth 7680            maxFramebufferHeight 7680          maxFramebufferLayers 256         maxColorAttachments 8
maxSampleMaskWords 1                maxClipDistances 8 shaderClipDistance                               maxCullDistances 8 shaderCullDistance
maxCombinedClipAndCullDistances 8 shaderClipDistance                   discreteQueuePriorities 2
maxTessellationGenerationLevel 64 tessellationShader                   maxTessellationPatchSize 32 tessellationShader
maxGeometryShaderInvocations 32 geometryShader                         maxGeometryOutputVertices 256 geometryShader
maxGeometryInputComponents 64 geometryShader                           maxGeometryOutputComponents 64 geometryShader
maxMultiviewViewCount 6 multiview   maxMultiviewInstanceIndex 134217727 multiview
maxPerSetDescriptors 1024           maxMemoryAllocationSize 1073741824 maxBufferSize 1073741824 maintenance4
maxTimelineSemaphoreValueDifference 2147483647 timelineSemaphore       maxPushDescriptors 32 pushDescriptor
maxInlineUniformBlockSize 256 inlineUniformBlock                       maxPerStageDescriptorInlineUniformBlocks 4 inlineUniformBlock
maxDescriptorSetInlineUniformBlocks 4 inlineUniformBlock               maxVertexAttribDivisor 65535 vertexAttributeInstanceRateDivisor
maxCustomBorderColorSamplers 32 customBorderColors                     maxMultiDrawCount 1024 multiDraw
maxCommandBufferNestingLevel 1 nestedCommandBuffer                     lineSubPixelPrecisionBits 4 rectangularLines
'''

KHRONOS_VENDOR = 0x10000  # VK_VENDOR_ID_KHRONOS: the driver has no PCI vendor and no number of its own


def run():
    if not shutil.which('vulkaninfo'):
        print('vulkaninfo is not installed')
        sys.exit(77)
    env = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY')}  # no surface is asked for
    return subprocess.run(['vulkaninfo'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, env=env).stdout


def parse(text):
    """{structure: {member: value as printed}}, with only what belongs to the device; and its extensions."""
    structs, members, extensions = {}, None, set()
    for line in text.splitlines():
        if head := re.fullmatch(r'(VkPhysicalDevice\w+):', line):
            members = structs.setdefault(head[1], {})
        elif row := re.fullmatch(r'\t(\w+)\s+= (\S.*?)\s*', line):
            if members is not None:
                members.setdefault(row[1], row[2])
        elif row := re.fullmatch(r'\t\t(major|minor|subminor|patch)\s+= (\d+)', line):
            if members is not None:
                members.setdefault('conformanceVersion.' + row[1], row[2])
        elif row := re.match(r'\t(VK_\w+)\s+: extension revision', line):
            extensions.add(row[1])
        elif line and not line.startswith(('\t', '-', '=')):
            members = None
    return structs, extensions


def number(text):
    match = re.match(r'-?0x[0-9a-fA-F]+|-?[\d.]+', text)
    return None if not match else int(match[0], 16) if 'x' in match[0] else float(match[0])


def least_values():
    tokens = re.findall(r'(\w+) ([\d.]+)((?: (?!max|min|sub|mip|discrete|line)\w+)?)', re.sub(r'\s+', ' ', LEAST))
    return [(name, float(value), feature.strip()) for name, value, feature in tokens]


def find(structs, name):
    return next((members[name] for members in structs.values() if name in members), None)


def problems(structs, extensions, manifest):
    for name, owners in ABOUT.items():
        if find(structs, name) == 'true' and not extensions & set(owners):
            yield f'feature {name} without {" or ".join(owners)}'
    num_limits = 0
    for name, least, feature in least_values():
        value = find(structs, name)
        if value is None or (feature and find(structs, feature) != 'true'):
            continue
        num_limits += 1
        if number(value) < least:
            yield f'{name} is {value}, at least {least:g} is required' + (f' with {feature}' if feature else '')
    if num_limits < 50:
        yield f'only {num_limits} limits were found'
    seen = {}
    for struct, members in structs.items():
        for name, value in members.items():
            owner, other = seen.setdefault(name, (struct, value))
            if other != value and (number(other) is None or number(other) != number(value)): # decimal or hexadecimal
                yield f'{name} is {other} in {owner}, but {value} in {struct}'
    device = re.match(r'[\d.]+', structs['VkPhysicalDeviceProperties']['apiVersion'])[0]
    if device != manifest:
        yield f'the manifest says Vulkan {manifest}, the device {device}'
    shown = tuple(int(find(structs, 'conformanceVersion.' + part) or 0) for part in ('major', 'minor', 'subminor', 'patch'))
    if shown[:2] < tuple(int(part) for part in device.split('.')[:2]):
        yield f'conformance of {".".join(map(str, shown))} for Vulkan {device}'
    for name in ('deviceName', 'driverName', 'driverInfo'):
        if not find(structs, name):
            yield f'{name} is empty'
    identifier = re.sub('[^a-z0-9]+', '-', (find(structs, 'deviceName') or '').lower())  # what WebGPU makes of it
    if identifier != identifier.strip('-'):
        yield f'the device name reads {identifier} as an identifier'
    vendor = number(find(structs, 'vendorID'))
    if vendor != KHRONOS_VENDOR:
        yield f'vendor {vendor:#x} is another driver\'s, or none'


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        manifest = json.load(file)['ICD']['api_version']
    found = list(problems(*parse(run()), manifest))
    print('\n'.join(found))
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
