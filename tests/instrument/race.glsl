//! no_barrier_between finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
void main()
{
   word[lid] = in_data[gid]; // HERE
#if !FAULTY
   barrier();
#endif
   out_data[gid] = word[63 - lid];
}
//! reduction_without_barrier finds=race-shared by=of_workgroup_(0,_0,_0)
shared uint sum[64];
void main()
{
   sum[lid] = in_data[gid];
   barrier();
   for (uint step = 32; step > 0; step >>= 1) {
      if (lid < step)
         sum[lid] += sum[lid + step]; // HERE
#if !FAULTY
      barrier();
#endif
   }
   if (lid == 0)
      out_data[0] = sum[0];
}
//! second_barrier_missing finds=race-shared by=of_workgroup_(0,_0,_0)
shared uint tile[64];
void main()
{
   uint sum = 0;
   for (uint t = 0; t < 4; t++) {
      tile[lid] = in_data[t * 64 + lid]; // HERE
      barrier();
      sum += tile[63 - lid];
#if !FAULTY
      barrier();
#endif
   }
   out_data[gid] = sum;
}
//! next_round_reads finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint tile[64];
void main()
{
   uint sum = 0;
   tile[lid] = in_data[lid];
   barrier();
   for (uint t = 0; t < 4; t++) {
      sum += tile[63 - lid]; // HERE
      barrier();
      tile[lid] = in_data[t * 64 + lid];
#if !FAULTY
      barrier();
#endif
   }
   out_data[gid] = sum;
}
//! loop_left_before_its_barrier finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint tile[64];
void main()
{
   uint sum = 0;
   tile[lid] = in_data[lid];
   for (uint t = 0; t < 4; t++) {
      barrier();
      if (t == one) {
         sum = tile[63 - lid]; // HERE
         break;
      }
      barrier();
   }
#if !FAULTY
   barrier();
#endif
   tile[lid] = sum;
   barrier();
   out_data[gid] = tile[lid];
}
//! all_write_one finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint flag;
void main()
{
#if FAULTY
   flag = lid; // HERE
#else
   if (lid == 0)
      flag = lid;
#endif
   barrier();
   out_data[gid] = flag;
}
//! counter_without_atomic finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint bins[4];
void main()
{
   if (lid < 4)
      bins[lid] = 0;
   barrier();
#if FAULTY
   bins[in_data[gid] & 3]++; // HERE
#else
   atomicAdd(bins[in_data[gid] & 3], 1u);
#endif
   barrier();
   if (lid < 4)
      out_data[lid] = bins[lid];
}
//! read_of_an_atomic finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint count;
void main()
{
   if (lid == 0)
      count = 0;
   barrier();
   atomicAdd(count, 1u); // HERE
#if !FAULTY
   barrier();
#endif
   out_data[gid] = count;
}
//! initialised_by_one finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint base;
void main()
{
   if (lid == 0)
      base = 0;
   barrier();
   if (lid == 0)
      base = in_data[5]; // HERE
#if !FAULTY
   barrier();
#endif
   out_data[gid] = base + lid;
}
//! neighbour_in_a_buffer finds=race-buffer by=of_workgroup_(0,_0,_0) groups=4
void main()
{
   uint left = gid == 0u ? 0u : in_data[gid - 1];
#if FAULTY
   in_data[gid] = left; // HERE
#else
   out_data[gid] = left;
#endif
}
//! bindings_of_one_buffer finds=race-buffer by=of_workgroup_(0,_0,_0) groups=4
layout(set = 0, binding = 7) buffer Again { uint out_again[]; }; // Output
void main()
{
#if FAULTY
   uint left = gid == 0u ? 0u : out_again[gid - 1];
#else
   uint left = gid == 0u ? 0u : in_data[gid - 1];
#endif
   out_data[gid] = left; // HERE
}
//! workgroups_overlap finds=race-buffer by=(62,_0,_0)_of_workgroup_(0,_0,_0) groups=3
void main()
{
#if FAULTY
   uint at = gl_WorkGroupID.x * 62 + lid;
#else
   uint at = gl_WorkGroupID.x * 64 + lid;
#endif
   out_data[at] = gid; // HERE
}
//! sum_in_a_buffer finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
void main()
{
#if FAULTY
   out_data[0] += in_data[gid]; // HERE
#else
   atomicAdd(out_data[0], in_data[gid]);
#endif
}
//! all_write_the_same finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
void main()
{
#if FAULTY
   out_data[7] = 1; // HERE
#else
   if (gid == 0)
      out_data[7] = 1;
#endif
}
//! barrier_is_not_for_buffers finds=race-buffer by=of_workgroup_(0,_0,_0)
void main()
{
   out_data[gid] = in_data[gid]; // HERE
#if !FAULTY
   memoryBarrierBuffer();
#endif
   barrier();
   uint other = out_data[63 - lid];
   if (other == 12345u)
      in_data[gid] = 0;
}
//! other_workgroup_reads finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
void main()
{
   out_data[gid] = gid; // HERE
   barrier();
#if FAULTY
   uint other = out_data[(gid + 64) & 127];
#else
   uint other = out_data[gid];
#endif
   if (other == 12345u)
      in_data[gid] = 0;
}
//! last_workgroup_sums finds=race-buffer by=of_workgroup_(0,_0,_0) groups=3
shared uint is_last;
void main()
{
   if (lid == 0) {
      out_data[gl_WorkGroupID.x] = in_data[gid]; // HERE
#if !FAULTY
      memoryBarrierBuffer();
#endif
      is_last = atomicAdd(out_data[100], 1u) == 2 ? 1 : 0;
#if !FAULTY
      memoryBarrierBuffer();
#endif
   }
   barrier();
   if (is_last == 1 && lid == 0)
      out_data[50] = out_data[0] + out_data[1] + out_data[2];
}
//! image_overlap finds=race-image by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   ivec2 at = ivec2(lid >> 2, 3);
#else
   ivec2 at = ivec2(lid & 15, lid >> 4);
