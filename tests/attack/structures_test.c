/* SPDX-License-Identifier: MIT
 * A shader that moves many structures is compiled with loops that copy memory, and gives the same words as one that moves them part by part. One that
 * has many formulas which become much code is compiled with calls, and gives the same as one that has them once, in a loop; so does one that calls
 * functions so often that they are not inlined. */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "formulas_1.h"
#include "formulas_16.h"
#include "structures_1.h"
#include "structures_20.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

enum { STRUCTURE_BYTES = 320, INVOCATIONS = 32, BYTES = STRUCTURE_BYTES * 4 * INVOCATIONS, FORMULA_WORDS = 1024 * INVOCATIONS, BUFFER_BYTES = FORMULA_WORDS * 4 };
_Static_assert((int)BUFFER_BYTES >= (int)BYTES, "one buffer for both");

struct code {
   const uint32_t *words;
   size_t size_bytes;
};

static void fill_bytes(uint8_t *data)
{
   for (uint32_t i = 0; i < BYTES; i++)
      data[i] = (uint8_t)(i * 2654435761u >> 26); /* floats are small numbers */
}

static void fill_words(uint8_t *data)
{
   for (uint32_t i = 0; i < FORMULA_WORDS; i++)
      ((uint32_t *)(void *)data)[i] = i * 2654435761u >> 26;
}

static void run(struct client *client, const struct code *code, void (*fill)(uint8_t *data), uint8_t *result)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client_set set = client_set_create(client, 1, &type);
   struct client_buffer buffer = client_buffer_create(client, BUFFER_BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkShaderModule module = client_shader(client, code->words, code->size_bytes);
   VkPipelineLayout layout = client_pipeline_layout(client, &set, 0);
   VkPipeline pipeline = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, NULL);
   memset(buffer.map, 0, BUFFER_BYTES);
   fill(buffer.map);
   client_set_buffer(client, &set, 0, type, &buffer);
   client_dispatch(client, pipeline, layout, &set, 1);
   memcpy(result, buffer.map, BUFFER_BYTES);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   client_buffer_destroy(client, &buffer);
   client_set_destroy(client, &set);
}

/* At two widths, code with one copy and with many. */
static void check(const struct code *codes, void (*fill)(uint8_t *data))
{
   static const char *const lanes[] = {"4", "16"};
   uint8_t *results[4];
   for (uint32_t i = 0; i < 4; i++) {
      VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                     .storageBuffer8BitAccess = VK_TRUE,
                                                     .shaderInt8 = VK_TRUE};
      const VkPhysicalDeviceVulkan11Features features11 = {
         .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features12, .storageBuffer16BitAccess = VK_TRUE};
      const VkPhysicalDeviceFeatures features = {.shaderInt64 = VK_TRUE, .shaderFloat64 = VK_TRUE, .shaderInt16 = VK_TRUE};
      struct client client;
      setenv("VK_SWRAST_LANES", lanes[i / 2], 1);
      client_init(&client, &(struct client_options){.features = &features, .next = &features11, .api_version = VK_API_VERSION_1_2});
      results[i] = malloc(BUFFER_BYTES);
      CHECK(results[i] != NULL);
      run(&client, &codes[i % 2], fill, results[i]);
      client_finish(&client);
   }
   for (uint32_t i = 1; i < 4; i++)
      CHECK(!memcmp(results[i], results[0], BUFFER_BYTES));
   for (uint32_t i = 0; i < 4; i++)
      free(results[i]);
}

TEST(structures)
{
   check((const struct code[]){{structures_1, sizeof(structures_1)}, {structures_20, sizeof(structures_20)}}, fill_bytes);
}

TEST(formulas)
{
   check((const struct code[]){{formulas_1, sizeof(formulas_1)}, {formulas_16, sizeof(formulas_16)}}, fill_words);
}

/* ---- functions ---- */

enum { ROUNDS = 1500 };

static UTIL_PRINTF(2, 3) void add(FILE *text, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vfprintf(text, format, args);
   va_end(args);
}

/* The text of a compute shader up to its decorations: of a buffer %b with an array of so many bytes an element. */
static FILE *open_module(char **source, size_t *size, const char *array, uint32_t stride)
{
   FILE *text = open_memstream(source, size);
   if (!text)
      abort();
   add(text, "%s", "OpCapability Shader\nOpCapability Float64\nOpCapability Int64\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\nOpCapability GroupNonUniformBallot\n"
                   "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformQuad\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 32 1 1\n"
                   "OpDecorate %id BuiltIn GlobalInvocationId\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %block BufferBlock\n"
                   "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\n");
   add(text, "OpDecorate %%%s ArrayStride %u\n", array, stride);
   return text;
}

/* With branches, of integers and floats whose bits are seen; and through pointers, which may be to one variable. */
static void add_other_functions(FILE *text)
{
   add(text, "%s", "%mixed = OpFunction %u None %tmixed\n%ma = OpFunctionParameter %float\n%mb = OpFunctionParameter %u\n%mc = OpFunctionParameter %bool\n%m0 = OpLabel\n"
                   "%m1 = OpBitcast %u %ma\n%m2 = OpBitwiseXor %u %m1 %mb\nOpSelectionMerge %mj None\nOpBranchConditional %mc %mt %mj\n%mt = OpLabel\n"
                   "%m3 = OpFMul %float %ma %kf\n%m4 = OpFSub %float %m3 %m3\n%m5 = OpFAdd %float %m4 %ma\n%m6 = OpBitcast %u %m5\n%m7 = OpULessThan %bool %m6 %m2\n"
                   "OpSelectionMerge %mk None\nOpBranchConditional %m7 %me %mk\n%me = OpLabel\nOpReturnValue %m6\n%mk = OpLabel\n%m8 = OpIAdd %u %m6 %k7\nOpBranch %mj\n"
                   "%mj = OpLabel\n%m9 = OpPhi %u %m2 %m0 %m8 %mk\n%m10 = OpIMul %u %m9 %k3\nOpReturnValue %m10\nOpFunctionEnd\n");
   add(text, "%s", "%through = OpFunction %void None %tthrough\n%ta = OpFunctionParameter %fu\n%tb = OpFunctionParameter %ff\n%t0 = OpLabel\n%tv = OpVariable %fu Function\n"
                   "%t1 = OpLoad %u %ta\n%t2 = OpLoad %float %tb\n%t3 = OpFMul %float %t2 %kg\nOpStore %tv %t1\n%t5 = OpFOrdLessThan %bool %t3 %kf\n"
                   "OpSelectionMerge %tj None\nOpBranchConditional %t5 %tt %tj\n%tt = OpLabel\n%t6 = OpLoad %u %tv\n%t7 = OpIAdd %u %t6 %k7\nOpStore %tv %t7\n"
                   "%t8 = OpFSub %float %t3 %t2\nOpStore %tb %t8\nOpBranch %tj\n%tj = OpLabel\n%t9 = OpLoad %u %tv\n%t10 = OpIMul %u %t9 %k3\nOpStore %ta %t10\nOpReturn\nOpFunctionEnd\n");
   add(text, "%s", "%two = OpFunction %void None %ttwo\n%wa = OpFunctionParameter %fu\n%wb = OpFunctionParameter %fu\n%w0 = OpLabel\n%w1 = OpLoad %u %wa\n"
                   "%w2 = OpIMul %u %w1 %k7\nOpStore %wb %w2\n%w3 = OpLoad %u %wa\n%w4 = OpBitwiseXor %u %w3 %w1\n%w5 = OpIAdd %u %w4 %w2\n%w6 = OpNot %u %w5\n"
                   "%w7 = OpIAdd %u %w6 %k3\nOpStore %wa %w7\n%w8 = OpLoad %u %wb\n%w9 = OpIAdd %u %w8 %k1\nOpStore %wb %w9\nOpReturn\nOpFunctionEnd\n");
}

