#version 450
#ifdef TRIANGLES
layout(triangles, SPACING) in;
#else
layout(quads, SPACING) in;
#endif
layout(constant_id = 0) const int SEED = 1;
layout(constant_id = 1) const int CELLS = 8;

void main()
{
#ifdef TRIANGLES // sums are exact: coordinates have 16 bits
   const int id = gl_PrimitiveID / 2;
   const vec2 other = vec2(gl_TessCoord.y, gl_TessCoord.z);
   const vec2 at = vec2(id % CELLS, id / CELLS) + (gl_PrimitiveID % 2 == 0 ? other : 1.0 - other);
#else
   const vec2 at = vec2(gl_PrimitiveID % CELLS, gl_PrimitiveID / CELLS) + gl_TessCoord.xy;
#endif
   const vec2 bent = SEED % 2 == 0 ? at : at + 0.2 * sin(at.yx);
   gl_Position = vec4(bent / float(CELLS) * 2.4 - 1.2, 0.5, 1);
}
