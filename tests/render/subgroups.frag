#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_clustered : require
// Quads are lanes in fours, only quads with coverage are there, and helpers are as well.
layout(location = 0) flat in uvec2 vertices;
layout(location = 0) out vec4 color;

void main()
{
   uvec2 pixel = uvec2(gl_FragCoord.xy);
   bool is_quad = subgroupQuadSwapHorizontal(pixel.x) == (pixel.x ^ 1u) && subgroupQuadSwapVertical(pixel.y) == (pixel.y ^ 1u) &&
                  (gl_SubgroupInvocationID & 3u) == ((pixel.y & 1u) << 1 | (pixel.x & 1u)) && gl_SubgroupSize + 3u == vertices.y;
   uint there = subgroupBallotBitCount(subgroupBallot(true)), own = subgroupAdd(gl_HelperInvocation ? 0u : 1u);
   bool is_quad_there = subgroupClusteredAdd(1u, 4u) == 4u;
   color = vec4(is_quad && is_quad_there ? 1.0 : 0.0, float(there) / 255.0, float(own) / 255.0, float(vertices.x + vertices.y) / 255.0);
}