/* With loops that read a buffer, and memory that the workgroup shares: one is left early, one stores what a pointer names. */
static void add_looping_functions(FILE *text)
{
   add(text, "%s", "%looped = OpFunction %u None %tlooped\n%la = OpFunctionParameter %u\n%lb = OpFunctionParameter %float\n%l0 = OpLabel\n%lt = OpBitwiseAnd %u %la %k7\n"
                   "OpBranch %lh\n%lh = OpLabel\n%li = OpPhi %u %k0 %l0 %lj %lc\n%lq = OpPhi %u %la %l0 %ls %lc\nOpLoopMerge %lm %lc None\nOpBranch %lx\n%lx = OpLabel\n"
                   "%ld = OpULessThan %bool %li %lt\nOpBranchConditional %ld %ly %lm\n%ly = OpLabel\n%lo = OpBitwiseAnd %u %lq %k255\n%ln = OpIAdd %u %lo %k256\n"
                   "%lp = OpAccessChain %pu %b %k0 %ln\n%lw = OpLoad %u %lp\n%le = OpULessThan %bool %lw %k7\nOpSelectionMerge %lz None\nOpBranchConditional %le %lm %lz\n"
                   "%lz = OpLabel\n%lr = OpIMul %u %lq %k3\n%ls = OpBitwiseXor %u %lr %lw\nOpBranch %lc\n%lc = OpLabel\n%lj = OpIAdd %u %li %k1\nOpBranch %lh\n%lm = OpLabel\n"
                   "%lf = OpBitcast %float %lq\n%lg = OpFMul %float %lf %lb\n%lu = OpBitcast %u %lg\n%lv = OpIAdd %u %lu %lq\nOpReturnValue %lv\nOpFunctionEnd\n");
   add(text, "%s", "%summed = OpFunction %void None %tsummed\n%sa = OpFunctionParameter %fu\n%sb = OpFunctionParameter %u\n%sc = OpFunctionParameter %float\n%sd = OpFunctionParameter %u\n"
                   "%s0 = OpLabel\nOpBranch %sh\n%sh = OpLabel\n%si = OpPhi %u %k0 %s0 %sj %st\nOpLoopMerge %sm %st None\nOpBranch %sx\n%sx = OpLabel\n"
                   "%se = OpULessThan %bool %si %k3\nOpBranchConditional %se %st %sm\n%st = OpLabel\n%sl = OpLoad %u %sa\n%s1 = OpIAdd %u %sl %sb\n%s2 = OpBitwiseAnd %u %s1 %k255\n"
                   "%s3 = OpIAdd %u %s2 %k256\n%sp = OpAccessChain %pu %b %k0 %s3\n%sw = OpLoad %u %sp\n%s4 = OpBitwiseAnd %u %sl %k31\n%sq = OpAccessChain %pshared %shared %s4\n"
                   "%sv = OpLoad %u %sq\n%s5 = OpIMul %u %sw %sv\n%s6 = OpBitwiseXor %u %s5 %sd\nOpStore %sa %s6\n%sj = OpIAdd %u %si %k1\nOpBranch %sh\n%sm = OpLabel\n"
                   "%s7 = OpBitcast %u %sc\n%s8 = OpLoad %u %sa\n%s9 = OpIAdd %u %s8 %s7\nOpStore %sa %s9\nOpReturn\nOpFunctionEnd\n");
}

/* Calls of them, each with what those before left in variables. */
static void add_other_calls(FILE *text, uint32_t i)
{
   add(text, "%%oa%u = OpFunctionCall %%void %%through %%va %%vb\n%%ob%u = OpLoad %%u %%va\n%%oc%u = OpLoad %%float %%vb\n%%od%u = OpULessThan %%bool %%ob%u %%x\n", i, i, i, i, i);
   add(text, "%%oe%u = OpFunctionCall %%u %%mixed %%oc%u %%ob%u %%od%u\nOpStore %%va %%oe%u\n%%of%u = OpFunctionCall %%void %%two %%va %%vc\n", i, i, i, i, i, i);
   add(text, "%%og%u = OpFunctionCall %%void %%two %%vc %%vc\n", i);
   add(text, "%%oh%u = OpFunctionCall %%u %%looped %%oe%u %%oc%u\nOpStore %%va %%oh%u\n%%oi%u = OpFunctionCall %%void %%summed %%va %%ob%u %%oc%u %%oe%u\n", i, i, i, i, i, i, i, i);
}

