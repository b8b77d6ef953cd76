#version 450
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint factor = 3u;
layout(std430, binding = 0) buffer Out { uint values[]; };
layout(binding = 1) uniform In { uint base; };
layout(push_constant) uniform Push { uint more; };
shared uint neighbours[32];

void main()
{
   neighbours[gl_LocalInvocationIndex] = gl_GlobalInvocationID.x * factor;
   barrier();
   values[gl_GlobalInvocationID.x] = neighbours[gl_LocalInvocationIndex ^ 1u] + base + more;
}
