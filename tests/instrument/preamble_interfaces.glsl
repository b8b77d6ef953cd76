layout(set = 0, binding = 0) buffer Data { uint data[]; };    // 64 words of zeros
#define place(i) vec4(vec2((i) % 3 & 1, (i) % 3 >> 1) * 4.0 - 1.0, 0.0, 1.0)
