#version 450
// A user interface: rounded rectangles with gradients, borders and shadows.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
float box(vec2 p, vec2 half_size, float r) { vec2 q = abs(p) - half_size + r; return min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - r; }
void main()
{
   vec2 p = gl_FragCoord.xy;
   vec4 sum = vec4(0.9, 0.9, 0.92, 1.0);
   for (int i = 0; i < 6; i++) {
      vec2 center = vec2(200.0 + 180.0 * float(i), 150.0 + 90.0 * float(i % 4)), q = p - center;
      float d = box(q, vec2(150.0, 60.0), 14.0), shadow = clamp(0.5 - box(q - vec2(0.0, 6.0), vec2(150.0, 60.0), 20.0) / 24.0, 0.0, 1.0);
      vec4 fill = mix(vec4(0.3, 0.5, 0.9, 1.0), vec4(0.2, 0.3, 0.7, 1.0), clamp(q.y / 120.0 + 0.5, 0.0, 1.0));
      sum = mix(sum, vec4(0.0, 0.0, 0.0, 1.0), 0.4 * shadow);
      sum = mix(sum, fill, clamp(0.5 - d, 0.0, 1.0));
      sum = mix(sum, vec4(1.0), 0.6 * clamp(1.0 - abs(d + 1.0), 0.0, 1.0));
   }
   color = sum;
}
