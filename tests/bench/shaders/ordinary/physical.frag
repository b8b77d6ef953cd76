#version 450
// A surface lit by sixteen lights of a buffer, physically based.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   vec3 albedo = texture(picture, uv).rgb, n = normalize(texture(picture, uv * 3.0).rgb - vec3(0.5, 0.5, 0.0)), v = vec3(0.0, 0.0, 1.0);
   vec3 position = vec3(uv * 10.0 - 5.0, 0.0), sum = albedo * 0.03;
   float rough = 0.2 + 0.6 * albedo.g, a2 = rough * rough * rough * rough, k = (rough + 1.0) * (rough + 1.0) / 8.0, nv = max(dot(n, v), 0.001);
   for (int i = 0; i < 16; i++) {
      vec3 to = lights[i].xyz - position, l = normalize(to), h = normalize(l + v);
      float nl = max(dot(n, l), 0.0), nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0), d = nh * nh * (a2 - 1.0) + 1.0;
      float dist = a2 / (3.14159 * d * d), geo = nl / (nl * (1.0 - k) + k) * nv / (nv * (1.0 - k) + k);
      vec3 f = 0.04 + 0.96 * vec3(pow(1.0 - vh, 5.0));
      sum += ((1.0 - f) * albedo / 3.14159 + dist * geo * f / (4.0 * nl * nv + 0.001)) * nl * lights[i].w * 4.0 / dot(to, to);
   }
   color = vec4(pow(sum / (sum + 1.0), vec3(1.0 / 2.2)), 1.0);
}
