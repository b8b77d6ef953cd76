#version 450
#extension GL_EXT_multiview : require
layout(location = 0) flat in uvec3 facts;
layout(location = 0) out vec4 colour;

void main()
{
#ifdef LAYERED
   const uint where = uint(gl_Layer) * 16u + uint(gl_ViewportIndex);
#else
   const uint where = facts.z * 16u + uint(gl_ViewIndex);
#endif
   colour = vec4(facts.x + 1u, facts.y, where, gl_FrontFacing ? 255u : 254u) / 255.0;
}
