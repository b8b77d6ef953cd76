#version 450
// Reads and writes what is bound.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Words { uint words[]; };
layout(binding = 1) uniform sampler2D texels;
layout(binding = 2, rgba8) uniform image2D target;
layout(push_constant) uniform Push { uint seed; };
void main()
{
   const uint i = gl_GlobalInvocationID.x + seed;
   const vec4 texel = texture(texels, vec2(float(i % 7u) * 0.3, float(i % 11u) * 0.2));
   atomicAdd(words[i % 64u], 1u);
   words[i] = words[i * 3u + seed] + uint(texel.x * 255.0);
   imageStore(target, ivec2(i % 17u, i / 17u), texel + imageLoad(target, ivec2(i % 5u, seed)));
}
