#version 450
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint factor = 1;
layout(push_constant) uniform Push { uint added, sequence; };
layout(set = 0, binding = 0) buffer Out { uint words[]; } outs[2];
layout(set = 0, binding = 1) uniform utextureBuffer texels;
layout(set = 0, binding = 2) uniform In { uvec4 value; } uniforms;
layout(set = 0, binding = 3) readonly buffer None { uint words[]; } none;

/* Of sequence s and invocation i, words[4 s + i]. The null buffer gives 0. */
void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const uint word = texelFetch(texels, int(i)).x * factor + uniforms.value.y + added + none.words[i];
   outs[sequence & 1].words[sequence * 4 + i] = word;
}
