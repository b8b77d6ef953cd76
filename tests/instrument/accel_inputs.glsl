#version 460
#extension GL_EXT_ray_tracing : require
#ifdef RGEN
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Data { uint data[]; };
layout(location = 0) rayPayloadEXT uint payload;
void main()
{
   payload = 0;
   traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, vec3(100.0), 0.0, vec3(0.0, 0.0, 1.0), 1.0, 0); // past all there is
   data[gl_LaunchIDEXT.x] = payload;
}
#else
layout(location = 0) rayPayloadInEXT uint payload;
void main()
{
   payload = 1;
}
#endif
