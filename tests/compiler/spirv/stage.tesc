#version 450
layout(vertices = 4) out;
layout(location = 3) in vec2 uv[];
layout(location = 1) out vec3 shade[];
layout(location = 2) patch out float sums[2];

void main()
{
   shade[gl_InvocationID] = vec3(uv[gl_InvocationID], gl_PatchVerticesIn);
   barrier();
   sums[gl_PrimitiveID & 1] = shade[3].y;
   gl_TessLevelOuter[gl_InvocationID] = 1;
}
