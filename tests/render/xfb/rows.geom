#version 450
/* Each lane emits some of 24 vertices and reads any vertices and rows. ROUNDS of 1: in a loop; 24: as many copies of the code, so that most are calls. */
layout(triangles) in;
layout(points, max_vertices = 20) out; /* not all that some emit */
layout(location = 0) in vec4 rows[][4];
layout(location = 0, xfb_buffer = 0, xfb_stride = 96, xfb_offset = 0) out vec4 numbers[5];
layout(location = 6, xfb_buffer = 0, xfb_offset = 80) flat out ivec4 id;

vec4 v;

void step_(int n)
{
   if ((gl_PrimitiveIDIn * 5 + n) % 7 < 4 || gl_PrimitiveIDIn % 9 == 0) {
      for (int i = 0; i < 5; i++) {
         numbers[i] = v;
         v += rows[(int(v.x) + i) % 3][int(v.y + v.z) & 3].yzwx;
      }
      id = ivec4(n, gl_PrimitiveIDIn, v.xy);
      gl_Position = v;
      EmitVertex();
   }
   v = v.yzwx * 0.5;
}

void main()
{
   v = rows[0][0];
#if ROUNDS == 1
   for (int n = 0; n < 24; n++)
      step_(n);
#else
   step_(0); step_(1); step_(2); step_(3); step_(4); step_(5); step_(6); step_(7);
   step_(8); step_(9); step_(10); step_(11); step_(12); step_(13); step_(14); step_(15);
   step_(16); step_(17); step_(18); step_(19); step_(20); step_(21); step_(22); step_(23);
#endif
}
