/* SPDX-License-Identifier: MIT */
#include "tests/compiler/shapes.h"

#include "util/macros.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

static FILE *text;

static UTIL_PRINTF(1, 2) void add(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vfprintf(text, format, args);
   va_end(args);
}

static char *result;
static size_t result_size;

/* The head, up to the types. %x is the invocation's word, %p its address, %r a variable with it. */
static void begin_with(uint32_t count, const char *capabilities, const char *decorations)
{
   text = open_memstream(&result, &result_size);
   if (!text)
      abort();
   add("%s", "OpCapability Shader\nOpCapability Int64\nOpCapability Float64\nOpCapability GroupNonUniformArithmetic\n");
   add("%s%s", capabilities,
             "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\n"
             "OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn GlobalInvocationId\n"
             "OpDecorate %words ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block BufferBlock\n"
             "OpDecorate %vecs ArrayStride 16\nOpMemberDecorate %uniform 0 Offset 0\nOpDecorate %uniform Block\n"
             "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\nOpDecorate %c DescriptorSet 0\nOpDecorate %c Binding 1\n");
   add("%s%s", decorations, "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u3 = OpTypeVector %u 3\n%u4 = OpTypeVector %u 4\n"
             "%float = OpTypeFloat 32\n%f4 = OpTypeVector %float 4\n%mat = OpTypeMatrix %f4 4\n"
             "%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"
             "%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n%pu = OpTypePointer Uniform %u\n"
             "%fu = OpTypePointer Function %u\n%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k3 = OpConstant %u 3\n%unary = OpTypeFunction %u %u\n");
   add("%%n = OpConstant %%u %u\n", count);
   add("%s", "%vecs = OpTypeArray %u4 %n\n%uniform = OpTypeStruct %vecs\n%puniform = OpTypePointer Uniform %uniform\n"
             "%c = OpVariable %puniform Uniform\n%pvecs = OpTypePointer Uniform %vecs\n%pu4 = OpTypePointer Uniform %u4\n");
}

static void begin(uint32_t count)
{
   begin_with(count, "", "");
}

static void begin_main(void)
{
   add("%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%r = OpVariable %fu Function\n");
}

static void load_word(void)
{
   add("%s", "%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n%p = OpAccessChain %pu %b %k0 %g\n%x = OpLoad %u %p\nOpStore %r %x\n");
}

static char *end(void)
{
   add("%s", "%last = OpLoad %u %r\nOpStore %p %last\nOpReturn\nOpFunctionEnd\n");
   fclose(text);
   return result;
}

/* Begins all of it; the numbers from 4 on are %i0, %i1 and so on. */
static void begin_with_numbers(uint32_t count)
{
   begin(count);
   for (uint32_t i = 0; i < count; i++)
      add("%%i%u = OpConstant %%u %u\n", i, i + 4);
   begin_main();
   load_word();
}

/* r = r * 3 + x, `count` times. */
static char *write_straight(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++)
      add("%%l%u = OpLoad %%u %%r\n%%m%u = OpIMul %%u %%l%u %%k3\n%%s%u = OpBitwiseXor %%u %%m%u %%x\nOpStore %%r %%s%u\n", i, i, i, i, i, i);
   return end();
}

/* One value after the other is read, all are needed at the end. */
static char *write_live(uint32_t count)
{
   begin_with_numbers(count);
   for (uint32_t i = 0; i < count; i++)
      add("%%o%u = OpIAdd %%u %%x %%i%u\n%%q%u = OpAccessChain %%pu4 %%c %%k0 %%o%u\n%%v%u = OpLoad %%u4 %%q%u\n", i, i, i, i, i, i);
   add("%s", "%s0 = OpCompositeConstruct %u4 %x %x %x %x\n");
   for (uint32_t i = 0; i < count; i++) /* each component goes to all elements, so that each counts */
      add("%%a%u = OpVectorShuffle %%u4 %%s%u %%s%u 1 2 3 0\n%%s%u = OpBitwiseXor %%u4 %%a%u %%v%u\n", i, i, i, i + 1, i, i);
   for (uint32_t c = 0; c < 4; c++)
      add("%%e%u = OpCompositeExtract %%u %%s%u %u\n%%f%u = OpIMul %%u %%e%u %%e%u\nOpStore %%p %%f%u\n", c, count, c, c, c, c ? c - 1 : c, c);
   for (uint32_t i = 0; i < count; i++) /* once more, from the first on: none may be read as late as it is needed */
      add("%%d%u = OpCompositeExtract %%u %%v%u 2\n%%z%u = OpLoad %%u %%r\n%%y%u = OpIMul %%u %%z%u %%k3\n%%w%u = OpBitwiseXor %%u %%y%u %%d%u\nOpStore %%r %%w%u\n", i, i, i, i, i, i, i, i, i);
   return end();
}

/* Loop i, up to behind an exit in its middle. */
static void begin_loop(uint32_t i)
{
   add("OpBranch %%h%u\n%%h%u = OpLabel\nOpLoopMerge %%m%u %%t%u None\nOpBranch %%b%u\n%%b%u = OpLabel\n", i, i, i, i, i, i);
   add("%%l%u = OpLoad %%u %%r\n%%d%u = OpIEqual %%bool %%l%u %%k0\nOpSelectionMerge %%a%u None\n", i, i, i, i);
   add("OpBranchConditional %%d%u %%m%u %%a%u\n%%a%u = OpLabel\n", i, i, i, i);
}

/* Of all loops, innermost first; and of the module. */
static char *end_loops(uint32_t count)
{
   for (uint32_t i = count; i-- > 0;)
      add("OpBranch %%t%u\n%%t%u = OpLabel\nOpBranch %%h%u\n%%m%u = OpLabel\n", i, i, i, i);
   return end();
}

/* Loops in loops; each has an exit in its middle. */
static char *write_loops(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++)
      begin_loop(i);
   add("%s", "%y = OpLoad %u %r\n%z = OpISub %u %y %k1\nOpStore %r %z\n");
   return end_loops(count);
}

