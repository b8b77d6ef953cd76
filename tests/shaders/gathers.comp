// SPDX-License-Identifier: MIT
// Gathers of several components at the same coordinates, among them twice the same one, also where only some invocations go, and of an image without all.
#version 450

layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D colors;
layout(binding = 1) uniform sampler2D reds;
layout(binding = 2) writeonly buffer Results { vec4 results[]; };

const uint RESULTS = 11, SIZE = 16;

void main()
{
   const uvec2 id = uvec2(gl_GlobalInvocationID.x % SIZE, gl_GlobalInvocationID.x / SIZE);
   const uint first = gl_GlobalInvocationID.x * RESULTS;
   const vec2 at = vec2(id + 1) / SIZE;
   results[first + 2] = textureGather(colors, at, 2);
   const vec4 red = textureGather(colors, at, 0);
   results[first + 3] = textureGather(colors, at, 3);
   results[first + 1] = textureGather(colors, at, 1);
   results[first + 0] = red;
   results[first + 4] = textureGather(colors, at, 0) - red;
   vec4 odd[2] = {vec4(-1), vec4(-1)};
   if (((id.x ^ id.y) & 1) != 0) {
      odd[0] = textureGather(colors, at + 1.0 / SIZE, 1);
      odd[1] = textureGather(colors, at + 1.0 / SIZE, 2);
   }
   results[first + 5] = odd[0];
   results[first + 6] = odd[1];
   const vec4 channels[4] = {textureGather(reds, at, 0), textureGather(reds, at, 1), textureGather(reds, at, 2), textureGather(reds, at, 3)};
   for (uint c = 0; c < 4; c++)
      results[first + 7 + c] = channels[c];
}
