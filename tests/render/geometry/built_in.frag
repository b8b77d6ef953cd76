#version 450
layout(location = 0) out vec4 result;

void main()
{
   result = vec4(gl_PrimitiveID, gl_Layer, gl_ViewportIndex, 255) / 255;
}