/* Loops in loops, of as many rounds as the outermost one has had: once that one's is known, so are all. */
static char *write_loops_of_rounds(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("OpBranch %%e%u\n%%e%u = OpLabel\nOpBranch %%h%u\n%%h%u = OpLabel\n%%c%u = OpPhi %%u %%k0 %%e%u %%n%u %%t%u\n", i, i, i, i, i, i, i, i);
      add("%%d%u = OpULessThan %%bool %%c%u %s\nOpLoopMerge %%m%u %%t%u None\n", i, i, i ? "%c0" : "%k3", i, i);
      add("OpBranchConditional %%d%u %%b%u %%m%u\n%%b%u = OpLabel\n", i, i, i, i);
   }
   add("%s", "%y = OpLoad %u %r\n%z = OpISub %u %y %k1\nOpStore %r %z\n");
   for (uint32_t i = count; i-- > 0;)
      add("OpBranch %%t%u\n%%t%u = OpLabel\n%%n%u = OpIAdd %%u %%c%u %%k1\nOpBranch %%h%u\n%%m%u = OpLabel\n", i, i, i, i, i, i);
   return end();
}

/* Loops in loops, each of which the shader may end in. */
static char *write_leaves(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      begin_loop(i);
      add("%%w%u = OpISub %%u %%l%u %%k1\nOpStore %%r %%w%u\n%%o%u = OpIEqual %%bool %%w%u %%k3\nOpSelectionMerge %%n%u None\n", i, i, i, i, i, i);
      add("OpBranchConditional %%o%u %%e%u %%n%u\n%%e%u = OpLabel\nOpReturn\n%%n%u = OpLabel\n", i, i, i, i, i);
   }
   return end_loops(count);
}

/* A loop with branches in branches, each of which may leave it. */
static char *write_breaks(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %t None\nOpBranch %b0\n%b0 = OpLabel\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%l%u = OpLoad %%u %%r\n%%d%u = OpIEqual %%bool %%l%u %%k0\nOpSelectionMerge %%m%u None\n", i, i, i, i);
      add("OpBranchConditional %%d%u %%m %%a%u\n%%a%u = OpLabel\n%%w%u = OpISub %%u %%l%u %%k1\nOpStore %%r %%w%u\n", i, i, i, i, i, i);
   }
   for (uint32_t i = count; i-- > 0;)
      add("OpBranch %%m%u\n%%m%u = OpLabel\n", i, i);
   add("%s", "OpBranch %t\n%t = OpLabel\nOpBranch %h\n%m = OpLabel\n");
   return end();
}

/* Many loops one after the other. */
static char *write_loop_row(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("OpBranch %%h%u\n%%h%u = OpLabel\nOpLoopMerge %%m%u %%t%u None\nOpBranch %%b%u\n%%b%u = OpLabel\n", i, i, i, i, i, i);
      add("%%l%u = OpLoad %%u %%r\n%%d%u = OpULessThan %%bool %%l%u %%n\nOpBranchConditional %%d%u %%a%u %%m%u\n%%a%u = OpLabel\n", i, i, i, i, i, i, i);
      add("%%w%u = OpISub %%u %%l%u %%k1\nOpStore %%r %%w%u\nOpBranch %%t%u\n%%t%u = OpLabel\nOpBranch %%h%u\n%%m%u = OpLabel\n", i, i, i, i, i, i, i);
   }
   return end();
}

/* Each case falls into the next one. */
static char *write_switch(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("OpSelectionMerge %%end None\nOpSwitch %%x %%end");
   for (uint32_t i = 0; i < count; i++)
      add(" %u %%case%u", i, i);
   for (uint32_t i = 0; i < count; i++) {
      add("\n%%case%u = OpLabel\n%%l%u = OpLoad %%u %%r\n%%m%u = OpIMul %%u %%l%u %%k3\n%%s%u = OpIAdd %%u %%m%u %%x\n", i, i, i, i, i, i);
      add("OpStore %%r %%s%u\n", i);
      if (i + 1 < count)
         add("OpBranch %%case%u", i + 1);
      else
         add("OpBranch %%end\n%%end = OpLabel\n");
   }
   return end();
}

/* Each case ends the switch. */
static char *write_cases(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("OpSelectionMerge %%end None\nOpSwitch %%x %%end");
   for (uint32_t i = 0; i < count; i++)
      add(" %u %%case%u", i, i);
   for (uint32_t i = 0; i < count; i++)
      add("\n%%case%u = OpLabel\n%%m%u = OpIMul %%u %%x %%k3\nOpStore %%r %%m%u\nOpBranch %%end\n", i, i, i);
   add("%s", "%end = OpLabel\n");
   return end();
}

/* A function that may return early, again and again. */
static char *write_returns(uint32_t count)
{
   begin(count);
   add("%s", "%call = OpFunction %u None %unary\n%v = OpFunctionParameter %u\n%first = OpLabel\n%z0 = OpIMul %u %v %k3\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%d%u = OpIEqual %%bool %%z%u %%k1\nOpSelectionMerge %%m%u None\nOpBranchConditional %%d%u %%a%u %%m%u\n%%a%u = OpLabel\n", i, i, i, i, i, i, i);
      add("OpReturnValue %%z%u\n%%m%u = OpLabel\n%%z%u = OpIMul %%u %%z%u %%k3\n", i, i, i + 1, i);
   }
   add("OpReturnValue %%z%u\nOpFunctionEnd\n", count);
   begin_main();
   load_word();
   add("%s", "%y = OpFunctionCall %u %call %x\nOpStore %r %y\n");
   return end();
}

/* An array is copied out of the block and indexed. */
static char *write_copy(uint32_t count)
{
   begin(count);
   add("%s", "%fvecs = OpTypePointer Function %vecs\n");
   begin_main();
   add("%s", "%a = OpVariable %fvecs Function\n");
   load_word();
   add("%s", "%pv = OpAccessChain %pvecs %c %k0\n%v = OpLoad %vecs %pv\nOpStore %a %v\n%at = OpUMod %u %x %n\n"
             "%pe = OpAccessChain %fu %a %at %k0\n%e = OpLoad %u %pe\nOpStore %r %e\n");
   return end();
}

/* A composite of matrices is made, changed and indexed. */
static char *write_composites(uint32_t count)
{
   begin(count);
   add("%%mats = OpTypeArray %%mat %%n\n%%fmats = OpTypePointer Function %%mats\n%%ff = OpTypePointer Function %%float\n");
   begin_main();
   add("%s", "%a = OpVariable %fmats Function\n");
   load_word();
   add("%s", "%xf = OpConvertUToF %float %x\n%col = OpCompositeConstruct %f4 %xf %xf %xf %xf\n%one = OpCompositeConstruct %mat %col %col %col %col\n%w0 = OpCompositeConstruct %mats");
   for (uint32_t i = 0; i < count; i++)
      add(" %%one");
   for (uint32_t i = 0; i < count; i++)
      add("\n%%w%u = OpCompositeInsert %%mats %%xf %%w%u %u 1 2", i + 1, i, i);
   add("\nOpStore %%a %%w%u\n", count);
   add("%s", "%at = OpUMod %u %x %n\n%pe = OpAccessChain %ff %a %at %k1 %k3\n%e = OpLoad %float %pe\n%eu = OpConvertFToU %u %e\nOpStore %r %eu\n");
   return end();
}