/* Calls of functions of integers, of vectors of them and of floats, each with what the call before gave: in a loop, or one after the other. */
static char *write_functions(bool has_loop)
{
   char *source = NULL;
   size_t size;
   FILE *text = open_module(&source, &size, "words", 4);
   add(text, "%s", "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u2 = OpTypeVector %u 2\n%u3 = OpTypeVector %u 3\n"
                   "%float = OpTypeFloat 32\n%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%words = OpTypeRuntimeArray %u\n"
                   "%block = OpTypeStruct %words\n%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n%pu = OpTypePointer Uniform %u\n"
                   "%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k3 = OpConstant %u 3\n%k7 = OpConstant %u 7\n%k32 = OpConstant %u 32\n%k64 = OpConstant %u 64\n"
                   "%kf = OpConstant %float 1.75\n%kg = OpConstant %float -0.3\n%tints = OpTypeFunction %u %u %u\n%tpairs = OpTypeFunction %u2 %u2 %u\n"
                   "%tfloats = OpTypeFunction %float %float %float\n%fu = OpTypePointer Function %u\n%ff = OpTypePointer Function %float\n"
                   "%tmixed = OpTypeFunction %u %float %u %bool\n%tthrough = OpTypeFunction %void %fu %ff\n%ttwo = OpTypeFunction %void %fu %fu\n%k96 = OpConstant %u 96\n%k128 = OpConstant %u 128\n"
                   "%k2 = OpConstant %u 2\n%k31 = OpConstant %u 31\n%k255 = OpConstant %u 255\n%k256 = OpConstant %u 256\n%k264 = OpConstant %u 264\n"
                   "%tlooped = OpTypeFunction %u %u %float\n%tsummed = OpTypeFunction %void %fu %u %float %u\n%row = OpTypeArray %u %k32\n"
                   "%prow = OpTypePointer Workgroup %row\n%pshared = OpTypePointer Workgroup %u\n%shared = OpVariable %prow Workgroup\n");
   add(text, "%%rounds = OpConstant %%u %u\n", ROUNDS);
   add(text, "%s", "%ints = OpFunction %u None %tints\n%ia = OpFunctionParameter %u\n%ib = OpFunctionParameter %u\n%i0 = OpLabel\n%i1 = OpIMul %u %ia %k7\n"
                   "%i2 = OpBitwiseXor %u %i1 %ib\n%i3 = OpShiftRightLogical %u %i2 %k3\n%i4 = OpIAdd %u %i3 %i1\n%i5 = OpBitwiseOr %u %i2 %k1\n%i6 = OpUDiv %u %i4 %i5\n"
                   "%i7 = OpUMod %u %i4 %k7\n%i8 = OpULessThan %bool %i6 %i7\n%i9 = OpSelect %u %i8 %i4 %i2\n%i10 = OpISub %u %i9 %i6\n%i11 = OpNot %u %i10\n"
                   "%i12 = OpBitReverse %u %i11\n%i13 = OpIAdd %u %i12 %ib\nOpReturnValue %i13\nOpFunctionEnd\n"
                   "%pairs = OpFunction %u2 None %tpairs\n%pa = OpFunctionParameter %u2\n%pb = OpFunctionParameter %u\n%p0 = OpLabel\n"
                   "%p1 = OpCompositeConstruct %u2 %pb %k7\n%p2 = OpIMul %u2 %pa %p1\n%p3 = OpVectorShuffle %u2 %pa %p2 3 0\n%p4 = OpIAdd %u2 %p3 %p2\n"
                   "%p5 = OpCompositeExtract %u %p4 1\n%p6 = OpBitwiseXor %u %p5 %pb\n%p7 = OpCompositeConstruct %u2 %p6 %p5\n%p8 = OpISub %u2 %p7 %pa\n"
                   "%p9 = OpNot %u2 %p8\n%p10 = OpBitwiseXor %u2 %p9 %p4\n%p11 = OpIAdd %u2 %p10 %p1\nOpReturnValue %p11\nOpFunctionEnd\n"
                   "%floats = OpFunction %float None %tfloats\n%fa = OpFunctionParameter %float\n%fb = OpFunctionParameter %float\n%f0 = OpLabel\n"
                   "%f1 = OpFMul %float %fa %kg\n%f2 = OpFAdd %float %f1 %fb\n%f3 = OpFMul %float %f2 %kf\n%f4 = OpFSub %float %f3 %fa\n"
                   "%f5 = OpFOrdLessThan %bool %f4 %fb\n%f6 = OpSelect %float %f5 %f2 %f4\n%f7 = OpFAdd %float %f6 %kf\n%f8 = OpFNegate %float %f7\n"
                   "%f9 = OpFMul %float %f8 %kg\n%f10 = OpFAdd %float %f9 %f2\n%f11 = OpFDiv %float %f10 %kf\nOpReturnValue %f11\nOpFunctionEnd\n");
   add_other_functions(text);
   add_looping_functions(text);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%va = OpVariable %fu Function\n%vb = OpVariable %ff Function\n%vc = OpVariable %fu Function\n"
                   "%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n"
                   "%at = OpAccessChain %pu %b %k0 %g\n%x = OpLoad %u %at\n%xf = OpBitcast %float %x\n%x2 = OpCompositeConstruct %u2 %x %k3\n"
                   "OpStore %va %x\nOpStore %vb %xf\nOpStore %vc %g\n%own = OpAccessChain %pshared %shared %g\nOpStore %own %x\nOpControlBarrier %k2 %k2 %k264\n");
   if (has_loop)
      add(text, "%s", "OpBranch %h\n%h = OpLabel\n%r = OpPhi %u %k0 %start %rn %t\n%y = OpPhi %u %x %start %yn %t\n%z = OpPhi %u2 %x2 %start %zn %t\n%v = OpPhi %float %xf %start %vn %t\n"
                      "OpLoopMerge %m %t None\nOpBranch %body\n%body = OpLabel\n%c = OpULessThan %bool %r %rounds\nOpBranchConditional %c %t %m\n%t = OpLabel\n");
   for (uint32_t i = 0; i < (has_loop ? 1 : ROUNDS); i++)
      add_other_calls(text, i);
   if (has_loop)
      add(text, "%s", "%yn = OpFunctionCall %u %ints %y %x\n%zn = OpFunctionCall %u2 %pairs %z %x\n%vn = OpFunctionCall %float %floats %v %xf\n%rn = OpIAdd %u %r %k1\n"
                      "OpBranch %h\n%m = OpLabel\n%ylast = OpCopyObject %u %y\n%zlast = OpCopyObject %u2 %z\n%vlast = OpCopyObject %float %v\n");
   for (uint32_t i = 0; !has_loop && i < ROUNDS; i++) {
      char y[16] = "x", z[16] = "x2", v[16] = "xf";
      if (i) {
         snprintf(y, sizeof(y), "y%u", i - 1);
         snprintf(z, sizeof(z), "z%u", i - 1);
         snprintf(v, sizeof(v), "v%u", i - 1);
      }
      add(text, "%%y%u = OpFunctionCall %%u %%ints %%%s %%x\n%%z%u = OpFunctionCall %%u2 %%pairs %%%s %%x\n%%v%u = OpFunctionCall %%float %%floats %%%s %%xf\n", i, y, i, z, i, v);
   }
   if (!has_loop)
      add(text, "%%ylast = OpCopyObject %%u %%y%u\n%%zlast = OpCopyObject %%u2 %%z%u\n%%vlast = OpCopyObject %%float %%v%u\n", ROUNDS - 1, ROUNDS - 1, ROUNDS - 1);
   add(text, "%s", "%bits = OpBitcast %u %vlast\n%zx = OpCompositeExtract %u %zlast 0\n%zy = OpCompositeExtract %u %zlast 1\n%sum = OpIAdd %u %zx %zy\n"
                   "%g2 = OpIAdd %u %g %k32\n%g3 = OpIAdd %u %g %k64\n%at2 = OpAccessChain %pu %b %k0 %g2\n%at3 = OpAccessChain %pu %b %k0 %g3\n"
                   "OpStore %at %ylast\nOpStore %at2 %sum\nOpStore %at3 %bits\n"
                   "%g4 = OpIAdd %u %g %k96\n%g5 = OpIAdd %u %g %k128\n%at4 = OpAccessChain %pu %b %k0 %g4\n%at5 = OpAccessChain %pu %b %k0 %g5\n%last4 = OpLoad %u %va\n"
                   "%last5 = OpLoad %u %vc\n%last6 = OpLoad %float %vb\n%bits6 = OpBitcast %u %last6\n%last7 = OpIAdd %u %last5 %bits6\nOpStore %at4 %last4\nOpStore %at5 %last7\nOpReturn\nOpFunctionEnd\n");
   fclose(text);
   return source;
}

