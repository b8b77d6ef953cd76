#version 450
// Structures with matrices whose rows stand together, loaded and stored as a whole; the last ones are beyond the output's end.
layout(local_size_x = 40) in;
struct Matrices { mat4 a; mat2x3 b; mat4x2 c; };
layout(std430, row_major, binding = 0) readonly buffer In { Matrices from[]; };
layout(std430, row_major, binding = 1) writeonly buffer Out { Matrices to[]; };

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   Matrices m = from[i];
   m.a = transpose(m.a);
   m.b[1] += vec3(1.0, 2.0, 3.0);
   m.c *= 2.0;
   to[(i * 7) % 80] = m;
}
