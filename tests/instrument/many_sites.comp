#version 460
// More accesses than there is room to check; or half as many.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
#define X1 at = words[at & 63u];
#define X8 X1 X1 X1 X1 X1 X1 X1 X1
#define X64 X8 X8 X8 X8 X8 X8 X8 X8
#define X512 X64 X64 X64 X64 X64 X64 X64 X64
#define X2048 X512 X512 X512 X512
void main()
{
   uint at = gl_GlobalInvocationID.x;
   X2048
#if FAULTY
   X2048 X64
#endif
   words[at & 63u] = at;
}
