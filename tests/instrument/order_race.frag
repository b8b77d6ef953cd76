#version 460
// The last one wins; or the greatest.
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };
layout(push_constant) uniform Push { uint is_faulty; };
void main()
{
   const uint at = uint(gl_FragCoord.y) * 256 + uint(gl_FragCoord.x);
   if (is_faulty != 0)
      out_data[0] = at;
   else
      atomicMax(out_data[0], at);
}