/* One sine after the other. */
static char *write_sines(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "%v0 = OpConvertUToF %float %x\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%s%u = OpExtInst %%float %%glsl Sin %%v%u\n%%v%u = OpFAdd %%float %%s%u %%v0\n", i, i, i + 1, i);
   add("%%y = OpConvertFToU %%u %%v%u\nOpStore %%r %%y\n", count);
   return end();
}

/* One division of 64 bits after the other. */
static char *write_divisions(uint32_t count)
{
   begin(count);
   add("%s", "%u64 = OpTypeInt 64 0\n");
   begin_main();
   load_word();
   add("%s", "%d0 = OpUConvert %u64 %x\n%k = OpIMul %u64 %d0 %d0\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%q%u = OpUDiv %%u64 %%k %%d%u\n%%d%u = OpBitwiseXor %%u64 %%q%u %%k\n", i, i, i + 1, i);
   add("%%y = OpUConvert %%u %%d%u\nOpStore %%r %%y\n", count);
   return end();
}

/* A loop whose values rotate in every round. */
static char *write_rotation(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "OpBranch %h\n%h = OpLabel\n%i = OpPhi %u %k0 %start %j %t\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%v%u = OpPhi %%u %s %%start %%v%u %%t\n", i, i ? "%k1" : "%x", (i + 1) % count);
   add("%s", "OpLoopMerge %m %t None\nOpBranch %body\n%body = OpLabel\n%c0 = OpULessThan %bool %i %x\nOpBranchConditional %c0 %t %m\n"
             "%t = OpLabel\n%j = OpIAdd %u %i %k1\nOpBranch %h\n%m = OpLabel\nOpStore %r %v0\n");
   return end();
}

/* A loop whose arrays rotate in every round: each of `count` elements is a value that goes round. */
static char *write_array_rotation(uint32_t count)
{
   begin(count);
   add("%s", "%row = OpTypeArray %u %n\n%zeros = OpConstantNull %row\n");
   begin_main();
   load_word();
   add("%s", "%ones = OpCompositeConstruct %row");
   for (uint32_t i = 0; i < count; i++)
      add(" %%x");
   add("%s", "\nOpBranch %h\n%h = OpLabel\n%i = OpPhi %u %k0 %start %j %t\n"
             "%v0 = OpPhi %row %zeros %start %v1 %t\n%v1 = OpPhi %row %ones %start %v2 %t\n%v2 = OpPhi %row %zeros %start %v0 %t\n"
             "OpLoopMerge %m %t None\nOpBranch %body\n%body = OpLabel\n%c0 = OpULessThan %bool %i %x\nOpBranchConditional %c0 %t %m\n"
             "%t = OpLabel\n%j = OpIAdd %u %i %k1\nOpBranch %h\n%m = OpLabel\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%e%u = OpCompositeExtract %%u %%v0 %u\n%%l%u = OpLoad %%u %%r\n%%y%u = OpIMul %%u %%l%u %%k3\n%%w%u = OpBitwiseXor %%u %%y%u %%e%u\nOpStore %%r %%w%u\n", i, i, i, i, i, i,
          i, i, i);
   return end();
}

/* One inverse of a matrix after the other. */
static char *write_inverses(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "%xf = OpConvertUToF %float %x\n%col = OpCompositeConstruct %f4 %xf %xf %xf %xf\n%w0 = OpCompositeConstruct %mat %col %col %col %col\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%i%u = OpExtInst %%mat %%glsl MatrixInverse %%w%u\n%%w%u = OpCompositeInsert %%mat %%xf %%i%u %u %u\n", i, i, i + 1, i, i % 4, i / 4 % 4);
   add("%%e = OpCompositeExtract %%float %%w%u 1 2\n%%eu = OpConvertFToU %%u %%e\nOpStore %%r %%eu\n", count);
   return end();
}

/* The same of doubles, each the inverse of a product if `multiplies`. */
static char *write_wide(uint32_t count, bool multiplies)
{
   begin(count);
   add("%s", "%double = OpTypeFloat 64\n%d4 = OpTypeVector %double 4\n%dmat = OpTypeMatrix %d4 4\n");
   begin_main();
   load_word();
   add("%s", "%xf = OpConvertUToF %double %x\n%col = OpCompositeConstruct %d4 %xf %xf %xf %xf\n%w0 = OpCompositeConstruct %dmat %col %col %col %col\n");
   for (uint32_t i = 0; i < count; i++) {
      if (multiplies)
         add("%%i%u = OpMatrixTimesMatrix %%dmat %%w%u %%w%u\n", i, i, i ? i - 1 : 0);
      else
         add("%%i%u = OpExtInst %%dmat %%glsl MatrixInverse %%w%u\n", i, i);
      add("%%w%u = OpCompositeInsert %%dmat %%xf %%i%u %u %u\n", i + 1, i, i % 4, i / 4 % 4);
   }
   add("%%e = OpCompositeExtract %%double %%w%u 1 2\n%%eu = OpConvertFToU %%u %%e\nOpStore %%r %%eu\n", count);
   return end();
}

static char *write_wide_inverses(uint32_t count)
{
   return write_wide(count, false);
}

static char *write_wide_products(uint32_t count)
{
   return write_wide(count, true);
}

/* Products over the invocations before each, of four components, and sums of 64 bits over all. */
static char *write_reductions(uint32_t count)
{
   begin(count);
   add("%s", "%ul = OpTypeInt 64 0\n");
   begin_main();
   load_word();
   add("%s", "%v0 = OpCompositeConstruct %u4 %x %x %x %x\n%l0 = OpUConvert %ul %x\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%v%u = OpGroupNonUniformIMul %%u4 %%k3 ExclusiveScan %%v%u\n%%l%u = OpGroupNonUniformIAdd %%ul %%k3 Reduce %%l%u\n", i + 1, i, i + 1, i);
   add("%%e = OpCompositeExtract %%u %%v%u 1\n%%f = OpUConvert %%u %%l%u\n%%eu = OpBitwiseXor %%u %%e %%f\nOpStore %%r %%eu\n", count, count);
   return end();
}

