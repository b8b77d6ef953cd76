#version 460
#extension GL_EXT_ray_query : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Data { uint data[]; };
#ifdef COMP
layout(local_size_x = 32) in;
#define at gl_GlobalInvocationID.x
#else
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadEXT uint payload;
#define at gl_LaunchIDEXT.x
#endif
void main()
{
#ifdef COMP
   rayQueryEXT query;
#line 101
   rayQueryInitializeEXT(query, scene, 0u, 0xffu, vec3(0.25, 0.25, -1.0), 0.0, vec3(0.0, 0.0, 1.0), 10.0);
   while (rayQueryProceedEXT(query)) {}
   atomicAdd(data[0], rayQueryGetIntersectionTypeEXT(query, true));
#else
   payload = 0;
#line 102
   traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(0.25, 0.25, -1.0), 0.0, vec3(0.0, 0.0, 1.0), 10.0, 0);
   atomicAdd(data[0], payload);
#endif
}
