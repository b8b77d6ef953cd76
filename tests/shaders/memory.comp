#version 450
// Uniform buffers with std140 layout, push constants, specialization constants, arrays indexed at run time, matrices.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int scale = 1;
layout(constant_id = 2) const bool wants_extra = false;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
struct Item { vec3 v; int k; mat3 m; };
layout(std140, binding = 2) uniform Table { Item items[4]; layout(row_major) mat2x3 rows; float weights[5]; };
layout(push_constant) uniform Push { ivec2 offset; int factors[4]; };

void main()
{
   uint i = gl_GlobalInvocationID.x, n = values[i];
   int local_array[9];
   for (int k = 0; k < 9; k++)
      local_array[k] = k * k + factors[k & 3];
   local_array[n % 9u] += offset.x;
   Item item = items[n & 3u];
   vec3 t = item.m * item.v;
   vec2 r = item.v * rows;
   int sum = int(t.x) + 3 * int(t.y) + 5 * int(t.z) + int(r.x) - int(r.y) + item.k;
   sum += int(weights[n % 5u]) + local_array[(n >> 8) % 9u] * scale + local_array[(n >> 4) % 9u];
   if (wants_extra)
      sum += offset.y;
   results[i] = uint(sum);
}
