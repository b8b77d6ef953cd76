// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_mesh_shader : require

layout(location = 0) in flat uvec2 cell;
layout(location = 1) in perprimitiveEXT flat uvec2 own;
layout(location = 0) out vec4 colour;

void main()
{
   colour = vec4(cell.x + cell.y * 16, own.x + own.y * 16, gl_PrimitiveID, 255) / 255.0;
}
