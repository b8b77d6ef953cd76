#version 450
// Some memory of the workgroup and a barrier.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { uint values[]; };
shared uint parts[64];
void main()
{
   uint index = gl_LocalInvocationIndex;
   parts[index] = values[index];
   barrier();
   values[index] = parts[63u - index];
}
