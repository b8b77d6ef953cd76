//! store_past_end finds=bounds-buffer by=(63,_0,_0)_of_workgroup_(3,_0,_0) groups=4
void main()
{
#if FAULTY
   out_data[gid + 1] = in_data[gid]; // HERE
#else
   out_data[gid] = in_data[gid];
#endif
}
//! load_past_end finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(4,_0,_0) groups=5
void main()
{
#if !FAULTY
   if (gid >= in_data.length())
      return;
#endif
   uint value = in_data[gid]; // HERE
   if (gid < size)
      out_data[gid] = value;
}
//! negative_neighbour finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=4
void main()
{
#if FAULTY
   uint left = in_data[gid - 1]; // HERE
#else
   uint left = gid == 0u ? 0u : in_data[gid - 1];
#endif
   out_data[gid] = left;
}
//! wrong_stride finds=bounds-buffer by=(21,_0,_0)_of_workgroup_(1,_0,_0) groups=4
void main()
{
#if FAULTY
   float z = f_data[gid * 3 + 2]; // HERE
#else
   float z = f_data[min(gid * 3 + 2, size - 1)];
#endif
   out_data[gid] = uint(z);
}
//! off_by_one_loop finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=1
void main()
{
   uint sum = 0;
#if FAULTY
   for (uint i = 0; i <= size; i++)
#else
   for (uint i = 0; i < size; i++)
#endif
      sum += in_data[i]; // HERE
   out_data[0] = sum;
}
//! atomic_past_end finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   atomicAdd(out_data[size], 1u); // HERE
#else
   atomicAdd(out_data[size - 1], 1u);
#endif
}
//! vector_half_out finds=bounds-buffer by=(63,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_scalar_block_layout
layout(set = 0, binding = 0) buffer Vectors { uvec4 v[]; };
void main()
{
#if FAULTY
   uint word = v[gid + 1].w; // HERE
#else
   uint word = v[gid].w;
#endif
   out_data[gid] = word;
}
//! length_is_not_last finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=1
void main()
{
#if FAULTY
   out_data[0] = in_data[in_data.length()]; // HERE
#else
   out_data[0] = in_data[in_data.length() - 1];
#endif
}
//! shared_array finds=bounds-index by=(63,_0,_0)_of_workgroup_(0,_0,_0)
shared uint row[64];
shared uint next_row[64];
void main()
{
   row[lid] = in_data[gid];
   next_row[lid] = 0;
   barrier();
#if FAULTY
   uint right = row[lid + 1]; // HERE
#else
   uint right = row[min(lid + 1, 63)];
#endif
   out_data[gid] = right + next_row[lid];
}
//! private_array finds=bounds-index by=(8,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint stack[8] = uint[8](1, 2, 3, 4, 5, 6, 7, 8);
#if FAULTY
   uint top = stack[in_data[gid]]; // HERE
#else
   uint top = stack[in_data[gid] & 7];
#endif
   out_data[gid] = top;
}
//! private_array_store finds=bounds-index by=(5,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   uint bins[5] = uint[5](0, 0, 0, 0, 0);
#if FAULTY
   bins[in_data[gid]] = 1u; // HERE
#else
   bins[in_data[gid] % 5] = 1u;
#endif
   out_data[gid] = bins[0] + bins[4];
}
//! constant_table finds=bounds-index by=(4,_0,_0)_of_workgroup_(0,_0,_0)
const uint table[4] = uint[4](10, 20, 30, 40);
void main()
{
#if FAULTY
   out_data[gid] = table[in_data[gid]]; // HERE
#else
   out_data[gid] = table[in_data[gid] & 3];
#endif
}
//! array_in_a_block finds=bounds-index by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=1
layout(set = 0, binding = 0) buffer Parts { uint head[4]; uint tail[]; };
void main()
{
#if FAULTY
   uint i = 4 + zero;
#else
   uint i = 3 + zero;
#endif
   out_data[0] = head[i] + tail[0]; // HERE
}
//! component finds=bounds-index by=(4,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   vec4 v = vec4(f_data[0], f_data[1], f_data[2], f_data[3]);
#if FAULTY
   out_data[gid] = uint(v[in_data[gid]]); // HERE
#else
   out_data[gid] = uint(v[in_data[gid] & 3]);
#endif
}
//! matrix_column finds=bounds-index by=(3,_0,_0)_of_workgroup_(0,_0,_0) local=8
void main()
{
   mat3 m = mat3(f_data[1]);
#if FAULTY
   vec3 column = m[in_data[gid]]; // HERE
#else
   vec3 column = m[in_data[gid] % 3];
#endif
   out_data[gid] = uint(column.x);
}
//! image_store_right finds=bounds-image by=(16,_0,_0)_of_workgroup_(0,_0,_0) local=17
void main()
{
#if FAULTY
   imageStore(pixels, ivec2(gid, 0), uvec4(1)); // HERE
#else
   if (gid < 16)
      imageStore(pixels, ivec2(gid, 0), uvec4(1));
#endif
}
//! image_load_left finds=bounds-image by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=16
void main()
{
#if FAULTY
   out_data[gid] = imageLoad(pixels, ivec2(int(gid) - 1, 2)).x; // HERE
#else
   out_data[gid] = imageLoad(pixels, ivec2(max(int(gid) - 1, 0), 2)).x;
#endif
}
//! image_swapped_axes finds=bounds-image by=(0,_16,_0)_of_workgroup_(0,_0,_0) local=8,17
void main()
{
   ivec2 at = ivec2(gl_LocalInvocationID.xy);
#if FAULTY
   imageStore(pixels, at, uvec4(1)); // HERE
#else
   if (at.y < 16)
      imageStore(pixels, at, uvec4(1));
#endif
}
//! image_atomic finds=bounds-image by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
#if FAULTY
   imageAtomicAdd(pixels, ivec2(3, 16), 1u); // HERE