/* Numbers of all sizes, infinities and NaNs with several bits among them. */
static void fill_floats(uint8_t *data)
{
   for (uint32_t i = 0; i < INVOCATIONS; i++)
      ((uint32_t *)(void *)data)[i] = i % 8 == 7 ? 0x7f800000u + i : i * 2654435761u;
   for (uint32_t i = 256; i < 512; i++)
      ((uint32_t *)(void *)data)[i] = i % 16 ? i * 2654435761u : i % 8; /* what functions read */
}

/* The same module with a loop and without: the words of a buffer afterwards are the same. */
static void check_written(char *(*write)(bool has_loop), void (*fill)(uint8_t *data))
{
   spv_binary modules[2];
   struct code codes[2];
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
   for (uint32_t i = 0; i < 2; i++) {
      char *source = write(i == 0);
      spv_diagnostic diagnostic = NULL;
      if (spvTextToBinary(context, source, strlen(source), &modules[i], &diagnostic) != SPV_SUCCESS)
         client_die("%s", diagnostic ? diagnostic->error : "the module cannot be assembled");
      codes[i] = (struct code){modules[i]->code, modules[i]->wordCount * sizeof(uint32_t)};
      free(source);
   }
   check(codes, fill);
   for (uint32_t i = 0; i < 2; i++)
      spvBinaryDestroy(modules[i]);
   spvContextDestroy(context);
}

TEST(functions)
{
   check_written(write_functions, fill_floats);
}

/* ---- matrices whose rows lie as their columns do in variables ---- */

enum { EXCHANGES = 400 };

/* A structure of the invocation's own and one of a variable are exchanged; then the former is changed a little. */
static void add_exchanges(FILE *text, uint32_t i)
{
   add(text, "%%l%u = OpLoad %%u %%r\n%%o%u = OpBitwiseAnd %%u %%l%u %%k3\n%%n%u = OpIAdd %%u %%g4 %%o%u\n%%q%u = OpAccessChain %%ps %%b %%k0 %%n%u\n%%v%u = OpLoad %%s %%q%u\n", i, i, i, i, i, i, i, i, i);
   add(text, "%%p%u = OpAccessChain %%pu %%q%u %%k1\n%%w%u = OpLoad %%u %%p%u\n%%c%u = OpBitwiseAnd %%u %%w%u %%k1\n%%e%u = OpAccessChain %%fs %%a %%c%u\n", i, i, i, i, i, i, i, i);
   add(text, "%%z%u = OpLoad %%s %%e%u\nOpStore %%e%u %%v%u\nOpStore %%q%u %%z%u\n%%y%u = OpIMul %%u %%w%u %%k3\n%%x%u = OpIAdd %%u %%y%u %%l%u\nOpStore %%p%u %%x%u\n", i, i, i, i, i, i, i, i, i, i, i, i, i);
   add(text, "%%m%u = OpAccessChain %%pf %%q%u %%k0 %%k1 %%k2 %%c%u\n%%d%u = OpConvertUToF %%float %%o%u\nOpStore %%m%u %%d%u\n%%j%u = OpIAdd %%u %%l%u %%k1\nOpStore %%r %%j%u\n", i, i, i, i, i, i, i, i, i, i);
}

static char *write_exchanges_of(bool has_loop, bool is_wide)
{
   char *source = NULL;
   size_t size;
   FILE *text = open_module(&source, &size, "ss", is_wide ? 208 : 112);
   add(text, "OpMemberDecorate %%s 0 Offset 0\nOpMemberDecorate %%s 0 RowMajor\nOpMemberDecorate %%s 0 MatrixStride %u\nOpMemberDecorate %%s 1 Offset %u\n"
             "OpDecorate %%mats ArrayStride %u\n", is_wide ? 32 : 16, is_wide ? 192 : 96, is_wide ? 64 : 32);
   add(text, "%s%s", is_wide ? "%float = OpTypeFloat 64\n" : "%float = OpTypeFloat 32\n",
                   "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u3 = OpTypeVector %u 3\n"
                   "%f2 = OpTypeVector %float 2\n%mat = OpTypeMatrix %f2 3\n%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k2 = OpConstant %u 2\n%k3 = OpConstant %u 3\n"
                   "%k4 = OpConstant %u 4\n%mats = OpTypeArray %mat %k3\n%s = OpTypeStruct %mats %u\n%ss = OpTypeRuntimeArray %s\n%block = OpTypeStruct %ss\n"
                   "%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n"
                   "%ps = OpTypePointer Uniform %s\n%pu = OpTypePointer Uniform %u\n%pf = OpTypePointer Uniform %float\n%fu = OpTypePointer Function %u\n"
                   "%fs = OpTypePointer Function %s\n%own = OpTypeArray %s %k2\n%fown = OpTypePointer Function %own\n");
   add(text, "%%rounds = OpConstant %%u %u\n", EXCHANGES);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%a = OpVariable %fown Function\n%r = OpVariable %fu Function\nOpStore %r %k0\n%gid = OpLoad %u3 %id\n"
                   "%g = OpCompositeExtract %u %gid 0\n%g4 = OpIMul %u %g %k4\n%at = OpAccessChain %ps %b %k0 %g4\n%first = OpLoad %s %at\n"
                   "%a0 = OpAccessChain %fs %a %k0\n%a1 = OpAccessChain %fs %a %k1\nOpStore %a0 %first\nOpStore %a1 %first\n");
   if (has_loop)
      add(text, "%s", "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranch %test\n%test = OpLabel\n%now = OpLoad %u %r\n"
                      "%more = OpULessThan %bool %now %rounds\nOpBranchConditional %more %body %end\n%body = OpLabel\n");
   for (uint32_t i = 0; i < (has_loop ? 1 : EXCHANGES); i++)
      add_exchanges(text, i);
   if (has_loop)
      add(text, "%s", "OpBranch %next\n%next = OpLabel\nOpBranch %head\n%end = OpLabel\n");
   add(text, "%s", "OpReturn\nOpFunctionEnd\n");
   fclose(text);
   return source;
}

static char *write_exchanges(bool has_loop)
{
   return write_exchanges_of(has_loop, false);
}

static char *write_wide_exchanges(bool has_loop)
{
   return write_exchanges_of(has_loop, true);
}

TEST(row_major_exchanges)
{
   check_written(write_exchanges, fill_words);
}

TEST(wide_exchanges)
{
   check_written(write_wide_exchanges, fill_words);
}

/* A loop of %rounds rounds, each of which makes %y0 of %y; or `count` rounds one after the other, which make %y0 of `first`, %y1 of %y0 and so on.
 * The text before it has begun the block %start. */
