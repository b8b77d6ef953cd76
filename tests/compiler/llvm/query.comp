#version 460
#extension GL_EXT_ray_query : require
// SPDX-License-Identifier: MIT
// Everything that a ray query does, of two queries each: which one differs from invocation to invocation, and a barrier stands within their lives.
layout(local_size_x = 24) in;
layout(set = 0, binding = 0) buffer Out { uint words[24][48]; } result;
layout(set = 0, binding = 1) uniform accelerationStructureEXT structure;

void next(uint at, inout uint place, uint value)
{
   result.words[at][place++] = value;
}

#define TELL(name, committed) uint name(rayQueryEXT q, uint at, uint place) \
{ \
   next(at, place, rayQueryGetIntersectionTypeEXT(q, committed)); \
   next(at, place, floatBitsToUint(rayQueryGetIntersectionTEXT(q, committed))); \
   next(at, place, rayQueryGetIntersectionInstanceCustomIndexEXT(q, committed)); \
   next(at, place, rayQueryGetIntersectionInstanceIdEXT(q, committed)); \
   next(at, place, rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT(q, committed)); \
   next(at, place, rayQueryGetIntersectionGeometryIndexEXT(q, committed)); \
   next(at, place, rayQueryGetIntersectionPrimitiveIndexEXT(q, committed)); \
   next(at, place, floatBitsToUint(rayQueryGetIntersectionBarycentricsEXT(q, committed).y)); \
   next(at, place, uint(rayQueryGetIntersectionFrontFaceEXT(q, committed))); \
   next(at, place, uint(rayQueryGetIntersectionObjectRayDirectionEXT(q, committed).z)); \
   next(at, place, uint(rayQueryGetIntersectionObjectRayOriginEXT(q, committed).y)); \
   next(at, place, uint(rayQueryGetIntersectionObjectToWorldEXT(q, committed)[3][2])); \
   next(at, place, uint(rayQueryGetIntersectionWorldToObjectEXT(q, committed)[2][1])); \
   return place; \
}
TELL(tell_candidate, false)
TELL(tell_committed, true)

void main()
{
   const uint at = gl_LocalInvocationIndex, which = at % 3 & 1;
   rayQueryEXT q[2];
   uint place = 0;
   next(at, place, uint(rayQueryProceedEXT(q[which]))); // not begun
   rayQueryInitializeEXT(q[which], structure, gl_RayFlagsOpaqueEXT | at << 8, at, vec3(at, 1, 2), 0.5 * at, vec3(3, 4, at), 100.0);
   barrier();
   uint rounds = 0;
   while (rayQueryProceedEXT(q[which])) {
      rounds++;
      if (rayQueryGetIntersectionTypeEXT(q[which], false) == gl_RayQueryCandidateIntersectionTriangleEXT) {
         if (at % 4 != 3)
            rayQueryConfirmIntersectionEXT(q[which]);
      } else if (rayQueryGetIntersectionCandidateAABBOpaqueEXT(q[which])) {
         rayQueryGenerateIntersectionEXT(q[which], 0.25 * rounds);
      }
      if (rounds == 2)
         place = tell_candidate(q[which], at, place);
      if (rounds == 5)
         rayQueryTerminateEXT(q[which]);
   }
   next(at, place, rounds);
   place = tell_committed(q[which], at, place);
   next(at, place, floatBitsToUint(rayQueryGetRayTMinEXT(q[which])));
   next(at, place, rayQueryGetRayFlagsEXT(q[which]));
   next(at, place, floatBitsToUint(rayQueryGetWorldRayOriginEXT(q[which]).x));
   next(at, place, floatBitsToUint(rayQueryGetWorldRayDirectionEXT(q[which]).z));
   next(at, place, uint(rayQueryProceedEXT(q[which ^ 1]))); // the other one is not begun
}