/* Remainders of 64 bits by one constant, and quotients by another each time. */
static char *write_remainders(uint32_t count)
{
   begin(count);
   add("%s", "%ul = OpTypeInt 64 0\n%k17 = OpConstant %ul 17\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%i%u = OpConstant %%ul %u\n", i, i * 2 + 19);
   begin_main();
   load_word();
   add("%s", "%l0 = OpUConvert %ul %x\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%m%u = OpUMod %%ul %%l%u %%k17\n%%d%u = OpUDiv %%ul %%l%u %%i%u\n%%l%u = OpIMul %%ul %%m%u %%d%u\n", i, i, i, i, i, i + 1, i, i);
   add("%%f = OpUConvert %%u %%l%u\nOpStore %%r %%f\n", count);
   return end();
}

/* A loop whose values become the next one, each with something added, in every round. */
static char *write_sums(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "OpBranch %h\n%h = OpLabel\n%i = OpPhi %u %k0 %start %j %t\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%v%u = OpPhi %%u %s %%start %%w%u %%t\n", i, i ? "%k1" : "%x", i);
   add("%s", "OpLoopMerge %m %t None\nOpBranch %body\n%body = OpLabel\n%c0 = OpULessThan %bool %i %x\nOpBranchConditional %c0 %t %m\n%t = OpLabel\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%w%u = OpIAdd %%u %%v%u %%k3\n", i, (i + 1) % count);
   add("%s", "%j = OpIAdd %u %i %k1\nOpBranch %h\n%m = OpLabel\nOpStore %r %v0\n");
   return end();
}

/* Values that live through as many ifs. */
static char *write_lives(uint32_t count)
{
   begin_with_numbers(count);
   for (uint32_t i = 0; i < count; i++)
      add("%%o%u = OpIMul %%u %%x %%i%u\n%%q%u = OpAccessChain %%pu %%b %%k0 %%o%u\n%%v%u = OpLoad %%u %%q%u\n", i, i, i, i, i, i);
   for (uint32_t i = 0; i < count; i++) {
      add("%%d%u = OpULessThan %%bool %%v%u %%k3\nOpSelectionMerge %%m%u None\nOpBranchConditional %%d%u %%a%u %%m%u\n", i, i, i, i, i, i);
      add("%%a%u = OpLabel\n%%s%u = OpAccessChain %%pu %%b %%k0 %%v%u\nOpStore %%s%u %%x\nOpBranch %%m%u\n%%m%u = OpLabel\n", i, i, i, i, i, i);
   }
   for (uint32_t i = 0; i < count; i++)
      add("%%l%u = OpLoad %%u %%r\n%%y%u = OpIMul %%u %%l%u %%k3\n%%w%u = OpBitwiseXor %%u %%y%u %%v%u\nOpStore %%r %%w%u\n", i, i, i, i, i, i, i);
   return end();
}

/* Variables that all change in a loop, which is left or begun anew in between: each of them may leave it with as many values. */
static char *write_exits(uint32_t count)
{
   begin(count);
   begin_main();
   for (uint32_t i = 0; i < count; i++)
      add("%%e%u = OpVariable %%fu Function\n", i);
   load_word();
   for (uint32_t i = 0; i < count; i++)
      add("OpStore %%e%u %%x\n", i);
   add("%s", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %t None\nOpBranch %b0\n%b0 = OpLabel\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%l%u = OpLoad %%u %%e%u\n%%d%u = OpULessThan %%bool %%l%u %%k3\nOpSelectionMerge %%n%u None\n", i, i, i, i, i);
      add("OpBranchConditional %%d%u %%a%u %%n%u\n%%a%u = OpLabel\nOpBranch %%%s\n%%n%u = OpLabel\n", i, i, i, i, i % 2 ? "m" : "t", i);
      add("%%w%u = OpISub %%u %%l%u %%k1\nOpStore %%e%u %%w%u\n", i, i, (i * 7 + 3) % count, i);
   }
   add("%s", "OpBranch %t\n%t = OpLabel\nOpBranch %h\n%m = OpLabel\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%z%u = OpLoad %%u %%e%u\n%%g%u = OpLoad %%u %%r\n%%y%u = OpBitwiseXor %%u %%z%u %%g%u\nOpStore %%r %%y%u\n", i, i, i, i, i, i, i);
   return end();
}

/* Structures of 64 words that are copied within the block, each to where the one before says. */
static char *write_structures(uint32_t count)
{
   begin(count);
   add("%%n64 = OpConstant %%u 64\n%%row = OpTypeArray %%u %%n64\n%%s = OpTypeStruct %%row\n%%fs = OpTypePointer Function %%s\n");
   begin_main();
   add("%%from = OpVariable %%fs Function\n%%to = OpVariable %%fs Function\n");
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("%%l%u = OpLoad %%u %%r\n%%m%u = OpUMod %%u %%l%u %%n64\n%%p%u = OpAccessChain %%fu %%from %%k0 %%m%u\nOpStore %%p%u %%x\n", i, i, i, i, i, i);
      add("%%v%u = OpLoad %%s %%from\nOpStore %%to %%v%u\n%%q%u = OpAccessChain %%fu %%to %%k0 %%k3\n%%e%u = OpLoad %%u %%q%u\n", i, i, i, i, i);
      add("%%w%u = OpLoad %%s %%to\nOpStore %%from %%w%u\n%%y%u = OpIMul %%u %%l%u %%e%u\nOpStore %%r %%y%u\n", i, i, i, i, i, i);
   }
   return end();
}

/* A constant array for each index, as GLSL compilers write them. */
static char *write_constants(uint32_t count)
{
   begin(count);
   add("%%n64 = OpConstant %%u 64\n%%row = OpTypeArray %%u %%n64\n%%frow = OpTypePointer Function %%row\n%%table = OpConstantComposite %%row");
   for (uint32_t i = 0; i < 64; i++)
      add(" %%k%u", i % 3 == 2 ? 3 : i % 3);
   add("\n");
   begin_main();
   for (uint32_t i = 0; i < count; i++)
      add("%%t%u = OpVariable %%frow Function\n", i);
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("OpStore %%t%u %%table\n%%l%u = OpLoad %%u %%r\n%%m%u = OpUMod %%u %%l%u %%n64\n%%p%u = OpAccessChain %%fu %%t%u %%m%u\n", i, i, i, i, i, i, i);
      add("%%e%u = OpLoad %%u %%p%u\n%%y%u = OpIAdd %%u %%l%u %%e%u\nOpStore %%r %%y%u\n", i, i, i, i, i, i);
   }
   return end();
}

