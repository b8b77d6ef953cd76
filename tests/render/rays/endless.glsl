/* SPDX-License-Identifier: MIT
 * A closest hit shader that never ends: RGEN, RCHIT. */
#version 460
#extension GL_EXT_ray_tracing : require

layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Words { uint words[]; };

#ifdef RGEN
layout(location = 0) rayPayloadEXT uint value;
void main()
{
   value = words[0];
   traceRayEXT(scene, 0, 0xff, 0, 0, 0, vec3(0.1, 0.1, 1), 0.0, vec3(0, 0, -1), 10.0, 0);
   words[0] = value;
}
#endif

#ifdef RCHIT
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   while (value != 1)
      value = value * 5 + 4; /* of an even number an even one */
}
#endif
