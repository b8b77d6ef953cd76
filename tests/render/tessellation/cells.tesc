#version 450
// Each edge of the grid has a level that both of its patches know. TRIANGLES: each cell is two patches.
layout(vertices = 1) out;
layout(constant_id = 0) const int SEED = 1;
layout(constant_id = 1) const int CELLS = 8;

float level(ivec3 edge)
{
   const uint hash = uint(edge.x * 73856093 ^ edge.y * 19349663 ^ edge.z * 83492791 ^ SEED * 2654435) * 2246822519u;
   const float level = float(hash >> 16) / 65536.0;
   return SEED % 3 == 0 ? 1.0 + level * 70.0 : 0.5 + level * 9.0;
}

void main()
{
#ifdef TRIANGLES
   const int id = gl_PrimitiveID / 2;
   const ivec2 cell = ivec2(id % CELLS, id / CELLS);
   if (gl_PrimitiveID % 2 == 0) { // corners (0, 0), (1, 0), (0, 1); level k lies opposite to corner k
      gl_TessLevelOuter[0] = level(ivec3(cell, 2));
      gl_TessLevelOuter[1] = level(ivec3(cell, 1));
      gl_TessLevelOuter[2] = level(ivec3(cell, 0));
   } else { // corners (1, 1), (0, 1), (1, 0)
      gl_TessLevelOuter[0] = level(ivec3(cell, 2));
      gl_TessLevelOuter[1] = level(ivec3(cell + ivec2(1, 0), 1));
      gl_TessLevelOuter[2] = level(ivec3(cell + ivec2(0, 1), 0));
   }
#else
   const ivec2 cell = ivec2(gl_PrimitiveID % CELLS, gl_PrimitiveID / CELLS);
   gl_TessLevelOuter[0] = level(ivec3(cell, 1));
   gl_TessLevelOuter[1] = level(ivec3(cell, 0));
   gl_TessLevelOuter[2] = level(ivec3(cell + ivec2(1, 0), 1));
   gl_TessLevelOuter[3] = level(ivec3(cell + ivec2(0, 1), 0));
#endif
   gl_TessLevelInner[0] = level(ivec3(gl_PrimitiveID, 0, 3));
   gl_TessLevelInner[1] = level(ivec3(gl_PrimitiveID, 0, 4));
}
