#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
// Reads descriptor `indices[i]` of binding 1 as VARIANT, uniform or not.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Io { uint indices[16]; uint results[16]; };
layout(push_constant) uniform Push { uint is_uniform; };

#if VARIANT == 0
layout(set = 0, binding = 1) buffer Data { uint value; uint more[]; } data[];
uint read(uint i) { return data[nonuniformEXT(i)].value + data[nonuniformEXT(i)].more.length(); }
uint read_uniform(uint i) { return data[i].value + data[i].more.length(); }
#elif VARIANT == 1
layout(set = 0, binding = 1) uniform utexture2D images[];
uint read(uint i) { return texelFetch(images[nonuniformEXT(i)], ivec2(0), 0).x; }
uint read_uniform(uint i) { return texelFetch(images[i], ivec2(0), 0).x; }
#elif VARIANT == 2
layout(set = 0, binding = 1) uniform sampler samplers[];
layout(set = 0, binding = 2) uniform utexture2D image;
uint read(uint i) { return textureLod(usampler2D(image, samplers[nonuniformEXT(i)]), vec2(0.1), 0.0).x; }
uint read_uniform(uint i) { return textureLod(usampler2D(image, samplers[i]), vec2(0.1), 0.0).x; }
#elif VARIANT == 3
layout(set = 0, binding = 1, r32ui) uniform uimage2D images[];
uint read(uint i) { imageStore(images[nonuniformEXT(i)], ivec2(0), uvec4(77)); return imageLoad(images[nonuniformEXT(i)], ivec2(0)).x; }
uint read_uniform(uint i) { imageStore(images[i], ivec2(0), uvec4(77)); return imageLoad(images[i], ivec2(0)).x; }
#endif

void main()
{
   const uint lane = gl_LocalInvocationIndex;
   results[lane] = is_uniform != 0 ? read_uniform(indices[0]) : read(indices[lane]);
}