#else
   imageAtomicAdd(pixels, ivec2(3, 15), 1u);
#endif
}
//! texel_fetch finds=bounds-image by=(8,_0,_0)_of_workgroup_(0,_0,_0) local=16
void main()
{
#if FAULTY
   out_data[gid] = uint(texelFetch(picture, ivec2(gid, 0), 1).x); // HERE
#else
   out_data[gid] = uint(texelFetch(picture, ivec2(gid >> 1, 0), 1).x);
#endif
}
//! texel_level finds=bounds-level by=(2,_0,_0)_of_workgroup_(0,_0,_0) local=4
void main()
{
#if FAULTY
   out_data[gid] = uint(texelFetch(picture, ivec2(0), int(gid)).x); // HERE
#else
   out_data[gid] = uint(texelFetch(picture, ivec2(0), int(gid & 1)).x);
#endif
}
//! address_past_end finds=bounds-address by=(0,_0,_0)_of_workgroup_(4,_0,_0) groups=5 ext=GL_EXT_buffer_reference,GL_EXT_buffer_reference_uvec2
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w; };
void main()
{
#if !FAULTY
   if (gid >= size)
      return;
#endif
   Words words = Words(address + uvec2(gid * 4, 0));
   words.w = gid; // HERE
}
//! address_of_nothing finds=bounds-address by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=4 ext=GL_EXT_buffer_reference,GL_EXT_buffer_reference_uvec2
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w; };
void main()
{
#if FAULTY
   Words words = Words(uvec2(4096u, 0u));
#else
   Words words = Words(address + uvec2(gid * 4, 0));
#endif
   words.w = 1; // HERE
}
//! in_a_function finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(1,_0,_0) groups=2
uint fetch(uint i)
{
   return in_data[i]; // HERE
}
void main()
{
#if FAULTY
   uint value = fetch(gid + 192);
#else
   uint value = fetch(min(gid + 192, size - 1));
#endif
   out_data[gid] = value;
}
//! two_places finds=bounds-buffer,bounds-buffer by=(0,_0,_0)_of_workgroup_(4,_0,_0);(0,_0,_0)_of_workgroup_(4,_0,_0) groups=6
void main()
{
#if !FAULTY
   if (gid >= size)
      return;
#endif
   uint value = in_data[gid]; // HERE
   out_data[gid] = value; // HERE 2
}
//! last_row_of_a_stencil finds=bounds-buffer by=of_workgroup_(3,_0,_0) groups=4
void main()
{
   uint below = in_data[gid];
#if FAULTY
   below += in_data[gid + 16]; // HERE
#else
   below += gid + 16 < size ? in_data[gid + 16] : 0;
#endif
   out_data[gid] = below;
}
//! count_rounded_up finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(4,_0,_0) groups=5
void main()
{
#if !FAULTY
   if (gid < size)
#endif
      out_data[gid] = 1; // HERE
}
//! unsigned_underflow finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   uint previous = zero - one;
#else
   uint previous = max(zero, one) - one;
