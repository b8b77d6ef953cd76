#version 450
// Trilinear look-up in a table of 16x16x16.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "corpus.glsl"

vec3 entry(ivec3 i)
{
   return unpackUnorm4x8(words[i.x + i.y * 16 + i.z * 256]).rgb;
}
void main()
{
   uint t = thread();
   vec3 at = (vec3(floats[t], floats[t + 1024u], floats[t + 2048u]) * 0.5 + 0.5) * 15.0, base = min(floor(at), 14.0), f = at - base;
   ivec3 i = ivec3(base);
   vec3 result = vec3(0.0);
   for (int c = 0; c < 8; c++) {
      ivec3 corner = ivec3(c & 1, c >> 1 & 1, c >> 2);
      vec3 w = mix(1.0 - f, f, vec3(corner));
      result += entry(i + corner) * (w.x * w.y * w.z);
   }
   results[t] = packUnorm4x8(vec4(result, 1.0));
}
