#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// A triangle with slanted edges; who is on among its vertices.
layout(location = 0) flat out uvec2 vertices;

void main()
{
   vertices = uvec2(subgroupBallotBitCount(subgroupBallot(true)), subgroupAdd(uint(gl_VertexIndex)) + gl_SubgroupSize);
   gl_Position = vec4(gl_VertexIndex == 1 ? 0.9 : -0.8, gl_VertexIndex == 2 ? 0.7 : -0.9, 0.0, 1.0);
}
