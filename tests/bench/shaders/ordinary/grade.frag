#version 450
// Tone mapping, then colours by a table in 3D.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   vec3 c = texture(bright, place()).rgb * 4.0;
   c = (c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14);
   c = pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
   color = vec4(textureLod(table, c * (31.0 / 32.0) + 0.5 / 32.0, 0.0).rgb, 1.0);
}
