//! payload_half_written finds=uninit-output by=launch_(0,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT vec2 payload;
void main()
{
   trace(0);
   data[at] = uint(payload.x + payload.y); // HERE
}
//@ rmiss
layout(location = 0) rayPayloadInEXT vec2 payload;
void main()
{
   payload = vec2(0.0);
}
//@ rchit
layout(location = 0) rayPayloadInEXT vec2 payload;
void main()
{
   payload.x = 1.0;
#if !FAULTY
   payload.y = 1.0;
#endif
}
//! miss_that_writes_nothing finds=uninit-branch by=launch_(1,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT uint is_lit;
void main()
{
   trace(0);
   if (is_lit != 0) // HERE
      data[at] = 1;
}
//@ rmiss
layout(location = 0) rayPayloadInEXT uint is_lit;
void main()
{
#if !FAULTY
   is_lit = 1;
#endif
}
//@ rchit
layout(location = 0) rayPayloadInEXT uint is_lit;
void main()
{
   is_lit = 0;
}
//! depth_that_nobody_began finds=uninit-branch by=launch_(0,_0,_0)
//@ rgen
struct Payload { vec3 color; uint depth; };
layout(location = 0) rayPayloadEXT Payload payload;
void main()
{
#if !FAULTY
   payload.depth = 0;
#endif
   trace(0);
   data[at] = uint(payload.color.x);
}
//@ rmiss
struct Payload { vec3 color; uint depth; };
layout(location = 0) rayPayloadInEXT Payload payload;
void main()
{
   payload.color = vec3(0.0);
}
//@ rchit
struct Payload { vec3 color; uint depth; };
layout(location = 0) rayPayloadInEXT Payload payload;
void main()
{
   payload.color = vec3(1.0);
   if (payload.depth < 4) // HERE
      payload.color.y = 0.5;
}
//! payload_of_two_sizes finds=uninit-output by=launch_(0,_0,_0)
//@ rgen
layout(location = 3) rayPayloadEXT vec4 first;
layout(location = 4) rayPayloadEXT uint second;
void main()
{
   trace(3);
   second = 1;
   data[at] = uint(first.w) + second; // HERE
}
//@ rmiss
layout(location = 0) rayPayloadInEXT vec4 payload;
void main()
{
   payload = vec4(0.0);
}
//@ rchit
layout(location = 0) rayPayloadInEXT vec4 payload;
void main()
{
   payload.xyz = vec3(1.0);
#if !FAULTY
   payload.w = 1.0;
#endif
}
//! shadow_ray_of_the_hit finds=uninit-output by=launch_(0,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT vec2 payload;
void main()
{
   payload = vec2(0.0);
   trace(0);
   data[at] = uint(payload.x); // HERE
}
//@ rmiss
layout(location = 0) rayPayloadInEXT vec2 payload;
void main()
{
   payload.y = 1.0;
#if !FAULTY
   payload.x = 1.0;
#endif
}
//@ rchit
layout(location = 0) rayPayloadInEXT vec2 payload;
layout(location = 1) rayPayloadEXT vec2 shadow;
void main()
{
   traceRayEXT(scene, 0u, 0u, 0u, 0u, 0u, vec3(0.0), 0.0, vec3(0.0, 0.0, 1.0), 10.0, 1);
   payload = shadow;
}
//! argument_of_a_callable finds=uninit-branch by=launch_(0,_0,_0)
//@ rgen
layout(location = 0) callableDataEXT uvec2 call;
void main()
{
   call.x = 1;
#if !FAULTY
   call.y = 1;
#endif
   executeCallableEXT(0, 0);
   data[at] = call.x;
}
//@ rcall
layout(location = 0) callableDataInEXT uvec2 call;
void main()
{
   call.x = 2;
   if (call.y == 7) // HERE
      call.x = 3;
}
//! result_of_a_callable finds=uninit-address by=launch_(2,_0,_0)
//@ rgen
layout(location = 0) callableDataEXT uint call;
void main()
{
   executeCallableEXT(0, 0);
   data[call] = 1; // HERE
}
//@ rcall
layout(location = 0) callableDataInEXT uint call;
void main()
{
#if FAULTY
   if (at != 2)
#endif
      call = at;
}
//! attribute_of_a_hit finds=uninit-output by=launch_(0,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT float payload;
void main()
{
   payload = 0.0;
   trace(0);
   data[at] = uint(payload); // HERE
}
//@ rint
hitAttributeEXT vec3 normal;
void main()
{
   normal.xy = vec2(0.0);
#if !FAULTY
   normal.z = 1.0;
#endif
   reportIntersectionEXT(1.0, 0u);
}
//@ rchit
hitAttributeEXT vec3 normal;
layout(location = 0) rayPayloadInEXT float payload;
void main()
{
   payload = normal.z;
}
//! attribute_that_any_hit_reads finds=uninit-branch by=launch_(0,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT float payload;
void main()
{
   payload = 0.0;
   trace(0);
   data[at] = uint(payload);
}
//@ rint
hitAttributeEXT float alpha;
void main()
{
#if !FAULTY
   alpha = 1.0;
#endif
   reportIntersectionEXT(1.0, 0u);
}
//@ rahit
hitAttributeEXT float alpha;
void main()
{
   if (alpha < 0.5) // HERE
      ignoreIntersectionEXT;
}
//! direction_half_written finds=uninit-output by=launch_(1,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT float payload;
void main()
{
   vec3 direction;
   direction.xz = vec2(0.0, 1.0);
#if FAULTY
   if (at % 2 == 0)
#endif
      direction.y = 0.0;
   payload = 0.0;
   traceRayEXT(scene, 0u, 0xffu, 0u, 0u, 0u, origin, 0.0, direction, 10.0, 0); // HERE
   data[at] = uint(payload);
}
//! query_of_half_a_ray finds=uninit-output by=launch_(0,_0,_0) ext=GL_EXT_ray_query
//@ rgen
void main()
{
   rayQueryEXT query;
   vec3 direction;
#if FAULTY
   direction.z = 1.0;
#else
   direction = vec3(0.0, 0.0, 1.0);
#endif
   rayQueryInitializeEXT(query, scene, 0u, 0xffu, origin, 0.0, direction, 10.0); // HERE
   while (rayQueryProceedEXT(query)) {}
   data[at] = rayQueryGetIntersectionTypeEXT(query, true);
}
//! hit_of_nothing finds=uninit-output by=launch_(0,_0,_0)
//@ rgen
layout(location = 0) rayPayloadEXT float payload;
void main()
{
   payload = 0.0;
   trace(0);
   data[at] = uint(payload);
}
//@ rint
void main()
{
   float t;
#if !FAULTY
   t = 1.0;
#endif
   reportIntersectionEXT(t, 0u); // HERE
}
