#version 450
// Ground from three sides: samples with gradients of one's own, normals mixed by weights.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   float height = textureLod(picture, uv, 0.0).r;
   vec3 p = vec3(uv * 6.0, height * 2.0), dx = dFdx(p), dy = dFdy(p), n = normalize(cross(dx, dy) + vec3(0.0, 0.0, 1e-5));
   vec3 w = pow(abs(n), vec3(4.0));
   w /= w.x + w.y + w.z;
   vec4 sum = vec4(0.0);
   sum += textureGrad(picture, p.yz, dx.yz, dy.yz) * w.x;
   sum += textureGrad(picture, p.xz, dx.xz, dy.xz) * w.y;
   sum += textureGrad(picture, p.xy, dx.xy, dy.xy) * w.z;
   color = vec4(sum.rgb * (0.3 + 0.7 * max(dot(n, normalize(vec3(0.4, 0.5, 0.8))), 0.0)), 1.0);
}
