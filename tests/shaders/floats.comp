#version 450
// Operations that IEEE 754 rounds correctly, so that the host gets the same bits; `precise` forbids contraction.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { vec2 values[]; };
layout(std430, binding = 1) writeonly buffer Out { float results[][8]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float a = values[i].x, b = values[i].y;
   precise float sum = a + b, product = a * b, difference = a - b, mixed = a * b + a;
   results[i][0] = sum;
   results[i][1] = product;
   results[i][2] = difference;
   results[i][3] = mixed;
   results[i][4] = floor(a) + ceil(b);
   results[i][5] = trunc(a) + abs(b);
   results[i][6] = min(a, b) * 2.0 + max(a, b);
   results[i][7] = float(int(a)) + float(uint(abs(b))) + fma(a, b, 1.0);
}
