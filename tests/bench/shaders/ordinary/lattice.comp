#version 450
// A fluid by the lattice Boltzmann method: nine directions in, at rest with each other, out; the edges wrap.
layout(local_size_x = 64) in;
layout(binding = 9, std430) readonly buffer Numbers { float numbers[]; };
layout(binding = 10, std430) buffer Words { uint words[]; };
const int SIDE = 256, CELLS = SIDE * SIDE;
const ivec2 along[9] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0), ivec2(0, -1), ivec2(1, 1), ivec2(-1, 1), ivec2(-1, -1), ivec2(1, -1));
const float weights[9] = float[](4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0);
void main()
{
   int self = int(gl_GlobalInvocationID.x), x = self % SIDE, y = self / SIDE;
   float flow[9], density = 0.0;
   vec2 speed = vec2(0.0);
   for (int i = 0; i < 9; i++) {
      flow[i] = numbers[i * CELLS + (y - along[i].y & SIDE - 1) * SIDE + (x - along[i].x & SIDE - 1)] + 0.1;
      density += flow[i];
      speed += flow[i] * vec2(along[i]);
   }
   speed /= density;
   for (int i = 0; i < 9; i++) {
      float part = dot(vec2(along[i]), speed);
      float rest = weights[i] * density * (1.0 + 3.0 * part + 4.5 * part * part - 1.5 * dot(speed, speed));
      words[i * CELLS + self] = floatBitsToUint(mix(flow[i], rest, 0.6));
   }
}
