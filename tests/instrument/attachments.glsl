#version 460
// Draws of attachments_test.c. The line that is to be reported is 101.
#ifdef VERT
void main()
{
   gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0);
}
#endif

#ifdef PLAIN
layout(location = 0) out vec4 color;
void main()
{
   color = vec4(0.5);
}
#endif

#ifdef INPUT
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) out vec4 color;
void main()
{
#line 101
   color = subpassLoad(before) + 0.25;
}
#endif

#ifdef SAMPLED
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
#line 101
   color = texelFetch(image, ivec2(gl_FragCoord.xy), 0);
}
#endif

#ifdef FILTERED
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main()
{
   vec2 at = (gl_FragCoord.xy + vec2(0.25, 0.0)) / 16.0; // between a texel and the next one
#line 101
   color = textureLod(image, at, 0.0);
}
#endif

#ifdef SOLID
layout(location = 0) out vec4 color;
void main()
{
   color = vec4(1.0);
}
#endif
