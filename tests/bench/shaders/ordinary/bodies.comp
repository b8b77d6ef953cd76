#version 450
// Gravity of 2048 bodies, a tile of them in shared memory at a time.
layout(local_size_x = 128) in;
layout(binding = 9, std430) buffer Bodies { vec4 bodies[]; };
shared vec4 tile[128];
void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec3 here = bodies[i].xyz, pull = vec3(0.0);
   for (uint t = 0u; t < 16u; t++) {
      tile[gl_LocalInvocationID.x] = bodies[t * 128u + gl_LocalInvocationID.x];
      barrier();
      for (uint j = 0u; j < 128u; j++) {
         vec3 to = tile[j].xyz - here;
         float d2 = dot(to, to) + 0.01, inv = inversesqrt(d2);
         pull += to * (tile[j].w * inv * inv * inv);
      }
      barrier();
   }
   bodies[4096u + i].xyz = here + clamp(pull, -1.0, 1.0) * 0.001;
}
