// SPDX-License-Identifier: MIT
// Loads and stores through addresses that are less aligned than is promised.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 8) in;

layout(buffer_reference, buffer_reference_align = 4) buffer Word { uint value; };
layout(buffer_reference, buffer_reference_align = 16) buffer Vector { uvec4 value; };
layout(push_constant) uniform Push { Word words; Vector vectors; uint offset; };
layout(set = 0, binding = 0) buffer Results { uint results[8][5]; };

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   Word word = Word(uint64_t(words) + offset + 64u * lane);
   Vector vector = Vector(uint64_t(vectors) + offset + 64u * lane);
   results[lane][0] = word.value;
   for (int i = 0; i < 4; i++)
      results[lane][1 + i] = vector.value[i];
   vector.value = vector.value.wzyx;
}
