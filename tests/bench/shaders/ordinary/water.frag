#version 450
// Waves of water: sums of sines and their slopes, what they mirror and let through.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 p = place() * 12.0, slope = vec2(0.0);
   float height = 0.0, scale = 1.0, amount = 0.5;
   for (int i = 0; i < 8; i++) {
      float angle = float(i) * 1.37;
      vec2 along = vec2(cos(angle), sin(angle));
      float phase = dot(p, along) * scale + 1.3 * scale;
      float wave = exp(sin(phase) - 1.0), slow = wave * cos(phase);
      height += wave * amount;
      slope += along * slow * amount * scale;
      p -= along * slow * 0.3;
      scale *= 1.18;
      amount *= 0.82;
   }
   vec3 normal = normalize(vec3(-slope.x, 4.0, -slope.y)), eye = normalize(vec3(place() - 0.5, -0.6)), mirrored = reflect(eye, normal);
   float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, -eye.xzy), 0.0), 5.0);
   vec3 above = texture(environment, mirrored).rgb, below = texture(picture, place() + slope * 0.01).rgb * vec3(0.2, 0.5, 0.6);
   color = vec4(mix(below, above, fresnel) + pow(max(dot(mirrored, normalize(vec3(0.4, 0.6, 0.3))), 0.0), 120.0), 1.0);
}
