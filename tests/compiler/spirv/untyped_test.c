/* SPDX-License-Identifier: MIT
 * SPV_KHR_untyped_pointers: what is computed through pointers without a pointee, in buffers, shared memory and push constants. */
#include "tests/compiler/spirv/ir_run.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 16 };

/* Three buffers of 16 words: %in and %out are untyped variables of an array of words, %pair is an array of two blocks (bindings 2, 3), %typed is a typed
 * one (binding 4). %push: push constants; %shared, %other: workgroup blocks. A store of 32 bits goes to out[k] through %out. */
static const char *const module_text =
   "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpCapability Float16\nOpCapability Int64Atomics\n"
   "OpCapability UntypedPointersKHR\nOpCapability VariablePointers\nOpCapability PhysicalStorageBufferAddresses\n"
   "OpCapability WorkgroupMemoryExplicitLayoutKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n"
   "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n"
   "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n"
   "OpEntryPoint GLCompute %%main \"main\" %%in %%out %%pair %%typed %%push %%shared %%other %%aliased\n"
   "OpExecutionMode %%main LocalSize 1 1 1\n"
   "OpDecorate %%in DescriptorSet 0\nOpDecorate %%in Binding 0\nOpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 1\n"
   "OpDecorate %%pair DescriptorSet 0\nOpDecorate %%pair Binding 2\nOpDecorate %%typed DescriptorSet 0\nOpDecorate %%typed Binding 4\n"
   "OpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\nOpMemberDecorate %%block 1 Offset 4\n"
   "OpDecorate %%words ArrayStride 4\nOpDecorate %%halves ArrayStride 2\nOpDecorate %%bytes ArrayStride 1\nOpDecorate %%wides ArrayStride 8\n"
   "OpDecorate %%quad ArrayStride 4\nOpDecorate %%strided ArrayStride 8\nOpDecorate %%stepped ArrayStride 12\n"
   "OpMemberDecorate %%mixed 0 Offset 0\nOpMemberDecorate %%mixed 1 Offset 4\nOpMemberDecorate %%mixed 2 Offset 16\n"
   "OpDecorate %%mixed Block\nOpMemberDecorate %%mat_block 0 Offset 0\nOpMemberDecorate %%mat_block 0 MatrixStride 8\n"
   "OpMemberDecorate %%mat_block 0 RowMajor\nOpDecorate %%mat_block Block\n"
   "OpDecorate %%push_block Block\nOpMemberDecorate %%push_block 0 Offset 0\nOpMemberDecorate %%push_block 1 Offset 4\n"
   "OpDecorate %%aliased Aliased\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n%%int = OpTypeInt 32 1\n%%float = OpTypeFloat 32\n"
   "%%u8 = OpTypeInt 8 0\n%%u16 = OpTypeInt 16 0\n%%u64 = OpTypeInt 64 0\n%%half = OpTypeFloat 16\n"
   "%%vec2 = OpTypeVector %%float 2\n%%uvec2 = OpTypeVector %%uint 2\n%%uvec4 = OpTypeVector %%uint 4\n%%hvec2 = OpTypeVector %%half 2\n"
   "%%b4 = OpTypeVector %%u8 4\n%%mat2 = OpTypeMatrix %%vec2 2\n"
   "%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%c3 = OpConstant %%uint 3\n%%c4 = OpConstant %%uint 4\n"
   "%%c5 = OpConstant %%uint 5\n%%c6 = OpConstant %%uint 6\n%%c7 = OpConstant %%uint 7\n%%c8 = OpConstant %%uint 8\n%%c9 = OpConstant %%uint 9\n"
   "%%c12 = OpConstant %%uint 12\n%%c16 = OpConstant %%uint 16\n%%c40 = OpConstant %%uint 40\n%%minus = OpConstant %%int -1\n"
   "%%w1 = OpConstant %%u64 1\n%%one = OpConstant %%float 1\n"
   "%%words = OpTypeRuntimeArray %%uint\n%%halves = OpTypeRuntimeArray %%u16\n%%bytes = OpTypeRuntimeArray %%u8\n%%wides = OpTypeRuntimeArray %%u64\n"
   "%%quad = OpTypeArray %%uint %%c4\n%%block = OpTypeStruct %%uint %%words\n%%mixed = OpTypeStruct %%u16 %%uvec2 %%quad\n"
   "%%mat_block = OpTypeStruct %%mat2\n%%push_block = OpTypeStruct %%uint %%quad\n"
   "%%blocks = OpTypeArray %%block %%c2\n"
   "%%ptr = OpTypeUntypedPointerKHR StorageBuffer\n%%strided = OpTypeUntypedPointerKHR StorageBuffer\n%%stepped = OpTypeUntypedPointerKHR StorageBuffer\n"
   "%%uptr = OpTypeUntypedPointerKHR Uniform\n%%pptr = OpTypeUntypedPointerKHR PushConstant\n%%sptr = OpTypeUntypedPointerKHR Workgroup\n"
   "%%gptr = OpTypeUntypedPointerKHR PhysicalStorageBuffer\n%%tptr = OpTypePointer StorageBuffer %%block\n%%tword = OpTypePointer StorageBuffer %%uint\n"
   "%%fptr = OpTypePointer Function %%uint\n%%fvec = OpTypePointer Function %%uvec2\n%%fhalf = OpTypePointer Function %%hvec2\n"
   "%%in = OpUntypedVariableKHR %%ptr StorageBuffer %%block\n%%out = OpUntypedVariableKHR %%ptr StorageBuffer %%block\n"
   "%%pair = OpUntypedVariableKHR %%ptr StorageBuffer %%blocks\n%%typed = OpVariable %%tptr StorageBuffer\n"
   "%%push = OpUntypedVariableKHR %%pptr PushConstant %%push_block\n"
   "%%shared = OpUntypedVariableKHR %%sptr Workgroup %%mixed\n%%other = OpUntypedVariableKHR %%sptr Workgroup %%mixed\n"
   "%%aliased = OpUntypedVariableKHR %%sptr Workgroup %%mixed\n"
   "%%choose = OpTypeFunction %%uint %%ptr\n"
   "%%read = OpFunction %%uint None %%choose\n%%p = OpFunctionParameter %%ptr\n%%read_entry = OpLabel\n%%read_value = OpLoad %%uint %%p\n"
   "OpReturnValue %%read_value\nOpFunctionEnd\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n"
   "%%fvar = OpVariable %%fptr Function\n%%fvar2 = OpVariable %%fvec Function\n%%fvarh = OpVariable %%fhalf Function\n"
   "%%o0 = OpUntypedAccessChainKHR %%ptr %%words %%out %%c0\n%%o1 = OpUntypedAccessChainKHR %%ptr %%words %%out %%c1\n"
   "%%o2 = OpUntypedAccessChainKHR %%ptr %%words %%out %%c2\n%%o3 = OpUntypedAccessChainKHR %%ptr %%words %%out %%c3\n"
   "%%i0 = OpUntypedAccessChainKHR %%ptr %%words %%in %%c0\n"
   "%s\nOpReturn\nOpFunctionEnd\n";

