#version 450
// What heaps have at several places, of which each invocation of a dispatch takes the same ones.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Words { uint words[]; } buffers[2];
layout(binding = 1) uniform sampler2D textures[2];
layout(binding = 2, rgba8) uniform image2D targets[2];
layout(binding = 3) uniform Numbers { uvec4 numbers; };
layout(binding = 4) uniform sampler2D single;
layout(push_constant) uniform Push { uint seed; };
void main()
{
   const uint i = gl_GlobalInvocationID.x + seed, first = seed & 1u, second = numbers.x & 1u;
   const vec2 at = vec2(float(i % 7u) * 0.3, float(i % 11u) * 0.2);
   const vec4 texel = texture(textures[second], at) + texture(single, at);
   atomicAdd(buffers[first].words[i % 64u], 1u);
   buffers[second].words[i] = buffers[first].words[i * 3u + numbers.y] + uint(texel.x * 255.0) + uint(buffers[second].words.length());
   imageStore(targets[first], ivec2(i % 17u, i / 17u), texel + imageLoad(targets[second], ivec2(i % 5u, seed)));
}
