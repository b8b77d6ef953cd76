#version 450
#extension GL_ARB_fragment_shader_interlock : require
// Order tells: each fragment of a pixel appends its draw's number as a digit.
layout(pixel_interlock_ordered) in;
layout(push_constant) uniform Push { vec4 corners[3]; };
layout(set = 0, binding = 0) buffer Digits { uint digits[32][32]; };
layout(location = 0) out vec4 color;

void main()
{
   const ivec2 at = ivec2(gl_FragCoord.xy);
   beginInvocationInterlockARB();
   digits[at.y][at.x] = digits[at.y][at.x] * 10u + uint(corners[0].z * 10.0 + 0.5);
   endInvocationInterlockARB();
   color = vec4(1);
}