static uint32_t in[WORDS], out[WORDS], pair[2][WORDS], typed[WORDS];

/* Runs the body after in, pair and typed are filled with words of their own, and out with ones. False: a failed check. */
static bool run(const char *body)
{
   static char text[1 << 15];
   snprintf(text, sizeof(text), module_text, body);
   for (uint32_t i = 0; i < WORDS; i++) {
      in[i] = 0x03020100 + 0x04040404 * i;
      pair[0][i] = 100 + i;
      pair[1][i] = 200 + i;
      typed[i] = 300 + i;
      out[i] = UINT32_MAX;
   }
   struct ir_run r = {.buffers = {(uint8_t *)in, (uint8_t *)out, (uint8_t *)pair[0], (uint8_t *)pair[1], (uint8_t *)typed},
                      .sizes = {sizeof(in), sizeof(out), sizeof(pair[0]), sizeof(pair[1]), sizeof(typed)}};
   const uint64_t address = (uintptr_t)typed;
   const uint32_t push[5] = {7, 8, (uint32_t)address, (uint32_t)(address >> 32), 11};
   memcpy(r.push, push, sizeof(push));
   const char *error = ir_run_text(&r, text);
   if (error) {
      fprintf(stderr, "%s\n", body);
      test_fail(__FILE__, __LINE__, error);
   }
   return !error;
}

