// What the ordinary rows read: bindings that all share, coordinates, random numbers.
layout(binding = 0) uniform sampler2D picture;        // 8 bits, with levels
layout(binding = 1) uniform sampler2D depths;         // 32-bit depth
layout(binding = 2) uniform sampler2DShadow shadows;  // the same, compared
layout(binding = 3) uniform sampler3D table;
layout(binding = 4) uniform samplerCube environment;  // 16-bit floats
layout(binding = 5) uniform sampler2D bright;         // 16-bit floats, with levels
layout(binding = 6, std430) readonly buffer Lights { vec4 lights[]; };
layout(location = 0) out vec4 color;
const vec2 SIZE = vec2(1280.0, 720.0);

vec2 place() { return gl_FragCoord.xy / SIZE; }

float noise(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
float luma(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }
