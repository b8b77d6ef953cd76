#version 450
// Each corner of the quad is the point of the control shader's invocation of its number, with what that stored.
layout(quads, equal_spacing, ccw, point_mode) in;
layout(location = 0) in uvec4 stored[][4];
layout(location = 0) out uvec4 words[4];
void main()
{
   const uint corner = uint(gl_TessCoord.x) + uint(gl_TessCoord.y) * 2u, point = uint(gl_PrimitiveID) * 4u + corner;
   for (int i = 0; i < 4; i++)
      words[i] = stored[corner][i];
   gl_Position = vec4((float(point % 10u) + 0.5) / 5.0 - 1.0, (float(point / 10u) + 0.5) / 4.0 - 1.0, 0.0, 1.0);
   gl_PointSize = 1.0;
}
