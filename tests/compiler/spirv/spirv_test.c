/* SPDX-License-Identifier: MIT
 * The front end: what shaders compute after translation, what abi_shader_info says, and that no module makes it fall.
 */
#include "compiler/ir/passes.h"
#include "compiler/spirv/spirv.h"
#include "tests/compiler/spirv/ir_run.h"
#include "tests/test.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include <spirv-tools/libspirv.h>

#include "captured.vert.h"
#include "flow.comp.h"
#include "layout.comp.h"
#include "math.comp.h"
#include "shared.comp.h"
#include "stage.frag.h"
#include "stage.geom.h"
#include "stage.tesc.h"
#include "stage.tese.h"
#include "stage.vert.h"

#define MODULE(name) name, sizeof(name) / 4

static struct comp_shader_desc describe(const uint32_t *words, size_t num_words, enum abi_stage stage)
{
   return (struct comp_shader_desc){.words = words,
                                    .num_words = num_words,
                                    .stage = stage,
                                    .entry_point = "main",
                                    .target = {.lanes = 8, .level = 3}};
}

/* The assembled text, to be freed with spvBinaryDestroy(); NULL and a failed check otherwise. */
static spv_binary assemble(const char *text)
{
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
   spv_binary binary = NULL;
   if (spvTextToBinary(context, text, strlen(text), &binary, NULL) != SPV_SUCCESS)
      test_fail(__FILE__, __LINE__, "the text does not assemble");
   spvContextDestroy(context);
   return binary;
}

static spv_binary assemble_file(const char *path)
{
   static char text[1 << 16];
   FILE *file = fopen(path, "r");
   text[file ? fread(text, 1, sizeof(text) - 1, file) : 0] = 0;
   if (file)
      fclose(file);
   return assemble(text);
}

/* Translates and validates; NULL and a failed check otherwise. */
static struct ir_shader *translate(struct util_arena *arena, const struct comp_shader_desc *desc)
{
   const char *error;
   util_arena_init(arena, 0);
   struct ir_shader *shader = spirv_to_ir(arena, desc, &error);
   if (shader)
      error = ir_validate(shader, arena);
   if (!error)
      return shader;
   test_fail(__FILE__, __LINE__, error);
   return NULL;
}

static bool run(struct ir_run *r, struct ir_shader *shader)
{
   if (ir_run_shader(r, shader))
      return true;
   test_fail(__FILE__, __LINE__, r->error);
   return false;
}

static void set_buffer(struct ir_run *r, uint32_t binding, uint32_t *words, uint32_t bytes)
{
   r->buffers[binding] = (uint8_t *)words;
   r->sizes[binding] = bytes;
}

/* ---- control flow ---- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#include "tests/compiler/spirv/flow.inc"
#pragma GCC diagnostic pop

TEST(control_flow_is_that_of_c)
{
   static uint32_t results[10 * 32];
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(flow_comp), ABI_STAGE_COMPUTE);
   struct ir_shader *shader = translate(&arena, &desc);
   struct ir_run r = {0};
   set_buffer(&r, 0, results, sizeof(results));
   for (uint32_t x = 0; shader && x < 32; x++) {
      r.sysvals[IR_SYSVAL_LOCAL_INDEX][0] = x;
      if (!run(&r, shader))
         break;
   }
   for (int which = 0; which < 10; which++) {
      for (int x = 0; x < 32; x++)
         CHECK_EQ((int32_t)results[which * 32 + x], flow_all(which, x));
   }
   util_arena_finish(&arena);
}

TEST(phis_and_values_that_leave_loops)
{
   spv_binary binary = assemble_file(SPIRV_TEST_DIR "/phi.spvasm");
   for (uint32_t n = 0; binary && n < 5; n++) {
      uint32_t words[6] = {n};
      struct util_arena arena;
      const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_COMPUTE);
      struct ir_shader *shader = translate(&arena, &desc);
      struct ir_run r = {0};
      set_buffer(&r, 0, words, sizeof(words));
      if (shader && run(&r, shader)) {
         const uint32_t kept = (n + 7) * 3;
         CHECK_EQ(words[1], 1 + n % 3);
         CHECK_EQ(words[2], 1 + (n + 1) % 3);
         CHECK_EQ(words[3], 1 + (n + 2) % 3);
         CHECK_EQ(words[4], n + 7);
         CHECK_EQ(words[5], 2 * kept + n % 2);
      }
      util_arena_finish(&arena);
   }
   spvBinaryDestroy(binary);
}

/* ---- memory ---- */

/* With `bytes` of data for constant 5. */
static struct comp_shader_desc describe_pointers(spv_binary binary, struct comp_spec_entry *entry,
                                                 const uint32_t *value, size_t bytes)
{
   struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_COMPUTE);
   *entry = (struct comp_spec_entry){.constant_id = 5, .size_bytes = bytes};
   desc.spec_entries = entry;
   desc.num_spec_entries = 1;
   desc.spec_data = value;
   desc.spec_data_bytes = sizeof(*value);
   return desc;
}

