/* SPDX-License-Identifier: MIT
 * Shaders of all stages that print: FORMATS and ORDER are compute shaders, the others a stage each. */
#version 460
#extension GL_EXT_debug_printf : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#if defined(TASK) || defined(MESH)
#extension GL_EXT_mesh_shader : require
#endif
#if defined(RGEN) || defined(RMISS) || defined(RCHIT)
#extension GL_EXT_ray_tracing : require
#endif

#ifdef FORMATS
layout(local_size_x = 1) in;
void main()
{
   uint zero = gl_GlobalInvocationID.x;
   float third = 1.0 / (3.0 + float(zero));
   vec4 v = vec4(1.2, 2.2, 3.2, 4.2) + float(zero);
   uint64_t big = 0x2000000000000001ul + zero;
   int minus = -5 - int(zero);
   debugPrintfEXT("plain");
   debugPrintfEXT("%d %i %u %o %x %X", minus, minus, 42 + zero, 8 + zero, 255 + zero, 255 + zero);
   debugPrintfEXT("%f %.2f %e %g %a", third, third, third, third, 1.0 + float(zero));
   debugPrintfEXT("%1.2v4f|%v2d|%v3u|%v3x", v, ivec2(minus, 3), uvec3(zero + 1, 2, 3), uvec4(zero + 10, 11, 12, 13));
   debugPrintfEXT("%lu %lx %ul %ld %ulight", big, big, big, int64_t(minus), 7 + zero);
   debugPrintfEXT("[%8u] [%08x] [%-4d] [%+d] 100%%", 42 + zero, 42 + zero, minus, 3 + int(zero));
   debugPrintfEXT("%d %u %f %g", int8_t(minus), uint16_t(minus), float16_t(third), double(third));
   debugPrintfEXT("%d %v2u %p", zero == 0, bvec2(zero == 0, zero == 1), big);
   debugPrintfEXT("%d %f %u %y", third, minus, 9 + zero);
   debugPrintfEXT("%s is %d, %s is %d", "one", 1 + zero, "%two%", 2 + zero);
   debugPrintfEXT("%v4f %v4f %v4f %v4f", v, v + 1, v + 2, v + 3);
   debugPrintfEXT("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789%u0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789%u0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789", zero, zero + 1);
}
#endif

#ifdef ORDER
layout(local_size_x = 20) in;
shared uint sum;
void main()
{
   if (gl_LocalInvocationIndex == 0)
      sum = 0;
   barrier();
   for (uint i = 0; i < gl_LocalInvocationIndex % 3; i++)
      debugPrintfEXT("%u: step %u", gl_GlobalInvocationID.x, i);
   atomicAdd(sum, 1);
   barrier();
   if (gl_LocalInvocationIndex % 7 == 6)
      debugPrintfEXT("%u: sum %u", gl_GlobalInvocationID.x, sum);
}
#endif

#ifdef VERT
void main()
{
   gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
   debugPrintfEXT("vertex %d of %d", gl_VertexIndex, gl_InstanceIndex);
}
#endif

#ifdef TESC
layout(vertices = 3) out;
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
   debugPrintfEXT("control %d of patch %d", gl_InvocationID, gl_PrimitiveID);
}
#endif

#ifdef TESE
layout(triangles) in;
void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
   debugPrintfEXT("evaluation %v3f of patch %d", gl_TessCoord, gl_PrimitiveID);
}
#endif

#ifdef GEOM
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main()
{
   debugPrintfEXT("geometry of primitive %d", gl_PrimitiveIDIn);
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      gl_PrimitiveID = gl_PrimitiveIDIn;
      EmitVertex();
   }
}
#endif

#ifdef TASK
layout(local_size_x = 2) in;
void main()
{
   debugPrintfEXT("task %u of %u", gl_LocalInvocationIndex, gl_WorkGroupID.x);
   EmitMeshTasksEXT(1, 1, 1);
}
#endif

#ifdef MESH
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
perprimitiveEXT out gl_MeshPerPrimitiveEXT { int gl_PrimitiveID; } gl_MeshPrimitivesEXT[];
void main()
{
   SetMeshOutputsEXT(3, 1);
   gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position =
      vec4(vec2(gl_LocalInvocationIndex & 1, gl_LocalInvocationIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
   gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
   gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 0;
   debugPrintfEXT("mesh %u of %u", gl_LocalInvocationIndex, gl_WorkGroupID.x);
}
#endif

#ifdef FRAG
void main()
{
   if (gl_FragCoord.x + gl_FragCoord.y < 3.0)
      debugPrintfEXT("fragment %v2f of %d", gl_FragCoord.xy, gl_PrimitiveID);
}
#endif

#ifdef RGEN
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadEXT uint value;
void main()
{
   value = gl_LaunchIDEXT.x;
   debugPrintfEXT("ray %u", value);
   traceRayEXT(scene, 0, 0xff, 0, 0, 0, vec3(float(gl_LaunchIDEXT.x) * 0.6 + 0.1, 0.1, 1), 0.0, vec3(0, 0, -1), 10.0, 0);
   debugPrintfEXT("ray %u: %u", gl_LaunchIDEXT.x, value);
}
#endif

#ifdef RCHIT
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   debugPrintfEXT("ray %u hits at %g", gl_LaunchIDEXT.x, gl_HitTEXT);
   value += 100;
}
#endif

#ifdef RMISS
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   debugPrintfEXT("ray %u misses", gl_LaunchIDEXT.x);
   value += 200;
}
#endif
