#version 450
// The mean of the calmest of four quarters around each pixel.
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
void main()
{
   ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(picture, 0) - 1;
   vec3 means[4], squares[4];
   for (int q = 0; q < 4; q++) {
      means[q] = squares[q] = vec3(0.0);
      ivec2 from = ivec2((q & 1) * 3 - 3, (q >> 1) * 3 - 3);
      for (int y = 0; y <= 3; y++)
         for (int x = 0; x <= 3; x++) {
            vec3 c = texelFetch(picture, clamp(at + from + ivec2(x, y), ivec2(0), last), 0).rgb;
            means[q] += c;
            squares[q] += c * c;
         }
   }
   float least = 1e9;
   vec3 result = vec3(0.0);
   for (int q = 0; q < 4; q++) {
      vec3 mean = means[q] / 16.0, variance = abs(squares[q] / 16.0 - mean * mean);
      float sum = variance.r + variance.g + variance.b;
      if (sum < least) {
         least = sum;
         result = mean;
      }
   }
   color = vec4(result, 1.0);
}