TEST(variable_pointers_and_specialization)
{
   uint32_t x[8] = {3}, y[8] = {0};
   const uint32_t value = 20;
   spv_binary binary = assemble_file(SPIRV_TEST_DIR "/pointers.spvasm");
   if (!binary)
      return;
   struct comp_spec_entry entry;
   struct util_arena arena;
   const struct comp_shader_desc desc = describe_pointers(binary, &entry, &value, 4);
   struct ir_shader *shader = translate(&arena, &desc);
   struct ir_run r = {0};
   set_buffer(&r, 0, x, sizeof(x));
   set_buffer(&r, 1, y, sizeof(y));
   if (shader && run(&r, shader)) {
      CHECK_EQ(y[3], 25);
      CHECK_EQ(y[1], 2);
      CHECK_EQ(y[2], 3);
      CHECK_EQ(x[0], 3);
      CHECK_EQ(x[5], 6);
   }
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
}

TEST(specialization_of_wrong_size_is_an_error)
{
   const uint32_t value = 20;
   spv_binary binary = assemble_file(SPIRV_TEST_DIR "/pointers.spvasm");
   if (!binary)
      return;
   for (size_t bytes = 2; bytes <= 8; bytes += 6) {
      struct comp_spec_entry entry;
      struct util_arena arena;
      const struct comp_shader_desc desc = describe_pointers(binary, &entry, &value, bytes);
      const char *error;
      util_arena_init(&arena, 0);
      CHECK(!spirv_to_ir(&arena, &desc, &error));
      CHECK(error != NULL);
      util_arena_finish(&arena);
   }
   spvBinaryDestroy(binary);
}

static void fill(uint32_t *words, uint32_t count, uint32_t first)
{
   for (uint32_t i = 0; i < count; i++)
      words[i] = first + i;
}

TEST(layouts_of_buffers)
{
   static uint32_t results[32], uniform[100], a[80], b[80], scalar[20];
   static const uint32_t expected[] = {1006, 1007, 1012, 1026, 1034, 1033, 1057, 1065, 2003, 3005, 2038, 3029,
                                       2063, 2069, 8,    4003, 4010, 7,    4119, 2015, 0};
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(layout_comp), ABI_STAGE_COMPUTE);
   struct ir_shader *shader = translate(&arena, &desc);
   struct ir_run r = {0};
   fill(uniform, 100, 1000);
   fill(a, 80, 2000);
   fill(b, 80, 3000);
   fill(scalar, 20, 4000);
   fill((uint32_t *)r.push, 8, 0);
   r.push[0] = 1;
   set_buffer(&r, 0, results, sizeof(results));
   set_buffer(&r, 1, uniform, sizeof(uniform));
   set_buffer(&r, 2, a, sizeof(a));
   set_buffer(&r, 3, b, sizeof(b));
   set_buffer(&r, 4, scalar, sizeof(scalar));
   if (shader && run(&r, shader)) {
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(expected); i++)
         CHECK_EQ(results[i], expected[i]);
      CHECK_EQ(b[40], 2052);
      CHECK_EQ(b[41], 3041); /* padding stays */
      CHECK_EQ(b[46], 2058);
      CHECK_EQ(b[51], 2063);
      for (uint32_t i = 0; i < 16; i++)
         CHECK_EQ(b[24 + i], 2008 + i);
      for (uint32_t row = 0; row < 4; row++)
         CHECK_EQ(b[8 + row * 4 + 2], 2008 + row * 4 + 1);
      CHECK_EQ(b[16], 0x3f000000);
   }
   util_arena_finish(&arena);
}

static float as_float(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   return value;
}

TEST(shared_memory_and_specialization)
{
   static uint32_t results[16];
   const struct {
      uint32_t count, is_on;
      float scale;
      uint32_t size;
   } data = {1, 1, 4.0f, 16};
   const struct comp_spec_entry entries[] = {{1, 0, 4}, {2, 4, 4}, {3, 8, 4}, {10, 12, 4}};
   struct util_arena arena;
   struct comp_shader_desc desc = describe(MODULE(shared_comp), ABI_STAGE_COMPUTE);
   desc.spec_entries = entries;
   desc.num_spec_entries = UTIL_ARRAY_SIZE(entries);
   desc.spec_data = &data;
   desc.spec_data_bytes = sizeof(data);
   struct ir_shader *shader = translate(&arena, &desc);
   struct ir_run r = {0};
   set_buffer(&r, 0, results, sizeof(results));
   if (shader && run(&r, shader)) {
      static const uint32_t expected[13] = {13, 19, 3, 0, 0, 5, 1602, 1, 0, 8, 9, 4391, 316};
      for (uint32_t i = 0; i < 13; i++) {
         if (i != 4 && i != 8)
            CHECK_EQ(results[i], expected[i]);
      }
      CHECK(as_float(results[4]) == 8.0f);
      CHECK(as_float(results[8]) == 4.0f);
      CHECK_EQ(shader->info.local_size[0], 16);
      CHECK_EQ(shader->info.local_size[1], 2);
      CHECK(shader->info.shared_bytes >= 4 * 44 + 4 + 12);
   }
   util_arena_finish(&arena);
}

