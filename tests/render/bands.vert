#version 450
/* Triangles of all sizes over the first 61 x 61 texels, at random. */
layout(location = 0) flat out uint number;

uint hash(uint x)
{
   x = (x ^ x >> 16) * 0x7feb352du;
   x = (x ^ x >> 15) * 0x846ca68bu;
   return x ^ x >> 16;
}

float unit(uint x)
{
   return float(hash(x) >> 8) / 16777216.0;
}

void main()
{
   number = gl_VertexIndex / 3;
   vec2 center = vec2(unit(number * 8), unit(number * 8 + 1)) * 2.4 - 1.2;
   float size = number % 8 == 0 ? 3.0 : number % 2 == 0 ? 0.5 : 0.06;
   vec2 corner = vec2(unit(gl_VertexIndex * 8 + 2), unit(gl_VertexIndex * 8 + 3)) * 2.0 - 1.0;
   gl_Position = vec4(center + corner * size, unit(gl_VertexIndex * 8 + 4), 1.0);
}
