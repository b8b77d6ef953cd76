#version 460
// What is asked for goes wrong, in any stage: the shader of stages_test.c's table. The line that is to be reported is 100 + the fault's number.
#if defined(TASK) || defined(MESH)
#extension GL_EXT_mesh_shader : require
#elif defined(RGEN) || defined(RINT) || defined(RAHIT) || defined(RCHIT) || defined(RMISS) || defined(RCALL)
#extension GL_EXT_ray_tracing : require
#endif
layout(push_constant) uniform Push { uint wanted_stage, wanted_fault; float zero; };
layout(set = 0, binding = 0) buffer Data { uint data[]; };     // 64 words, written
layout(set = 0, binding = 1) buffer Raw { uint raw[]; };       // 64 words that nobody wrote
layout(set = 0, binding = 2) buffer Result { uint result[]; }; // 64 words that a fill writes before
#define fault (wanted_stage == STAGE ? wanted_fault : 0)
const uint BOUNDS = 1, NUMBERS = 2, UNINIT = 3, SYNC = 4, RACE = 5, BARRIER = 6;

void go_wrong()
{
   uint sum = 0;
   if (wanted_stage != STAGE)
      return;
#line 101
   sum += data[fault == BOUNDS ? 5000 : 0];
#line 102
   float number = 1.0 / (fault == NUMBERS ? zero : 1.0);
   if (number > 2.0)
      sum++;
   if (fault == UNINIT) {
#line 103
      if (raw[0] == 7u)
         sum++;
   }
#ifndef HAS_WORKGROUPS
   if (fault == RACE)
#line 105
      result[2] = sum;
#endif
#line 104
   atomicOr(result[0], 1u);
   if (sum == 12345u)
      atomicOr(result[1], 1u);
}

#ifdef HAS_WORKGROUPS
shared uint s;
void go_wrong_together()
{
   if (fault == RACE || gl_LocalInvocationIndex == 0)
#line 105
      s = gl_LocalInvocationIndex;
   if (fault != BARRIER || gl_LocalInvocationIndex < 2)
#line 106
      barrier();
}
#endif

#ifdef COMP
layout(local_size_x = 3) in;
void main()
{
   go_wrong();
   go_wrong_together();
}
#endif

#ifdef VERT
void main()
{
   go_wrong();
   gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef TESC
layout(vertices = 3) out;
void main()
{
   go_wrong();
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
}
#endif

#ifdef TESE
layout(triangles) in;
void main()
{
   go_wrong();
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
}
#endif

#ifdef GEOM
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
void main()
{
   go_wrong();
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      EmitVertex();
   }
}
#endif

#ifdef TASK
layout(local_size_x = 3) in;
void main()
{
   go_wrong();
   go_wrong_together();
   EmitMeshTasksEXT(1, 1, 1);
}
#endif

#ifdef MESH
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main()
{
   go_wrong();
   go_wrong_together();
   SetMeshOutputsEXT(3, 1);
   gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = vec4(vec2(gl_LocalInvocationIndex & 1, gl_LocalInvocationIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
   if (gl_LocalInvocationIndex == 0)
      gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}
#endif

#ifdef FRAG
layout(location = 0) out vec4 color;
void main()
{
   go_wrong();
   color = vec4(1.0);
}
#endif

#ifdef RGEN
layout(set = 0, binding = 3) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadEXT uint value;
layout(location = 1) callableDataEXT uint called;
void main()
{
   go_wrong();
   value = called = 0;
   traceRayEXT(scene, 0, 0xff, 0, 0, 0, vec3(float(gl_LaunchIDEXT.x & 1u) * 8.0, 0.0, 1.0), 0.0, vec3(0, 0, -1), 10.0, 0);
   executeCallableEXT(0, 1);
}
#endif

#ifdef RINT
hitAttributeEXT uint met;
void main()
{
   go_wrong();
   met = 0;
   reportIntersectionEXT(0.5, 0);
}
#endif

#ifdef RAHIT
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   go_wrong();
}
#endif

#if defined(RCHIT) || defined(RMISS)
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   go_wrong();
   value++;
}
#endif

#ifdef RCALL
layout(location = 1) callableDataInEXT uint called;
void main()
{
   go_wrong();
   called++;
}
#endif