TEST(loads_say_what_they_load)
{
   if (!run("%a = OpUntypedAccessChainKHR %ptr %words %in %c1\n%b = OpLoad %u8 %a\n%b32 = OpUConvert %uint %b\nOpStore %o0 %b32\n"
            "%h = OpLoad %u16 %a\n%h32 = OpUConvert %uint %h\nOpStore %o1 %h32\n"
            "%w = OpLoad %u64 %a\nOpStore %o2 %w"))
      return;
   CHECK_EQ(out[0], 0x04);
   CHECK_EQ(out[1], 0x0504);
   CHECK_EQ(out[2], 0x07060504);
   CHECK_EQ(out[3], 0x0b0a0908);
}

TEST(chains_walk_their_base_type)
{
   if (!run("%n = OpLoad %uint %push\n" /* 7: the first member */
            "%a = OpUntypedAccessChainKHR %ptr %bytes %in %n\n%b = OpLoad %u8 %a\n%b32 = OpUConvert %uint %b\nOpStore %o0 %b32\n"
            "%m = OpUntypedInBoundsAccessChainKHR %ptr %mixed %in %c2 %c3\n%q = OpLoad %uint %m\nOpStore %o1 %q\n"
            "%v = OpUntypedAccessChainKHR %ptr %mixed %in %c1\n%v2 = OpLoad %uvec2 %v\nOpStore %o2 %v2"))
      return;
   CHECK_EQ(out[0], 7);
   CHECK_EQ(out[1], 0x1f1e1d1c);
   CHECK_EQ(out[2], 0x07060504);
   CHECK_EQ(out[3], 0x0b0a0908);
}

TEST(chains_start_at_typed_pointers)
{
   if (!run("%t = OpAccessChain %tword %typed %c1 %c2\n%a = OpUntypedAccessChainKHR %ptr %halves %t %c1\n%h = OpLoad %u16 %a\n"
            "%h32 = OpUConvert %uint %h\nOpStore %o0 %h32\n%b = OpUntypedAccessChainKHR %ptr %words %t %c1\n%w = OpLoad %uint %b\nOpStore %o1 %w"))
      return;
   CHECK_EQ(out[0], 0);
   CHECK_EQ(out[1], 304);
}

TEST(elements_step_by_the_stride_of_the_pointer)
{
   if (!run("%a = OpUntypedAccessChainKHR %strided %words %in %c1\n%b = OpUntypedPtrAccessChainKHR %stepped %uint %a %c2\n%x = OpLoad %uint %b\nOpStore %o0 %x\n"
            "%c = OpUntypedInBoundsPtrAccessChainKHR %ptr %quad %b %c1 %c1\n%y = OpLoad %uint %c\nOpStore %o1 %y\n"
            "%d = OpUntypedPtrAccessChainKHR %ptr %uint %b %minus\n%z = OpLoad %uint %d\nOpStore %o2 %z"))
      return;
   CHECK_EQ(out[0], in[5]);
   CHECK_EQ(out[1], in[9]);
   CHECK_EQ(out[2], in[2]);
}

TEST(descriptors_of_an_array)
{
   if (!run("%i = OpLoad %uint %i0\n%one_ = OpBitwiseAnd %uint %i %c1\n%k = OpBitwiseXor %uint %one_ %c1\n"
            "%a = OpUntypedAccessChainKHR %ptr %blocks %pair %k %c1 %c2\n%x = OpLoad %uint %a\nOpStore %o0 %x\n"
            "%b = OpUntypedAccessChainKHR %ptr %blocks %pair %c0\n%c = OpUntypedAccessChainKHR %ptr %words %b %c5\n%y = OpLoad %uint %c\nOpStore %o1 %y\n"
            "%n = OpUntypedArrayLengthKHR %uint %block %b 1\nOpStore %o2 %n\n%l = OpUntypedArrayLengthKHR %uint %block %typed 1\nOpStore %o3 %l"))
      return;
   CHECK_EQ(out[0], 203);
   CHECK_EQ(out[1], 105);
   CHECK_EQ(out[2], WORDS - 1);
   CHECK_EQ(out[3], WORDS - 1);
}