/* ---- arithmetic ---- */

TEST(glsl_functions)
{
   static uint32_t results[40], inputs[12];
   static const float numbers[8] = {0.5f, -2.25f, 0, 0, 1, 2, 3, 4};
   static const float expected[38] = {
      0.75f,     -0.1875f,     0.15625f,  0,    -1,     -1,    -4.5f,     19.4375f, 16,
      5.477226f, 4.472136f,    5.477226f, -7,   -2,     0.402492f, -1,    1,        -0.25f,
      28,        17,           16,        4,    3225452417.0f, 0.749996f, 1.5f,     2407, 51,
      54,        2.922924f,    12.5f,     -220.25f, 1,  36,    1239,      31.789482f, 2.875f,
      32,        6565};
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(math_comp), ABI_STAGE_COMPUTE);
   struct ir_shader *shader = translate(&arena, &desc);
   struct ir_run r = {0};
   memcpy(inputs, numbers, sizeof(numbers));
   inputs[8] = 0xf0;
   inputs[9] = -5u;
   set_buffer(&r, 0, results, sizeof(results));
   set_buffer(&r, 1, inputs, sizeof(inputs));
   if (shader && run(&r, shader)) {
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(expected); i++) {
         const float got = as_float(results[i]);
         if (!(fabsf(got - expected[i]) <= fabsf(expected[i]) * 1e-5f)) {
            char text[80];
            snprintf(text, sizeof(text), "results[%u] is %g instead of %g", i, got, expected[i]);
            test_fail(__FILE__, __LINE__, text);
         }
      }
   }
   util_arena_finish(&arena);
}

/* ---- the interface ---- */

static bool has_slots(const uint64_t *set, size_t set_bytes, const uint8_t *slots, uint32_t count)
{
   uint64_t expected[ABI_PATCH_SLOT_WORDS] = {0};
   for (uint32_t i = 0; i < count; i++)
      expected[slots[i] / 64] |= UINT64_C(1) << (slots[i] % 64);
   return memcmp(set, expected, set_bytes) == 0;
}

TEST(vertex_interface)
{
   static const uint8_t inputs[] = {16, 17, 18, 20, 21, 24, 25, 34};
   static const uint8_t outputs[] = {0, 1, 2, 3, 8, 9, 16, 17, 20, 21, 24, 28, 29, 30, 44};
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(stage_vert), ABI_STAGE_VERTEX);
   struct ir_shader *shader = translate(&arena, &desc);
   struct ir_run r = {0};
   for (uint32_t i = 0; i < ABI_NUM_SLOTS; i++)
      r.inputs[i] = 100 + i;
   r.push[0] = 1;
   r.sysvals[IR_SYSVAL_VERTEX_INDEX][0] = 5;
   r.sysvals[IR_SYSVAL_INSTANCE_INDEX][0] = 6;
   if (shader && run(&r, shader)) {
      ir_analyze_summary(shader);
      CHECK(has_slots(shader->info.inputs, sizeof(shader->info.inputs), inputs, sizeof(inputs)));
      CHECK(has_slots(shader->info.outputs, sizeof(shader->info.outputs), outputs, sizeof(outputs)));
      CHECK_EQ(shader->info.num_clip_distances, 2);
      CHECK_EQ(shader->info.num_cull_distances, 0);
      CHECK_EQ(r.outputs[ABI_SLOT_POSITION + 1], 117);
      CHECK(as_float(r.outputs[ABI_SLOT_POSITION + 3]) == 1.0f);
      CHECK_EQ(r.outputs[ABI_SLOT_CLIP_DISTANCE], 124);
      CHECK(as_float(r.outputs[16]) == 5.0f);
      CHECK_EQ(r.outputs[21], 117);
      CHECK_EQ(r.outputs[24], 134);
      CHECK_EQ(r.outputs[28], 118);
      CHECK(as_float(r.outputs[44]) == 0.25f);
   }
   util_arena_finish(&arena);
}

static void count_chosen_rows(struct ir_instr *instr, void *data)
{
   *(uint32_t *)data += instr->op == IR_store_row && instr->srcs[0]->op == IR_select && instr->srcs[0]->num_components == 1;
}

TEST(initialized_control_outputs)
{
   spv_binary binary = assemble_file(SPIRV_TEST_DIR "/initialized.spvasm");
   if (!binary)
      return;
   struct util_arena arena;
   uint32_t num_chosen = 0;
   const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_CONTROL);
   struct ir_shader *shader = translate(&arena, &desc);
   CHECK(shader != NULL);
   if (shader)
      ir_for_each(shader, count_chosen_rows, &num_chosen);
   CHECK_EQ(num_chosen, 2 * 3 + 1);
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
}

