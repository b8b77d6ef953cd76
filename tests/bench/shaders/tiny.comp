#version 450
// As little work as a dispatch can have.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint values[]; };

void main()
{
   values[0] += 1u;
}
