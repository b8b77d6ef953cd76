#version 450
// The median of three by three texels, from image to image.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 7, rgba8) uniform readonly image2D from;
layout(binding = 8, rgba8) uniform writeonly image2D to;
void main()
{
   ivec2 p = ivec2(gl_GlobalInvocationID.xy);
   vec4 v[9];
   for (int i = 0; i < 9; i++)
      v[i] = imageLoad(from, clamp(p + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), ivec2(1023)));
   for (int i = 0; i < 5; i++)
      for (int j = i + 1; j < 9; j++) {
         vec4 a = min(v[i], v[j]);
         v[j] = max(v[i], v[j]);
         v[i] = a;
      }
   imageStore(to, p, v[4]);
}
