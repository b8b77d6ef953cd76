#version 450
// A reflection out of a cube map, by roughness.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec2 uv = place();
   vec3 normal = normalize(vec3(texture(picture, uv).xy - 0.5, 1.0)), eye = normalize(vec3(uv - 0.5, -1.0));
   vec3 r = reflect(eye, normal);
   float fresnel = pow(1.0 - max(dot(-eye, normal), 0.0), 5.0);
   color = vec4(mix(texture(picture, uv).rgb, textureLod(environment, r, 1.5).rgb, fresnel) + texture(environment, normal).rgb * 0.3, 1.0);
}
