// SPDX-License-Identifier: MIT
// The color, times that of an image.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 written;
layout(set = 0, binding = 0) uniform texture2D image;
void main()
{
   written = color * texelFetch(image, ivec2(0), 0).r;
}
