#version 460
// As much as each stage may make of what comes in: TESC, TESE, TASK, MESH, RGEN. Nothing of it is to be seen.
#ifdef TESC
layout(vertices = 3) out;
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 64.0;
}
#endif

#ifdef TESE
layout(triangles) in;
void main()
{
   gl_Position = gl_in[0].gl_Position;
}
#endif

#ifdef TASK
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
void main()
{
   EmitMeshTasksEXT(65535, 64, 1);
}
#endif

#ifdef MESH
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in;
layout(triangles, max_vertices = 3, max_primitives = 256) out;
void main()
{
   SetMeshOutputsEXT(3, 256);
   if (gl_LocalInvocationIndex < 3)
      gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = vec4(float(gl_LocalInvocationIndex & 1), 2.0, 0.0, 1.0);
   for (uint i = gl_LocalInvocationIndex; i < 256; i += 32)
      gl_PrimitiveTriangleIndicesEXT[i] = uvec3(0, 1, 2);
}
#endif

#ifdef RGEN
#extension GL_EXT_ray_tracing : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadEXT uint value;
void main()
{
   for (int i = 0; i < 16000; i++)
      traceRayEXT(scene, 0, 0xff, 0, 0, 0, vec3(0.1, 0.1, 1), 0.0, vec3(0, 0, -1), 10.0, 0);
}
#endif
