/* SPDX-License-Identifier: MIT
 * One ray an invocation into four meshes: QUERY in a compute shader, or RGEN, RMISS and RCHIT of a pipeline. */
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_ray_query : require

const uint WIDTH = 512, HEIGHT = 256;

#if defined(QUERY) || defined(RGEN)
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Results { float results[]; };
layout(push_constant) uniform Push { uint is_random; };

float random(inout uint state)
{
   state = state * 1664525u + 1013904223u;
   return float((state >> 8) ^ (state >> 20) & 0xfffu) / 16777216.0;
}

/* From a camera in front of the meshes, or from anywhere among them to anywhere. */
void make_ray(uvec2 at, out vec3 origin, out vec3 direction)
{
   uint state = (at.y * WIDTH + at.x) * 747796405u + 2891336453u;
   origin = vec3(0, 0, 6);
   direction = normalize(vec3((vec2(at) + 0.5) / vec2(WIDTH, HEIGHT) * vec2(2.0, 1.0) - vec2(1.0, 0.5), -1.2));
   if (is_random != 0) {
      for (uint i = 0; i < 3; i++)
         origin[i] = (random(state) - 0.5) * 5.0;
      for (uint i = 0; i < 3; i++)
         direction[i] = random(state) - 0.5;
   }
}
#endif

#ifdef QUERY
layout(local_size_x = 8, local_size_y = 8) in;
void main()
{
   vec3 origin, direction;
   make_ray(gl_GlobalInvocationID.xy, origin, direction);
   rayQueryEXT query;
   rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, origin, 0.0, direction, 1000.0);
   while (rayQueryProceedEXT(query)) {}
   float result = -1.0;
   if (rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT)
      result = rayQueryGetIntersectionTEXT(query, true) + float(rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
   results[gl_GlobalInvocationID.y * WIDTH + gl_GlobalInvocationID.x] = result;
}
#endif

#ifdef RGEN
layout(location = 0) rayPayloadEXT float result;
void main()
{
   vec3 origin, direction;
   make_ray(gl_LaunchIDEXT.xy, origin, direction);
   traceRayEXT(scene, gl_RayFlagsOpaqueEXT, 0xff, 0, 1, 0, origin, 0.0, direction, 1000.0, 0);
   results[gl_LaunchIDEXT.y * WIDTH + gl_LaunchIDEXT.x] = result;
}
#endif

#ifdef RMISS
layout(location = 0) rayPayloadInEXT float result;
void main()
{
   result = -1.0;
}
#endif

/* As many of these as there are meshes, each with another constant. */
#ifdef RCHIT
layout(location = 0) rayPayloadInEXT float result;
layout(constant_id = 0) const uint scale = 1;
void main()
{
   result = gl_HitTEXT + float(gl_PrimitiveID * scale);
}
#endif