/* Outputs of a control shader stand in rows as they are declared; what is read is left to the code. */
TEST(tessellation_interface)
{
   static const uint8_t control_inputs[] = {28, 29}, evaluation_outputs[] = {0, 1, 2, 3, 36, 37, 38};
   static const uint8_t evaluation_inputs[] = {20, 21, 22, ABI_SLOT_PATCH + 12, ABI_SLOT_TESS_INNER + 1};
   struct util_arena arena;
   const struct comp_shader_desc control_desc = describe(MODULE(stage_tesc), ABI_STAGE_CONTROL);
   struct ir_shader *control = translate(&arena, &control_desc);
   if (control) {
      ir_analyze_summary(control);
      CHECK(has_slots(control->info.inputs, sizeof(control->info.inputs), control_inputs, sizeof(control_inputs)));
      CHECK_EQ(control->info.vertices_out, 4);
      CHECK_EQ(control->info.rows_per_vertex, 3);
      CHECK_EQ(control->info.num_rows, 4 * 3 + 2 * 4 + 4 + 1); /* elements of arrays take locations; a row for what does not count */
      for (uint32_t i = 0; i < 3; i++)
         CHECK_EQ(control->info.rows[20 + i], i);
      CHECK_EQ(control->info.rows[23], ABI_NO_ROW);
      CHECK_EQ(control->info.rows[ABI_SLOT_TESS_OUTER], 12);
      CHECK_EQ(control->info.rows[ABI_SLOT_PATCH + 8], 16); /* behind the levels, of which there are four */
   }
   util_arena_finish(&arena);
   const struct comp_shader_desc evaluation_desc = describe(MODULE(stage_tese), ABI_STAGE_EVALUATION);
   struct ir_shader *evaluation = translate(&arena, &evaluation_desc);
   if (evaluation) {
      ir_analyze_summary(evaluation);
      CHECK(has_slots(evaluation->info.inputs, sizeof(evaluation->info.inputs), evaluation_inputs, sizeof(evaluation_inputs)));
      CHECK(has_slots(evaluation->info.outputs, sizeof(evaluation->info.outputs), evaluation_outputs, sizeof(evaluation_outputs)));
      CHECK_EQ(evaluation->info.domain, ABI_DOMAIN_QUADS);
      CHECK_EQ(evaluation->info.spacing, ABI_SPACING_ODD);
      CHECK_EQ(evaluation->info.vertex_order, ABI_ORDER_CW);
      CHECK_EQ(evaluation->info.point_mode, 1);
   }
   util_arena_finish(&arena);
}

/* What is emitted has what any of the code writes, and no more. */
TEST(geometry_interface)
{
   static const uint8_t inputs[] = {0, 1, 2, 3, 28, 29};
   static const uint8_t outputs[] = {0, 1, 2, 3, 24, 25, 26, ABI_SLOT_VERTEX_FLAGS};
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(stage_geom), ABI_STAGE_GEOMETRY);
   struct ir_shader *shader = translate(&arena, &desc);
   if (shader) {
      ir_analyze_summary(shader);
      CHECK(has_slots(shader->info.inputs, sizeof(shader->info.inputs), inputs, sizeof(inputs)));
      CHECK(has_slots(shader->info.outputs, sizeof(shader->info.outputs), outputs, sizeof(outputs)));
      CHECK_EQ(shader->info.vertices_in, 6);
      CHECK_EQ(shader->info.corners_out, 2);
      CHECK_EQ(shader->info.num_invocations, 5);
      CHECK_EQ(shader->info.max_vertices, 7);
      CHECK_EQ(shader->info.streams, 1);
   }
   util_arena_finish(&arena);
}

/* Captured outputs as ranges: what is side by side in both is one; what has 64-bit components is aligned. */
TEST(captured_outputs)
{
   static const struct abi_xfb_range expected[] = {
      {ABI_SLOT_USER, 2, 0, 0, 4},       {ABI_SLOT_USER + 4, 3, 0, 0, 12},
      {ABI_SLOT_USER + 8, 1, 1, 0, 0},   {ABI_SLOT_USER + 12, 5, 1, 0, 8}, /* a; b and c, pairs[0] */
      {ABI_SLOT_USER + 20, 1, 1, 0, 32}, {ABI_SLOT_USER + 24, 5, 1, 0, 40},
   };
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(captured_vert), ABI_STAGE_VERTEX);
   struct ir_shader *shader = translate(&arena, &desc);
   if (shader) {
      CHECK_EQ(shader->info.num_xfb_ranges, UTIL_ARRAY_SIZE(expected));
      CHECK(!memcmp(shader->info.xfb_ranges, expected, sizeof(expected)));
      CHECK_EQ(shader->info.xfb_strides[0], 24);
      CHECK_EQ(shader->info.xfb_strides[1], 80);
      CHECK_EQ(shader->info.xfb_strides[2], 0);
   }
   util_arena_finish(&arena);
}

