#version 460
#extension GL_EXT_ray_query : require
// An invocation asks one query as the buffer says it, whatever that is, and writes what was committed: its type and the bits of its t.
layout(local_size_x = 32) in;
struct Ray {
   float origin[3], tmin, direction[3], tmax;
   uint flags, mask;
   float box_t; // what it takes for the hit of a box
};
layout(binding = 0) uniform accelerationStructureEXT top;
layout(binding = 1) buffer Rays { Ray rays[32]; uvec2 results[32]; };

void main()
{
   const Ray r = rays[gl_LocalInvocationIndex];
   rayQueryEXT query;
   rayQueryInitializeEXT(query, top, r.flags, r.mask, vec3(r.origin[0], r.origin[1], r.origin[2]), r.tmin,
                         vec3(r.direction[0], r.direction[1], r.direction[2]), r.tmax);
   while (rayQueryProceedEXT(query)) {
      if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionAABBEXT)
         rayQueryGenerateIntersectionEXT(query, r.box_t);
      else
         rayQueryConfirmIntersectionEXT(query);
   }
   const uint type = rayQueryGetIntersectionTypeEXT(query, true);
   results[gl_LocalInvocationIndex] = uvec2(type, type == 0u ? 0u : floatBitsToUint(rayQueryGetIntersectionTEXT(query, true)));
}