/* Half words of each invocation's own, read and written. */
static char *write_halves(uint32_t count)
{
   begin_with(count, "OpCapability StorageBuffer16BitAccess\n",
              "OpDecorate %halves ArrayStride 2\nOpMemberDecorate %hblock 0 Offset 0\nOpDecorate %hblock BufferBlock\n"
              "OpDecorate %hb DescriptorSet 0\nOpDecorate %hb Binding 0\n");
   add("%s", "%half = OpTypeInt 16 0\n%halves = OpTypeRuntimeArray %half\n%hblock = OpTypeStruct %halves\n%phblock = OpTypePointer Uniform %hblock\n"
             "%hb = OpVariable %phblock Uniform\n%ph = OpTypePointer Uniform %half\n");
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("%%l%u = OpLoad %%u %%r\n%%q%u = OpAccessChain %%ph %%hb %%k0 %%l%u\n%%v%u = OpLoad %%half %%q%u\n%%w%u = OpUConvert %%u %%v%u\n", i, i, i, i, i, i, i);
      add("%%y%u = OpIMul %%u %%l%u %%k3\n%%z%u = OpIAdd %%u %%y%u %%w%u\n%%s%u = OpUConvert %%half %%z%u\nOpStore %%q%u %%s%u\nOpStore %%r %%z%u\n", i, i, i, i, i,
          i, i, i, i, i);
   }
   return end();
}

/* Structures of 64 words that are copied among those of a variable and of a block. */
static char *write_copies(uint32_t count)
{
   enum { NUM_POINTERS = 4 };
   begin_with(count, "", "OpDecorate %row ArrayStride 4\nOpMemberDecorate %s 0 Offset 0\nOpDecorate %ss ArrayStride 256\nOpMemberDecorate %sb 0 Offset 0\n"
                         "OpDecorate %sb BufferBlock\nOpDecorate %d DescriptorSet 0\nOpDecorate %d Binding 0\n");
   add("%s", "%n64 = OpConstant %u 64\n%n9 = OpConstant %u 9\n%row = OpTypeArray %u %n64\n%s = OpTypeStruct %row\n%ss = OpTypeRuntimeArray %s\n%sb = OpTypeStruct %ss\n"
             "%psb = OpTypePointer Uniform %sb\n%d = OpVariable %psb Uniform\n%ps = OpTypePointer Uniform %s\n%fs = OpTypePointer Function %s\n"
             "%own = OpTypeArray %s %n9\n%fown = OpTypePointer Function %own\n");
   begin_main();
   add("%%a = OpVariable %%fown Function\n");
   load_word();
   add("%%first = OpUMod %%u %%x %%n9\n");
   for (uint32_t i = 0; i < NUM_POINTERS; i++) {
      add("%%y%u = OpIAdd %%u %%first %%k%u\n%%fun%u = OpAccessChain %%fs %%a %%y%u\n", i, i % 2 * 3, i, i);
      add("%%z%u = OpIAdd %%u %%x %%k%u\n%%buf%u = OpAccessChain %%ps %%d %%k0 %%z%u\n", i, i % 2, i, i);
   }
   for (uint32_t i = 0; i < count; i++)
      add("OpCopyMemory %%%s%u %%%s%u\n", i & 1 ? "fun" : "buf", (i + 1) % NUM_POINTERS, i & 2 ? "fun" : "buf", i % NUM_POINTERS);
   return end();
}

/* Structures that are loaded from a block and stored there, and in a variable in between: of matrices whose rows lie one after the other, and of narrow members. */
static char *write_moves(uint32_t count, const char *capabilities, const char *decorations, const char *types)
{
   begin_with(count, capabilities, decorations);
   add("%s%s", types, "%n9 = OpConstant %u 9\n%ss = OpTypeRuntimeArray %s\n%sb = OpTypeStruct %ss\n%psb = OpTypePointer Uniform %sb\n%d = OpVariable %psb Uniform\n"
                      "%ps = OpTypePointer Uniform %s\n%fs = OpTypePointer Function %s\n%own = OpTypeArray %s %n9\n%fown = OpTypePointer Function %own\n");
   begin_main();
   add("%%a = OpVariable %%fown Function\n");
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("%%l%u = OpLoad %%u %%r\n%%o%u = OpUMod %%u %%l%u %%n9\n%%q%u = OpAccessChain %%ps %%d %%k0 %%l%u\n%%v%u = OpLoad %%s %%q%u\n", i, i, i, i, i, i, i);
      add("%%e%u = OpAccessChain %%fs %%a %%o%u\n%%w%u = OpLoad %%s %%e%u\nOpStore %%e%u %%v%u\nOpStore %%q%u %%w%u\n", i, i, i, i, i, i, i, i);
      add("%%y%u = OpIMul %%u %%l%u %%k3\nOpStore %%r %%y%u\n", i, i, i);
   }
   return end();
}

static char *write_row_major(uint32_t count)
{
   return write_moves(count, "", "OpMemberDecorate %s 0 Offset 0\nOpMemberDecorate %s 0 RowMajor\nOpMemberDecorate %s 0 MatrixStride 16\nOpDecorate %mats ArrayStride 64\n"
                                 "OpMemberDecorate %s 1 Offset 256\nOpDecorate %ss ArrayStride 272\nOpMemberDecorate %sb 0 Offset 0\nOpDecorate %sb BufferBlock\n"
                                 "OpDecorate %d DescriptorSet 0\nOpDecorate %d Binding 0\n",
                      "%n4 = OpConstant %u 4\n%mats = OpTypeArray %mat %n4\n%s = OpTypeStruct %mats %u\n");
}

static char *write_narrow_members(uint32_t count)
{
   return write_moves(count, "OpCapability Int16\nOpCapability StorageBuffer16BitAccess\nOpCapability Int8\nOpCapability StorageBuffer8BitAccess\nOpExtension \"SPV_KHR_8bit_storage\"\n",
                      "OpDecorate %halves ArrayStride 2\nOpDecorate %bytes ArrayStride 1\nOpMemberDecorate %s 0 Offset 0\nOpMemberDecorate %s 1 Offset 64\nOpMemberDecorate %s 2 Offset 128\n"
                      "OpDecorate %ss ArrayStride 132\nOpMemberDecorate %sb 0 Offset 0\nOpDecorate %sb BufferBlock\nOpDecorate %d DescriptorSet 0\nOpDecorate %d Binding 0\n",
                      "%half = OpTypeInt 16 0\n%byte = OpTypeInt 8 0\n%n32 = OpConstant %u 32\n%n64 = OpConstant %u 64\n%halves = OpTypeArray %half %n32\n%bytes = OpTypeArray %byte %n64\n"
                      "%s = OpTypeStruct %halves %bytes %u\n");
}