#endif
   imageStore(pixels, at, uvec4(lid)); // HERE
}
//! image_blur_in_place finds=race-image by=of_workgroup_(0,_0,_0) local=16
void main()
{
   uint left = imageLoad(pixels, ivec2(max(int(lid) - 1, 0), 0)).x;
#if FAULTY
   imageStore(pixels, ivec2(lid, 0), uvec4(left)); // HERE
#else
   out_data[lid] = left;
#endif
}
//! image_histogram finds=race-image by=of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   ivec2 at = ivec2(in_data[gid] & 7, 0);
   imageStore(pixels, at, imageLoad(pixels, at) + 1); // HERE
#else
   imageAtomicAdd(pixels, ivec2(in_data[gid] & 7, 0), 1u);
#endif
}
//! bytes_side_by_side finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_shader_8bit_storage,GL_EXT_shader_explicit_arithmetic_types_int8
layout(set = 0, binding = 1) buffer Bytes { uint8_t bytes[]; };
void main()
{
#if FAULTY
   bytes[gid >> 1] = uint8_t(gid); // HERE
#else
   bytes[gid] = uint8_t(gid);
#endif
}
//! by_address finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_buffer_reference,GL_EXT_buffer_reference_uvec2
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w; };
void main()
{
#if FAULTY
   Words words = Words(address + uvec2((gid >> 1) * 4, 0));
#else
   Words words = Words(address + uvec2(gid * 4, 0));
#endif
   words.w = 1; // HERE
}
//! histogram_of_a_dispatch finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=4
void main()
{
   uint bin = in_data[gid] & 15;
#if FAULTY
   out_data[bin] = out_data[bin] + 1; // HERE
#else
   atomicAdd(out_data[bin], 1u);
#endif
}
//! neighbours_columns finds=race-buffer by=(10,_0,_0)_of_workgroup_(0,_0,_0) groups=3
// A tiled product whose tiles have 16 columns and whose matrix has 10 columns a workgroup: stores without a look at the tile's edge, as
// llama.cpp's mul_mm has them where the subgroup is smaller than it was written for.
void main()
{
   const uint columns = 10, column = lid & 15, row = lid >> 4;
   uint first = gl_WorkGroupID.x * columns;
#if FAULTY
   out_data[row * 64 + first + column] = in_data[gid]; // HERE
#else
   if (column < columns)
      out_data[row * 64 + first + column] = in_data[gid];
#endif
}
//! ping_pong_forgotten finds=race-shared by=invocation_(1,_0,_0)_of_workgroup_(0,_0,_0)
shared uint row[64];
shared uint next[64];
void main()
{
   row[lid] = in_data[gid];
   next[lid] = 0;
   barrier();
   for (uint step = 1; step < 64; step *= 2) {
#if FAULTY
      row[lid] += lid >= step ? row[lid - step] : 0; // HERE
#else
      next[lid] = row[lid] + (lid >= step ? row[lid - step] : 0);
      barrier();
      row[lid] = next[lid];
#endif
      barrier();
   }
   out_data[gid] = row[lid];
}
//! transpose_without_barrier finds=race-shared by=of_workgroup_(0,_0,_0)
shared uint tile[8][9];
void main()
{
   uint x = lid & 7, y = lid >> 3;
   tile[y][x] = in_data[gid]; // HERE
#if !FAULTY
   barrier();
#endif
   out_data[gid] = tile[x][y];
}
//! flag_that_all_set finds=race-shared by=(1,_0,_0)_of_workgroup_(0,_0,_0)
shared uint found;
void main()
{
   if (lid == 0)
      found = 0;
   barrier();
   if (in_data[gid] % 2 == 1)
#if FAULTY
      found = 1; // HERE
#else
      atomicOr(found, 1u);
#endif
   barrier();
   out_data[gid] = found;
}
//! append_without_atomic finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
#if FAULTY
   uint at = out_data[0]; // HERE
   out_data[0] = at + 1;
