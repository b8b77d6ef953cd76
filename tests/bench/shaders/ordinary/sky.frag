#version 450
// Light scattered in the air: a march within a march.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec3 way = normalize(vec3(place() * 2.0 - 1.0, 1.0)), sun = normalize(vec3(0.2, 0.3, 0.9)), sum = vec3(0.0);
   float depth = 0.0;
   for (int i = 0; i < 12; i++) {
      vec3 at = way * (float(i) + 0.5) * 0.5;
      float here = exp(-max(at.y, 0.0) * 1.2) * 0.1, to_sun = 0.0;
      depth += here;
      for (int j = 0; j < 4; j++)
         to_sun += exp(-max(at.y + sun.y * float(j), 0.0) * 1.2) * 0.1;
      sum += here * exp(-(depth + to_sun) * vec3(0.6, 1.3, 3.1));
   }
   float mu = dot(way, sun);
   color = vec4(sum * 3.0 * (1.0 + mu * mu), 1.0);
}
