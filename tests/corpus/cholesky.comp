#version 450
// Decomposes and solves 6x6 systems, one a thread.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 32) in;
#include "corpus.glsl"

void main()
{
   uint base = thread() * 8u;
   float a[6][6], y[6];
   for (int i = 0; i < 6; i++) {
      for (int j = 0; j <= i; j++)
         a[i][j] = floats[base + uint(i * j)] * 0.2 + (i == j ? 2.0 : 0.0);
   }
   for (int j = 0; j < 6; j++) {
      for (int k = 0; k < j; k++)
         a[j][j] -= a[j][k] * a[j][k];
      a[j][j] = sqrt(a[j][j]);
      for (int i = j + 1; i < 6; i++) {
         for (int k = 0; k < j; k++)
            a[i][j] -= a[i][k] * a[j][k];
         a[i][j] /= a[j][j];
      }
   }
   for (int i = 0; i < 6; i++) {
      y[i] = floats[base + uint(i) + 4096u];
      for (int k = 0; k < i; k++)
         y[i] -= a[i][k] * y[k];
      y[i] /= a[i][i];
   }
   for (int i = 5; i >= 0; i--) {
      for (int k = i + 1; k < 6; k++)
         y[i] -= a[k][i] * y[k];
      y[i] /= a[i][i];
      put(thread() * 6u + uint(i), y[i]);
   }
}
