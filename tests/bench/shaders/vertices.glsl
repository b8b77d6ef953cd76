#version 450
// What rows of vertices run: a grid of 256 x 256 points whose triangles face away, or are small (SMALL), with what is read or handed on.
#ifdef VERTEX
#if defined(ATTRIBUTES)
layout(location = 0) in TYPE a[4];
#define NUMBERS(v) vec4(v MASK)
#elif defined(PULLED)
struct point { vec4 position, normal, color, uv; };
layout(set = 0, binding = 0, std430) readonly buffer Points { point points[]; };
#elif defined(INSTANCED)
layout(location = 0) in vec4 at;
layout(location = 1) in vec4 tint;
#endif
#ifdef VARYINGS
layout(location = 0) QUALIFIER out vec4 shade[VARYINGS];
#else
layout(location = 0) out vec4 shade;
#endif
#ifdef CLIPPED
out float gl_ClipDistance[4];
#endif

void main()
{
   uint index = uint(gl_VertexIndex) % 65536u;
   vec2 p = vec2(index & 255u, index >> 8) / 127.5 - 1.0;
   vec4 sum = vec4(p, 0.5, 1.0);
#if defined(ATTRIBUTES)
   for (int i = 0; i < 4; i++)
      sum += NUMBERS(a[i]) * 0.0001;
#elif defined(PULLED)
   point q = points[index];
   sum += (q.position + q.normal + q.color + q.uv) * 0.0001;
#elif defined(INSTANCED)
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
   p = at.xy + corner * at.zw;
   sum = tint;
#endif
#ifdef VARYINGS
   for (int i = 0; i < VARYINGS; i++)
      shade[i] = sum * float(i + 1);
#else
   shade = sum;
#endif
#ifdef CLIPPED
   gl_ClipDistance[0] = sin(p.x * 300.0) + 0.5;
   gl_ClipDistance[1] = p.y + 0.9;
   gl_ClipDistance[2] = 0.9 - p.x;
   gl_ClipDistance[3] = 0.9 - p.y;
#endif
   gl_Position = vec4(p + sum.zw * 1e-6, 0.5, 1.0);
#ifdef CROSSES
   gl_Position.z = float(index & 1u) * 2.0 - 1.0;
#endif
}
#else
#ifdef VARYINGS
layout(location = 0) QUALIFIER in vec4 shade[VARYINGS];
#else
layout(location = 0) in vec4 shade;
#endif
layout(location = 0) out vec4 color;

void main()
{
#ifdef VARYINGS
   color = vec4(0.0);
   for (int i = 0; i < VARYINGS; i++)
      color += shade[i] * 0.1;
#else
   color = shade;
#endif
}
#endif
