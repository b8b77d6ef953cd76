#version 450
/* As many rounds as the application says. */
layout(location = 0) flat in uint number;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { uint rounds; };

void main()
{
   uint x = number * 0x9e3779b9u + uint(gl_FragCoord.x) * 7919u + uint(gl_FragCoord.y);
   for (uint i = 0; i < rounds; i++)
      x = (x ^ x >> 15) * 0x2c1b3c6du;
   if (number % 5 == 0 && (x >> 13 & 3) == 0)
      discard;
   color = vec4(unpackUnorm4x8(x).rgb, 0.7);
}
