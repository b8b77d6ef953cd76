// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_mesh_shader : require

layout(location = 0) in vec3 colour;
layout(location = 1) in perprimitiveEXT float shade;
layout(location = 0) out vec4 result;

void main()
{
   result = vec4(colour * shade, 0.7);
}
