#version 450
layout(triangles, fractional_odd_spacing) in;
layout(location = 0) out vec3 colour;

void main()
{
   vec4 at = vec4(0);
   for (int i = 0; i < 3; i++)
      at += gl_in[i].gl_Position * gl_TessCoord[i];
   at.z = 0.5 + 0.4 * sin(dot(at.xy, vec2(7, 11)) + at.z * 5.0);
   colour = fract(gl_TessCoord * 3.0 + at.z);
   gl_Position = at;
}
