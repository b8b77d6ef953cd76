#version 450
layout(vertices = 3) out;
layout(location = 0) in vec3 seed[];

void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_out[gl_InvocationID].gl_Position.z = fract(gl_in[gl_InvocationID].gl_Position.z + 0.25 * float(gl_InvocationID) + seed[gl_InvocationID].y);
   barrier();
   if (gl_InvocationID == 1) {
      for (int i = 0; i < 3; i++)
         gl_TessLevelOuter[i] = 14.0 * distance(gl_out[(i + 1) % 3].gl_Position, gl_out[(i + 2) % 3].gl_Position);
      gl_TessLevelInner[0] = gl_TessLevelOuter[gl_PrimitiveID % 3];
   }
}
