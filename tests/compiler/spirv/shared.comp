#version 450
// SPDX-License-Identifier: MIT
// Shared memory, private and constant arrays, specialization, out parameters, local copies.
layout(local_size_x_id = 10, local_size_y = 2) in;
layout(constant_id = 1) const uint count = 3;
layout(constant_id = 2) const bool is_on = false;
layout(constant_id = 3) const float scale = 2.0;
const uint twice = count * 2 + 1;

layout(binding = 0) writeonly buffer Results {
   uint results[];
};

struct Cell {
   vec3 position;
   bool flag;
   uint tags[7];
};

shared Cell cells[4];
shared uint sum;
uint state = 17;
shared uint sized[twice];
const uint table[5] = uint[](3, 1, 4, 1, 5);

void change(inout Cell cell, out uint tag, uint by)
{
   cell.position *= scale;
   cell.flag = !cell.flag;
   cell.tags[by] += 1;
   tag = cell.tags[by];
   state += by;
}

void main()
{
   sum = 0;
   for (uint i = 0; i < 4; i++) {
      cells[i].position = vec3(i, 1, 2);
      cells[i].flag = i == 1;
      for (uint k = 0; k < 7; k++)
         cells[i].tags[k] = i * 10 + k;
   }
   memoryBarrierShared();
   barrier();
   uint tag;
   change(cells[count & 3], tag, 2);
   Cell copy = cells[1];
   copy.position.yz = copy.position.zy;
   results[0] = tag;
   results[1] = state;
   results[2] = twice;
   results[3] = uint(copy.flag);
   results[4] = floatBitsToUint(copy.position.y);
   results[5] = table[state % 5];
   results[6] = gl_WorkGroupSize.x * 100 + gl_WorkGroupSize.y;
   results[7] = uint(is_on);
   results[8] = floatBitsToUint(cells[count & 3].position[tag & 1]);
   atomicAdd(sum, 5);
   atomicMax(sum, 7);
   results[9] = atomicExchange(sum, 1) + atomicCompSwap(sum, 1, 9);
   results[10] = sum;
   vec4 v = vec4(1, 2, 3, 4);
   v[tag & 3] = 9;
   results[11] = uint(dot(v, vec4(1, 10, 100, 1000)));
   cells[0] = copy;
   sized[twice - 1] = cells[0].tags[6];
   results[12] = sized[twice - 1] + sized.length() * 100;
}