/* Functions that call the one before once. */
static char *write_calls(uint32_t count)
{
   begin(count);
   for (uint32_t i = 0; i < count; i++) {
      add("%%call%u = OpFunction %%u None %%unary\n%%v%u = OpFunctionParameter %%u\n%%b%u = OpLabel\n", i, i, i);
      add("%%m%u = OpIMul %%u %%v%u %%k3\n%%s%u = OpBitwiseXor %%u %%m%u %%v%u\nOpReturnValue %%s%u\nOpFunctionEnd\n", i, i, i, i, i, i);
   }
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++)
      add("%%l%u = OpLoad %%u %%r\n%%y%u = OpFunctionCall %%u %%call%u %%l%u\nOpStore %%r %%y%u\n", i, i, i, i, i);
   return end();
}

/* A main function that calls %call, each time with what the call before gave. */
static char *end_with_calls(uint32_t count)
{
   begin_main();
   load_word();
   add("%s", "%y0 = OpIAdd %u %x %k1\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%y%u = OpFunctionCall %%u %%call %%y%u\n", i + 1, i);
   add("OpStore %%r %%y%u\n", count);
   return end();
}

/* Calls of one function of many instructions, each with what the one before gave. */
static char *write_formulas(uint32_t count)
{
   enum { STEPS = 14 };
   begin(count);
   add("%s", "%call = OpFunction %u None %unary\n%v = OpFunctionParameter %u\n%first = OpLabel\n%q0 = OpIMul %u %v %k3\n");
   for (uint32_t i = 0; i < STEPS; i++)
      add("%%m%u = OpIMul %%u %%q%u %%k3\n%%q%u = OpBitwiseXor %%u %%m%u %%v\n", i, i, i + 1, i);
   add("OpReturnValue %%q%u\nOpFunctionEnd\n", STEPS);
   return end_with_calls(count);
}

/* Calls of a function with a loop whose rounds its argument chooses, each with what the one before gave. */
static char *write_called_loops(uint32_t count)
{
   begin(count);
   add("%s", "%call = OpFunction %u None %unary\n%v = OpFunctionParameter %u\n%first = OpLabel\n%times = OpBitwiseAnd %u %v %k3\nOpBranch %h\n"
             "%h = OpLabel\n%i = OpPhi %u %k0 %first %j %t\n%q = OpPhi %u %v %first %s %t\nOpLoopMerge %m %t None\nOpBranch %body\n%body = OpLabel\n"
             "%c0 = OpULessThan %bool %i %times\nOpBranchConditional %c0 %t %m\n%t = OpLabel\n%w = OpIMul %u %q %k3\n%s = OpBitwiseXor %u %w %v\n"
             "%j = OpIAdd %u %i %k1\nOpBranch %h\n%m = OpLabel\nOpReturnValue %q\nOpFunctionEnd\n");
   return end_with_calls(count);
}

/* The same of one that reads two buffers, each where the one before says. */
static char *write_called_reads(uint32_t count)
{
   begin(count);
   add("%s", "%call = OpFunction %u None %unary\n%v = OpFunctionParameter %u\n%first = OpLabel\n%p1 = OpAccessChain %pu %b %k0 %v\n%q1 = OpLoad %u %p1\n"
             "%a1 = OpIAdd %u %v %k1\n%p2 = OpAccessChain %pu %b %k0 %a1\n%q2 = OpLoad %u %p2\n%m1 = OpIMul %u %q2 %k3\n%s1 = OpBitwiseXor %u %m1 %q1\n"
             "%o = OpUMod %u %s1 %n\n%p3 = OpAccessChain %pu4 %c %k0 %o\n%q3 = OpLoad %u4 %p3\n%e3 = OpCompositeExtract %u %q3 2\n%s3 = OpIAdd %u %s1 %e3\n"
             "OpReturnValue %s3\nOpFunctionEnd\n");
   return end_with_calls(count);
}

/* Functions that call the one before twice: the code doubles with each. `count` calls of the first. */
static char *write_doubling_calls(uint32_t count)
{
   uint32_t last = 0;
   begin(count);
   add("%s", "%call0 = OpFunction %u None %unary\n%v0 = OpFunctionParameter %u\n%b0 = OpLabel\n%m0 = OpIMul %u %v0 %k3\n%q0 = OpBitwiseXor %u %m0 %v0\n"
             "OpReturnValue %q0\nOpFunctionEnd\n");
   for (uint32_t calls = 2; calls <= count; calls *= 2, last++) {
      const uint32_t i = last + 1;
      add("%%call%u = OpFunction %%u None %%unary\n%%v%u = OpFunctionParameter %%u\n%%b%u = OpLabel\n", i, i, i);
      add("%%m%u = OpFunctionCall %%u %%call%u %%v%u\n%%q%u = OpFunctionCall %%u %%call%u %%m%u\n", i, i - 1, i, i, i - 1, i);
      add("OpReturnValue %%q%u\nOpFunctionEnd\n", i);
   }
   begin_main();
   load_word();
   add("%%y = OpFunctionCall %%u %%call%u %%x\nOpStore %%r %%y\n", last);
   return end();
}

/* Atomic operations on words that the one before names, in the block or in shared memory. */
static char *write_atomics_of(uint32_t count, const char *operation, const char *pointer)
{
   begin(count);
   add("%s", "%n64 = OpConstant %u 64\n%k2 = OpConstant %u 2\n%row = OpTypeArray %u %n64\n%prow = OpTypePointer Workgroup %row\n"
             "%ps = OpTypePointer Workgroup %u\n%shared = OpVariable %prow Workgroup\n");
   begin_main();
   load_word();
   add("%s", "%y0 = OpIAdd %u %x %k1\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%q%u = OpAccessChain %s %%y%u\n%%y%u = %s %%u %%q%u %%k2 %%k0 %%y%u\n", i, pointer, i, i + 1, operation, i, i);
   add("OpStore %%r %%y%u\n", count);
   return end();
}

static char *write_atomics(uint32_t count)
{
   return write_atomics_of(count, "OpAtomicIAdd", "%pu %b %k0");
}

static char *write_shared_atomics(uint32_t count)
{
   return write_atomics_of(count, "OpAtomicUMax", "%ps %shared");
}

