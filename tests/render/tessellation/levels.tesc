#version 450
layout(vertices = 1) out;
layout(set = 0, binding = 0) buffer Words { uint words[]; };

void main()
{
   const int base = gl_PrimitiveID * 8;
   for (int i = 0; i < 4; i++)
      gl_TessLevelOuter[i] = uintBitsToFloat(words[base + i]);
   for (int i = 0; i < 2; i++)
      gl_TessLevelInner[i] = uintBitsToFloat(words[base + 4 + i]);
}
