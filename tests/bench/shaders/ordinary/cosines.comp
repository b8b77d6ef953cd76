#version 450
// Cosine transforms of 8 x 8 pixels, rounded by a table: as encoders of pictures do.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 7, rgba8) uniform readonly image2D from;
layout(binding = 8, rgba8) uniform writeonly image2D to;
shared float block[8][9];
void main()
{
   uvec2 at = gl_LocalInvocationID.xy;
   vec3 c = imageLoad(from, ivec2(gl_GlobalInvocationID.xy)).rgb;
   block[at.y][at.x] = dot(c, vec3(0.299, 0.587, 0.114)) * 255.0 - 128.0;
   barrier();
   float sum = 0.0;
   for (uint x = 0u; x < 8u; x++)
      sum += block[at.y][x] * cos(float((2u * x + 1u) * at.x) * 0.19634954);
   sum *= at.x == 0u ? 0.35355339 : 0.5;
   barrier();
   block[at.y][at.x] = sum;
   barrier();
   float value = 0.0;
   for (uint y = 0u; y < 8u; y++)
      value += block[y][at.x] * cos(float((2u * y + 1u) * at.y) * 0.19634954);
   value *= at.y == 0u ? 0.35355339 : 0.5;
   float step = 16.0 + float(at.x + at.y) * 6.0;
   imageStore(to, ivec2(gl_GlobalInvocationID.xy), vec4(round(value / step) * step / 255.0 + 0.5));
}