#endif
   out_data[lid] = in_data[previous]; // HERE
}
//! inner_array finds=bounds-index by=(3,_0,_0)_of_workgroup_(0,_0,_0)
shared uint grid[8][3];
void main()
{
   if (lid < 8) {
      grid[lid][0] = grid[lid][1] = grid[lid][2] = lid;
   }
   barrier();
#if FAULTY
   out_data[gid] = grid[1][lid & 3]; // HERE
#else
   out_data[gid] = grid[1][min(lid & 3, 2)];
#endif
}
//! table_by_data finds=bounds-index by=(9,_0,_0)_of_workgroup_(0,_0,_0)
const float weights[9] = float[](1, 2, 1, 2, 4, 2, 1, 2, 1);
void main()
{
#if FAULTY
   f_data[gid] = weights[in_data[gid & 15]]; // HERE
#else
   f_data[gid] = weights[in_data[gid & 15] % 9];
#endif
}
//! buffer_by_invocation finds=bounds-nonuniform by=(1,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_nonuniform_qualifier
layout(set = 0, binding = 8) buffer Shelf { uint words[]; } shelf[4]; // Input, Output, Floats; the last one is not there
void main()
{
#if FAULTY
   out_data[gid] = shelf[lid & 1].words[lid]; // HERE
#else
   out_data[gid] = shelf[nonuniformEXT(lid & 1)].words[lid];
#endif
}
//! buffer_that_is_written_by_data finds=bounds-nonuniform by=(3,_0,_0)_of_workgroup_(1,_0,_0) groups=2 ext=GL_EXT_nonuniform_qualifier
layout(set = 0, binding = 8) buffer Shelf { uint words[]; } shelf[4]; // Input, Output, Floats; the last one is not there
void main()
{
   uint which = in_data[gid] == 67 ? 2 : 1;
#if FAULTY
   shelf[which].words[gid] = 7; // HERE
#else
   shelf[nonuniformEXT(which)].words[gid] = 7;
#endif
}
//! texture_by_data finds=bounds-nonuniform by=(16,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_nonuniform_qualifier
layout(set = 0, binding = 9) uniform sampler2D pictures[4]; // three times the picture; the last one is not there
void main()
{
   uint which = in_data[gid] >> 4 & 1;
#if FAULTY
   f_data[gid] = textureLod(pictures[which], vec2(0.5), 0.0).x; // HERE
#else
   f_data[gid] = textureLod(pictures[nonuniformEXT(which)], vec2(0.5), 0.0).x;
#endif
}
//! texel_of_a_local_variable finds=bounds-nonuniform by=(1,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_nonuniform_qualifier
layout(set = 0, binding = 9) uniform sampler2D pictures[4]; // three times the picture; the last one is not there
void main()
{
#if FAULTY
   uint which = nonuniformEXT(lid & 1);
#else
   nonuniformEXT uint which = lid & 1;
#endif
   f_data[gid] = texelFetch(pictures[which], ivec2(0), 0).x; // HERE
}
//! one_a_subgroup finds=bounds-nonuniform by=(16,_0,_0)_of_workgroup_(0,_0,_0)
layout(set = 0, binding = 8) buffer Shelf { uint words[]; } shelf[4]; // Input, Output, Floats; the last one is not there
void main()
{
#if FAULTY
   uint which = lid / 16 & 1;
#else
   uint which = lid / 32;
#endif
   out_data[gid] = shelf[which].words[lid]; // HERE
}
//! round_by_round finds=bounds-nonuniform by=(1,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_shader_subgroup_ballot
layout(set = 0, binding = 8) buffer Shelf { uint words[]; } shelf[4]; // Input, Output, Floats; the last one is not there
void main()
{
   uint which = in_data[gid] & 1, value = 0;
#if FAULTY
   value = shelf[which].words[lid]; // HERE
#else
   for (uint i = 0; i < 2; i++) {
      if (which == i) {
         value = shelf[which].words[lid];
      }
   }
   for (;;) {
      if (which == subgroupBroadcastFirst(which)) {
         value += shelf[which].words[lid];
         break;
      }
   }
#endif
   out_data[gid] = value;
}
//! push_constant_array finds=bounds-index by=(4,_0,_0)_of_workgroup_(0,_0,_0) preamble=none
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };
layout(push_constant) uniform Push { layout(offset = 24) uint steps[4]; };
void main()
{
#if FAULTY
   out_data[gl_GlobalInvocationID.x] = steps[gl_LocalInvocationIndex & 7]; // HERE
#else
   out_data[gl_GlobalInvocationID.x] = steps[gl_LocalInvocationIndex & 3];
#endif
}
//! buffer_of_an_array_that_is_not_there finds=bounds-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0)
layout(set = 0, binding = 8) buffer Shelf { uint words[]; } shelf[4]; // Input, Output, Floats; the last one is not there
void main()
{
#if FAULTY
   uint which = one * 3;
#else
   uint which = one * 2;
#endif
   out_data[gid] = shelf[which].words[gid]; // HERE
}
//! texture_of_an_array_that_is_not_there finds=bounds-descriptor by=(0,_0,_0)_of_workgroup_(0,_0,_0)
layout(set = 0, binding = 9) uniform sampler2D pictures[4]; // three times the picture; the last one is not there
void main()
{
#if FAULTY
   uint which = one * 3;
#else
   uint which = one * 2;
#endif
   f_data[gid] = texelFetch(pictures[which], ivec2(0), 0).x; // HERE
}
//! behind_an_array_of_unknown_length finds=bounds-descriptor by=(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_nonuniform_qualifier
layout(set = 0, binding = 9) uniform sampler2D all_pictures[];
void main()
{
#if FAULTY
   uint which = zero + 4;
#else
   uint which = zero + 2;
#endif
   f_data[gid] = texelFetch(all_pictures[which], ivec2(0), 0).x; // HERE
}
//! behind_an_array_of_descriptors finds=bounds-index,bounds-descriptor by=(0,_0,_0)_of_workgroup_(0,_0,_0);(0,_0,_0)_of_workgroup_(0,_0,_0)
layout(set = 0, binding = 9) uniform sampler2D pictures[4]; // three times the picture; the last one is not there
void main()
{
#if FAULTY
   uint which = zero + 4;
#else
   uint which = zero + 2;
#endif
   f_data[gid] = texelFetch(pictures[which], ivec2(0), 0).x; // HERE
}