#else
   uint at = atomicAdd(out_data[0], 1u);
#endif
   out_data[1 + (at & 0) + gid] = gid;
}
//! rows_of_a_tile_share_a_row finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=16,16
shared uint row[16 * 16];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy;
#if FAULTY
   row[l.x] = l.x; // HERE
#else
   row[l.y * 16 + l.x] = l.x;
#endif
   barrier();
   if (l.y == 0u)
      out_data[l.x] = row[l.x];
}
//! tile_overwritten_before_it_is_read finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=16,16
shared uint tile[16][16];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy;
   uint sum = 0;
   for (uint t = 0; t < 4; t++) {
      tile[l.y][l.x] = in_data[(lid + t) & 255]; // HERE
      barrier();
      for (uint k = 0; k < 16; k++)
         sum += tile[l.y][k] * tile[k][l.x];
#if !FAULTY
      barrier();
#endif
   }
   out_data[lid] = sum;
}
//! broadcast_changed_in_place finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=16,8
shared uint weights[16];
void main()
{
   uvec2 l = gl_LocalInvocationID.xy;
   uint sum = 0;
   if (l.y == 0u)
      weights[l.x] = in_data[l.x];
   barrier();
   for (uint k = 0; k < 16; k++)
      sum += weights[k];
#if !FAULTY
   barrier();
#endif
   if (l.y == 7u)
      weights[l.x] = sum; // HERE
   barrier();
   out_data[lid] = weights[l.x];
}
//! atomic_beside_writes finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
void main()
{
   in_data[gid] = gid;
   if (gid == 0)
      atomicAdd(in_data[200], 1u); // HERE
#if FAULTY
   out_data[gid] = gid == 64 ? in_data[200] : 0;
#else
   out_data[gid] = gid == 64 ? atomicAdd(in_data[200], 0u) : 0;
#endif
}
//! neighbour_beyond_the_workgroup finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
void main()
{
   out_data[gid] = gid;
#if FAULTY
   in_data[gid] = out_data[gid + 65]; // HERE
#else
   in_data[gid] = out_data[gid];
#endif
}
//! words_of_vectors finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0)
layout(set = 0, binding = 1) buffer Vectors { uvec4 v[]; };
void main()
{
   v[gid] = uvec4(gid); // HERE
#if !FAULTY
   memoryBarrierBuffer();
   barrier();
#endif
   in_data[gid] = out_data[gid];
}
//! vectors_of_another_workgroup finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
layout(set = 0, binding = 1) buffer Vectors { uvec4 v[]; };
void main()
{
   out_data[gid] = gid; // HERE
#if FAULTY
   in_data[gid] = v[(gid + 64) >> 2 & 31].y;
#else
   in_data[gid] = out_data[gid];
#endif
}
//! flag_without_a_fence finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
// Of four invocations the first one passes a word on: none of them gets past its flag before it is set.
shared uint word[16];
shared uint flag[16];
void main()
{
   uint at = lid >> 2;
   if (lid < 16)
      flag[lid] = 0;
   barrier();
   if ((lid & 3) == 0) {
      word[at] = in_data[gid]; // HERE
#if !FAULTY
      memoryBarrierShared();
#endif
      atomicExchange(flag[at], 1u);
   }
   while (atomicOr(flag[at], 0u) == 0u)
      ;
   memoryBarrierShared();
   out_data[gid] = word[at];
}
//! flag_read_without_a_fence finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[16];
shared uint flag[16];
void main()
{
   uint at = lid >> 2;
   if (lid < 16)
      flag[lid] = 0;
   barrier();
   if ((lid & 3) == 0) {
      word[at] = in_data[gid]; // HERE
      memoryBarrierShared();
      atomicExchange(flag[at], 1u);
   }
   while (atomicOr(flag[at], 0u) == 0u)
      ;
#if !FAULTY
   memoryBarrierShared();
#endif
   out_data[gid] = word[at];
}
//! flag_set_too_early finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[16];
shared uint flag[16];
void main()
{
   uint at = lid >> 2;
   if (lid < 16)
      flag[lid] = 0;
   barrier();
   if ((lid & 3) == 0) {
#if FAULTY
      memoryBarrierShared();
      atomicExchange(flag[at], 1u);
#endif
      word[at] = in_data[gid]; // HERE
#if !FAULTY
      memoryBarrierShared();
      atomicExchange(flag[at], 1u);
#endif
   }
   while (atomicOr(flag[at], 0u) == 0u)
      ;
   memoryBarrierShared();
   out_data[gid] = word[at];
}
//! fences_without_a_flag finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
shared uint count;
void main()
{
   word[lid] = in_data[gid]; // HERE
   memoryBarrierShared();
#if !FAULTY
   barrier();
#endif
   out_data[gid] = word[63 - lid];
   barrier();
   if (lid == 0)
      count = 0;
   barrier();
   atomicAdd(count, 1u);
}
//! fences_without_a_flag_between_workgroups finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) groups=2
void main()
{
   out_data[gid] = gid; // HERE
   memoryBarrierBuffer();
#if FAULTY
   in_data[gid] = out_data[(gid + 64) & 127];
#else
   in_data[gid] = out_data[gid];
#endif
}
//! fence_of_shared_memory_between_workgroups finds=race-buffer by=of_workgroup_(0,_0,_0) groups=3
shared uint is_last;
void main()
{
   if (lid == 0) {
      out_data[gl_WorkGroupID.x] = in_data[gid]; // HERE
#if FAULTY
      memoryBarrierShared();
#else
      memoryBarrierBuffer();
#endif
      is_last = atomicAdd(out_data[100], 1u) == 2 ? 1 : 0;
#if FAULTY
      memoryBarrierShared();
#else
      memoryBarrierBuffer();
#endif
   }
   barrier();
   if (is_last == 1 && lid == 0)
      out_data[50] = out_data[0] + out_data[1] + out_data[2];
}
//! fence_names_other_memory finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint flag[16];
void main()
{
   uint at = lid >> 2;
   if (lid < 16)
      flag[lid] = 0;
   barrier();
   if ((lid & 3) == 0) {
      out_data[at] = in_data[gid]; // HERE
#if FAULTY
      memoryBarrierShared();
#else
      memoryBarrier();
#endif
      atomicExchange(flag[at], 1u);
   }
   while (atomicOr(flag[at], 0u) == 0u)
      ;
   memoryBarrier();
   in_data[gid] = out_data[at];
}
//! relaxed_flag finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_memory_scope_semantics
#if FAULTY
#define RELEASE gl_SemanticsRelaxed
#else
#define RELEASE gl_SemanticsRelease
#endif
shared uint word[16];
shared uint flag[16];
void main()
{
   uint at = lid >> 2;
   if (lid < 16)
      flag[lid] = 0;
   barrier();
   if ((lid & 3) == 0) {
      word[at] = in_data[gid]; // HERE
      atomicStore(flag[at], 1u, gl_ScopeWorkgroup, FAULTY != 0 ? 0 : gl_StorageSemanticsShared, RELEASE);
   }
   while (atomicLoad(flag[at], gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire) == 0u)
      ;
   out_data[gid] = word[at];
}
//! word_passed_on finds=race-shared by=(0,_0,_0)_of_workgroup_(0,_0,_0)
// The second invocation of four waits for the first one, the third one for the second.
shared uint word[16];
shared uint flag[2][16];
void main()
{
   uint at = lid >> 2;
   if (lid < 16)
      flag[0][lid] = flag[1][lid] = 0;
   barrier();
   if ((lid & 3) == 0) {
      word[at] = in_data[gid]; // HERE
      memoryBarrierShared();
      atomicExchange(flag[0][at], 1u);
   }
   if ((lid & 3) == 1) {
      while (atomicOr(flag[0][at], 0u) == 0u)
         ;
#if !FAULTY
      memoryBarrierShared();
#endif
      atomicExchange(flag[1][at], 1u);
   }
   if ((lid & 3) == 2) {
      while (atomicOr(flag[1][at], 0u) == 0u)
         ;
      memoryBarrierShared();
      out_data[gid] = word[at];
   }
}
//! word_under_a_lock finds=race-buffer by=of_workgroup_(0,_0,_0) local=16
void main()
{
   for (bool is_done = false; !is_done;) {
      if (atomicCompSwap(out_data[100], 0u, 1u) == 0u) {
#if !FAULTY
         memoryBarrierBuffer();
#endif
         out_data[0] = in_data[gid]; // HERE
         memoryBarrierBuffer();
         atomicExchange(out_data[100], 0u);
         is_done = true;
      }
   }
}
//! flags_of_all finds=race-shared by=of_workgroup_(0,_0,_0)
// In any order: whose flag is seen, its word may be read.
shared uint word[64];
shared uint flag[64];
void main()
{
   uint sum = 0;
   flag[lid] = 0;
   barrier();
   for (uint j = 0; j < 65; j++) {
      uint other = (j + 63) & 63;
      bool is_first = j == 0, is_seen = is_first || atomicOr(flag[other], 0u) == 1u;
      memoryBarrierShared();
      if (is_seen) {
         uint at = is_first ? lid : other;
         if (is_first) word[at] = lid; else sum += word[at]; // HERE
      }
#if !FAULTY
      memoryBarrierShared();
#endif
      atomicExchange(flag[lid], 1u);
   }
   out_data[gid] = sum;
}
//! leader_waits_for_its_subgroup finds=race-shared by=of_workgroup_(0,_0,_0) ext=GL_KHR_shader_subgroup_basic
// One invocation of a subgroup waits for its word; the others read it behind a barrier of the subgroup.
shared uint word[64];
shared uint flag[64];
void main()
{
   flag[lid] = 0;
   barrier();
   if (subgroupElect()) {
      word[gl_SubgroupID] = in_data[gid]; // HERE
      memoryBarrierShared();
      atomicExchange(flag[gl_SubgroupID], 1u);
   }
   if (gl_SubgroupInvocationID == 1) {
      while (atomicOr(flag[gl_SubgroupID], 0u) == 0u)
         ;
      memoryBarrierShared();
   }
#if !FAULTY
   subgroupBarrier();
#endif
   out_data[gid] = word[gl_SubgroupID];
}
//! flag_in_an_image finds=race-buffer by=(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_memory_scope_semantics
void main()
{
   uint at = lid >> 2;
   ivec2 texel = ivec2(at, 0);
   if ((lid & 3) == 0) {
      out_data[at] = in_data[gid]; // HERE
#if !FAULTY
      memoryBarrier();
#endif
      imageAtomicStore(pixels, texel, 1000u + gid, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
   }
   while (imageAtomicLoad(pixels, texel, gl_ScopeDevice, 0, gl_SemanticsRelaxed) < 1000u)
      ;
   memoryBarrier();
   in_data[gid] = out_data[at];
}
//! vectors_across_pages finds=race-shared by=of_workgroup_(0,_0,_0) local=512 ext=GL_EXT_shared_memory_block,GL_EXT_scalar_block_layout
layout(scalar) shared Block { uint head[129]; uvec4 rows[512]; }; // the instrument keeps 4 KiB together, which end in rows[223]
void main()
{
   for (uint i = 0; i < 4; i++)
      rows[lid][(i + in_data[lid & 255]) & 3] = lid; // HERE
#if FAULTY
   uvec4 row = rows[lid ^ 1];
#else
   uvec4 row = rows[lid];
#endif
   if (row == uvec4(12345u))
      out_data[0] = head[0];
}
//! gathered_by_all finds=race-buffer by=(2,_0,_0)_of_workgroup_(0,_0,_0) groups=4
void main()
{
   uint sum = 0;
   if (gl_WorkGroupID.x < 3u)
      for (uint i = 0; i < 4; i++)
         sum += in_data[lid * 4 + i]; // HERE
#if FAULTY
   else if (lid == 5u)
      in_data[9] = 0;
#endif
   out_data[gid] = sum;
}
//! gathered_and_changed finds=race-buffer by=(2,_0,_0)_of_workgroup_(0,_0,_0)
void main()
{
   uint sum = 0;
   for (uint t = 0; t < 3; t++) {
      for (uint i = 0; i < 4; i++)
         sum += in_data[lid * 4 + i]; // HERE
#if !FAULTY
      memoryBarrierBuffer();
      barrier();
#endif
      if (t == one && lid == 5u)
         in_data[9] = 0;
      memoryBarrierBuffer();
      barrier();
   }
   out_data[gid] = sum;
}
//! one_workgroup_goes_on finds=race-shared by=(0,_0,_0)_of_workgroup_(2,_0,_0) groups=4
shared uint word[64];
void main()
{
   uint at = bitfieldReverse(lid) >> 26;
   word[at] = gid;
   barrier();
   uint other = word[(at + 1) & 63]; // HERE
#if FAULTY
   if (gl_WorkGroupID.x != 2u)
#endif
      barrier();
   word[at] = other;
   barrier();
   out_data[gid] = word[(at + 2) & 63];
}
