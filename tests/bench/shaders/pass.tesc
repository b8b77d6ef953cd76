#version 450
layout(vertices = 3) out;
layout(constant_id = 0) const float LEVEL = 1;
layout(location = 1) in vec4 shade_in[];
layout(location = 1) out vec4 shade[];

void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   shade[gl_InvocationID] = shade_in[gl_InvocationID];
   if (gl_InvocationID == 0) {
      gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = LEVEL;
      gl_TessLevelInner[0] = LEVEL;
   }
}
