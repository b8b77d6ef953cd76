// SPDX-License-Identifier: MIT
// Reads what stages.vert writes: a structure of integers, a shorter vector, an offset beyond the limit; stores to a buffer.
#version 450
struct Numbers { int a; uint b[2]; };
layout(location = 0) in Block { flat Numbers numbers; vec4 place; };
layout(location = 6) in vec2 narrow;
layout(set = 0, binding = 0) buffer Results { uint results[]; };
layout(location = 0) out vec4 color;

void main()
{
   const vec4 corner = interpolateAtOffset(place, vec2(2.5, 2.5));
   const uint pixel = uint(gl_FragCoord.y) * 4u + uint(gl_FragCoord.x);
   results[pixel] = uint(-numbers.a) + (numbers.b[0] << 8) + (numbers.b[1] << 16);
   results[16u + pixel] = uint((corner.x + 1.0) * 8.0) + (uint((corner.y + 1.0) * 8.0) << 8) + (uint(narrow.y) << 16);
   color = vec4(1.0);
}
