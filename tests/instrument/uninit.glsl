//! branch_on_a_local finds=uninit-branch by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint flags;
   if (in_data[gid] > 1000)
      flags = 1;
#if !FAULTY
   else
      flags = 0;
#endif
   if ((flags & 1) != 0) // HERE
      out_data[gid] = 5;
}
//! accumulator_without_zero finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   uint sum;
#else
   uint sum = 0;
#endif
   for (uint i = 0; i < size / 64; i++)
      sum += in_data[i * 64 + lid];
   out_data[gid] = sum; // HERE
}
//! edge_of_the_workgroup finds=uninit-output by=(63,_0,_0)_of_workgroup_(0,_0,_0)
shared uint tile[66];
void main()
{
   tile[lid + 1] = in_data[gid];
   if (lid == 0)
      tile[0] = 0;
#if !FAULTY
   if (lid == 63)
      tile[65] = 0;
#endif
   barrier();
   out_data[gid] = tile[lid] + tile[lid + 2]; // HERE
}
//! histogram_not_cleared finds=uninit-atomic,uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0);(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint bins[8];
void main()
{
#if FAULTY
   if (lid < 7)
#else
   if (lid < 8)
#endif
      bins[7 - lid] = 0;
   barrier();
   atomicAdd(bins[in_data[gid] & 7], 1u); // HERE
   barrier();
   if (lid < 8)
      atomicAdd(out_data[lid], bins[lid]); // HERE 2
}
//! index_from_shared finds=uninit-address by=(32,_0,_0)_of_workgroup_(0,_0,_0)
shared uint order[64];
void main()
{
#if FAULTY
   if (lid < 32)
#endif
      order[lid] = 63 - lid;
   barrier();
   out_data[gid] = in_data[order[lid] & 63]; // HERE
}
//! array_half_filled finds=uninit-output by=(4,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint stack[8];
#if FAULTY
   for (uint i = 0; i < 4; i++)
#else
   for (uint i = 0; i < 8; i++)
#endif
      stack[in_data[i] & 7] = i;
   uint top = stack[in_data[lid] & 7];
   out_data[gid] = top + 1; // HERE
}
//! table_half_filled finds=uninit-output by=(2,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint table[4];
   table[0] = 5;
   table[1] = 7;
#if !FAULTY
   table[2] = table[3] = 9;
#endif
   uint value = table[lid & 3];
   out_data[gid] = value + 1; // HERE
}
//! element_of_a_constant finds=uninit-address by=(8,_0,_0)_of_workgroup_(0,_0,_0)
const uint table[4] = uint[](3, 1, 4, 1);
void main()
{
   uint at;
#if FAULTY
   if (lid < 8)
#endif
      at = in_data[lid];
   out_data[gid] = table[at & 3]; // HERE
}
//! loop_bound_of_nothing finds=uninit-branch by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint count;
void main()
{
#if !FAULTY
   if (lid == 0)
      count = in_data[4];
#endif
   barrier();
   uint sum = 0;
   for (uint i = 0; i < (count & 7); i++) // HERE
      sum += in_data[i];
   out_data[gid] = sum;
}
//! member_forgotten finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0)
struct Particle { vec3 position; float mass; };
Particle make(float x)
{
   Particle p;
   p.position = vec3(x);
#if !FAULTY
   p.mass = 1.0;
#endif
   return p;
}
void main()
{
   Particle p = make(f_data[gid]);
   out_data[gid] = uint(dot(p.position, vec3(1.0)) * p.mass); // HERE
}
//! out_parameter_not_set finds=uninit-output by=(10,_0,_0)_of_workgroup_(0,_0,_0)
bool find(uint what, out uint where)
{
   for (uint i = 0; i < 10; i++) {
      if (in_data[i] == what) {
         where = i;
         return true;
      }
   }
#if !FAULTY
   where = 0;
#endif
   return false;
}
void main()
{
   uint at;
   find(lid, at);
   out_data[gid] = at * 2; // HERE
}
//! result_of_a_buffer finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   out_data[gid] = raw_data[gid] * 2; // HERE
#else
   raw_data[gid] = in_data[gid];
   out_data[gid] = raw_data[gid] * 2;
#endif
}
//! copies_are_no_use finds=uninit-branch by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   raw_data[128 + lid] = raw_data[64 + lid];
#if FAULTY
   if (raw_data[128 + lid] > 7) // HERE
      out_data[gid] = 1;
#endif
}
//! counter_in_memory finds=uninit-atomic by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if !FAULTY
   if (lid == 0)
      atomicExchange(raw_data[200], 0u);
   memoryBarrierBuffer();
   barrier();
#endif
   atomicAdd(raw_data[200], 1u); // HERE
}
//! unwritten_image finds=uninit-image by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   ivec2 at = ivec2(lid & 15, lid >> 4);
#if !FAULTY
   imageStore(raw_pixels, at, uvec4(lid));