/* Words that are captured of an output of two components, or -1: it is refused. */
static int32_t count_captured(uint32_t buffer, uint32_t stride, uint32_t offset, uint32_t stream)
{
   static const char format[] = "OpCapability Shader\n"
                                "OpCapability TransformFeedback\n"
                                "OpMemoryModel Logical GLSL450\n"
                                "OpEntryPoint Vertex %%main \"main\" %%out\n"
                                "OpExecutionMode %%main Xfb\n"
                                "OpDecorate %%out Location 31\n"
                                "OpDecorate %%out XfbBuffer %u\n"
                                "OpDecorate %%out XfbStride %u\n"
                                "OpDecorate %%out Offset %u\n"
                                "OpDecorate %%out Stream %u\n"
                                "%%void = OpTypeVoid\n"
                                "%%fn = OpTypeFunction %%void\n"
                                "%%float = OpTypeFloat 32\n"
                                "%%vec2 = OpTypeVector %%float 2\n"
                                "%%out_ptr = OpTypePointer Output %%vec2\n"
                                "%%out = OpVariable %%out_ptr Output\n"
                                "%%main = OpFunction %%void None %%fn\n"
                                "%%entry = OpLabel\n"
                                "OpReturn\n"
                                "OpFunctionEnd\n";
   char text[2 * sizeof(format)];
   struct util_arena arena;
   const char *error;
   int32_t count = -1;
   snprintf(text, sizeof(text), format, buffer, stride, offset, stream);
   spv_binary binary = assemble(text);
   if (!binary)
      return -2;
   util_arena_init(&arena, 0);
   const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_VERTEX);
   const struct ir_shader *shader = spirv_to_ir(&arena, &desc, &error);
   if (shader)
      count = shader->info.num_xfb_ranges ? shader->info.xfb_ranges[0].count : 0;
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
   return count;
}

/* Numbers that the environment forbids, which nobody need have checked. */
TEST(absurd_captures)
{
   CHECK_EQ(count_captured(3, 16, 8, 3), 2);
   CHECK_EQ(count_captured(0, 2048, 2040, 0), 2);
   CHECK_EQ(count_captured(0, 12, 8, 0), 1); /* the rest is the next vertex's */
   CHECK_EQ(count_captured(0, 8, 8, 0), 0);
   CHECK_EQ(count_captured(0, 0, 0, 0), 0);
   CHECK_EQ(count_captured(4, 16, 0, 0), -1);
   CHECK_EQ(count_captured(0, 16, 0, 4), -1);
   CHECK_EQ(count_captured(0, 2052, 0, 0), -1);
   CHECK_EQ(count_captured(0, 15, 0, 0), -1);
   CHECK_EQ(count_captured(0, 16, 2, 0), -1);
   CHECK_EQ(count_captured(0, 16, UINT32_MAX - 3, 0), -1);
   CHECK_EQ(count_captured(UINT32_MAX - 1, 16, 0, 0), -1);
}

/* Lines of source come in every version of the debug information. */
TEST(lines_of_debug_info)
{
   static const char text[] = "OpCapability Shader\n"
                              "OpExtension \"SPV_KHR_non_semantic_info\"\n"
                              "%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
                              "OpMemoryModel Logical GLSL450\n"
                              "OpEntryPoint Vertex %main \"main\" %out\n"
                              "%name = OpString \"own.vert\"\n"
                              "OpDecorate %out Location 0\n"
                              "%void = OpTypeVoid\n"
                              "%fn = OpTypeFunction %void\n"
                              "%uint = OpTypeInt 32 0\n"
                              "%zero = OpConstant %uint 0\n"
                              "%line = OpConstant %uint 77\n"
                              "%out_ptr = OpTypePointer Output %uint\n"
                              "%out = OpVariable %out_ptr Output\n"
                              "%source = OpExtInst %void %set DebugSource %name\n"
                              "%main = OpFunction %void None %fn\n"
                              "%label = OpLabel\n"
                              "%at = OpExtInst %void %set DebugLine %source %line %line %zero %zero\n"
                              "OpStore %out %line\n"
                              "OpReturn\n"
                              "OpFunctionEnd\n";
   static const char versions[] = "029";
   spv_binary binary = assemble(text);
   for (uint32_t i = 0; binary && i < 3; i++) {
      struct util_arena arena;
      char *number = memmem(binary->code, binary->wordCount * 4, "DebugInfo.10", 12);
      CHECK(number != NULL);
      if (!number)
         break;
      number[12] = versions[i];
      const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_VERTEX);
      struct ir_shader *shader = translate(&arena, &desc);
      if (shader) {
         CHECK_EQ(shader->num_lines, 2);
         CHECK_EQ(shader->lines[1].line, 77);
         CHECK(shader->lines[1].file && strcmp(shader->lines[1].file, "own.vert") == 0);
      }
      util_arena_finish(&arena);
   }
   spvBinaryDestroy(binary);
}

