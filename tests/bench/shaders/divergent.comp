#version 450
// Mandelbrot iterations: neighbours leave the loop at different times.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) writeonly buffer Out { uint counts[]; };

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   vec2 c = vec2(-0.75, 0.1) + (vec2(p) - 256.0) * 0.002, z = vec2(0.0);
   uint i = 0u;
   while (i < 256u && dot(z, z) < 4.0) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      i++;
   }
   counts[p.y * 512u + p.x] = i;
}