#endif
   out_data[gid] = imageLoad(raw_pixels, at).x; // HERE
}
//! undefined_bit_is_masked finds=uninit-branch by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word;
void main()
{
   if (lid == 0)
      word = bitfieldInsert(raw_data[0], 3u, 0, 4);
   barrier();
#if FAULTY
   if ((word & 0xf0) != 0) // HERE
#else
   if ((word & 0x0f) != 0)
#endif
      out_data[gid] = 1;
}
//! select_of_nothing finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared float limits[2];
void main()
{
   if (lid == 0) {
      limits[0] = 1.0;
#if !FAULTY
      limits[1] = 2.0;
#endif
   }
   barrier();
   out_data[gid] = uint(clamp(f_data[gid], limits[0], limits[1])); // HERE
}
//! second_component finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   vec2 at;
   at.x = f_data[gid];
#if !FAULTY
   at.y = 0.0;
#endif
   out_data[gid] = uint(length(at)); // HERE
}
//! switch_without_default finds=uninit-output by=(2,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint cost;
   switch (in_data[lid] & 3) {
   case 0: cost = 1; break;
   case 1: cost = 5; break;
#if !FAULTY
   default: cost = 0; break;
#endif
   }
   out_data[gid] = cost + 1; // HERE
}
//! only_the_first_writes finds=uninit-output by=(1,_0,_0)_of_workgroup_(0,_0,_0)
shared uint scale[64];
void main()
{
#if FAULTY
   if (lid == 0)
      scale[lid] = 3;
#else
   scale[lid] = 3;
#endif
   barrier();
   out_data[gid] = in_data[gid] * scale[lid]; // HERE
}
//! other_workgroups_memory finds=uninit-output by=(0,_0,_0)_of_workgroup_(1,_0,_0) groups=2
shared uint once[64];
void main()
{
#if FAULTY
   if (gl_WorkGroupID.x == 0)
#endif
      once[lid] = lid;
   barrier();
   out_data[gid] = once[lid] + 1; // HERE
}
//! coordinates_of_nothing finds=uninit-address by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared int corner[2];
void main()
{
   if (lid == 0) {
      corner[0] = 3;
#if !FAULTY
      corner[1] = 4;
#endif
   }
   barrier();
   out_data[gid] = imageLoad(pixels, ivec2(corner[0], corner[1] & 7)).x; // HERE
}
//! address_from_a_buffer finds=uninit-address by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   uint at = raw_data[lid] & 63; // a buffer that is filled only later
#else
   uint at = in_data[lid] & 63;
#endif
   out_data[gid] = in_data[at]; // HERE
}
//! packed_halves finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
void main()
{
   if (lid == 63)
      word[lid] = 0;
#if FAULTY
   uint low = raw_data[gid] & 0xffffu;
#else
   uint low = in_data[gid] & 0xffffu;
#endif
   word[lid] = low | in_data[gid] << 16;
   barrier();
   out_data[gid] = (word[lid] >> 16) + 1;
   out_data[64 + gid] = (word[lid] & 0xffffu) + 1; // HERE
}
//! shuffle_from_another_branch finds=uninit-output by=(8,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_shader_subgroup_shuffle
void main()
{
   uint value = in_data[gid];
#if FAULTY
   if (lid >= 8)
      value = subgroupShuffle(value, lid & 7);
#else
   uint other = subgroupShuffle(value, lid & 7);
   if (lid >= 8)
      value = other;
#endif
   out_data[gid] = value; // HERE
}
//! end_of_a_scan finds=uninit-output by=(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_shader_subgroup_shuffle_relative
void main()
{
   uint value = in_data[gid], before = subgroupShuffleUp(value, 1);
#if !FAULTY
   if (gl_SubgroupInvocationID > 0)
#endif
      value += before;
   out_data[gid] = value; // HERE
}
//! broadcast_of_one_that_is_not_there finds=uninit-branch by=(32,_0,_0)_of_workgroup_(0,_0,_0) local=40 ext=GL_KHR_shader_subgroup_ballot
void main()
{
   uint value = in_data[gid];
#if FAULTY
   uint last = subgroupBroadcast(value, 31); /* the second subgroup ends at 7 */
#else
   uint last = subgroupBroadcast(value, 7);
#endif
   if (gid >= 32) {
      if (last > 3) // HERE
         out_data[gid] = 1;
   }
}
//! texel_beside_the_stored_ones finds=uninit-image by=(15,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   const ivec2 at = ivec2(gid & 15, gid >> 4);
#if FAULTY
   if (at.x < 15)
#endif
      imageStore(raw_pixels, at, uvec4(lid));
   out_data[gid] = imageLoad(raw_pixels, at).x; // HERE
}
//! counter_in_an_image finds=uninit-image by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   const ivec2 at = ivec2(gid & 15, gid >> 4);
#if !FAULTY
   imageStore(raw_pixels, at, uvec4(0));
#endif
   imageAtomicAdd(raw_pixels, at, 1u); // HERE
}
//! exchanged_beside_a_texel finds=uninit-image by=(1,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   const ivec2 at = ivec2(gid & 15, gid >> 4);
#if FAULTY
   if ((gid & 1) == 0)
#endif
      imageAtomicExchange(raw_pixels, at, lid);
   out_data[gid] = imageLoad(raw_pixels, at).x; // HERE
}
