#version 450
#ifdef STENCIL
#extension GL_ARB_shader_stencil_export : require
#endif
// Each use stands behind a bit of `live`: dead, it must leave no trace; what is declared counts either way.
#ifdef EARLY
layout(early_fragment_tests) in;
#endif
layout(constant_id = 0) const uint live = 0;
layout(set = 0, binding = 0) buffer Counts { uint count; };
layout(location = 0) in vec4 corner;
#ifdef COLOR
layout(location = 0) out vec4 color;
#endif

bool is_odd()
{
   return (int(gl_FragCoord.x) & 1) != 0;
}

void store()
{
   if ((live & 1u) != 0u)
      atomicAdd(count, 1u);
}

void main()
{
   store();
#ifdef SAMPLE
   if ((live & 32u) != 0u)
      atomicAdd(count, uint(gl_SampleID));
#endif
#ifdef COVERAGE
   if ((live & 128u) != 0u)
      atomicAdd(count, uint(gl_SampleMaskIn[0]));
#endif
   if ((live & 2u) != 0u && is_odd())
      discard;
#ifdef OUTPUTS
   if ((live & 4u) != 0u)
      gl_FragDepth = 0.25;
   if ((live & 8u) != 0u)
      gl_SampleMask[0] = is_odd() ? 0 : -1;
#endif
#ifdef STENCIL
   if ((live & 64u) != 0u)
      gl_FragStencilRefARB = is_odd() ? 1 : 0;
#endif
#ifdef COLOR
   color = vec4(0.2);
   if ((live & 16u) != 0u)
      color = vec4(corner.x * 0.25 + 0.25, dFdx(gl_FragCoord.x), 0.0, 1.0);
#endif
}
