#version 460
#extension GL_EXT_ray_tracing : require
// Indices into shader binding tables from memory. What is called says so; what is not leaves the word as it was.
#ifdef RGEN
struct Question { uint offset, stride, miss, callable; };
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Io { Question questions[32]; uvec2 results[]; };
layout(location = 0) rayPayloadEXT uint value;
layout(location = 1) callableDataEXT uint answer;
void main()
{
   const uint i = gl_LaunchIDEXT.x;
   const Question q = questions[i];
   value = 99;
   answer = 99;
   // Even launches hit the instance whose table offset is 0, odd ones that with the largest.
   traceRayEXT(scene, 0, 0xff, q.offset, q.stride, q.miss, vec3(0.1 + 10.0 * float(i & 1), 0.1, 0), 0.0,
               q.miss == 0xfffffffe ? vec3(0, 0, 1) : vec3(0, 0, -1), 10.0, 0);
   executeCallableEXT(q.callable, 1);
   results[i] = uvec2(value, answer);
}
#endif

#ifdef RMISS
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   value = 1;
}
#endif

#ifdef RCHIT
layout(location = 0) rayPayloadInEXT uint value;
void main()
{
   value = 2;
}
#endif

#ifdef RCALL
layout(location = 1) callableDataInEXT uint answer;
void main()
{
   answer = 3;
}
#endif
