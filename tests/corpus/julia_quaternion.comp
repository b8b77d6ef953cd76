#version 450
// Distance estimate of a quaternion set.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
#include "corpus.glsl"

vec4 square(vec4 q) { return vec4(q.x * q.x - dot(q.yzw, q.yzw), 2.0 * q.x * q.yzw); }
float estimate(vec3 p)
{
   vec4 z = vec4(p, 0.0), c = vec4(-0.2, 0.6, 0.2, 0.2);
   float derivative = 1.0, m = dot(z, z);
   for (int i = 0; i < 10 && m < 16.0; i++) {
      derivative *= 4.0 * m;
      z = square(z) + c;
      m = dot(z, z);
   }
   return 0.25 * log(m) * sqrt(m / derivative);
}
void main()
{
   vec2 uv = vec2(gl_GlobalInvocationID.xy) / 16.0 - 1.0;
   vec3 from = vec3(0.0, 0.0, -2.5), direction = normalize(vec3(uv, 1.6));
   float t = 1.0;
   for (int i = 0; i < 60 && t < 4.0; i++) {
      float d = estimate(from + direction * t);
      if (d < 0.002)
         break;
      t += d;
   }
   put(place(ivec2(gl_GlobalInvocationID.xy)), t);
}