static void add_rounds(FILE *text, bool has_loop, uint32_t count, const char *first, void (*add_round)(FILE *text, uint32_t i, const char *y))
{
   if (has_loop)
      add(text, "OpBranch %%head\n%%head = OpLabel\n%%r = OpPhi %%u %%k0 %%start %%rn %%next\n%%y = OpPhi %%u %%%s %%start %%y0 %%next\n"
                "OpLoopMerge %%merge %%next None\nOpBranch %%body\n%%body = OpLabel\n%%c = OpULessThan %%bool %%r %%rounds\n"
                "OpBranchConditional %%c %%round %%merge\n%%round = OpLabel\n", first);
   for (uint32_t i = 0; i < (has_loop ? 1 : count); i++) {
      char y[16];
      if (i)
         snprintf(y, sizeof(y), "y%u", i - 1);
      else
         snprintf(y, sizeof(y), "%s", has_loop ? "y" : first);
      add_round(text, i, y);
   }
   if (has_loop)
      add(text, "%s", "OpBranch %next\n%next = OpLabel\n%rn = OpIAdd %u %r %k1\nOpBranch %head\n%merge = OpLabel\n");
}

/* ---- accesses ---- */

enum { ACCESSES = 1700 };

/* What round i makes of y: vectors of the invocation's own, or beyond the end, are loaded, and stored where a condition holds; so are some that are shared. */
static void add_accesses(FILE *text, uint32_t i, const char *y)
{
   add(text, "%%a%u = OpBitwiseAnd %%u %%%s %%k7\n%%n%u = OpIAdd %%u %%g8 %%a%u\n%%f%u = OpBitwiseAnd %%u %%%s %%k64\n%%c%u = OpINotEqual %%bool %%f%u %%k0\n", i, y, i, i, i, y, i, i);
   add(text, "%%i%u = OpSelect %%u %%c%u %%far %%n%u\n%%p%u = OpAccessChain %%pv %%b %%k0 %%i%u\n%%v%u = OpLoad %%u4 %%p%u\n", i, i, i, i, i, i, i);
   add(text, "%%s%u = OpAccessChain %%pw %%shared %%n%u\n%%w%u = OpLoad %%u4 %%s%u\n%%x%u = OpIAdd %%u4 %%v%u %%w%u\n%%m%u = OpIMul %%u4 %%x%u %%threes\n", i, i, i, i, i, i, i, i, i);
   add(text, "%%e%u = OpCompositeExtract %%u %%x%u 0\n%%h%u = OpCompositeExtract %%u %%m%u 3\n%%l%u = OpIAdd %%u %%h%u %%e%u\n", i, i, i, i, i, i, i);
   add(text, "%%y%u = OpIAdd %%u %%l%u %%%s\n%%r%u = OpVectorShuffle %%u4 %%m%u %%x%u 3 4 1 6\n%%o%u = OpBitwiseAnd %%u %%y%u %%k3\n", i, i, y, i, i, i, i, i);
   add(text, "%%d%u = OpINotEqual %%bool %%o%u %%k0\nOpSelectionMerge %%j%u None\nOpBranchConditional %%d%u %%t%u %%j%u\n%%t%u = OpLabel\n", i, i, i, i, i, i, i);
   add(text, "OpStore %%p%u %%r%u\nOpStore %%s%u %%m%u\nOpBranch %%j%u\n%%j%u = OpLabel\n", i, i, i, i, i, i);
}

static char *write_accesses(bool has_loop)
{
   char *source = NULL;
   size_t size;
   FILE *text = open_module(&source, &size, "vecs", 16);
   add(text, "%s", "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u3 = OpTypeVector %u 3\n%u4 = OpTypeVector %u 4\n"
                   "%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%vecs = OpTypeRuntimeArray %u4\n%block = OpTypeStruct %vecs\n"
                   "%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n%pv = OpTypePointer Uniform %u4\n%pw = OpTypePointer Workgroup %u4\n"
                   "%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k3 = OpConstant %u 3\n%k7 = OpConstant %u 7\n%k8 = OpConstant %u 8\n%k64 = OpConstant %u 64\n"
                   "%far = OpConstant %u 100000\n%size = OpConstant %u 256\n%row = OpTypeArray %u4 %size\n%prow = OpTypePointer Workgroup %row\n"
                   "%shared = OpVariable %prow Workgroup\n%z0 = OpConstant %u 0\n%z1 = OpConstant %u 1\n%z2 = OpConstant %u 2\n%z3 = OpConstant %u 3\n%z4 = OpConstant %u 4\n"
                   "%z5 = OpConstant %u 5\n%z6 = OpConstant %u 6\n%z7 = OpConstant %u 7\n%threes = OpConstantComposite %u4 %k3 %k7 %k3 %k7\n");
   add(text, "%%rounds = OpConstant %%u %u\n", ACCESSES);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n%g8 = OpIMul %u %g %k8\n");
   for (uint32_t i = 0; i < 8; i++)
      add(text, "%%zi%u = OpIAdd %%u %%g8 %%z%u\n%%zp%u = OpAccessChain %%pw %%shared %%zi%u\nOpStore %%zp%u %%threes\n", i, i, i, i, i);
   add_rounds(text, has_loop, ACCESSES, "g", add_accesses);
   add(text, "%s", "OpReturn\nOpFunctionEnd\n");
   fclose(text);
   return source;
}

TEST(accesses)
{
   check_written(write_accesses, fill_words);
}

/* ---- structures of rows ---- */

enum { MOVES = 1500 };

/* A structure of row-major matrices, with gaps between rows, is loaded, changed and stored where another one of the invocation's stands: by `r`. */
static void add_move(FILE *text, uint32_t i, const char *r)
{
   add(text, "%%a%u = OpIMul %%u %%%s %%k3\n%%b%u = OpBitwiseAnd %%u %%a%u %%k7\n%%c%u = OpIAdd %%u %%g8 %%b%u\n%%p%u = OpAccessChain %%ps %%b %%k0 %%c%u\n", i, r, i, i, i, i, i, i);
   add(text, "%%d%u = OpIAdd %%u %%a%u %%%s\n%%e%u = OpIAdd %%u %%d%u %%x\n%%f%u = OpBitwiseAnd %%u %%e%u %%k7\n%%h%u = OpIAdd %%u %%g8 %%f%u\n%%q%u = OpAccessChain %%ps %%b %%k0 %%h%u\n",
       i, i, r, i, i, i, i, i, i, i, i);
   add(text, "%%v%u = OpLoad %%s %%p%u\n%%w%u = OpCompositeExtract %%float %%v%u 1 2 0\n%%y%u = OpCompositeInsert %%s %%w%u %%v%u 0 1 3\nOpStore %%q%u %%y%u\n", i, i, i, i, i, i, i, i, i);
}

