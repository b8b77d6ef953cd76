/* SPDX-License-Identifier: MIT
 * Rays into a crowd of random triangles, of which some let them through, that are reflected, twice: by QUERY, or by RGEN, RAHIT, RCHIT and RMISS.
 * OPAQUE: by a query that none let through. SUBGROUP: by closest hit shaders that see who else is hit. */
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_ray_query : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

const uint WIDTH = 96, HEIGHT = 64;

#ifndef RAHIT
struct Path {
   vec4 light;
   uint depth;
};

vec3 camera_direction(uvec2 at)
{
   return normalize(vec3((vec2(at) + 0.5) / vec2(WIDTH, HEIGHT) - 0.5, -0.7));
}
#endif

/* Of every third primitive a strip is missing. */
bool is_hole(uint primitive, vec2 barycentrics)
{
   return primitive % 3 == 0 && fract(barycentrics.x * 7.0) < 0.5;
}

vec4 light_of(float t, uint primitive, uint instance, vec2 barycentrics)
{
   return vec4(sqrt(t), float(primitive) / 7.0, sin(float(instance) + barycentrics.x), barycentrics.y);
}

#if defined(QUERY) || defined(RGEN)
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Results { vec4 results[]; };
#endif

#ifdef QUERY
layout(local_size_x = 8, local_size_y = 4) in;
void main()
{
   vec3 origin = vec3(0, 0, 3), direction = camera_direction(gl_GlobalInvocationID.xy);
   vec4 light = vec4(0);
   for (uint depth = 0; depth < 3; depth++) {
      rayQueryEXT query;
#ifdef OPAQUE
      const uint flags = gl_RayFlagsOpaqueEXT;
#else
      const uint flags = 0;
#endif
      rayQueryInitializeEXT(query, scene, flags, 0xff, origin, 0.001, direction, 100.0);
      while (rayQueryProceedEXT(query)) {
         if (!is_hole(rayQueryGetIntersectionPrimitiveIndexEXT(query, false), rayQueryGetIntersectionBarycentricsEXT(query, false)))
            rayQueryConfirmIntersectionEXT(query);
      }
      if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT)
         break;
      float t = rayQueryGetIntersectionTEXT(query, true);
      light = light * 0.5 + light_of(t, rayQueryGetIntersectionPrimitiveIndexEXT(query, true), rayQueryGetIntersectionInstanceIdEXT(query, true),
                                     rayQueryGetIntersectionBarycentricsEXT(query, true));
      origin += direction * t;
      direction = normalize(reflect(direction, rayQueryGetIntersectionObjectToWorldEXT(query, true) * vec4(0, 0, 1, 0)));
   }
   results[gl_GlobalInvocationID.y * WIDTH + gl_GlobalInvocationID.x] = light;
}
#endif

#ifdef RGEN
layout(location = 0) rayPayloadEXT Path path;
void main()
{
   path.light = vec4(0);
   path.depth = 0;
   traceRayEXT(scene, 0, 0xff, 0, 0, 0, vec3(0, 0, 3), 0.001, camera_direction(gl_LaunchIDEXT.xy), 100.0, 0);
   results[gl_LaunchIDEXT.y * WIDTH + gl_LaunchIDEXT.x] = path.light;
}
#endif

#ifdef RAHIT
hitAttributeEXT vec2 barycentrics;
void main()
{
   if (is_hole(gl_PrimitiveID, barycentrics))
      ignoreIntersectionEXT;
}
#endif

#ifdef RCHIT
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadInEXT Path path;
hitAttributeEXT vec2 barycentrics;
void main()
{
   path.light = path.light * 0.5 + light_of(gl_HitTEXT, gl_PrimitiveID, gl_InstanceID, barycentrics);
#ifdef SUBGROUP
   path.light.x += float(subgroupBallotBitCount(subgroupBallot(gl_PrimitiveID % 2 == 0)));
   path.light.y += subgroupInclusiveAdd(gl_HitTEXT);
#endif
   path.depth++;
   if (path.depth < 3)
      traceRayEXT(scene, 0, 0xff, 0, 0, 0, gl_WorldRayOriginEXT + gl_WorldRayDirectionEXT * gl_HitTEXT, 0.001,
                  normalize(reflect(gl_WorldRayDirectionEXT, gl_ObjectToWorldEXT * vec4(0, 0, 1, 0))), 100.0, 0);
}
#endif

#ifdef RMISS
layout(location = 0) rayPayloadInEXT Path path;
void main()
{
   path.light.w += 0.25;
}
#endif
