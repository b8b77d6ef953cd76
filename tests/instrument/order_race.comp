#version 460
// The last one wins; or the greatest.
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };
layout(push_constant) uniform Push { uint is_faulty; };
void main()
{
   if (is_faulty != 0)
      out_data[0] = gl_GlobalInvocationID.x;
   else
      atomicMax(out_data[0], gl_GlobalInvocationID.x);
}
