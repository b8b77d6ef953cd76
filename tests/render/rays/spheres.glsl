#version 460
#extension GL_EXT_ray_tracing : require
// Traces the rays of spheres.comp.spvasm through a pipeline; the closest hit shader is spheres.rchit.spvasm.
#ifdef RGEN
layout(binding = 0) uniform accelerationStructureEXT top;
layout(binding = 1) buffer Rays { vec4 origins[16], directions[16]; float words[]; };
layout(location = 0) rayPayloadEXT float payload[13];

void main()
{
   const uint i = gl_LaunchIDEXT.x;
   for (uint w = 0u; w < 13u; w++)
      payload[w] = words[i * 16u + w];
   traceRayEXT(top, gl_RayFlagsOpaqueEXT, 0xffu, 0u, 0u, 0u, origins[i].xyz, origins[i].w, directions[i].xyz, directions[i].w, 0);
   for (uint w = 0u; w < 13u; w++)
      words[i * 16u + w] = payload[w];
}
#else
layout(location = 0) rayPayloadInEXT float payload[13];

void main()
{
   payload[0] = payload[1] = payload[2] = 0.0;
   payload[3] = gl_RayTmaxEXT;
}
#endif
