#version 450
#extension GL_EXT_fragment_shader_barycentric : require
// Finds where it is from the weights of its corners: white if that is where it is.
layout(push_constant) uniform Push { vec4 corners[3]; };
layout(location = 0) pervertexEXT in vec4 own[3];
layout(location = 0) out vec4 color;

void main()
{
   vec2 at = vec2(0), linear = vec2(0);
   vec4 clip = vec4(0);
   bool is_right = true;
   for (int i = 0; i < 3; i++) {
      is_right = is_right && own[i] == corners[i];
      clip += gl_BaryCoordEXT[i] * own[i];
      linear += gl_BaryCoordNoPerspEXT[i] * (own[i].xy / own[i].w);
   }
   at = gl_FragCoord.xy / 16.0 - 1.0;
   color = vec4(is_right, all(lessThan(abs(clip.xy / clip.w - at), vec2(0.001))),
                all(lessThan(abs(linear - at), vec2(0.001))), 1);
}
