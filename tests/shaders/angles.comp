#version 450
// The sine of a large number that is one for all lanes, while each lane holds a number of its own.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { float angle; float numbers[]; };
layout(std430, binding = 1) writeonly buffer Out { vec2 results[]; };

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const float number = numbers[i] * 3.0;
   results[i] = vec2(number, sin(angle));
}
