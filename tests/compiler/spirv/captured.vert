#version 450
struct Pair
{
   float a;
   dvec2 b;
   float c;
};
layout(xfb_buffer = 1, xfb_stride = 80) out;
layout(location = 0, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 4) out vec2 first;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) out vec3 second;
layout(location = 2, xfb_buffer = 1, xfb_offset = 0) flat out Pair pairs[2];
layout(location = 10) out vec4 not_captured;

void main()
{
   first = vec2(1, 2);
   second = vec3(3, 4, 5);
   pairs = Pair[2](Pair(1, dvec2(2, 3), 4), Pair(5, dvec2(6, 7), 8));
   not_captured = vec4(0);
   gl_Position = vec4(0, 0, 0, 1);
}