/* Remainders of floats. */
static char *write_float_remainders(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "%y0 = OpConvertUToF %float %x\n%xf = OpConvertUToF %float %g\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%a%u = OpFMod %%float %%y%u %%xf\n%%y%u = OpFRem %%float %%a%u %%xf\n", i, i, i + 1, i);
   add("%%z = OpConvertFToU %%u %%y%u\nOpStore %%r %%z\n", count);
   return end();
}

/* Quotients and remainders of 32 bits. */
static char *write_quotients(uint32_t count)
{
   begin(count);
   add("%s", "%int = OpTypeInt 32 1\n");
   begin_main();
   load_word();
   add("%s", "%y0 = OpBitcast %int %x\n%xi = OpBitcast %int %x\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%a%u = OpSDiv %%int %%y%u %%xi\n%%b%u = OpSMod %%int %%xi %%a%u\n%%y%u = OpSRem %%int %%b%u %%y%u\n", i, i, i, i, i + 1, i, i);
   add("%%z = OpBitcast %%u %%y%u\nOpStore %%r %%z\n", count);
   return end();
}

/* Shared words, written in front of barriers and read behind them: `is_looped`, in a loop of each barrier's own. */
static char *write_barriers(uint32_t count, bool is_looped)
{
   begin(count);
   add("%s", "%n64 = OpConstant %u 64\n%k2 = OpConstant %u 2\n%semantics = OpConstant %u 264\n%row = OpTypeArray %u %n64\n%prow = OpTypePointer Workgroup %row\n"
             "%ps = OpTypePointer Workgroup %u\n%shared = OpVariable %prow Workgroup\n");
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      if (is_looped)
         add("OpBranch %%h%u\n%%h%u = OpLabel\nOpLoopMerge %%m%u %%t%u None\nOpBranch %%b%u\n%%b%u = OpLabel\n", i, i, i, i, i, i);
      add("%%l%u = OpLoad %%u %%r\n", i);
      if (is_looped)
         add("%%d%u = OpULessThan %%bool %%l%u %%k3\nOpBranchConditional %%d%u %%a%u %%m%u\n%%a%u = OpLabel\n", i, i, i, i, i, i);
      add("%%q%u = OpAccessChain %%ps %%shared %%l%u\nOpStore %%q%u %%x\nOpControlBarrier %%k2 %%k2 %%semantics\n%%e%u = OpLoad %%u %%q%u\n", i, i, i, i, i);
      add("%%w%u = OpISub %%u %%e%u %%k1\nOpStore %%r %%w%u\n", i, i, i);
      if (is_looped)
         add("OpBranch %%t%u\n%%t%u = OpLabel\nOpBranch %%h%u\n%%m%u = OpLabel\n", i, i, i, i);
   }
   return end();
}

static char *write_plain_barriers(uint32_t count)
{
   return write_barriers(count, false);
}

static char *write_looped_barriers(uint32_t count)
{
   return write_barriers(count, true);
}

/* A word is unpacked and packed again. */
static char *write_packs(uint32_t count)
{
   static const char *const forms[] = {"UnpackUnorm4x8", "PackSnorm4x8", "UnpackHalf2x16", "PackHalf2x16", "UnpackSnorm2x16", "PackUnorm2x16"};
   begin(count);
   add("%s", "%f2 = OpTypeVector %float 2\n");
   begin_main();
   load_word();
   add("%s", "%y0 = OpCopyObject %u %x\n");
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t form = i % 3 * 2;
      add("%%v%u = OpExtInst %%f%u %%glsl %s %%y%u\n%%y%u = OpExtInst %%u %%glsl %s %%v%u\n", i, form ? 2 : 4, forms[form], i, i + 1, forms[form + 1], i);
   }
   add("OpStore %%r %%y%u\n", count);
   return end();
}

/* Integers and floats of 64 bits, each of which becomes another. */
static char *write_conversions(uint32_t count)
{
   begin(count);
   add("%s", "%ul = OpTypeInt 64 0\n%double = OpTypeFloat 64\n");
   begin_main();
   load_word();
   add("%s", "%y0 = OpUConvert %ul %x\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%a%u = OpIMul %%ul %%y%u %%y%u\n%%b%u = OpConvertUToF %%float %%a%u\n%%c%u = OpConvertFToS %%ul %%b%u\n", i, i, i, i, i, i, i);
      add("%%d%u = OpConvertSToF %%double %%c%u\n%%y%u = OpConvertFToU %%ul %%d%u\n", i, i, i + 1, i);
   }
   add("%%z = OpUConvert %%u %%y%u\nOpStore %%r %%z\n", count);
   return end();
}

/* Counts of bits, and where they are. */
static char *write_bits(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "%y0 = OpCopyObject %u %x\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%a%u = OpBitCount %%u %%y%u\n%%b%u = OpIMul %%u %%a%u %%y%u\n%%c%u = OpExtInst %%u %%glsl FindILsb %%b%u\n", i, i, i, i, i, i, i);
      add("%%d%u = OpExtInst %%u %%glsl FindUMsb %%b%u\n%%e%u = OpIMul %%u %%c%u %%d%u\n%%y%u = OpBitwiseXor %%u %%e%u %%b%u\n", i, i, i, i, i, i + 1, i, i);
   }
   add("OpStore %%r %%y%u\n", count);
   return end();
}

/* Vectors of a variable, each where the one before says. */
static char *write_own_vectors(uint32_t count)
{
   begin(count);
   add("%s", "%n9 = OpConstant %u 9\n%own = OpTypeArray %u4 %n9\n%fown = OpTypePointer Function %own\n%f_u4 = OpTypePointer Function %u4\n%none = OpConstantNull %own\n");
   begin_main();
   add("%s", "%a = OpVariable %fown Function %none\n");
   load_word();
   add("%s", "%y0 = OpCopyObject %u %x\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%o%u = OpUMod %%u %%y%u %%n9\n%%q%u = OpAccessChain %%f_u4 %%a %%o%u\n%%l%u = OpLoad %%u4 %%q%u\n", i, i, i, i, i, i);
      add("%%s%u = OpVectorShuffle %%u4 %%l%u %%l%u 3 0 1 2\n%%w%u = OpCompositeInsert %%u4 %%y%u %%s%u 2\nOpStore %%q%u %%w%u\n", i, i, i, i, i, i, i, i);
      add("%%e%u = OpCompositeExtract %%u %%w%u 0\n%%m%u = OpIMul %%u %%y%u %%k3\n%%y%u = OpBitwiseXor %%u %%m%u %%e%u\n", i, i, i, i, i + 1, i, i);
   }
   add("OpStore %%r %%y%u\n", count);
   return end();
}

