#version 450
layout(location = 1) in vec4 shade;
layout(location = 0) out vec4 color;

// Arithmetic without textures: a few hundred operations a fragment, with uniform loops and no branch that differs between neighbours.
void main()
{
   vec3 p = vec3(shade.xy * 8.0, shade.z);
   vec3 sum = vec3(0.0);
   float weight = 0.5;
   for (int i = 0; i < 8; i++) {
      vec3 q = abs(fract(p) - 0.5);
      sum += weight * (q * q * (3.0 - 2.0 * q) + normalize(q.yzx + 0.1) * inversesqrt(dot(q, q) + 0.25));
      p = p.zxy * 1.7 + q.yxz * 0.3 + dot(q, vec3(0.2, 0.5, 0.3));
      weight *= 0.6;
   }
   color = vec4(sum / (1.0 + sum), shade.w);
}
