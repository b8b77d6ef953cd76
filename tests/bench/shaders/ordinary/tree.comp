#version 450
// Down a tree of boxes with a stack of one's own: what nearest neighbours and rays without hardware do.
layout(local_size_x = 64) in;
layout(binding = 9, std430) readonly buffer Numbers { float numbers[]; };
layout(binding = 10, std430) buffer Words { uint words[]; };
void main()
{
   uint self = gl_GlobalInvocationID.x, stack[24], top = 0u, best = 0u;
   float target = numbers[self & 1048575u], least = 1e9;
   stack[top++] = 1u;
   while (top > 0u) {
      uint node = stack[--top];
      float d = abs(numbers[node] - target);
      if (d < least) {
         least = d;
         best = node;
      }
      if (node >= 2048u)
         continue;
      float low = numbers[node * 2u] - 0.02, high = numbers[node * 2u + 1u] + 0.02;
      if (abs(low - target) < 0.3 && top < 23u)
         stack[top++] = node * 2u;
      if (abs(high - target) < 0.3 && top < 23u)
         stack[top++] = node * 2u + 1u;
   }
   words[self] = best;
}