/* A pipeline may ask that views have the device's number: there is one device, so it is 0. */
TEST(view_index)
{
   static const char text[] = "OpCapability Shader\n"
                              "OpCapability MultiView\n"
                              "OpExtension \"SPV_KHR_multiview\"\n"
                              "OpMemoryModel Logical GLSL450\n"
                              "OpEntryPoint Vertex %main \"main\" %view %out\n"
                              "OpDecorate %view BuiltIn ViewIndex\n"
                              "OpDecorate %out Location 0\n"
                              "%void = OpTypeVoid\n"
                              "%fn = OpTypeFunction %void\n"
                              "%int = OpTypeInt 32 1\n"
                              "%in_ptr = OpTypePointer Input %int\n"
                              "%out_ptr = OpTypePointer Output %int\n"
                              "%view = OpVariable %in_ptr Input\n"
                              "%out = OpVariable %out_ptr Output\n"
                              "%main = OpFunction %void None %fn\n"
                              "%label = OpLabel\n"
                              "%value = OpLoad %int %view\n"
                              "OpStore %out %value\n"
                              "OpReturn\n"
                              "OpFunctionEnd\n";
   spv_binary binary = assemble(text);
   for (int is_device = 0; binary && is_device <= 1; is_device++) {
      struct util_arena arena;
      struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_VERTEX);
      desc.view_index_is_device_index = is_device != 0;
      struct ir_shader *shader = translate(&arena, &desc);
      struct ir_run r = {0};
      r.sysvals[IR_SYSVAL_VIEW_INDEX][0] = 3;
      if (shader && run(&r, shader))
         CHECK_EQ(r.outputs[ABI_SLOT_USER], is_device ? 0 : 3);
      util_arena_finish(&arena);
   }
   spvBinaryDestroy(binary);
}

TEST(fragment_interface)
{
   static const uint8_t inputs[] = {16, 17, 20, 21, 24, 28, 29, 30, 44};
   static const uint8_t outputs[] = {0, 1, 2, 3, 8, 9, ABI_FRAG_DEPTH};
   struct util_arena arena;
   const struct comp_shader_desc desc = describe(MODULE(stage_frag), ABI_STAGE_FRAGMENT);
   struct ir_shader *shader = translate(&arena, &desc);
   if (shader) {
      ir_analyze_summary(shader);
      const struct abi_shader_info *info = &shader->info;
      CHECK(has_slots(info->inputs, sizeof(info->inputs), inputs, sizeof(inputs)));
      CHECK(has_slots(info->outputs, sizeof(info->outputs), outputs, sizeof(outputs)));
      CHECK_EQ(info->interp[16], IR_INTERP_PERSPECTIVE);
      CHECK_EQ(info->interp[24], IR_INTERP_FLAT);
      CHECK_EQ(info->interp[44], IR_INTERP_LINEAR);
      CHECK_EQ(info->output_is_int[0], 0);
      CHECK_EQ(info->output_is_int[2], 1);
      CHECK(info->uses_discard && info->uses_derivatives && info->has_side_effects);
      CHECK(!info->uses_sample && !info->early_tests);
   }
   util_arena_finish(&arena);
}

/* ---- extensions of AMD for fragment shaders ---- */

static const char *const amd_fragment =
   "OpCapability Shader\nOpCapability InputAttachment\nOpCapability StencilExportEXT\nOpCapability FragmentMaskAMD\n"
   "OpExtension \"SPV_AMD_shader_fragment_mask\"\nOpExtension \"SPV_AMD_shader_early_and_late_fragment_tests\"\nOpExtension \"SPV_EXT_shader_stencil_export\"\n"
   "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %%main \"main\" %%out %%depth\nOpExecutionMode %%main OriginUpperLeft\n%s"
   "OpDecorate %%out Location 0\nOpDecorate %%depth BuiltIn FragDepth\nOpDecorate %%picture DescriptorSet 0\nOpDecorate %%picture Binding 0\n"
   "OpDecorate %%input DescriptorSet 0\nOpDecorate %%input Binding 1\nOpDecorate %%input InputAttachmentIndex 0\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n%%vec4 = OpTypeVector %%float 4\n%%uint = OpTypeInt 32 0\n"
   "%%int = OpTypeInt 32 1\n%%ivec2 = OpTypeVector %%int 2\n%%c2 = OpConstant %%uint 2\n%%i1 = OpConstant %%int 1\n%%at = OpConstantComposite %%ivec2 %%i1 %%i1\n"
   "%%i0 = OpConstant %%int 0\n%%here = OpConstantComposite %%ivec2 %%i0 %%i0\n%%half = OpConstant %%float 0.5\n"
   "%%image = OpTypeImage %%float 2D 0 0 1 1 Unknown\n%%attachment = OpTypeImage %%float SubpassData 0 0 1 2 Unknown\n"
   "%%ptr_image = OpTypePointer UniformConstant %%image\n%%ptr_attachment = OpTypePointer UniformConstant %%attachment\n"
   "%%ptr_out = OpTypePointer Output %%vec4\n%%ptr_depth = OpTypePointer Output %%float\n"
   "%%picture = OpVariable %%ptr_image UniformConstant\n%%input = OpVariable %%ptr_attachment UniformConstant\n"
   "%%out = OpVariable %%ptr_out Output\n%%depth = OpVariable %%ptr_depth Output\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%p = OpLoad %%image %%picture\n%%a = OpLoad %%attachment %%input\n%s"
   "OpReturn\nOpFunctionEnd\n";

