// SPDX-License-Identifier: MIT
// The shaders of the scene, chosen by a definition. A pixel's ray starts at (x + 0.5, y + 0.5, -10) and goes along z.
//    curtain   z = 5, x < 16: its any-hit shader lets even rows hit, odd ones pass; its closest-hit shader traces on from behind it:
//              1 + 10 * what that finds; with `endless` it traces itself again, for ever
//    ball      a box around (24, 16, 5): its intersection shader finds a disc of radius 6 and reports it twice: the second is too far
//              3 + 100 * hit kind + 1000 * custom index + 10000 * attribute
//    floor     z = 50, y < 16, opaque: 2 and what the callable shader adds: 500 from its record
//    no hit    4 and what the record of the miss shader has: 7000
#version 460
#extension GL_EXT_ray_tracing : require

struct payload_t {
   uint value, depth;
};

#ifdef RGEN
layout(binding = 0) uniform accelerationStructureEXT structure;
layout(binding = 1) buffer Out { uint words[]; } result;
layout(push_constant) uniform Push { uint endless, miss, offset; float tmin; } push;
layout(location = 0) rayPayloadEXT payload_t payload;
void main()
{
   const uint at = gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x;
   payload.value = 9;
   payload.depth = push.endless;
   traceRayEXT(structure, gl_RayFlagsNoneEXT, 0xff, push.offset, 1, push.miss, vec3(gl_LaunchIDEXT.xy + vec2(0.5), -10), push.tmin, vec3(0, 0, 1), 1000, 0);
   result.words[at] = payload.value;
}
#endif

#ifdef RMISS
layout(shaderRecordEXT) buffer Record { uint more; } record;
layout(location = 0) rayPayloadInEXT payload_t payload;
void main()
{
   payload.value = 4 + record.more;
}
#endif

#ifdef CURTAIN_RAHIT
layout(location = 0) rayPayloadInEXT payload_t payload;
void main()
{
   if ((gl_LaunchIDEXT.y & 1) != 0)
      ignoreIntersectionEXT;
}
#endif

#ifdef CURTAIN_RCHIT
layout(binding = 0) uniform accelerationStructureEXT structure;
layout(location = 0) rayPayloadInEXT payload_t payload;
layout(location = 1) rayPayloadEXT payload_t next;
void main()
{
   const vec3 hit = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
   next.value = 0;
   next.depth = payload.depth;
   traceRayEXT(structure, gl_RayFlagsNoneEXT, 0xff, 0, 1, 0, payload.depth != 0 ? gl_WorldRayOriginEXT : hit + vec3(0, 0, 0.5), 0, gl_WorldRayDirectionEXT, 1000, 1);
   payload.value = 1 + 10 * next.value;
}
#endif

#ifdef BALL_RINT
hitAttributeEXT uvec3 place;
void main()
{
   const vec2 from = gl_ObjectRayOriginEXT.xy + gl_ObjectToWorldEXT[3].xy - vec2(24, 16);
   const float t = 5.0 - gl_WorldRayOriginEXT.z;
   if (dot(from, from) < 36) {
      place = uvec3(0, 0, 8);
      reportIntersectionEXT(t, 5);
      place = uvec3(0, 0, 1);
      reportIntersectionEXT(t + 1, 6);
   }
}
#endif

#ifdef BALL_RCHIT
hitAttributeEXT uvec3 place;
layout(location = 0) rayPayloadInEXT payload_t payload;
void main()
{
   payload.value = 3 + 100 * gl_HitKindEXT + 1000 * gl_InstanceCustomIndexEXT + 10000 * place.z;
}
#endif

#ifdef FLOOR_RCHIT
layout(location = 0) rayPayloadInEXT payload_t payload;
layout(location = 2) callableDataEXT uint data;
void main()
{
   data = 2;
   executeCallableEXT(gl_LaunchIDEXT.x % 2, 2);
   payload.value = data;
}
#endif

#ifdef RCALL
layout(shaderRecordEXT) buffer Record { uint more; } record;
layout(location = 0) callableDataInEXT uint data;
void main()
{
   data += record.more;
}
#endif