TEST(variable_pointers)
{
   if (!run("%a = OpUntypedAccessChainKHR %ptr %words %in %c3\n%i = OpLoad %uint %i0\n%low = OpBitwiseAnd %uint %i %c1\n%is = OpIEqual %bool %low %c0\n"
            "%b = OpUntypedAccessChainKHR %ptr %blocks %pair %c1\n"
            "%s = OpSelect %ptr %is %a %b\n%x = OpFunctionCall %uint %read %s\nOpStore %o0 %x\n"
            "%t = OpUntypedAccessChainKHR %ptr %halves %s %c1\n%h = OpLoad %u16 %t\n%h32 = OpUConvert %uint %h\nOpStore %o1 %h32\n"
            "%d = OpPtrDiff %int %t %i0\nOpStore %o2 %d\n%e = OpPtrEqual %bool %s %a\n%e32 = OpSelect %uint %e %c1 %c0\nOpStore %o3 %e32"))
      return;
   CHECK_EQ(out[0], in[3]);
   CHECK_EQ(out[1], in[3] >> 16);
   CHECK_EQ(out[2], 14);
   CHECK_EQ(out[3], 1);
}

TEST(addresses)
{
   if (!run("%a = OpUntypedAccessChainKHR %pptr %quad %push %c2\n%x = OpLoad %uvec2 %a\n%g = OpBitcast %gptr %x\n"
            "%b = OpUntypedAccessChainKHR %gptr %words %g %c3\n%y = OpLoad %uint %b Aligned 4\nOpStore %o0 %y\n"
            "OpStore %b %w1 Aligned 4\n%z = OpAtomicIAdd %uint %b %c1 %c0 %c5\nOpStore %o1 %z\n"
            "%c = OpUntypedAccessChainKHR %gptr %bytes %g %c9\n%v = OpAtomicIAdd %uint %c %c1 %c0 %c5\nOpStore %o2 %v"))
      return;
   CHECK_EQ(out[0], 303);
   CHECK_EQ(out[1], 1);
   CHECK_EQ(typed[3], 6);
   CHECK_EQ(typed[4], 0);
   CHECK_EQ(out[2], 302); /* a word that begins at byte 9 has no atomic: that of byte 8 has */
   CHECK_EQ(typed[2], 307);
}

TEST(atomics_say_what_they_change)
{
   if (!run("%a = OpUntypedAccessChainKHR %ptr %words %in %c2\n%x = OpAtomicExchange %uint %a %c1 %c0 %c9\nOpStore %o0 %x\n"
            "%y = OpAtomicIAdd %u64 %a %c1 %c0 %w1\nOpStore %o2 %y\n%z = OpAtomicLoad %uint %a %c1 %c0\nOpStore %o1 %z\n"
            "%b = OpUntypedAccessChainKHR %ptr %words %in %c6\nOpAtomicStore %b %c1 %c0 %c7"))
      return;
   CHECK_EQ(out[0], 0x0b0a0908);
   CHECK_EQ(out[1], 10);
   CHECK_EQ(out[2], 9);
   CHECK_EQ(out[3], 0x0f0e0d0c);
   CHECK_EQ(in[6], 7);
}

TEST(matrices_in_a_block)
{
   /* row-major: column 1 is the second word of both rows */
   if (!run("%a = OpUntypedAccessChainKHR %ptr %mat_block %in %c0 %c1\n%x = OpLoad %vec2 %a\nOpStore %o0 %x\n"
            "%v = OpCompositeConstruct %vec2 %one %one\n%m = OpCompositeConstruct %mat2 %v %v\n%s = OpCompositeConstruct %mat_block %m\nOpStore %o2 %s"))
      return;
   CHECK_EQ(out[0], 0x07060504);
   CHECK_EQ(out[1], 0x0f0e0d0c);
   for (uint32_t i = 2; i < 6; i++)
      CHECK_EQ(out[i], 0x3f800000);
   CHECK_EQ(out[6], UINT32_MAX);
}

