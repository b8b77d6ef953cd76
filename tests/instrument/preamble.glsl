layout(set = 0, binding = 0) buffer Input { uint in_data[]; };      // 256 words: 0, 1, 2...
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };    // 256 words of zeros
layout(set = 0, binding = 2) buffer Floats { float f_data[]; };     // 256 numbers: 0.0, 1.0, 2.0...
layout(set = 0, binding = 3, r32ui) uniform uimage2D pixels;        // 16 x 16 texels
layout(set = 0, binding = 4) uniform sampler2D picture;             // 16 x 16 texels, 2 levels
layout(set = 0, binding = 5) buffer Raw { uint raw_data[]; };       // 256 words that nobody wrote
layout(set = 0, binding = 6, r32ui) uniform uimage2D raw_pixels;    // 16 x 16 texels that nobody wrote
layout(push_constant) uniform Push { uint zero; uint one; uint size; float f_zero; uvec2 address; }; // 0, 1, 256, 0.0, of Output
#define gid gl_GlobalInvocationID.x
#define lid gl_LocalInvocationIndex
