#version 460
layout(set = 0, binding = 1) buffer Output { uint out_data[]; };
layout(input_attachment_index = 0, set = 1, binding = 0) uniform usubpassInput before;
void main()
{
   atomicAdd(out_data[0], subpassLoad(before).x);
}
