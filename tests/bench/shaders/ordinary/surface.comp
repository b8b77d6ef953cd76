#version 450
// The cells of a column that a surface passes: its sign at eight corners each, as marching cubes begin.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 10, std430) buffer Words { uint words[]; };
float gyroid(ivec3 corner)
{
   vec3 p = vec3(corner) * 0.1;
   return sin(p.x) * cos(p.y) + sin(p.y) * cos(p.z) + sin(p.z) * cos(p.x);
}
void main()
{
   ivec3 cell = ivec3(gl_GlobalInvocationID.xy, 0);
   uint num_cells = 0u, signs;
   for (; cell.z < 16; cell.z++) {
      signs = 0u;
      for (int i = 0; i < 8; i++)
         signs |= uint(gyroid(cell + ivec3(i & 1, i >> 1 & 1, i >> 2)) > 0.0) << i;
      num_cells += uint(signs != 0u && signs != 255u);
   }
   words[cell.y * 512 + cell.x] = num_cells;
}
