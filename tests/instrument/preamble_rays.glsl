#extension GL_EXT_ray_tracing : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Data { uint data[]; }; // 64 words of zeros
#define at gl_LaunchIDEXT.x
#define origin vec3(at % 2 * 5.0, 0.0, -2.0) // those of odd numbers miss
#define trace(location) traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, origin, 0.0, vec3(0.0, 0.0, 1.0), 10.0, location)
