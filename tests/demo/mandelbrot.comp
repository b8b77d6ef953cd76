#version 450
// The Mandelbrot set, smooth colours, 2x2 samples a pixel.
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) writeonly buffer Picture { uint pixels[]; };
layout(push_constant) uniform Push { uvec2 size; vec2 center; float scale; uint max_iterations; };

vec3 palette(float t)
{
   return 0.5 + 0.5 * cos(6.2831853 * (t + vec3(0.0, 0.33, 0.67)));
}

vec3 sample_at(vec2 pixel)
{
   vec2 c = center + (pixel - 0.5 * vec2(size)) * scale, z = vec2(0.0);
   uint i = 0u;
   while (i < max_iterations && dot(z, z) < 64.0) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      i++;
   }
   if (i == max_iterations)
      return vec3(0.0);
   float smooth_i = float(i) - log2(log2(dot(z, z)));
   return palette(0.035 * smooth_i);
}

void main()
{
   uvec2 p = gl_GlobalInvocationID.xy;
   if (p.x >= size.x || p.y >= size.y)
      return;
   vec3 sum = vec3(0.0);
   for (int s = 0; s < 4; s++)
      sum += sample_at(vec2(p) + vec2(0.25 + 0.5 * float(s & 1), 0.25 + 0.5 * float(s >> 1)));
   pixels[p.y * size.x + p.x] = packUnorm4x8(vec4(sum * 0.25, 1.0));
}
