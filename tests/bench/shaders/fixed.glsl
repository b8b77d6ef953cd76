#version 450
// What rows of fixed functions run: vertices of a layer that covers the target, or of a grid of small primitives (GRID), and fragments that give a
// colour, discard some (DISCARDS) or write their depth (WRITES_DEPTH).
#ifdef VERTEX
void main()
{
#ifdef GRID
   int primitive = LINES ? gl_VertexIndex / 2 : gl_VertexIndex;
   vec2 p = vec2(primitive & 255, primitive >> 8) / 128.0 - 1.0;
   if (LINES && (gl_VertexIndex & 1) == 1)
      p += vec2(0.015, 0.004);
   gl_PointSize = 1.0;
   gl_Position = vec4(p + 0.002, 0.5, 1.0);
#else
   vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
   gl_Position = vec4(p, 0.9 - float(gl_InstanceIndex) / 16.0, 1.0);
#endif
}
#else
layout(location = 0) out vec4 color;

void main()
{
   vec2 uv = gl_FragCoord.xy / 1024.0;
   color = vec4(uv, 0.5, uv.x * 1.2);
#ifdef DISCARDS
   if (fract((gl_FragCoord.x + gl_FragCoord.y * 3.0) / 7.0) < 0.3)
      discard;
#endif
#ifdef WRITES_DEPTH
   gl_FragDepth = gl_FragCoord.z * 0.5 + uv.x * 0.001;
#endif
}
#endif
