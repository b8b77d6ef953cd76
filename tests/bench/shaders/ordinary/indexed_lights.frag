#version 450
// Lights of a cluster by a list of indices: spots and points, diffuse and specular.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
layout(binding = 10, std430) readonly buffer Lists { uint lists[]; };
void main()
{
   vec2 uv = place();
   float depth = textureLod(depths, uv, 0.0).r;
   vec3 position = vec3(uv * 20.0 - 10.0, depth * 8.0), normal = normalize(textureLod(picture, uv, 0.0).rgb - 0.4), eye = normalize(vec3(0.0, 0.0, 20.0) - position);
   uvec3 cluster = uvec3(uvec2(gl_FragCoord.xy) / 64u, uint(depth * 16.0));
   uint at = (cluster.x + cluster.y * 20u + cluster.z * 240u) * 32u, count = 4u + (lists[at] & 15u);
   vec3 sum = vec3(0.02);
   for (uint i = 0u; i < count; i++) {
      vec4 light = lights[lists[at + 1u + i] & 63u];
      vec3 to = light.xyz - position;
      float d2 = dot(to, to), d = sqrt(d2), fade = clamp(1.0 - d2 * d2 / (light.w * light.w * 4000.0), 0.0, 1.0);
      if (fade <= 0.0)
         continue;
      vec3 l = to / d, h = normalize(l + eye);
      float lambert = max(dot(normal, l), 0.0), shine = pow(max(dot(normal, h), 0.0), 32.0), cone = light.w > 2.5 ? smoothstep(0.2, 0.6, l.z) : 1.0;
      sum += (lambert * vec3(0.9, 0.8, 0.7) + shine * lambert) * fade * fade * cone / (d2 + 0.1);
   }
   color = vec4(sum, 1.0);
}