TEST(workgroup_blocks)
{
   /* those without Aliased have memory of their own, the aliased one is in front of them */
   if (!run("%a = OpUntypedAccessChainKHR %sptr %words %shared %c0\nOpStore %a %c5\n%b = OpUntypedAccessChainKHR %sptr %words %other %c0\nOpStore %b %c6\n"
            "OpStore %aliased %c7\n%x = OpLoad %uint %shared\nOpStore %o0 %x\n%y = OpLoad %uint %other\nOpStore %o1 %y\n%z = OpLoad %u16 %aliased\n"
            "%z32 = OpUConvert %uint %z\nOpStore %o2 %z32\n%q = OpUntypedAccessChainKHR %sptr %mixed %shared %c2\n"
            "OpCopyMemorySized %q %i0 %c16\n%r = OpUntypedAccessChainKHR %sptr %bytes %shared %c16\n%s = OpLoad %uint %r\nOpStore %o3 %s"))
      return;
   CHECK_EQ(out[0], 5);
   CHECK_EQ(out[1], 6);
   CHECK_EQ(out[2], 7);
   CHECK_EQ(out[3], in[0]);
}

TEST(copies_of_bytes)
{
   if (!run("%a = OpUntypedAccessChainKHR %ptr %bytes %in %c1\n%b = OpUntypedAccessChainKHR %ptr %bytes %out %c2\nOpCopyMemorySized %b %a %c5\n"
            "%n = OpLoad %uint %push\n%d = OpUntypedAccessChainKHR %ptr %words %out %c4\nOpCopyMemorySized %d %i0 %n\n"
            "%e = OpUntypedAccessChainKHR %ptr %words %out %c8\nOpCopyMemorySized %e %i0 %c12"))
      return;
   const uint8_t *bytes = (const uint8_t *)out;
   for (uint32_t i = 0; i < 12; i++)
      CHECK_EQ(bytes[i], i >= 2 && i < 7 ? i - 1 : 0xff);
   for (uint32_t i = 0; i < 12; i++)
      CHECK_EQ(bytes[16 + i], i < 7 ? i : 0xff);
   for (uint32_t i = 0; i < 16; i++)
      CHECK_EQ(bytes[32 + i], i < 12 ? i : 0xff);
}

TEST(many_bytes_go_by_a_loop)
{
   if (!run("%a = OpUntypedAccessChainKHR %ptr %bytes %in %c1\n%b = OpUntypedAccessChainKHR %ptr %bytes %out %c8\nOpCopyMemorySized %b %a %c40"))
      return;
   for (uint32_t i = 0; i < 4 * WORDS; i++)
      CHECK_EQ(((const uint8_t *)out)[i], i >= 8 && i < 48 ? i - 7 : 0xff);
}

TEST(copies_with_a_variable)
{
   if (!run("%a = OpUntypedAccessChainKHR %ptr %words %in %c2\nOpCopyMemory %fvar2 %a\nOpCopyMemory %o0 %fvar2\n"
            "OpCopyMemorySized %fvarh %a %c4\nOpCopyMemorySized %o2 %fvarh %c4"))
      return;
   CHECK_EQ(out[0], in[2]);
   CHECK_EQ(out[1], in[3]);
   CHECK_EQ(out[2], in[2]);
   CHECK_EQ(out[3], UINT32_MAX);
}

TEST(what_cannot_be_is_an_error)
{
   static const char *const bodies[] = {
      "%a = OpUntypedAccessChainKHR %ptr %uint %in %c1",           /* no parts */
      "%a = OpUntypedAccessChainKHR %ptr %mixed %in %c7",          /* no such member */
      "%a = OpUntypedAccessChainKHR %tword %words %in %c1",        /* the result is typed */
      "%a = OpUntypedAccessChainKHR %ptr %words %fvar %c0",        /* memory without a layout */
      "%x = OpLoad %words %in",                                    /* no size */
      "OpCopyMemorySized %fvar %i0 %c3",                           /* a part of a variable */
      "%n = OpUntypedArrayLengthKHR %uint %mixed %in 2",           /* no runtime array */
      "%n = OpUntypedArrayLengthKHR %uint %block %shared 1",       /* no buffer */
   };
   static char text[1 << 15];
   for (uint32_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
      struct ir_run r = {0};
      snprintf(text, sizeof(text), module_text, bodies[i]);
      const char *error = ir_run_text(&r, text);
      CHECK(error && strcmp(error, "the text does not assemble") != 0);
   }
}

TEST_MAIN