/* Calls use() with the shader; nothing, and a failed check, where it does not become one. */
static void with_amd_fragment(const char *modes, const char *body, void (*use)(struct ir_shader *, struct util_arena *, void *), void *data)
{
   static char text[1 << 13];
   struct util_arena arena;
   snprintf(text, sizeof(text), amd_fragment, modes, body);
   spv_binary binary = assemble(text);
   if (!binary)
      return;
   const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_FRAGMENT);
   struct ir_shader *shader = translate(&arena, &desc);
   if (shader)
      use(shader, &arena, data);
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
}

static void take_early_tests(struct ir_shader *shader, struct util_arena *arena, void *data)
{
   (void)arena;
   *(uint32_t *)data = shader->info.early_tests;
}

/* Depth that the shader replaces is tested after it. */
TEST(early_and_late_tests)
{
   static const struct {
      const char *modes;
      uint32_t early;
   } cases[] = {
      {"", 0},
      {"OpExecutionMode %main EarlyAndLateFragmentTestsAMD\n", 1},
      {"OpExecutionMode %main EarlyAndLateFragmentTestsAMD\nOpExecutionMode %main DepthReplacing\nOpExecutionMode %main DepthUnchanged\n", 0},
      {"OpExecutionMode %main StencilRefReplacingEXT\nOpExecutionMode %main StencilRefLessBackAMD\nOpExecutionMode %main StencilRefGreaterFrontAMD\n"
       "OpExecutionMode %main EarlyAndLateFragmentTestsAMD\n", 0},
   };
   for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      uint32_t early = 7;
      with_amd_fragment(cases[i].modes, "", take_early_tests, &early);
      CHECK_EQ(early, cases[i].early);
   }
}

static void take_text(struct ir_shader *shader, struct util_arena *arena, void *data)
{
   const char *text = ir_print_to_string(shader, arena);
   snprintf(data, 1 << 13, "%s", text ? text : "");
}

/* A fragment is the sample of that number. */
TEST(fragment_masks)
{
   static const char *const pairs[][2] = {
      {"%v = OpFragmentFetchAMD %vec4 %p %at %c2\nOpStore %out %v\n", "%v = OpImageFetch %vec4 %p %at Sample %c2\nOpStore %out %v\n"},
      {"%v = OpFragmentFetchAMD %vec4 %a %here %c2\nOpStore %out %v\n", "%v = OpImageRead %vec4 %a %here Sample %c2\nOpStore %out %v\n"},
   };
   static char texts[2][1 << 13];
   for (uint32_t i = 0; i < 2; i++) {
      for (uint32_t k = 0; k < 2; k++)
         with_amd_fragment("OpExecutionMode %main DepthReplacing\n", pairs[i][k], take_text, texts[k]);
      CHECK(strlen(texts[0]) > 100);
      CHECK(!strcmp(texts[0], texts[1]));
   }
   with_amd_fragment("OpExecutionMode %main DepthReplacing\n",
                     "%m = OpFragmentMaskFetchAMD %uint %p %at\n%f = OpBitcast %float %m\nOpStore %depth %f\n", take_text, texts[0]);
   CHECK(strstr(texts[0], "0x76543210") != NULL);
}

/* ---- what is wrong ---- */

static const char *error_of(struct util_arena *arena, const char *assembly)
{
   const char *error = "";
   spv_binary binary = assemble(assembly);
   util_arena_init(arena, 0);
   if (binary) {
      const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_COMPUTE);
      if (spirv_to_ir(arena, &desc, &error))
         error = "no error";
   }
   spvBinaryDestroy(binary);
   return error;
}

#define HEADER                                                                                                         \
   "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"                       \
   "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"

TEST(errors_name_what_is_not_supported)
{
   struct util_arena arena;
   CHECK(strstr(
      error_of(&arena, HEADER "%main = OpFunction %void None %fn\n%a = OpLabel\nOpEmitVertex\nOpReturn\nOpFunctionEnd"),
      "OpEmitVertex"));
   util_arena_finish(&arena);
   CHECK(strstr(error_of(&arena,
                         HEADER "%main = OpFunction %void None %fn\n%a = OpLabel\n%b = OpFunctionCall %void %main\n"
                                "OpReturn\nOpFunctionEnd"),
                "calls itself"));
   util_arena_finish(&arena);
   CHECK(strstr(error_of(&arena, HEADER "%main = OpFunction %void None %fn\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\n"
                                        "OpBranch %b\nOpFunctionEnd"),
                "OpLoopMerge"));
   util_arena_finish(&arena);
   CHECK(strstr(error_of(&arena, "OpCapability Shader\nOpMemoryModel Logical GLSL450"), "no entry point"));
   util_arena_finish(&arena);
}

static uint64_t next_random(uint64_t *state)
{
   *state ^= *state << 13;
   *state ^= *state >> 7;
   *state ^= *state << 17;
   return *state >> 11;
}

