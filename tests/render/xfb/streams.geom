#version 460
/* Emits to four streams: stream s gets a strip of s + LEAST vertices, in turns, then another of LEAST for each third primitive. */
layout(points) in;
layout(OUT, max_vertices = 40) out;
layout(location = 0, stream = 0, xfb_buffer = 0, xfb_stride = 8, xfb_offset = 0) flat out ivec2 a;
layout(location = 1, stream = 1, xfb_buffer = 1, xfb_stride = 16, xfb_offset = 4) flat out ivec2 b;
layout(location = 2, stream = 2, xfb_buffer = 2, xfb_stride = 8, xfb_offset = 0) flat out ivec2 c;
layout(location = 3, stream = 3, xfb_buffer = 3, xfb_stride = 12, xfb_offset = 4) flat out ivec2 d;

void emit_one(int stream, int n)
{
   const ivec2 value = ivec2(gl_PrimitiveIDIn, n);
   if (stream == 0) {
      a = value;
      gl_Position = vec4(0, 0, 0, 1);
      EmitStreamVertex(0);
   } else if (stream == 1) {
      b = value;
      EmitStreamVertex(1);
   } else if (stream == 2) {
      c = value;
      EmitStreamVertex(2);
   } else {
      d = value;
      EmitStreamVertex(3);
   }
}

void main()
{
   for (int n = 0; n < LEAST + 3; n++) {
      for (int s = 0; s < 4; s++) {
         if (n < LEAST + s)
            emit_one(s, n);
      }
   }
   EndStreamPrimitive(0);
   EndStreamPrimitive(1);
   EndStreamPrimitive(2);
   EndStreamPrimitive(3);
   if (gl_PrimitiveIDIn % 3 == 0) {
      for (int n = 0; n < LEAST; n++) {
         for (int s = 0; s < 4; s++)
            emit_one(s, 10 + n);
      }
   }
}