/* Looks at other lanes, of which each takes what the one before gave. */
static char *write_crossings(uint32_t count)
{
   begin_with(count, "OpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformQuad\n", "");
   begin_main();
   load_word();
   add("%s", "%y0 = OpCopyObject %u %x\n");
   for (uint32_t i = 0; i < count; i++) {
      add("%%a%u = OpGroupNonUniformShuffle %%u %%k3 %%y%u %%x\n%%b%u = OpGroupNonUniformQuadSwap %%u %%k3 %%a%u %%k1\n", i, i, i, i);
      add("%%c%u = OpULessThan %%bool %%b%u %%g\n%%d%u = OpGroupNonUniformBallot %%u4 %%k3 %%c%u\n", i, i, i, i);
      add("%%e%u = OpCompositeExtract %%u %%d%u 0\n%%y%u = OpBitwiseXor %%u %%a%u %%e%u\n", i, i, i + 1, i, i);
   }
   add("OpStore %%r %%y%u\n", count);
   return end();
}

/* Products of matrices of floats, each with what the one before gave. */
static char *write_products(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   add("%s", "%f = OpConvertUToF %float %x\n%v = OpCompositeConstruct %f4 %f %f %f %f\n%m0 = OpCompositeConstruct %mat %v %v %v %v\n");
   for (uint32_t i = 0; i < count; i++)
      add("%%t%u = OpTranspose %%mat %%m%u\n%%m%u = OpMatrixTimesMatrix %%mat %%t%u %%m0\n", i, i, i + 1, i);
   add("%%e = OpCompositeExtract %%float %%m%u 2 1\n%%z = OpConvertFToU %%u %%e\nOpStore %%r %%z\n", count);
   return end();
}

/* Loops one after the other, each of a switch that chooses by what the round before gave. */
static char *write_switch_loops(uint32_t count)
{
   begin(count);
   begin_main();
   load_word();
   for (uint32_t i = 0; i < count; i++) {
      add("OpBranch %%h%u\n%%h%u = OpLabel\nOpLoopMerge %%m%u %%t%u None\nOpBranch %%b%u\n%%b%u = OpLabel\n", i, i, i, i, i, i);
      add("%%l%u = OpLoad %%u %%r\n%%d%u = OpULessThan %%bool %%k3 %%l%u\nOpBranchConditional %%d%u %%a%u %%m%u\n%%a%u = OpLabel\n", i, i, i, i, i, i, i);
      add("%%y%u = OpBitwiseAnd %%u %%l%u %%k3\nOpSelectionMerge %%e%u None\nOpSwitch %%y%u %%c%u_0 1 %%c%u_1 2 %%c%u_2\n", i, i, i, i, i, i, i);
      for (uint32_t k = 0; k < 3; k++)
         add("%%c%u_%u = OpLabel\n%%w%u_%u = OpShiftRightLogical %%u %%l%u %%k%u\nOpStore %%r %%w%u_%u\nOpBranch %%e%u\n", i, k, i, k, i, k == 1 ? 3 : 1, i, k, i);
      add("%%e%u = OpLabel\nOpBranch %%t%u\n%%t%u = OpLabel\nOpBranch %%h%u\n%%m%u = OpLabel\n", i, i, i, i, i);
   }
   return end();
}

const struct shape shapes[] = {
   {"straight code", write_straight, 256},
   {"live values", write_live, 128},
   {"nested loops", write_loops, 8},
   {"nested loops of one's rounds", write_loops_of_rounds, 8},
   {"nested breaks", write_breaks, 8},
   {"loops in a row", write_loop_row, 32},
   {"switch", write_switch, 16},
   {"copied array", write_copy, 64},
   {"composites", write_composites, 8},
   {"calls", write_calls, 128},
   {"calls that double", write_doubling_calls, 128},
   {"cases", write_cases, 16},
   {"returns", write_returns, 128},
   {"sines", write_sines, 32},
   {"divisions", write_divisions, 64},
   {"rotated values", write_rotation, 32},
   {"rotated arrays", write_array_rotation, 32},
   {"inverses", write_inverses, 32},
   {"sums", write_sums, 128},
   {"lives", write_lives, 64},
   {"exits", write_exits, 32},
   {"structures", write_structures, 64},
   {"constants", write_constants, 128},
   {"copies", write_copies, 256},
   {"wide inverses", write_wide_inverses, 32},
   {"wide products", write_wide_products, 32},
   {"reductions", write_reductions, 32},
   {"remainders", write_remainders, 32},
   {"nested returns", write_leaves, 8},
   {"half words", write_halves, 64},
   {"called formulas", write_formulas, 64},
   {"row-major moves", write_row_major, 64},
   {"narrow moves", write_narrow_members, 64},
   {"called loops", write_called_loops, 64},
   {"called reads", write_called_reads, 64},
   {"atomics", write_atomics, 128},
   {"shared atomics", write_shared_atomics, 128},
   {"float remainders", write_float_remainders, 128},
   {"quotients", write_quotients, 128},
   {"barriers", write_plain_barriers, 64},
   {"looped barriers", write_looped_barriers, 32},
   {"packs", write_packs, 64},
   {"crossings", write_crossings, 64},
   {"conversions", write_conversions, 64},
   {"counts of bits", write_bits, 64},
   {"own vectors", write_own_vectors, 32},
   {"products", write_products, 32},
   {"switch loops", write_switch_loops, 32},
   {0},
};

struct shape_words shape_assemble_text(const char *name, const char *text, uint32_t minor_version)
{
   spv_binary module = NULL;
   spv_diagnostic diagnostic = NULL;
   spv_context context = spvContextCreate(minor_version >= 6 ? SPV_ENV_UNIVERSAL_1_6 : SPV_ENV_UNIVERSAL_1_3);
   if (spvTextToBinary(context, text, strlen(text), &module, &diagnostic) != SPV_SUCCESS) {
      fprintf(stderr, "%s: %s\n", name, diagnostic ? diagnostic->error : "cannot be assembled");
      abort();
   }
   struct shape_words words = {malloc(module->wordCount * sizeof(uint32_t)), module->wordCount};
   if (!words.words)
      abort();
   memcpy(words.words, module->code, module->wordCount * sizeof(uint32_t));
   spvBinaryDestroy(module);
   spvContextDestroy(context);
   return words;
}

struct shape_words shape_assemble(const struct shape *shape, uint32_t count)
{
   char *source = shape->write(count);
   const struct shape_words words = shape_assemble_text(shape->name, source, 3);
   free(source);
   return words;
}