static void mutate(uint32_t *words, size_t num_words, uint32_t bound, uint64_t *state)
{
   for (uint32_t n = 1 + next_random(state) % 3; n; n--) {
      uint32_t *word = &words[5 + next_random(state) % (num_words - 5)];
      switch (next_random(state) % 5) {
      case 0: *word = words[5 + next_random(state) % (num_words - 5)]; break;
      case 1: *word ^= 1u << next_random(state) % 32; break;
      case 2: *word = (uint32_t)(next_random(state) % bound); break;
      case 3: *word += (uint32_t)(next_random(state) % 5) - 2; break;
      case 4: *word = (*word & 0xffff0000) | (uint32_t)(next_random(state) % 460); break;
      }
   }
}

/* Errors are fine, so is sense out of nonsense; faults, hangs and unbounded memory are not. */
static void translate_damaged(const struct comp_shader_desc *desc)
{
   struct util_arena arena;
   jmp_buf on_oom;
   util_arena_init(&arena, 64 << 20);
   arena.on_oom = &on_oom;
   if (!setjmp(on_oom)) {
      const char *error = NULL;
      const struct ir_shader *shader = spirv_to_ir(&arena, desc, &error);
      CHECK((shader != NULL) == (error == NULL));
   }
   util_arena_finish(&arena);
}

static void damage(const uint32_t *words, size_t num_words, enum abi_stage stage, uint64_t seed)
{
   uint64_t state = seed;
   uint32_t *copy = malloc(num_words * 4);
   for (uint32_t i = 0; i < 400; i++) {
      memcpy(copy, words, num_words * 4);
      mutate(copy, num_words, words[3], &state);
      const size_t cut = i % 16 == 0 ? next_random(&state) % num_words : 0;
      const struct comp_shader_desc desc = describe(copy, num_words - cut, stage);
      translate_damaged(&desc);
   }
   free(copy);
}

/* Each of `depth` functions calls the next one twice. */
static bool call_graph_translates(uint32_t depth)
{
   static char text[1 << 14];
   size_t end = (size_t)snprintf(text, sizeof(text),
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
      "OpExecutionMode %%main LocalSize 1 1 1\n%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n");
   for (uint32_t i = 0; i <= depth; i++) {
      char name[16] = "main";
      if (i)
         snprintf(name, sizeof(name), "f%u", i);
      end += (size_t)snprintf(text + end, sizeof(text) - end, "%%%s = OpFunction %%void None %%fn\n%%b%u = OpLabel\n", name, i);
      for (uint32_t call = 0; call < 2 && i < depth; call++)
         end += (size_t)snprintf(text + end, sizeof(text) - end, "%%c%u_%u = OpFunctionCall %%void %%f%u\n", i, call, i + 1);
      end += (size_t)snprintf(text + end, sizeof(text) - end, "OpReturn\nOpFunctionEnd\n");
   }
   spv_binary binary = assemble(text);
   if (!binary)
      return false;
   const struct comp_shader_desc desc = describe(binary->code, binary->wordCount, ABI_STAGE_COMPUTE);
   struct util_arena arena;
   const char *error = NULL;
   util_arena_init(&arena, 16 << 20);
   jmp_buf oom;
   arena.on_oom = &oom;
   bool is_translated = false;
   if (setjmp(oom))
      test_fail(__FILE__, __LINE__, "memory was spent on code that is too large");
   else
      is_translated = spirv_to_ir(&arena, &desc, &error) != NULL;
   if (!is_translated)
      CHECK(error && strstr(error, "after inlining"));
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
   return is_translated;
}

/* Inlining doubles the code with each function: what is too large is refused before any of it is made. */
TEST(call_graphs_are_bounded)
{
   CHECK(call_graph_translates(10));
   CHECK(!call_graph_translates(24));
   CHECK(!call_graph_translates(100));
}

TEST(damaged_modules_are_survived)
{
   damage(MODULE(flow_comp), ABI_STAGE_COMPUTE, 1);
   damage(MODULE(layout_comp), ABI_STAGE_COMPUTE, 2);
   damage(MODULE(shared_comp), ABI_STAGE_COMPUTE, 3);
   damage(MODULE(math_comp), ABI_STAGE_COMPUTE, 4);
   damage(MODULE(stage_vert), ABI_STAGE_VERTEX, 5);
   damage(MODULE(stage_frag), ABI_STAGE_FRAGMENT, 6);
   damage(MODULE(stage_geom), ABI_STAGE_GEOMETRY, 60);
   damage(MODULE(captured_vert), ABI_STAGE_VERTEX, 61);
   damage(MODULE(stage_tesc), ABI_STAGE_CONTROL, 62);
   damage(MODULE(stage_tese), ABI_STAGE_EVALUATION, 63);
   static const char *const assembled[] = {SPIRV_TEST_DIR "/phi.spvasm", SPIRV_TEST_DIR "/pointers.spvasm"};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(assembled); i++) {
      spv_binary binary = assemble_file(assembled[i]);
      if (binary)
         damage(binary->code, binary->wordCount, ABI_STAGE_COMPUTE, 7 + i);
      spvBinaryDestroy(binary);
   }
}

TEST_MAIN
