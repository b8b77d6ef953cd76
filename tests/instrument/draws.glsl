#version 460
// Invocations of one draw that touch the same bytes: of workgroups, of what two tasks asked for, of two stages. `wanted` is the row of draws_test.c's table;
// the line that is to be reported is 100 and its number.
#if defined(TASK) || defined(MESH)
#extension GL_EXT_mesh_shader : require
#endif
layout(push_constant) uniform Push { uint wanted; };
layout(set = 0, binding = 0) buffer Data { uint data[]; }; // 64 words
layout(set = 0, binding = 1, r32ui) uniform uimage2D pixels;
const uint TASKS = 0, MESHES = 1, MESHES_OF_TASKS = 2, NEIGHBOUR = 3, TEXEL = 4, EXCHANGE = 5, COUNTER = 6, VERTEX_AND_FRAGMENT = 7, TASK_AND_FRAGMENT = 8,
   VERTEX_STORES = 9, FRAGMENT_STORES = 10, GEOMETRY = 11, CONTROL = 12, EVALUATION = 13;
struct Payload { uint task; };

#ifdef TASK
layout(local_size_x = 2) in;
taskPayloadSharedEXT Payload payload;
void main()
{
   const uint group = gl_WorkGroupID.x;
   if (gl_LocalInvocationIndex == 0)
      payload.task = group;
   if (wanted == TASKS && gl_LocalInvocationIndex == 0)
#line 100
      data[FAULTY != 0 ? 0 : group] = group;
   if (wanted == TASK_AND_FRAGMENT && group == 0 && gl_LocalInvocationIndex == 0) {
#line 108
      data[0] = 1;
#if !FAULTY
      memoryBarrierBuffer();
#endif
   }
   EmitMeshTasksEXT(wanted == MESHES_OF_TASKS ? 1 : 2, 1, 1);
}
#endif

#ifdef MESH
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
taskPayloadSharedEXT Payload payload;
void main()
{
   const uint group = payload.task * 2 + gl_WorkGroupID.x, lid = gl_LocalInvocationIndex;
   uint sum = 0;
   if (wanted == MESHES && lid == 0)
#line 101
      data[FAULTY != 0 ? 1 : group] = group;
   if (wanted == MESHES_OF_TASKS && lid == 0)
#line 102
      data[FAULTY != 0 ? 2 : group] = group;
   if (wanted == NEIGHBOUR && lid == 0) {
#line 103
      data[group] = group;
      sum = data[FAULTY != 0 ? group ^ 1 : group];
   }
   if (wanted == TEXEL && lid == 0)
#line 104
      imageStore(pixels, ivec2(FAULTY != 0 ? 0 : group, 0), uvec4(group));
   if (wanted == EXCHANGE) {
#line 105
      data[group * 3 + lid] = lid;
      memoryBarrierBuffer();
      barrier();
      sum = FAULTY != 0 ? data[(group * 3 + lid + 1) % 12] : data[group * 3 + (lid + 1) % 3];
   }
   if (wanted == COUNTER && lid == 0)
#if FAULTY
#line 106
      data[0] += 1;
#else
      atomicAdd(data[0], 1);
#endif
   SetMeshOutputsEXT(group == 0 ? 3 : 0, group == 0 ? 1 : 0);
   if (group == 0)
      gl_MeshVerticesEXT[lid].gl_Position = vec4(vec2(lid & 1, lid >> 1) * 4.0 - 1.0, float(min(sum, 0)), 1.0);
   if (group == 0 && lid == 0)
      gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}
#endif

#ifdef VERT
void main()
{
   if (wanted == VERTEX_AND_FRAGMENT && gl_VertexIndex == 0)
#line 107
      data[FAULTY != 0 ? 0 : 1] = 1;
   if (wanted == VERTEX_STORES && gl_VertexIndex == 0) {
#line 109
      data[0] = 1;
#if !FAULTY
      memoryBarrierBuffer();
#endif
   }
   gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef VERT_LOADS
void main()
{
#line 110
   uint height = data[FAULTY != 0 ? 0 : 1];
   gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, min(float(height), 0.0), 1.0);
}
#endif

#ifdef FRAG
layout(location = 0) out vec4 color;
void main()
{
   if (wanted >= VERTEX_AND_FRAGMENT && wanted < GEOMETRY && ivec2(gl_FragCoord.xy) == ivec2(0))
      data[0] = 2;
   color = vec4(1.0);
}
#endif

#ifdef FRAG_LOADS
layout(location = 0) out vec4 color;
void main()
{
   color = vec4(data[0]);
}
#endif

#ifdef VERT_EMPTY
void main()
{
   gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
#endif

// One each of two instances.
#ifdef GEOM
layout(triangles) in;
layout(points, max_vertices = 1) out;
void main()
{
   if (wanted == GEOMETRY)
#if FAULTY
#line 111
      data[20] = 1;
#else
      atomicMax(data[20], 1u);
#endif
}
#endif

#ifdef TESC
layout(vertices = 1) out;
void main()
{
   if (wanted == CONTROL)
#if FAULTY
#line 112
      data[21] = 1;
#else
      atomicMax(data[21], 1u);
#endif
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0;
}
#endif

#ifdef TESE
layout(triangles, equal_spacing) in;
void main()
{
   if (wanted == EVALUATION && gl_TessCoord.z == 1.0)
#if FAULTY
#line 113
      data[22] = 1;
#else
      atomicMax(data[22], 1u);
#endif
   gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
#endif
