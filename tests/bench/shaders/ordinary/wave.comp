#version 450
// A wave on a grid, a step in time: neighbours out of a buffer, no shared memory.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 9, std430) readonly buffer Numbers { float numbers[]; };
layout(binding = 10, std430) buffer Words { float next[]; };
float at(ivec2 p) { p = clamp(p, ivec2(0), ivec2(1023, 511)); return numbers[p.y * 1024 + p.x]; }
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   float here = at(p), around = at(p + ivec2(1, 0)) + at(p - ivec2(1, 0)) + at(p + ivec2(0, 1)) + at(p - ivec2(0, 1));
   float before = numbers[524288 + p.y * 1024 + p.x];
   next[p.y * 1024 + p.x] = (2.0 * here - before + 0.2 * (around - 4.0 * here)) * 0.999;
}
