// SPDX-License-Identifier: MIT
// Images of one layer by views of the other arrayness: bindings 0, 2, 4 have flat views, 1, 3, 5 views of arrays.
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) uniform sampler2DArray layers;
layout(binding = 1) uniform sampler2D flat_;
layout(binding = 2, r32ui) uniform uimage2DArray stored_layers;
layout(binding = 3, r32ui) uniform uimage2D stored;
layout(binding = 4) uniform sampler1DArray line_layers;
layout(binding = 5) uniform sampler1D line;
layout(binding = 6) buffer Results { uint results[4][12]; };

void main()
{
   const int x = int(gl_LocalInvocationIndex);
   const float at = (float(x) + 0.5) / 4.0;
   results[x][0] = uint(texture(layers, vec3(at, 0.125, 0.0)).r);
   results[x][1] = uint(texelFetch(layers, ivec3(x, 0, 0), 0).r);
   results[x][2] = uint(textureGather(layers, vec3(at, 0.125, 3.0)).w); // beyond the last layer is the last
   results[x][3] = uint(texture(flat_, vec2(at, 0.125)).r);
   results[x][4] = uint(texelFetch(flat_, ivec2(x, 0), 0).r);
   results[x][5] = imageLoad(stored_layers, ivec3(x, 0, 0)).r;
   results[x][6] = imageLoad(stored, ivec2(x, 0)).r;
   imageStore(stored_layers, ivec3(x, 1, 0), uvec4(100 + x));
   imageStore(stored_layers, ivec3(x, 1, 1), uvec4(999)); // there is no such layer
   imageStore(stored, ivec2(x, 2), uvec4(200 + x));
   results[x][7] = uint(texture(line_layers, vec2(at, 0.0)).r);
   results[x][8] = uint(texelFetch(line_layers, ivec2(x, 0), 0).r);
   results[x][9] = uint(texture(line, at).r);
   const ivec3 size = textureSize(layers, 0), stored_size = imageSize(stored_layers);
   results[x][10] = uint(size.x) << 16 | uint(size.y) << 8 | uint(size.z);
   results[x][11] = uint(stored_size.x) << 16 | uint(stored_size.y) << 8 | uint(stored_size.z);
}