static char *write_moves(bool has_loop)
{
   char *source = NULL;
   size_t size;
   FILE *text = open_module(&source, &size, "structures", 128);
   add(text, "%s", "OpMemberDecorate %s 0 Offset 0\nOpMemberDecorate %s 0 RowMajor\nOpMemberDecorate %s 0 MatrixStride 16\nOpMemberDecorate %s 1 Offset 64\n"
                   "OpMemberDecorate %s 1 RowMajor\nOpMemberDecorate %s 1 MatrixStride 16\nOpMemberDecorate %s 2 Offset 112\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
                   "%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u3 = OpTypeVector %u 3\n%float = OpTypeFloat 32\n%vec4 = OpTypeVector %float 4\n%vec3 = OpTypeVector %float 3\n"
                   "%mat4 = OpTypeMatrix %vec4 4\n%mat3 = OpTypeMatrix %vec3 3\n%s = OpTypeStruct %mat4 %mat3 %u\n%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n"
                   "%structures = OpTypeRuntimeArray %s\n%block = OpTypeStruct %structures\n%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n"
                   "%ps = OpTypePointer Uniform %s\n%pu = OpTypePointer Uniform %u\n%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k2 = OpConstant %u 2\n%k3 = OpConstant %u 3\n"
                   "%k7 = OpConstant %u 7\n%k8 = OpConstant %u 8\n");
   add(text, "%%rounds = OpConstant %%u %u\n", MOVES);
   for (uint32_t i = 0; !has_loop && i < MOVES; i++)
      add(text, "%%z%u = OpConstant %%u %u\n", i, i);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n%g8 = OpIMul %u %g %k8\n"
                   "%at = OpAccessChain %pu %b %k0 %g8 %k2\n%x = OpLoad %u %at\n");
   if (has_loop)
      add(text, "%s", "OpBranch %head\n%head = OpLabel\n%r = OpPhi %u %k0 %start %rn %next\nOpLoopMerge %merge %next None\nOpBranch %body\n%body = OpLabel\n"
                      "%is = OpULessThan %bool %r %rounds\nOpBranchConditional %is %round %merge\n%round = OpLabel\n");
   for (uint32_t i = 0; i < (has_loop ? 1 : MOVES); i++) {
      char r[16];
      snprintf(r, sizeof(r), has_loop ? "r" : "z%u", i);
      add_move(text, i, r);
   }
   if (has_loop)
      add(text, "%s", "OpBranch %next\n%next = OpLabel\n%rn = OpIAdd %u %r %k1\nOpBranch %head\n%merge = OpLabel\n");
   add(text, "%s", "OpReturn\nOpFunctionEnd\n");
   fclose(text);
   return source;
}

TEST(moves)
{
   check_written(write_moves, fill_words);
}

/* ---- products ---- */

enum { PRODUCTS = 48 };

/* What round i makes of the matrix %mI of floats of a class, "f" or "d", with I "": products of products, of them with one element changed, transposed, taken
 * apart, and some in a branch. */
static void add_products(FILE *text, const char *c, uint32_t i, const char *from)
{
   add(text, "%%%sa%u = OpMatrixTimesMatrix %%%sm %%%s %%%sk\n%%%sb%u = OpCompositeInsert %%%sm %%%sx %%%sa%u 1 2\n", c, i, c, from, c, c, i, c, c, c, i);
   add(text, "%%%sc%u = OpMatrixTimesMatrix %%%sm %%%sb%u %%%sa%u\n%%%se%u = OpTranspose %%%sm %%%sc%u\n", c, i, c, c, i, c, i, c, i, c, c, i);
   add(text, "%%%sg%u = OpMatrixTimesMatrix %%%sm %%%se%u %%%sb%u\n%%%si%u = OpExtInst %%%sm %%glsl MatrixInverse %%%sg%u\n", c, i, c, c, i, c, i, c, i, c, c, i);
   add(text, "%%%sv%u = OpCompositeExtract %%%sv %%%si%u 2\n%%%sw%u = OpMatrixTimesVector %%%sv %%%sk %%%sv%u\n", c, i, c, c, i, c, i, c, c, c, i);
   add(text, "%%%sj%u = OpCompositeInsert %%%sm %%%sw%u %%%sg%u 3\n", c, i, c, c, i, c, i);
   add(text, "OpSelectionMerge %%%send%u None\nOpBranchConditional %%q%u %%%sin%u %%%sout%u\n%%%sin%u = OpLabel\n", c, i, i, c, i, c, i, c, i);
   add(text, "%%%sn%u = OpMatrixTimesMatrix %%%sm %%%sg%u %%%sj%u\n%%%so%u = OpMatrixTimesMatrix %%%sm %%%sn%u %%%sg%u\n", c, i, c, c, i, c, i, c, i, c, c, i, c, i);
   add(text, "OpBranch %%%send%u\n%%%sout%u = OpLabel\nOpBranch %%%send%u\n%%%send%u = OpLabel\n", c, i, c, i, c, i, c, i);
   add(text, "%%%sp%u = OpPhi %%%sm %%%so%u %%%sin%u %%%sj%u %%%sout%u\n%%%ss%u = OpMatrixTimesMatrix %%%sm %%%sp%u %%%sg%u\n", c, i, c, c, i, c, i, c, i, c, i, c, i, c, c, i, c, i);
   for (uint32_t j = 0; j < 4; j++)
      add(text, "%%%ss%u_%u = OpCompositeExtract %%%sv %%%ss%u %u\n%%%st%u_%u = OpExtInst %%%sv %%glsl NClamp %%%ss%u_%u %%%slow %%%shigh\n", c, i, j, c, c, i, j, c, i, j, c, c, i, j, c, c);
   add(text, "%%%sm%u = OpCompositeConstruct %%%sm %%%st%u_0 %%%st%u_1 %%%st%u_2 %%%st%u_3\n", c, i, c, c, i, c, i, c, i, c, i);
}

/* Types and constants of a class of floats. */
static void add_matrices(FILE *text, const char *c, uint32_t bits)
{
   add(text, "%%%s = OpTypeFloat %u\n%%%sv = OpTypeVector %%%s 4\n%%%sm = OpTypeMatrix %%%sv 4\n", c, bits, c, c, c, c);
   add(text, "%%%s1 = OpConstant %%%s 1.75\n%%%s2 = OpConstant %%%s -1.75\n%%%shigh = OpConstantComposite %%%sv %%%s1 %%%s1 %%%s1 %%%s1\n", c, c, c, c, c, c, c, c, c, c);
   add(text, "%%%slow = OpConstantComposite %%%sv %%%s2 %%%s2 %%%s2 %%%s2\n", c, c, c, c, c, c);
}

/* %Cm, a matrix of the invocation's, and %Ck, another. */
static void add_first_matrices(FILE *text, const char *c)
{
   add(text, "%%%sx0 = OpConvertUToF %%%s %%low\n%%%sx = OpFDiv %%%s %%%sx0 %%%s1\n%%%sy0 = OpFNegate %%%s %%%sx\n", c, c, c, c, c, c, c, c, c);
   for (uint32_t j = 0; j < 4; j++)
      add(text, "%%%sy%u = OpFAdd %%%s %%%sy%u %%%s1\n%%%sh%u = OpCompositeConstruct %%%sv %%%sx %%%sy%u %%%s%u %%%s1\n", c, j + 1, c, c, j, c, c, j, c, c, c, j, c, j % 2 + 1, c);
   add(text, "%%%sfirst = OpCompositeConstruct %%%sm %%%sh0 %%%sh1 %%%sh2 %%%sh3\n%%%sk = OpCompositeConstruct %%%sm %%%sh2 %%%sh0 %%%slow %%%sh1\n", c, c, c, c, c, c, c, c, c, c, c, c);
}

