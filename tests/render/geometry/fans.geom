#version 450
/* Stars whose number of corners, perspective and colours differ from lane to lane. */
layout(points, invocations = 2) in;
layout(triangle_strip, max_vertices = 52) out;
layout(location = 0) in vec3 seed[];
#ifdef CAPTURED
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(xfb_buffer = 0) out gl_PerVertex
{
   layout(xfb_offset = 0) vec4 gl_Position;
};
layout(location = 0, stream = 0, xfb_buffer = 0, xfb_offset = 16) out vec4 colour;
layout(location = 1, stream = 1, xfb_buffer = 1, xfb_stride = 20, xfb_offset = 4) out vec4 corner; /* a strip around the star */
#else
layout(location = 0) out vec4 colour;
#endif

void main()
{
   const int n = 3 + int(seed[0].x * 10);
   const float size = exp2(-2 - 3 * seed[0].y - float(gl_InvocationID));
   for (int i = 0; i < n; i++) {
      const float a = 6.2831853 * float(i) / float(n), b = 6.2831853 * (float(i) + 1) / float(n);
      const float w = 1 + seed[0].z + 0.5 * cos(a);
      colour = vec4(seed[0], 0.5);
      gl_Position = gl_in[0].gl_Position;
      EmitVertex();
      colour = vec4(sin(a), cos(a), seed[0].xy);
      gl_Position = vec4(gl_in[0].gl_Position.xyz + vec3(cos(a), sin(a), 0.1) * size, 1) * w;
      EmitVertex();
      colour = vec4(tan(b * 0.2), seed[0].zy, log(b + 1));
      gl_Position = vec4(gl_in[0].gl_Position.xyz + vec3(cos(b), sin(b), -0.1) * size, 1);
      EmitVertex();
      EndPrimitive();
#ifdef CAPTURED
      corner = vec4(cos(a), sin(b), exp2(w), float(i));
      EmitStreamVertex(1);
#endif
   }
}
