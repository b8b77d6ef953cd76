// SPDX-License-Identifier: MIT
// A triangle becomes a fan of three by the geometry shader, each with a colour of its own; a second pass blends quads made of points, a
// third a patch that hull and domain shaders divide and bend.
struct corner { float4 position : SV_Position; float3 colour : COLOR; };
cbuffer scene : register(b0) { float4 offset; };

corner vs(uint i : SV_VertexID)
{
   corner c;
   const float2 p = float2(i & 1, i >> 1) * 1.6 - 0.8;
   c.position = float4(p + offset.xy, 0.5, 1);
   c.colour = float3(i == 0, i == 1, i == 2);
   return c;
}

[maxvertexcount(9)]
void gs(triangle corner input[3], inout TriangleStream<corner> output)
{
   corner middle;
   middle.position = (input[0].position + input[1].position + input[2].position) / 3;
   middle.colour = float3(1, 1, 1);
   for (uint i = 0; i < 3; i++) {
      output.Append(middle);
      output.Append(input[i]);
      output.Append(input[(i + 1) % 3]);
      output.RestartStrip();
   }
}

corner vs_point(uint i : SV_VertexID)
{
   corner c;
   c.position = float4(0.2 + 0.2 * i, 0.7 - 0.3 * i, 0.5, 1);
   c.colour = float3(1 - 0.3 * i, 0.8, 0.2 + 0.3 * i);
   return c;
}

[maxvertexcount(4)]
void gs_point(point corner input[1], inout TriangleStream<corner> output)
{
   for (uint i = 0; i < 4; i++) {
      corner c = input[0];
      c.position.xy += float2(i & 1, i >> 1) * 0.3 - 0.15;
      output.Append(c);
   }
}

corner vs_patch(uint i : SV_VertexID)
{
   corner c;
   c.position = float4(float2(i == 1 ? 0.2 : -0.9, i == 2 ? 0.2 : -0.9), 0.5, 1);
   c.colour = float3(i == 2, i == 0, i == 1);
   return c;
}

struct factors { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };

factors divide(InputPatch<corner, 3> patch)
{
   factors f;
   f.edges[0] = 3;
   f.edges[1] = 4.5;
   f.edges[2] = 6;
   f.inside = 3.5;
   return f;
}

[domain("tri")]
[partitioning("fractional_odd")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("divide")]
corner hs(InputPatch<corner, 3> patch, uint i : SV_OutputControlPointID)
{
   return patch[i];
}

[domain("tri")]
corner ds(factors f, float3 at : SV_DomainLocation, const OutputPatch<corner, 3> patch)
{
   corner c;
   c.position = patch[0].position * at.x + patch[1].position * at.y + patch[2].position * at.z;
   c.position.xy += 0.6 * at.x * at.y + 0.4 * at.y * at.z;
   c.colour = patch[0].colour * at.x + patch[1].colour * at.y + patch[2].colour * at.z;
   c.colour += 0.5 * frac(at * f.edges[2]);
   return c;
}

float4 ps(corner input) : SV_Target
{
   return float4(input.colour, 0.6);
}