static char *write_products(bool has_loop)
{
   char *source = NULL;
   size_t size;
   const char *const classes[] = {"f", "d"};
   const uint32_t count = has_loop ? 1 : PRODUCTS;
   FILE *text = open_module(&source, &size, "words", 4);
   add(text, "%s", "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u3 = OpTypeVector %u 3\n"
                   "%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%words = OpTypeRuntimeArray %u\n"
                   "%block = OpTypeStruct %words\n%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n%pu = OpTypePointer Uniform %u\n"
                   "%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k3 = OpConstant %u 3\n%k7 = OpConstant %u 7\n%k32 = OpConstant %u 32\n");
   add_matrices(text, "f", 32);
   add_matrices(text, "d", 64);
   add(text, "%%rounds = OpConstant %%u %u\n", PRODUCTS);
   for (uint32_t i = 0; i < PRODUCTS; i++)
      add(text, "%%z%u = OpConstant %%u %u\n", i, i);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n"
                   "%at = OpAccessChain %pu %b %k0 %g\n%x = OpLoad %u %at\n%low = OpBitwiseAnd %u %x %k7\n");
   add_first_matrices(text, "f");
   add_first_matrices(text, "d");
   if (has_loop)
      add(text, "%s", "OpBranch %h\n%h = OpLabel\n%z = OpPhi %u %k0 %start %zn %t\n%fmatrix = OpPhi %fm %ffirst %start %fm0 %t\n%dmatrix = OpPhi %dm %dfirst %start %dm0 %t\n"
                      "OpLoopMerge %merge %t None\nOpBranch %body\n%body = OpLabel\n%c = OpULessThan %bool %z %rounds\nOpBranchConditional %c %round %merge\n%round = OpLabel\n");
   for (uint32_t i = 0; i < count; i++) {
      char round[16];
      snprintf(round, sizeof(round), has_loop ? "z" : "z%u", i);
      add(text, "%%r%u = OpIAdd %%u %%g %%%s\n%%l%u = OpBitwiseAnd %%u %%r%u %%k3\n%%q%u = OpIEqual %%bool %%l%u %%k0\n", i, round, i, i, i, i);
      for (uint32_t j = 0; j < 2; j++) {
         char from[16];
         snprintf(from, sizeof(from), has_loop ? "%smatrix" : i ? "%sm%u" : "%sfirst", classes[j], i - 1);
         add_products(text, classes[j], i, from);
      }
   }
   if (has_loop)
      add(text, "%s", "OpBranch %t\n%t = OpLabel\n%zn = OpIAdd %u %z %k1\nOpBranch %h\n%merge = OpLabel\n");
   add(text, has_loop ? "%%flast = OpCompositeExtract %%f %%fmatrix 1 2\n%%dlast = OpCompositeExtract %%d %%dmatrix 3 0\n"
                      : "%%flast = OpCompositeExtract %%f %%fm%u 1 2\n%%dlast = OpCompositeExtract %%d %%dm%u 3 0\n", count - 1, count - 1);
   add(text, "%s", "%narrow = OpFConvert %f %dlast\n%w0 = OpBitcast %u %flast\n%w1 = OpBitcast %u %narrow\n%g2 = OpIAdd %u %g %k32\n"
                   "%at2 = OpAccessChain %pu %b %k0 %g2\nOpStore %at %w0\nOpStore %at2 %w1\nOpReturn\nOpFunctionEnd\n");
   fclose(text);
   return source;
}

TEST(products)
{
   check_written(write_products, fill_words);
}

/* ---- words that are packed, and looks at other lanes ---- */

/* What each of `count` rounds makes of %y, the word of an invocation: %y0 in a loop, or %y0, %y1 and so on one after the other. */
static char *write_words(bool has_loop, uint32_t count, void (*add_round)(FILE *text, uint32_t i, const char *y))
{
   char *source = NULL;
   size_t size;
   FILE *text = open_module(&source, &size, "words", 4);
   add(text, "%s", "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n%u3 = OpTypeVector %u 3\n%u4 = OpTypeVector %u 4\n"
                   "%float = OpTypeFloat 32\n%f2 = OpTypeVector %float 2\n%f4 = OpTypeVector %float 4\n"
                   "%in3 = OpTypePointer Input %u3\n%id = OpVariable %in3 Input\n%words = OpTypeRuntimeArray %u\n%block = OpTypeStruct %words\n"
                   "%pblock = OpTypePointer Uniform %block\n%b = OpVariable %pblock Uniform\n%pu = OpTypePointer Uniform %u\n"
                   "%k0 = OpConstant %u 0\n%k1 = OpConstant %u 1\n%k2 = OpConstant %u 2\n%k3 = OpConstant %u 3\n%k4 = OpConstant %u 4\n%odd = OpConstant %u 2654435769\n"
                   "%kf = OpConstant %float 1.0625\n%kg = OpConstant %float -3\n"
                   "%ul = OpTypeInt 64 0\n%sl = OpTypeInt 64 1\n%double = OpTypeFloat 64\n%k7 = OpConstant %u 7\n%k8 = OpConstant %u 8\n"
                   "%row = OpTypeArray %f4 %k8\n%none = OpConstantNull %row\n%prow = OpTypePointer Private %row\n%pf4 = OpTypePointer Private %f4\n%own = OpVariable %prow Private %none\n");
   add(text, "%%rounds = OpConstant %%u %u\n", count);
   add(text, "%s", "%main = OpFunction %void None %fn\n%start = OpLabel\n%gid = OpLoad %u3 %id\n%g = OpCompositeExtract %u %gid 0\n"
                   "%at = OpAccessChain %pu %b %k0 %g\n%x = OpLoad %u %at\n");
   add_rounds(text, has_loop, count, "x", add_round);
   if (has_loop)
      add(text, "%s", "OpStore %at %y\n");
   else
      add(text, "OpStore %%at %%y%u\n", count - 1);
   add(text, "%s", "OpReturn\nOpFunctionEnd\n");
   fclose(text);
   return source;
}

/* NaNs, infinities and denormal numbers are among them. */
static void add_packs(FILE *text, uint32_t i, const char *y)
{
   static const struct {
      const char *unpack, *pack, *type;
   } forms[] = {{"UnpackHalf2x16", "PackSnorm2x16", "f2"}, {"UnpackSnorm2x16", "PackHalf2x16", "f2"}, {"UnpackUnorm4x8", "PackSnorm4x8", "f4"},
                {"UnpackSnorm4x8", "PackUnorm4x8", "f4"}, {"UnpackUnorm2x16", "PackHalf2x16", "f2"}, {"UnpackHalf2x16", "PackUnorm2x16", "f2"}};
   add(text, "%%w%u_0 = OpCopyObject %%u %%%s\n", i, y);
   for (uint32_t j = 0; j < UTIL_ARRAY_SIZE(forms); j++) {
      add(text, "%%u%u_%u = OpExtInst %%%s %%glsl %s %%w%u_%u\n%%s%u_%u = OpVectorTimesScalar %%%s %%u%u_%u %%%s\n", i, j, forms[j].type, forms[j].unpack, i, j, i, j,
          forms[j].type, i, j, j & 1 ? "kf" : "kg");
      add(text, "%%p%u_%u = OpExtInst %%u %%glsl %s %%s%u_%u\n%%m%u_%u = OpIMul %%u %%w%u_%u %%odd\n%%w%u_%u = OpBitwiseXor %%u %%p%u_%u %%m%u_%u\n", i, j, forms[j].pack,
          i, j, i, j, i, j, i, j + 1, i, j, i, j);
   }
   add(text, "%%y%u = OpIAdd %%u %%w%u_%zu %%x\n", i, i, UTIL_ARRAY_SIZE(forms));
}

