#version 450
layout(location = 0) in vec4 color;
layout(binding = 0) buffer Words { uint words[]; };
layout(binding = 1) uniform sampler2D texels;
layout(location = 0) out vec4 target_0;
layout(location = 1) out vec4 target_1;
void main()
{
   if (color.x > 8.0)
      discard;
   words[uint(gl_FragCoord.x) % 64u] = 1u;
   target_0 = color * texture(texels, gl_FragCoord.xy * 0.05);
   target_1 = fract(color);
}
