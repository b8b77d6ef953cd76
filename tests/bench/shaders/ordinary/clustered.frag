#version 450
// Lights of a cluster, as many as the cluster says.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   vec3 position = vec3(uv * 20.0 - 10.0, textureLod(depths, uv, 0.0).r * 8.0), normal = normalize(texture(picture, uv).rgb - 0.4), sum = vec3(0.02);
   int count = 6 + int(gl_FragCoord.x / 64.0) % 5;
   for (int i = 0; i < count; i++) {
      vec4 light = lights[(i * 7 + count) & 63];
      vec3 to = light.xyz - position;
      float d2 = dot(to, to), fade = max(1.0 - d2 / (light.w * light.w * 40.0), 0.0);
      sum += max(dot(normal, to) * inversesqrt(d2), 0.0) * fade * fade * vec3(0.9, 0.8, 0.7);
   }
   color = vec4(sum, 1.0);
}