static char *write_packs(bool has_loop)
{
   return write_words(has_loop, 100, add_packs);
}

TEST(packs)
{
   check_written(write_packs, fill_floats);
}

/* Between integers and floats of all sizes, beyond what they hold too, and counts of bits. */
static void add_conversions(FILE *text, uint32_t i, const char *y)
{
   add(text, "%%a_%u = OpUConvert %%ul %%%s\n%%b_%u = OpIMul %%ul %%a_%u %%a_%u\n%%c_%u = OpConvertUToF %%float %%b_%u\n", i, y, i, i, i, i, i);
   add(text, "%%d_%u = OpFMul %%float %%c_%u %%kg\n%%e_%u = OpConvertFToS %%sl %%d_%u\n%%f_%u = OpConvertSToF %%double %%e_%u\n", i, i, i, i, i, i);
   add(text, "%%h_%u = OpConvertUToF %%double %%%s\n%%i_%u = OpFSub %%double %%h_%u %%f_%u\n%%j_%u = OpConvertFToU %%ul %%i_%u\n%%l_%u = OpUConvert %%u %%j_%u\n", i, y, i, i, i, i, i, i, i);
   add(text, "%%m_%u = OpBitCount %%u %%l_%u\n%%n_%u = OpExtInst %%u %%glsl FindILsb %%l_%u\n%%o_%u = OpExtInst %%u %%glsl FindUMsb %%%s\n", i, i, i, i, i, y);
   add(text, "%%q_%u = OpIMul %%u %%l_%u %%odd\n%%s_%u = OpIMul %%u %%m_%u %%n_%u\n%%t_%u = OpBitwiseXor %%u %%q_%u %%s_%u\n", i, i, i, i, i, i, i, i);
   add(text, "%%u_%u = OpConvertFToU %%u %%h_%u\n%%v_%u = OpIAdd %%u %%t_%u %%o_%u\n%%w_%u = OpIAdd %%u %%v_%u %%u_%u\n%%y%u = OpIAdd %%u %%w_%u %%x\n", i, i, i, i, i, i, i, i, i, i);
}

static char *write_conversions(bool has_loop)
{
   return write_words(has_loop, 1100, add_conversions);
}

TEST(conversions)
{
   check_written(write_conversions, fill_floats);
}

/* Vectors of a variable, at what each invocation's word says. */
static void add_own_vectors(FILE *text, uint32_t i, const char *y)
{
   add(text, "%%a_%u = OpBitwiseAnd %%u %%%s %%k7\n%%p_%u = OpAccessChain %%pf4 %%own %%a_%u\n%%v_%u = OpLoad %%f4 %%p_%u\n%%b_%u = OpBitcast %%float %%%s\n", i, y, i, i, i, i, i, y);
   add(text, "%%c_%u = OpCompositeInsert %%f4 %%b_%u %%v_%u 1\n%%d_%u = OpVectorShuffle %%f4 %%c_%u %%c_%u 3 0 1 2\nOpStore %%p_%u %%d_%u\n", i, i, i, i, i, i, i, i);
   add(text, "%%e_%u = OpCompositeExtract %%float %%d_%u 0\n%%f_%u = OpBitcast %%u %%e_%u\n%%h_%u = OpIMul %%u %%%s %%odd\n%%y%u = OpBitwiseXor %%u %%f_%u %%h_%u\n", i, i, i, i, i, y, i, i, i);
}

static char *write_own_vectors(bool has_loop)
{
   return write_words(has_loop, 700, add_own_vectors);
}

TEST(own_vectors)
{
   check_written(write_own_vectors, fill_words);
}

/* Some with lanes that are off. */
static void add_crossings(FILE *text, uint32_t i, const char *y)
{
   add(text, "%%a_%u = OpBitwiseAnd %%u %%%s %%k3\n%%b_%u = OpGroupNonUniformShuffle %%u %%k3 %%%s %%a_%u\n%%c_%u = OpGroupNonUniformQuadSwap %%u %%k3 %%b_%u %%k1\n", i, y, i, y, i, i, i);
   add(text, "%%d_%u = OpIMul %%u %%c_%u %%odd\n%%e_%u = OpIAdd %%u %%d_%u %%%s\n%%f_%u = OpBitwiseAnd %%u %%e_%u %%k4\n%%h_%u = OpINotEqual %%bool %%f_%u %%k0\n", i, i, i, i, y, i, i, i, i);
   add(text, "%%i_%u = OpGroupNonUniformBallot %%u4 %%k3 %%h_%u\n%%j_%u = OpCompositeExtract %%u %%i_%u 0\n%%l_%u = OpIAdd %%u %%e_%u %%j_%u\n", i, i, i, i, i, i, i);
   add(text, "OpSelectionMerge %%merge_%u None\nOpBranchConditional %%h_%u %%then_%u %%merge_%u\n%%then_%u = OpLabel\n%%n_%u = OpBitwiseAnd %%u %%l_%u %%k2\n", i, i, i, i, i, i, i);
   add(text, "%%o_%u = OpIEqual %%bool %%n_%u %%k0\n%%p_%u = OpGroupNonUniformBallot %%u4 %%k3 %%o_%u\n%%q_%u = OpCompositeExtract %%u %%p_%u 0\n", i, i, i, i, i, i);
   add(text, "%%s_%u = OpGroupNonUniformAny %%bool %%k3 %%o_%u\n%%t_%u = OpGroupNonUniformAll %%bool %%k3 %%o_%u\n%%u_%u = OpSelect %%u %%s_%u %%l_%u %%q_%u\n", i, i, i, i, i, i, i, i);
   add(text, "%%v_%u = OpSelect %%u %%t_%u %%q_%u %%u_%u\nOpBranch %%merge_%u\n%%merge_%u = OpLabel\n%%y%u = OpPhi %%u %%l_%u %%before_%u %%v_%u %%then_%u\n", i, i, i, i, i, i, i, i, i, i, i);
}

static void add_crossing_round(FILE *text, uint32_t i, const char *y)
{
   add(text, "OpBranch %%before_%u\n%%before_%u = OpLabel\n", i, i);
   add_crossings(text, i, y);
}

static char *write_crossings(bool has_loop)
{
   return write_words(has_loop, 1100, add_crossing_round);
}

TEST(crossings)
{
   check_written(write_crossings, fill_words);
}

TEST_MAIN
