#version 450
layout(local_size_x = 4) in;
layout(set = 9, binding = 1) buffer Out { uint words[]; } outs[2];
layout(set = 0, binding = 0) uniform Constant { uvec4 value; } constant_one;
layout(set = 0, binding = 1) uniform Pushed { uvec4 value; } pushed;
layout(set = 0, binding = 2) uniform Addressed { uvec4 value; } addressed;
layout(set = 0, binding = 3) readonly buffer Indirect { uvec4 value; } indirect;
layout(set = 0, binding = 4) uniform Heap { uvec4 value; } in_heap;
layout(set = 0, binding = 5) uniform utextureBuffer texels[2];
layout(set = 0, binding = 6, r32ui) uniform uimage2D counter;
layout(set = 1, binding = 0) uniform sampler2D edge;
layout(set = 1, binding = 1) uniform sampler2D border;
layout(set = 60, binding = 60000) uniform texture2D image_alone;
layout(set = 1, binding = 7) uniform sampler sampler_alone;
layout(push_constant) uniform Push { uint number; };

/* A decimal digit each of what it is made of. */
void main()
{
   const uint i = gl_GlobalInvocationID.x;
   uint word = constant_one.value.x + 10 * pushed.value.y + 100 * addressed.value.z + 1000 * indirect.value.w + 10000 * in_heap.value.x;
   word += 100000 * texelFetch(texels[i & 1], int(i)).x;
   word += 1000000 * uint(textureLod(edge, vec2(1.5), 0.0).x) + 10000000 * uint(textureLod(border, vec2(1.5), 0.0).x);
   word += 100000000 * uint(textureLod(sampler2D(image_alone, sampler_alone), vec2(1.5), 0.0).x);
   imageAtomicAdd(counter, ivec2(0), 1u);
   outs[number & 1].words[i] = word;
}
