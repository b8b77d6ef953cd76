// SPDX-License-Identifier: MIT
// Quads placed by an instance's numbers, with a ring of petals that a loop adds up.
float4 tint : register(c0);
struct corner { float4 position : POSITION; float4 place : TEXCOORD0; };

corner vs(float2 at : POSITION, float4 place : TEXCOORD0)
{
   corner c;
   c.position = float4(at * place.z * float2(0.75, 1) + place.xy, 0.5, 1);
   c.place = float4(at, place.w, 0);
   return c;
}

float4 ps(corner c) : COLOR
{
   const float radius = length(c.place.xy);
   float sum = 0;
   for (int i = 0; i < 4; i++)
      sum += abs(sin(c.place.z * (i + 1) * radius)) / (i + 1);
   clip(1 - radius);
   return float4(tint.rgb * sum * 0.5, 1);
}
