/* SPDX-License-Identifier: MIT */
#include "tests/compiler/shapes.h"

#include "util/macros.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUM_OUTPUTS = 14, NUM_INPUTS = 8 };

static UTIL_PRINTF(2, 3) void add(FILE *text, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vfprintf(text, format, args);
   va_end(args);
}

/* Up to the start of main: %v0 is a vec4. */
static void begin(FILE *text, uint32_t count)
{
   add(text, "%s", "OpCapability Geometry\nOpMemoryModel Logical GLSL450\nOpEntryPoint Geometry %main \"main\" %in %out\nOpExecutionMode %main Triangles\n"
                   "OpExecutionMode %main Invocations 1\nOpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 16\n"
                   "OpDecorate %in Location 0\nOpDecorate %out Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n"
                   "%bool = OpTypeBool\n%float = OpTypeFloat 32\n%f4 = OpTypeVector %float 4\n%k0 = OpConstant %u 0\n%k3 = OpConstant %u 3\n");
   add(text, "%%kin = OpConstant %%u %u\n%%kout = OpConstant %%u %u\n", NUM_INPUTS, NUM_OUTPUTS);
   add(text, "%s", "%inputs = OpTypeArray %f4 %kin\n%vertices = OpTypeArray %inputs %k3\n%pin = OpTypePointer Input %vertices\n"
                   "%pi4 = OpTypePointer Input %f4\n%outputs = OpTypeArray %f4 %kout\n%pout = OpTypePointer Output %outputs\n"
                   "%po4 = OpTypePointer Output %f4\n%in = OpVariable %pin Input\n%out = OpVariable %pout Output\n");
   for (uint32_t i = 0; i < NUM_OUTPUTS; i++)
      add(text, "%%n%u = OpConstant %%u %u\n", i, i);
   for (uint32_t i = 0; i < count; i++)
      add(text, "%%g%u = OpConstant %%float %u\n", i, i);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%first = OpAccessChain %pi4 %in %k0 %k0\n%v0 = OpLoad %f4 %first\n");
}

static char *finish(FILE *text, char **result)
{
   add(text, "%s", "OpReturn\nOpFunctionEnd\n");
   fclose(text);
   return *result;
}

static FILE *open_text(char **result)
{
   static size_t size;
   FILE *text = open_memstream(result, &size);
   if (!text)
      abort();
   return text;
}

/* Emits in ifs, so that lanes are at different vertices. */
static char *write_emits(uint32_t count)
{
   char *result;
   FILE *text = open_text(&result);
   begin(text, count);
   for (uint32_t i = 0; i < count; i++) {
      add(text, "%%x%u = OpCompositeExtract %%float %%v0 %u\n%%c%u = OpFOrdGreaterThan %%bool %%x%u %%g%u\n", i, i % 4, i, i, i);
      add(text, "OpSelectionMerge %%m%u None\nOpBranchConditional %%c%u %%t%u %%m%u\n%%t%u = OpLabel\n", i, i, i, i, i);
      for (uint32_t o = 0; o < NUM_OUTPUTS; o++)
         add(text, "%%p%u_%u = OpAccessChain %%po4 %%out %%n%u\nOpStore %%p%u_%u %%v0\n", i, o, o, i, o);
      add(text, "OpEmitVertex\nOpBranch %%m%u\n%%m%u = OpLabel\n", i, i);
   }
   return finish(text, &result);
}

/* Inputs at varying vertices and elements. */
static char *write_reads(uint32_t count)
{
   char *result;
   FILE *text = open_text(&result);
   begin(text, count);
   for (uint32_t i = 0; i < count; i++) {
      add(text, "%%x%u = OpCompositeExtract %%float %%v%u 0\n%%y%u = OpCompositeExtract %%float %%v%u 1\n", i, i, i, i);
      add(text, "%%a%u = OpConvertFToU %%u %%x%u\n%%b%u = OpConvertFToU %%u %%y%u\n%%q%u = OpAccessChain %%pi4 %%in %%a%u %%b%u\n", i, i, i, i, i, i, i);
      add(text, "%%l%u = OpLoad %%f4 %%q%u\n%%v%u = OpFAdd %%f4 %%v%u %%l%u\n", i, i, i + 1, i, i);
   }
   add(text, "%%p = OpAccessChain %%po4 %%out %%n0\nOpStore %%p %%v%u\nOpEmitVertex\n", count);
   return finish(text, &result);
}

const struct shape geometry_shapes[] = {{"emits", write_emits, 32}, {"reads", write_reads, 32}, {0}};
