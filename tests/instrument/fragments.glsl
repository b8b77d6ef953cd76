//! counter_of_a_pixel finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0 groups=2
void main()
{
#if FAULTY
   data[index] += 1u; // HERE
#else
   atomicAdd(data[index], 1u);
#endif
}
//! texel_of_two_primitives finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 groups=2
void main()
{
#if FAULTY
   imageStore(pixels, pixel, uvec4(gl_PrimitiveID)); // HERE
#else
   imageAtomicMax(pixels, pixel, uint(gl_PrimitiveID));
#endif
}
//! texel_of_two_instances finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 instances=2
void main()
{
#if FAULTY
   imageStore(pixels, pixel, imageLoad(pixels, pixel) + 1u); // HERE
#else
   imageAtomicAdd(pixels, pixel, 1u);
#endif
}
//! no_interlock finds=race-image by=sample_0_of_primitive_0 groups=3 ext=GL_ARB_fragment_shader_interlock
#if !FAULTY
layout(pixel_interlock_ordered) in;
#endif
void main()
{
#if !FAULTY
   beginInvocationInterlockARB();
#endif
   imageStore(pixels, pixel, imageLoad(pixels, pixel) * 3u + uint(gl_PrimitiveID)); // HERE
#if !FAULTY
   endInvocationInterlockARB();
#endif
}
//! in_front_of_the_section finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 groups=2 ext=GL_ARB_fragment_shader_interlock
layout(pixel_interlock_unordered) in;
void main()
{
#if FAULTY
   const uvec4 before = imageLoad(pixels, pixel); // HERE
   beginInvocationInterlockARB();
#else
   beginInvocationInterlockARB();
   const uvec4 before = imageLoad(pixels, pixel);
#endif
   imageStore(pixels, pixel, before + 1u);
   endInvocationInterlockARB();
}
//! behind_the_section finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 groups=2 ext=GL_ARB_fragment_shader_interlock
layout(pixel_interlock_ordered) in;
void main()
{
   beginInvocationInterlockARB();
   const uvec4 before = imageLoad(pixels, pixel);
#if !FAULTY
   imageStore(pixels, pixel, before + 1u);
#endif
   endInvocationInterlockARB();
#if FAULTY
   imageStore(pixels, pixel, before + 1u); // HERE
#endif
}
//! neighbour_in_the_section finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 ext=GL_ARB_fragment_shader_interlock
layout(pixel_interlock_ordered) in;
void main()
{
   beginInvocationInterlockARB();
#if FAULTY
   const uvec4 beside = imageLoad(pixels, ivec2((pixel.x + 1) & 15, pixel.y));
#else
   const uvec4 beside = imageLoad(pixels, pixel);
#endif
   imageStore(pixels, pixel, beside + 1u); // HERE
   endInvocationInterlockARB();
}
//! histogram finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
void main()
{
#if FAULTY
   data[pixel.x & 3]++; // HERE
#else
   atomicAdd(data[pixel.x & 3], 1u);
#endif
}
//! seen_by_all finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
void main()
{
#if FAULTY
   data[7] = 1u; // HERE
#else
   atomicOr(data[7], 1u);
#endif
}
//! plain_read_of_a_counter finds=race-buffer by=sample_0_of_primitive_0
void main()
{
#if FAULTY
   /* So much that all add, in any order. */
   if (data[0] < 100000u) // HERE
      atomicAdd(data[0], 1u);
#else
   if (atomicAdd(data[0], 1u) >= 100000u)
      atomicAdd(data[1], 1u);
#endif
}
//! blur_in_place finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
void main()
{
#if FAULTY
   data[index] = (data[index] + data[index + 1]) / 2u; // HERE
#else
   data[index + 512] = (data[index] + data[index + 1]) / 2u;
#endif
}
//! head_of_a_list finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 groups=3
void main()
{
   const uint node = atomicAdd(data[0], 1u) + 1u;
#if FAULTY
   data[node] = imageLoad(pixels, pixel).x; // HERE
   imageStore(pixels, pixel, uvec4(node));
#else
   data[node] = imageAtomicExchange(pixels, pixel, node);
#endif
}
//! node_without_atomic finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0 groups=2
void main()
{
#if FAULTY
   const uint node = data[0]++; // HERE
#else
   const uint node = atomicAdd(data[0], 1u);
#endif
   atomicOr(data[1 + (node & 511)], 1u);
}
//! last_one_sums finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
layout(early_fragment_tests) in;
void main()
{
   data[256 + index] = index; // HERE
#if !FAULTY
   memoryBarrierBuffer();
#endif
   if (atomicAdd(data[0], 1u) == 255u) {
#if !FAULTY
      memoryBarrierBuffer();
#endif
      uint sum = 0;
      for (uint i = 0; i < 256; i++)
         sum += data[256 + i];
      atomicAdd(data[1], sum);
   }
}
//! vector_beside_scalar finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
layout(set = 0, binding = 0) buffer Vectors { uvec4 vectors[]; };
void main()
{
#if FAULTY
   vectors[index & 127u] = uvec4(1); // HERE
#else
   vectors[index] = uvec4(1);
#endif
}
//! derivative_in_a_branch finds=barrier-quad by=fragment_(1,_0),_sample_0_of_primitive_0
void main()
{
   float value = float(pixel.x * pixel.x);
#if FAULTY
   if ((pixel.x & 1) == 1)
      data[index] = uint(dFdx(value)); // HERE
#else
   float slope = dFdx(value);
   if ((pixel.x & 1) == 1)
      data[index] = uint(slope);
#endif
}
//! width_behind_a_return finds=barrier-quad by=fragment_(0,_2),_sample_0_of_primitive_0
void main()
{
   vec2 value = vec2(pixel * pixel);
#if FAULTY
   if (pixel.y == 3)
      return;
   data[index] = uint(fwidth(value).y); // HERE
#else
   float width = fwidth(value).y;
   if (pixel.y == 3)
      return;
   data[index] = uint(width);
#endif
}
//! sample_in_a_branch finds=barrier-quad by=fragment_(5,_0),_sample_0_of_primitive_0
void main()
{
   vec2 at = vec2(pixel) / 16.0;
   if (pixel.x > 4) {
#if FAULTY
      data[index] = uint(texture(picture, at).x); // HERE
#else
      data[index] = uint(textureLod(picture, at, 0.0).x);
#endif
   }
}
//! sample_in_different_rounds finds=barrier-quad by=fragment_(1,_0),_sample_0_of_primitive_0
void main()
{
   float sum = 0.0;
#if FAULTY
   for (int i = 0; i < pixel.x; i++)
      sum += texture(picture, vec2(pixel + i) / 16.0).x; // HERE
#else
   for (int i = 0; i < 16; i++) {
      float value = texture(picture, vec2(pixel + i) / 16.0).x;
      sum += i < pixel.x ? value : 0.0;
   }
#endif
   data[index] = uint(sum);
}
//! sample_behind_a_discard finds=barrier-quad by=fragment_(2,_2),_sample_0_of_primitive_0 ext=GL_EXT_demote_to_helper_invocation
void main()
{
   if (pixel == ivec2(3, 3))
#if FAULTY
      discard;
#else
      demote;
#endif
   data[index] = uint(texture(picture, vec2(pixel) / 16.0).x); // HERE
}
//! swap_in_a_branch finds=barrier-quad by=fragment_(1,_0),_sample_0_of_primitive_0 ext=GL_KHR_shader_subgroup_quad
void main()
{
#if FAULTY
   if ((pixel.x & 1) == 1)
      data[index] = subgroupQuadSwapHorizontal(index); // HERE
#else
   if ((pixel.x & 2) == 2) /* the same for all of a quad */
      data[index] = subgroupQuadSwapHorizontal(index);
#endif
}
//! behind_the_last_fence finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
layout(early_fragment_tests) in;
void main()
{
   data[256 + index] = index;
   memoryBarrierBuffer();
   const bool is_last = atomicAdd(data[0], 1u) == 255u;
   memoryBarrierBuffer();
#if FAULTY
   data[1] = data[256 + (index ^ 1u)]; // HERE
#else
   if (is_last)
      data[1] = data[256 + (index ^ 1u)];
#endif
}
//! texel_behind_the_last_fence finds=race-image by=fragment_(0,_0),_sample_0_of_primitive_0 groups=2
layout(early_fragment_tests) in;
void main()
{
   atomicAdd(data[index], 1u);
   memoryBarrier();
#if FAULTY
   imageStore(pixels, pixel, uvec4(gl_PrimitiveID)); // HERE
#else
   imageAtomicMax(pixels, pixel, uint(gl_PrimitiveID));
#endif
}
//! in_front_of_the_first_fence finds=race-buffer by=fragment_(0,_0),_sample_0_of_primitive_0
layout(early_fragment_tests) in;
void main()
{
#if FAULTY
   data[3] = index; // HERE
#endif
   memoryBarrierBuffer();
   atomicAdd(data[0], 1u);
   memoryBarrierBuffer();
   for (uint i = 0; i < 2; i++) { // what is in the loop may be in order
      data[4] = index;
      memoryBarrierBuffer();
      atomicAdd(data[0], 1u);
   }
}
