#version 460
/* Outputs of every kind, in three buffers, with gaps. */
layout(xfb_buffer = 0, xfb_stride = 64) out;
layout(xfb_buffer = 1, xfb_stride = 48) out;
layout(xfb_buffer = 2, xfb_stride = 56) out;
layout(xfb_buffer = 3, xfb_stride = 56) out;
layout(xfb_buffer = 0) out gl_PerVertex
{
   layout(xfb_offset = 4) vec4 gl_Position;
   layout(xfb_offset = 24) float gl_PointSize;
   layout(xfb_offset = 32) float gl_ClipDistance[3];
   layout(xfb_offset = 44) float gl_CullDistance[2];
};
layout(location = 0, xfb_buffer = 1, xfb_offset = 8) flat out dvec3 wide;
layout(location = 2, component = 1, xfb_buffer = 1, xfb_offset = 36) out vec2 pair;
layout(location = 3, xfb_buffer = 2) out Block
{
   layout(xfb_offset = 8) float numbers[3];
   layout(xfb_offset = 20) mat2x3 matrix;
   float left_out;
   layout(xfb_offset = 48) int last;
} blocks[2];

void main()
{
   const float n = float(gl_VertexIndex);
   gl_Position = vec4(n + 0.25, n + 0.5, 3, 4);
   gl_PointSize = n + 1;
   gl_ClipDistance = float[3](n + 10, n + 11, n + 12);
   gl_CullDistance = float[2](n + 20, n + 21);
   wide = dvec3(n + 0.125, n + 1.125, n + 2.125);
   pair = vec2(n + 30, n + 31);
   for (int i = 0; i < 2; i++) {
      const float k = n + float(i) * 100;
      blocks[i].numbers = float[3](k + 40, k + 41, k + 42);
      blocks[i].matrix = mat2x3(k + 50, k + 51, k + 52, k + 53, k + 54, k + 55);
      blocks[i].left_out = 1;
      blocks[i].last = int(k) + 60;
   }
}
