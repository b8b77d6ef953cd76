layout(set = 0, binding = 0) buffer Data { uint data[]; };    // 1024 words of zeros
layout(set = 0, binding = 1, r32ui) uniform uimage2D pixels;  // 16 x 16 texels of zeros
layout(set = 0, binding = 2) uniform sampler2D picture;         // 16 x 16 texels of zeros
#define pixel ivec2(gl_FragCoord.xy)
#define index (uint(gl_FragCoord.y) * 16u + uint(gl_FragCoord.x))
