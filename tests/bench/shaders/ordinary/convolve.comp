#version 450
// A layer of a network: 3 x 3 weights, 16 planes of 64 x 64 to 64 planes.
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 9, std430) buffer Numbers { float numbers[]; };
layout(binding = 6, std430) readonly buffer Biases { vec4 biases[]; };
layout(binding = 10, std430) readonly buffer Weights { uint weights[]; };
const int EXTENT = 64, PLANES = 16;
void main()
{
   ivec3 at = ivec3(gl_GlobalInvocationID.x, gl_GlobalInvocationID.y & 63, gl_GlobalInvocationID.y >> 6);
   float sum = biases[at.z & 63].x;
   for (int c = 0; c < PLANES; c++)
      for (int y = -1; y <= 1; y++)
         for (int x = -1; x <= 1; x++) {
            ivec2 p = at.xy + ivec2(x, y);
            if (p.x < 0 || p.y < 0 || p.x >= EXTENT || p.y >= EXTENT)
               continue;
            float weight = float(weights[((at.z * PLANES + c) * 9) + (y + 1) * 3 + x + 1] >> 8) * (1.0 / 16777216.0) - 0.5;
            sum += weight * numbers[(c * EXTENT + p.y) * EXTENT + p.x];
         }
   numbers[65536 + (at.z * EXTENT + at.y) * EXTENT + at.x] = max(sum, 0.1 * sum);
}
