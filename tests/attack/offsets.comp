#version 450
// Indices whose offsets in bytes have more than 32 bits, of one lane and of all.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; }; // 256: what is read goes to [16, 64), the table is [64, 256)
struct Item { uint a, b[4]; };
layout(set = 0, binding = 0) buffer Items { uint head; Item items[]; };
layout(push_constant) uniform Push { uint index; };
shared uint table[64];

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   for (uint i = lane; i < 64; i += 16)
      table[i] = 1000 + i;
   barrier();
   const uint other = data[lane] + lane; // as `index`, which nobody knows
   const uint sum = data[index] + data[other];
   const uint parts = items[index].b[2] + items[3].b[other | 0x40000000u] + items[other | 0x80000000u].b[index | 0x40000000u];
   memoryBarrierBuffer();
   barrier();
   data[lane + 16] = sum;
   data[lane + 48] = parts;
   data[index + lane + 192] = 77;
   data[other + 208] = 78;
   table[other] = 2000;
   table[index] = 2001;
   barrier();
   data[lane + 32] = table[other] + table[lane];
}
