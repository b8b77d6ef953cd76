/* SPDX-License-Identifier: MIT
 * The generator: a function's body is written statement by statement; values made inside a construct are forgotten at its end. */
#include "tests/fuzz/random_spirv.h"

#include "tests/random.h"
#include "util/macros.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { U32, F32, U64, F64, U8, U16, F16, BOOL, NUM_TYPES, NONE = NUM_TYPES };
static const char *const type_names[] = {"%u32", "%f32", "%u64", "%f64", "%u8", "%u16", "%f16", "%bool"};
static const uint8_t type_bits[NUM_TYPES] = {32, 32, 64, 64, 8, 16, 16, 1};
static const char *const nans[NUM_TYPES] = {[F32] = "%nan32", [F64] = "%nan64", [F16] = "%nan16"}; /* of floats */

enum { MAX_VALUES = 512, MAX_LOOPS = 8, NUM_VARS = 3, MAX_SIDE_BY_SIDE = 4 };

struct text {
   char *bytes;
   size_t size, capacity;
   bool is_broken;
};

/* What is around the body in a stage. */
struct form {
   const char *model, *capabilities, *modes;
   const char *interface;  /* input and output variables but %out */
   const char *variables;  /* what declares them */
   const char *decorations;
   const char *number;     /* makes %x, the invocation's number, and %corner if num_corners */
   const char *begin, *end; /* if not NULL, the body is a function that is called between the two; end has the terminator */
   uint32_t num_corners;   /* vertices that what is per vertex is an array of; 0: none */
   bool has_words;         /* outputs at location 0 */
   bool has_position;
   bool is_mesh;          /* SPIR-V 1.4 */
};

struct maker {
   const struct form *form;
   uint64_t state;
   const uint8_t *choices, *end_of_choices; /* what pick() gives first */
   struct text decorations, constants, functions, *body;
   struct text variables; /* of the function in the making: they stand first in it */
   uint32_t next_id, label; /* label: of the block in the making */
   uint32_t values[NUM_TYPES][MAX_VALUES], num_values[NUM_TYPES];
   uint32_t vars[NUM_VARS], array; /* of the function */
   uint32_t array_size;
   struct {
      uint32_t merge, next;
   } loops[MAX_LOOPS];
   uint32_t num_loops;
   int32_t budget;
   bool is_untyped;
   bool is_main, may_leave; /* may_leave: not directly in the function's body */
   uint32_t helper;         /* a function that may be called; 0: none */
};

struct operation {
   const char *name; /* with a point in front: of GLSL.std.450 */
   uint8_t result, operands[4];
};

static const struct operation operations[] = {
   {"IAdd", U32, {U32, U32, NONE}}, {"ISub", U32, {U32, U32, NONE}}, {"IMul", U32, {U32, U32, NONE}},
   {"UDiv", U32, {U32, U32, NONE}}, {"SDiv", U32, {U32, U32, NONE}}, {"UMod", U32, {U32, U32, NONE}},
   {"SRem", U32, {U32, U32, NONE}}, {"SMod", U32, {U32, U32, NONE}}, {"BitwiseAnd", U32, {U32, U32, NONE}},
   {"BitwiseOr", U32, {U32, U32, NONE}}, {"BitwiseXor", U32, {U32, U32, NONE}}, {"ShiftLeftLogical", U32, {U32, U32, NONE}},
   {"ShiftRightLogical", U32, {U32, U32, NONE}}, {"ShiftRightArithmetic", U32, {U32, U32, NONE}}, {"Not", U32, {U32, NONE}},
   {"SNegate", U32, {U32, NONE}}, {"BitReverse", U32, {U32, NONE}}, {"BitCount", U32, {U32, NONE}},
   {"BitFieldInsert", U32, {U32, U32, U32, U32}},
   {"BitFieldUExtract", U32, {U32, U32, U32, NONE}}, {"BitFieldSExtract", U32, {U32, U32, U32, NONE}},
   {".UMin", U32, {U32, U32, NONE}}, {".SMax", U32, {U32, U32, NONE}}, {".SAbs", U32, {U32, NONE}}, {".FindUMsb", U32, {U32, NONE}},
   {".FindILsb", U32, {U32, NONE}}, {"ConvertFToU", U32, {F32, NONE}}, {"ConvertFToS", U32, {F32, NONE}}, {"Bitcast", U32, {F32, NONE}},
   {"UConvert", U32, {U64, NONE}}, {"ConvertFToS", U32, {F64, NONE}}, {"Select", U32, {BOOL, U32, U32, NONE}},
   {"FAdd", F32, {F32, F32, NONE}}, {"FSub", F32, {F32, F32, NONE}}, {"FMul", F32, {F32, F32, NONE}}, {"FDiv", F32, {F32, F32, NONE}},
   {"FNegate", F32, {F32, NONE}}, {".FAbs", F32, {F32, NONE}}, {".Floor", F32, {F32, NONE}}, {".Ceil", F32, {F32, NONE}},
   {".Trunc", F32, {F32, NONE}}, {".RoundEven", F32, {F32, NONE}}, {".Sqrt", F32, {F32, NONE}}, {".FMin", F32, {F32, F32, NONE}},
   {".FMax", F32, {F32, F32, NONE}}, {".Fma", F32, {F32, F32, F32, NONE}}, {".Fract", F32, {F32, NONE}}, {".FSign", F32, {F32, NONE}},
   {"ConvertUToF", F32, {U32, NONE}}, {"ConvertSToF", F32, {U32, NONE}}, {"Bitcast", F32, {U32, NONE}}, {"FConvert", F32, {F64, NONE}},
   {"ConvertUToF", F32, {U64, NONE}}, {"Select", F32, {BOOL, F32, F32, NONE}},
   {"IAdd", U64, {U64, U64, NONE}}, {"ISub", U64, {U64, U64, NONE}}, {"IMul", U64, {U64, U64, NONE}}, {"UDiv", U64, {U64, U64, NONE}},
   {"SRem", U64, {U64, U64, NONE}}, {"BitwiseXor", U64, {U64, U64, NONE}}, {"ShiftLeftLogical", U64, {U64, U64, NONE}},
   {"ShiftRightArithmetic", U64, {U64, U64, NONE}}, {"UConvert", U64, {U32, NONE}}, {"SConvert", U64, {U32, NONE}},
   {"Bitcast", U64, {F64, NONE}}, {"ConvertFToU", U64, {F64, NONE}}, {"Select", U64, {BOOL, U64, U64, NONE}},
   {"FAdd", F64, {F64, F64, NONE}}, {"FSub", F64, {F64, F64, NONE}}, {"FMul", F64, {F64, F64, NONE}}, {"FDiv", F64, {F64, F64, NONE}},
   {".Fma", F64, {F64, F64, F64, NONE}}, {".Sqrt", F64, {F64, NONE}}, {".Floor", F64, {F64, NONE}}, {".FMax", F64, {F64, F64, NONE}},
   {"FConvert", F64, {F32, NONE}}, {"ConvertSToF", F64, {U32, NONE}}, {"ConvertSToF", F64, {U64, NONE}}, {"Bitcast", F64, {U64, NONE}},
#define NARROW_OPERATIONS(TYPE, WIDE, FLOAT)                                                                                                          \
   {"IAdd", TYPE, {TYPE, TYPE, NONE}}, {"ISub", TYPE, {TYPE, TYPE, NONE}}, {"IMul", TYPE, {TYPE, TYPE, NONE}}, {"UDiv", TYPE, {TYPE, TYPE, NONE}},    \
   {"SDiv", TYPE, {TYPE, TYPE, NONE}}, {"UMod", TYPE, {TYPE, TYPE, NONE}}, {"SMod", TYPE, {TYPE, TYPE, NONE}},                                        \
   {"BitwiseOr", TYPE, {TYPE, TYPE, NONE}}, {"Not", TYPE, {TYPE, NONE}}, {"ShiftLeftLogical", TYPE, {TYPE, TYPE, NONE}},                              \
   {"ShiftRightLogical", TYPE, {TYPE, TYPE, NONE}}, {"ShiftRightArithmetic", TYPE, {TYPE, TYPE, NONE}}, {".SMin", TYPE, {TYPE, TYPE, NONE}},          \
   {"UConvert", TYPE, {WIDE, NONE}}, {"UConvert", TYPE, {U32, NONE}}, {"UConvert", U32, {TYPE, NONE}}, {"SConvert", U32, {TYPE, NONE}},               \
   {"SConvert", WIDE, {TYPE, NONE}}, {"ConvertFToU", TYPE, {FLOAT, NONE}}, {"ConvertFToS", TYPE, {F32, NONE}}, {"ConvertSToF", FLOAT, {TYPE, NONE}},  \
   {"ConvertUToF", F32, {TYPE, NONE}}, {"Select", TYPE, {BOOL, TYPE, TYPE, NONE}}, {"ULessThan", BOOL, {TYPE, TYPE, NONE}},                           \
   {"SGreaterThanEqual", BOOL, {TYPE, TYPE, NONE}}, {"IEqual", BOOL, {TYPE, TYPE, NONE}}
   NARROW_OPERATIONS(U8, U16, F16), NARROW_OPERATIONS(U16, U64, F64),
   {"FAdd", F16, {F16, F16, NONE}}, {"FSub", F16, {F16, F16, NONE}}, {"FMul", F16, {F16, F16, NONE}}, {"FDiv", F16, {F16, F16, NONE}},
   {"FNegate", F16, {F16, NONE}}, {".FAbs", F16, {F16, NONE}}, {".Floor", F16, {F16, NONE}}, {".RoundEven", F16, {F16, NONE}},
   {".Sqrt", F16, {F16, NONE}}, {".FMin", F16, {F16, F16, NONE}}, {".FMax", F16, {F16, F16, NONE}}, {".Fma", F16, {F16, F16, F16, NONE}},
   {"FConvert", F16, {F32, NONE}}, {"FConvert", F16, {F64, NONE}}, {"FConvert", F32, {F16, NONE}}, {"FConvert", F64, {F16, NONE}},
   {"ConvertUToF", F16, {U32, NONE}}, {"ConvertFToS", U32, {F16, NONE}}, {"Bitcast", F16, {U16, NONE}}, {"Bitcast", U16, {F16, NONE}},
   {"Select", F16, {BOOL, F16, F16, NONE}}, {"FOrdLessThan", BOOL, {F16, F16, NONE}}, {"FUnordEqual", BOOL, {F16, F16, NONE}},
   {"IEqual", BOOL, {U32, U32, NONE}}, {"INotEqual", BOOL, {U64, U64, NONE}}, {"ULessThan", BOOL, {U32, U32, NONE}},
   {"SLessThanEqual", BOOL, {U32, U32, NONE}}, {"SGreaterThan", BOOL, {U64, U64, NONE}}, {"FOrdLessThan", BOOL, {F32, F32, NONE}},
   {"FUnordGreaterThanEqual", BOOL, {F32, F32, NONE}}, {"FOrdNotEqual", BOOL, {F64, F64, NONE}}, {"IsInf", BOOL, {F32, NONE}},
   {"LogicalAnd", BOOL, {BOOL, BOOL, NONE}}, {"LogicalOr", BOOL, {BOOL, BOOL, NONE}}, {"LogicalNot", BOOL, {BOOL, NONE}},
   {"LogicalNotEqual", BOOL, {BOOL, BOOL, NONE}},
};

/* ---- stages ---- */

#define DECLARES_GLOBAL_ID "%ptr_v3 = OpTypePointer Input %v3\n%global_id = OpVariable %ptr_v3 Input\n"
#define DECLARES_WORD(name) "%" name " = OpVariable %ptr_in_u32 Input\n"
#define DECORATES(name, built_in) "OpDecorate %" name " BuiltIn " built_in "\n"
#define DECORATES_POINT DECORATES("position", "Position") DECORATES("point_size", "PointSize")
#define NUMBER_OF_GLOBAL_ID "%id = OpLoad %v3 %global_id\n%x = OpCompositeExtract %u32 %id 0\n"
#define NUMBER_OF_PARTS(parts) \
   "%corner = OpLoad %u32 %invocation\n%whole = OpLoad %u32 %primitive\n%first = OpIMul %u32 %whole " parts "\n%x = OpIAdd %u32 %first %corner\n"

static const struct form forms[] = {
   [ABI_STAGE_VERTEX] = {.model = "Vertex", .capabilities = "", .modes = "", .interface = "%vertex %position %point_size",
                         .variables = DECLARES_WORD("vertex"), .decorations = DECORATES("vertex", "VertexIndex") DECORATES_POINT,
                         .number = "%x = OpLoad %u32 %vertex\n", .has_words = true, .has_position = true},
   [ABI_STAGE_CONTROL] = {.model = "TessellationControl", .capabilities = "OpCapability Tessellation\n", .modes = "OpExecutionMode %main OutputVertices 4\n",
                          .interface = "%primitive %invocation %outer %inner",
                          .variables = DECLARES_WORD("primitive") DECLARES_WORD("invocation") "%two = OpConstant %u32 2\n%outer_type = OpTypeArray %f32 %four\n"
                             "%inner_type = OpTypeArray %f32 %two\n%ptr_outer = OpTypePointer Output %outer_type\n%ptr_inner = OpTypePointer Output %inner_type\n"
                             "%outer = OpVariable %ptr_outer Output\n%inner = OpVariable %ptr_inner Output\n"
                             "%level_outer = OpConstantComposite %outer_type %f_1 %f_1 %f_1 %f_1\n%level_inner = OpConstantComposite %inner_type %f_1 %f_1\n",
                          .decorations = DECORATES("primitive", "PrimitiveId") DECORATES("invocation", "InvocationId") DECORATES("outer", "TessLevelOuter")
                             DECORATES("inner", "TessLevelInner") "OpDecorate %outer Patch\nOpDecorate %inner Patch\n",
                          .number = NUMBER_OF_PARTS("%four") "OpStore %outer %level_outer\nOpStore %inner %level_inner\n",
                          .num_corners = 4, .has_words = true},
   [ABI_STAGE_EVALUATION] = {.model = "TessellationEvaluation", .capabilities = "OpCapability Tessellation\nOpCapability TessellationPointSize\n",
                             .modes = "OpExecutionMode %main Quads\nOpExecutionMode %main SpacingEqual\nOpExecutionMode %main VertexOrderCcw\n"
                                "OpExecutionMode %main PointMode\n",
                             .interface = "%primitive %coordinates %position %point_size",
                             .variables = DECLARES_WORD("primitive") "%v3f = OpTypeVector %f32 3\n%ptr_v3f = OpTypePointer Input %v3f\n"
                                "%coordinates = OpVariable %ptr_v3f Input\n%two = OpConstant %u32 2\n",
                             .decorations = DECORATES("primitive", "PrimitiveId") DECORATES("coordinates", "TessCoord") DECORATES_POINT,
                             .number = "%uvw = OpLoad %v3f %coordinates\n%u_float = OpCompositeExtract %f32 %uvw 0\n%v_float = OpCompositeExtract %f32 %uvw 1\n"
                                "%u = OpConvertFToU %u32 %u_float\n%v = OpConvertFToU %u32 %v_float\n%two_v = OpIMul %u32 %v %two\n"
                                "%part = OpIAdd %u32 %u %two_v\n%whole = OpLoad %u32 %primitive\n%first = OpIMul %u32 %whole %four\n"
                                "%x = OpIAdd %u32 %first %part\n",
                             .has_words = true, .has_position = true},
   [ABI_STAGE_GEOMETRY] = {.model = "Geometry", .capabilities = "OpCapability Geometry\nOpCapability GeometryPointSize\n",
                           .modes = "OpExecutionMode %main InputPoints\nOpExecutionMode %main Invocations 2\nOpExecutionMode %main OutputPoints\n"
                              "OpExecutionMode %main OutputVertices 1\n",
                           .interface = "%primitive %invocation %position %point_size",
                           .variables = DECLARES_WORD("primitive") DECLARES_WORD("invocation") "%two = OpConstant %u32 2\n",
                           .decorations = DECORATES("primitive", "PrimitiveId") DECORATES("invocation", "InvocationId") DECORATES_POINT,
                           .number = NUMBER_OF_PARTS("%two"), .begin = "", .end = "OpEmitVertex\nOpReturn\n", .has_words = true, .has_position = true},
   [ABI_STAGE_TASK] = {.model = "TaskEXT", .capabilities = "OpCapability MeshShadingEXT\n",
                       .modes = "OpExecutionMode %main LocalSize 40 1 1\n", .interface = "%global_id %inputs %outputs",
                       .variables = DECLARES_GLOBAL_ID "%one = OpConstant %u32 1\n",
                       .decorations = DECORATES("global_id", "GlobalInvocationId"), .number = NUMBER_OF_GLOBAL_ID, .begin = "",
                       .end = "OpEmitMeshTasksEXT %one %one %one\n", .is_mesh = true},
   [ABI_STAGE_MESH] = {.model = "MeshEXT", .capabilities = "OpCapability MeshShadingEXT\n",
                       .modes = "OpExecutionMode %main LocalSize 40 1 1\nOpExecutionMode %main OutputVertices 40\nOpExecutionMode %main OutputPrimitivesEXT 40\n"
                          "OpExecutionMode %main OutputPoints\n",
                       .interface = "%global_id %local_index %position %point_size %points %inputs %outputs",
                       .variables = DECLARES_GLOBAL_ID DECLARES_WORD("local_index") "%forty = OpConstant %u32 40\n%points_type = OpTypeArray %u32 %forty\n"
                          "%ptr_points = OpTypePointer Output %points_type\n%points = OpVariable %ptr_points Output\n",
                       .decorations = DECORATES("global_id", "GlobalInvocationId") DECORATES("local_index", "LocalInvocationIndex")
                          DECORATES("points", "PrimitivePointIndicesEXT") DECORATES_POINT,
                       .number = NUMBER_OF_GLOBAL_ID "%corner = OpLoad %u32 %local_index\n%point = OpAccessChain %ptr_out_u32 %points %corner\n"
                          "OpStore %point %corner\n",
                       .begin = "OpSetMeshOutputsEXT %forty %forty\n", .end = "OpReturn\n", .num_corners = 40, .has_words = true, .has_position = true,
                       .is_mesh = true},
   [ABI_STAGE_FRAGMENT] = {.model = "Fragment", .capabilities = "", .modes = "OpExecutionMode %main OriginUpperLeft\n", .interface = "%texel",
                           .variables = "%ptr_in_v4f = OpTypePointer Input %v4f\n%texel = OpVariable %ptr_in_v4f Input\n",
                           .decorations = DECORATES("texel", "FragCoord"),
                           .number = "%at = OpLoad %v4f %texel\n%column_float = OpCompositeExtract %f32 %at 0\n%row_float = OpCompositeExtract %f32 %at 1\n"
                              "%column = OpConvertFToU %u32 %column_float\n%row = OpConvertFToU %u32 %row_float\n%first = OpIMul %u32 %row %columns\n"
                              "%x = OpIAdd %u32 %first %column\n",
                           .has_words = true},
   [ABI_STAGE_COMPUTE] = {.model = "GLCompute", .capabilities = "", .modes = "OpExecutionMode %main LocalSize 40 1 1\n", .interface = "%global_id",
                          .variables = DECLARES_GLOBAL_ID, .decorations = DECORATES("global_id", "GlobalInvocationId"), .number = NUMBER_OF_GLOBAL_ID},
};
static_assert(RANDOM_SPIRV_LOCAL_SIZE == 40, "as the modes say");

/* ---- text and numbers ---- */

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
   char line[1024];
   va_list args;
   va_start(args, format);
   const int length = vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   text->is_broken |= length < 0 || (size_t)length >= sizeof(line);
   if (text->is_broken)
      return;
   if (text->size + (size_t)length + 1 > text->capacity) {
      const size_t capacity = text->capacity * 2 + 4096;
      char *bytes = realloc(text->bytes, capacity);
      if (!bytes) {
         text->is_broken = true;
         return;
      }
      text->bytes = bytes;
      text->capacity = capacity;
   }
   memcpy(text->bytes + text->size, line, (size_t)length + 1);
   text->size += (size_t)length;
}

static uint32_t pick(struct maker *m, uint32_t count)
{
   if (m->choices < m->end_of_choices)
      return *m->choices++ % count;
   return random_pick(&m->state, count);
}

static uint32_t new_id(struct maker *m)
{
   return m->next_id++;
}

/* ---- values ---- */

static uint32_t constant(struct maker *m, enum type type)
{
   static const uint32_t words[] = {0, 1, 2, 5, 31, 32, 255, 65536, 2147483648, 4294967295, 1065353216, 8388607};
   static const char *const halves[] = {"0", "-0", "1", "-1", "0.5", "3", "6e-8", "-1.5e-5", "65504", "1000", "0.1", "2049", "-2.5"};
   static const char *const floats[] = {"0", "-0", "1", "-1", "0.5", "3", "1e-40", "-1.5e-38", "3e38", "1e10", "0.1", "8388609", "-2.5"};
   const uint32_t id = new_id(m);
   if (type == BOOL)
      put(&m->constants, "%%%u = OpConstant%s %%bool\n", id, pick(m, 2) ? "True" : "False");
   else if (!nans[type])
      put(&m->constants, "%%%u = OpConstant %s %u\n", id, type_names[type],
          words[pick(m, UTIL_ARRAY_SIZE(words))] & (uint32_t)((UINT64_C(1) << UTIL_MIN(type_bits[type], 32)) - 1));
   else if (type == F16)
      put(&m->constants, "%%%u = OpConstant %%f16 %s\n", id, halves[pick(m, UTIL_ARRAY_SIZE(halves))]);
   else
      put(&m->constants, "%%%u = OpConstant %s %s\n", id, type_names[type], floats[pick(m, UTIL_ARRAY_SIZE(floats))]);
   return id;
}

static uint32_t number(struct maker *m, uint32_t value)
{
   const uint32_t id = new_id(m);
   put(&m->constants, "%%%u = OpConstant %%u32 %u\n", id, value);
   return id;
}

static uint32_t value(struct maker *m, enum type type)
{
   const uint32_t count = m->num_values[type];
   if (!count || pick(m, 8) == 0)
      return constant(m, type);
   const uint32_t near = count > 6 && pick(m, 3) ? 6 : count; /* recent ones more often */
   return m->values[type][count - 1 - pick(m, near)];
}

static void add_value(struct maker *m, enum type type, uint32_t id)
{
   if (m->num_values[type] < MAX_VALUES)
      m->values[type][m->num_values[type]++] = id;
}

/* A float with all NaNs made the same one. */
static uint32_t with_one_nan(struct maker *m, enum type type, uint32_t id)
{
   if (!nans[type])
      return id;
   const uint32_t test = new_id(m), chosen = new_id(m);
   put(m->body, "%%%u = OpIsNan %%bool %%%u\n%%%u = OpSelect %s %%%u %s %%%u\n", test, id, chosen, type_names[type], test,
       nans[type], id);
   return chosen;
}

static void make_value(struct maker *m)
{
   const struct operation *op = &operations[pick(m, UTIL_ARRAY_SIZE(operations))];
   uint32_t ids[4] = {0}, count = 0;
   while (count < 4 && op->operands[count] != NONE) {
      ids[count] = value(m, (enum type)op->operands[count]);
      count++;
   }
   const uint32_t result = new_id(m);
   const bool is_extended = op->name[0] == '.';
   put(m->body, "%%%u = %s%s %s%s", result, is_extended ? "OpExtInst" : "Op", is_extended ? "" : op->name, type_names[op->result],
       is_extended ? " %glsl " : "");
   if (is_extended)
      put(m->body, "%s", op->name + 1);
   for (uint32_t i = 0; i < count; i++)
      put(m->body, " %%%u", ids[i]);
   put(m->body, "\n");
   if (nans[op->result] && op->name[0] == 'F')
      put(&m->decorations, "OpDecorate %%%u NoContraction\n", result);
   add_value(m, (enum type)op->result, with_one_nan(m, (enum type)op->result, result));
}

/* ---- memory ---- */

static uint32_t load(struct maker *m, uint32_t pointer)
{
   const uint32_t id = new_id(m);
   put(m->body, "%%%u = OpLoad %%u32 %%%u\n", id, pointer);
   return id;
}

static uint32_t masked(struct maker *m, uint32_t index, uint32_t size)
{
   const uint32_t id = new_id(m);
   put(m->body, "%%%u = OpBitwiseAnd %%u32 %%%u %%%u\n", id, index, number(m, size - 1));
   return id;
}

static uint32_t element(struct maker *m)
{
   const uint32_t index = pick(m, 2) ? number(m, pick(m, m->array_size)) : masked(m, value(m, U32), m->array_size), id = new_id(m);
   put(m->body, "%%%u = OpAccessChain %%ptr_function %%%u %%%u\n", id, m->array, index);
   return id;
}

/* A pointer to what an output variable has for this invocation, or to a part of that. */
__attribute__((format(printf, 4, 5))) static uint32_t out_pointer(struct maker *m, const char *type, const char *variable, const char *part, ...)
{
   const uint32_t pointer = new_id(m);
   char indices[64];
   va_list args;
   va_start(args, part);
   vsnprintf(indices, sizeof(indices), part, args);
   va_end(args);
   put(m->body, "%%%u = OpAccessChain %s %s%s %s\n", pointer, type, variable, m->form->num_corners ? " %corner" : "", indices);
   return pointer;
}

/* To word `word`, which is component `component` of output vector `vector`. */
static void store_at(struct maker *m, uint32_t word, uint32_t vector, uint32_t component, uint32_t id)
{
   const uint32_t at = new_id(m), pointer = new_id(m);
   put(m->body, "%%%u = OpIAdd %%u32 %%own %%%u\n%%%u = OpAccessChain %%ptr_storage %%outputs %%zero %%%u\nOpStore %%%u %%%u\n", at, word, pointer, at,
       pointer, id);
   if (m->form->has_words && !m->is_untyped) {
      const uint32_t out = out_pointer(m, "%ptr_out_u32", "%out", "%%%u %%%u", vector, component);
      put(m->body, "OpStore %%%u %%%u\n", out, id);
   }
}

static void store_output(struct maker *m)
{
   const uint32_t count = 1 + (pick(m, 2) ? pick(m, MAX_SIDE_BY_SIDE) : 0), word = pick(m, RANDOM_SPIRV_OUTPUTS - count + 1);
   for (uint32_t i = 0; i < count; i++)
      store_at(m, number(m, word + i), number(m, (word + i) / 4), number(m, (word + i) % 4), value(m, U32));
}

/* At a word that is computed. */
static void store_anywhere(struct maker *m)
{
   const uint32_t word = masked(m, value(m, U32), RANDOM_SPIRV_OUTPUTS), component = masked(m, word, 4), vector = new_id(m);
   put(m->body, "%%%u = OpShiftRightLogical %%u32 %%%u %%%u\n", vector, word, number(m, 2));
   store_at(m, word, vector, component, value(m, U32));
}

/* A variable and a value, as sums in loops. */
static void accumulate(struct maker *m)
{
   static const char *const names[] = {"IAdd", "ISub", "BitwiseXor", "BitwiseOr", "IMul"};
   const uint32_t variable = m->vars[pick(m, NUM_VARS)], old = load(m, variable), id = new_id(m);
   put(m->body, "%%%u = Op%s %%u32 %%%u %%%u\nOpStore %%%u %%%u\n", id, names[pick(m, UTIL_ARRAY_SIZE(names))], old, value(m, U32), variable, id);
}

/* Words side by side. In the main function invocations may read next to each other, or a few words apart. */
static void load_inputs(struct maker *m)
{
   const uint32_t count = 1 + (pick(m, 2) ? pick(m, MAX_SIDE_BY_SIDE) : 0), form = m->is_main ? pick(m, 3) : 0;
   uint32_t index;
   if (form == 0) {
      index = masked(m, value(m, U32), RANDOM_SPIRV_INPUTS / 2);
   } else {
      const uint32_t first = new_id(m), offset = form == 1 ? number(m, pick(m, 8)) : masked(m, value(m, U32), 8);
      index = new_id(m);
      put(m->body, "%%%u = OpIMul %%u32 %%x %%%u\n%%%u = OpIAdd %%u32 %%%u %%%u\n", first, number(m, pick(m, 5)), index, first, offset);
   }
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t at = new_id(m), pointer = new_id(m);
      put(m->body, "%%%u = OpIAdd %%u32 %%%u %%%u\n%%%u = OpAccessChain %%ptr_storage %%inputs %%zero %%%u\n", at, index, number(m, i), pointer, at);
      add_value(m, U32, load(m, pointer));
   }
}

/* An untyped pointer to word `index` of a buffer. */
static uint32_t untyped_word(struct maker *m, const char *buffer, uint32_t index)
{
   const uint32_t pointer = new_id(m);
   put(m->body, "%%%u = OpUntypedAccessChainKHR %%ptr_untyped %%words %%%s %%%u\n", pointer, buffer, index);
   return pointer;
}

static uint32_t own_word(struct maker *m, uint32_t room)
{
   const uint32_t at = new_id(m);
   put(m->body, "%%%u = OpIAdd %%u32 %%own %%%u\n", at, number(m, pick(m, RANDOM_SPIRV_OUTPUTS - room + 1)));
   return untyped_word(m, "outputs", at);
}

/* A value of any type read from the inputs; in the main function also one stored, and bytes copied, a number of them that may vary. */
static void make_untyped(struct maker *m)
{
   static const enum type types[] = {U32, F32, U64, F64};
   const enum type type = types[pick(m, 4)];
   const uint32_t from = untyped_word(m, "inputs", masked(m, value(m, U32), RANDOM_SPIRV_INPUTS / 2)), what = m->is_main ? pick(m, 3) : 0;
   if (what == 0) {
      const uint32_t id = new_id(m);
      put(m->body, "%%%u = OpLoad %s %%%u\n", id, type_names[type], from);
      add_value(m, type, with_one_nan(m, type, id));
   } else if (what == 1) {
      const uint32_t to = own_word(m, 2);
      put(m->body, "OpStore %%%u %%%u\n", to, value(m, type));
   } else {
      const uint32_t size = pick(m, 2) ? number(m, 4 * (1 + pick(m, 6))) : masked(m, value(m, U32), 32), to = own_word(m, 8);
      put(m->body, "OpCopyMemorySized %%%u %%%u %%%u\n", to, from, size);
   }
}

static void make_memory(struct maker *m)
{
   uint32_t pointer;
   if (m->is_untyped && pick(m, 2)) {
      make_untyped(m);
      return;
   }
   switch (pick(m, 8)) {
   case 0:
      put(m->body, "OpStore %%%u %%%u\n", m->vars[pick(m, NUM_VARS)], value(m, U32));
      break;
   case 1:
      add_value(m, U32, load(m, m->vars[pick(m, NUM_VARS)]));
      break;
   case 2:
      pointer = element(m);
      put(m->body, "OpStore %%%u %%%u\n", pointer, value(m, U32));
      break;
   case 3:
      pointer = element(m);
      add_value(m, U32, load(m, pointer));
      break;
   case 4:
      load_inputs(m);
      break;
   case 5:
      accumulate(m);
      break;
   case 6:
      if (m->is_main)
         store_anywhere(m);
      break;
   default:
      if (m->is_main)
         store_output(m);
      break;
   }
}

static void make_call(struct maker *m)
{
   const uint32_t id = new_id(m);
   put(m->body, "%%%u = OpFunctionCall %%u32 %%%u %%%u %%%u\n", id, m->helper, value(m, U32), value(m, U32));
   add_value(m, U32, id);
}

/* ---- structure ---- */

static void begin_block(struct maker *m, uint32_t label)
{
   put(m->body, "%%%u = OpLabel\n", label);
   m->label = label;
}

static void make_statements(struct maker *m, uint32_t depth);

/* A nested construct's statements, then a branch to `end`, or now and then elsewhere. True: to `end`. */
static bool make_arm(struct maker *m, uint32_t label, uint32_t end, uint32_t depth, bool may_leave)
{
   uint32_t counts[NUM_TYPES];
   const bool outer = m->may_leave;
   memcpy(counts, m->num_values, sizeof(counts));
   m->may_leave = true;
   begin_block(m, label);
   make_statements(m, depth);
   m->may_leave = outer;
   bool falls = true;
   if (may_leave && m->num_loops && pick(m, 4) == 0) {
      put(m->body, "OpBranch %%%u\n", pick(m, 2) ? m->loops[m->num_loops - 1].merge : m->loops[m->num_loops - 1].next);
      falls = false;
   } else if (may_leave && pick(m, 24) == 0) {
      if (m->is_main)
         put(m->body, "OpReturn\n");
      else
         put(m->body, "OpReturnValue %%%u\n", value(m, U32));
      falls = false;
   } else {
      put(m->body, "OpBranch %%%u\n", end);
   }
   /* one value of each type goes out by a phi, see make_if() */
   memcpy(m->num_values, counts, sizeof(counts));
   return falls;
}

static void make_if(struct maker *m, uint32_t depth)
{
   const uint32_t yes = new_id(m), no = new_id(m), end = new_id(m), condition = value(m, BOOL);
   const uint32_t in_yes = value(m, U32), in_no = value(m, U32);
   put(m->body, "OpSelectionMerge %%%u None\nOpBranchConditional %%%u %%%u %%%u\n", end, condition, yes, no);
   const bool yes_falls = make_arm(m, yes, end, depth, true);
   const uint32_t from_yes = m->label;
   make_arm(m, no, end, depth, false);
   const uint32_t from_no = m->label, phi = new_id(m);
   begin_block(m, end);
   if (yes_falls)
      put(m->body, "%%%u = OpPhi %%u32 %%%u %%%u %%%u %%%u\n", phi, in_yes, from_yes, in_no, from_no);
   else
      put(m->body, "%%%u = OpPhi %%u32 %%%u %%%u\n", phi, in_no, from_no);
   add_value(m, U32, phi);
}

static void make_switch(struct maker *m, uint32_t depth)
{
   const uint32_t labels[3] = {new_id(m), new_id(m), new_id(m)}, end = new_id(m);
   const uint32_t selector = masked(m, value(m, U32), 4);
   put(m->body, "OpSelectionMerge %%%u None\nOpSwitch %%%u %%%u 0 %%%u 2 %%%u\n", end, selector, labels[0], labels[1], labels[2]);
   const uint32_t num_loops = m->num_loops;
   for (uint32_t i = 0; i < 3; i++)
      make_arm(m, labels[i], i == 1 && pick(m, 2) ? labels[2] : end, depth, false); /* case 0 may go on into case 2 */
   m->num_loops = num_loops;
   begin_block(m, end);
}

/* for (i = first; i < n; i += step), with n up to 5, now and then up to 20 */
static void make_loop(struct maker *m, uint32_t depth)
{
   const uint32_t counter = new_id(m), header = new_id(m), test = new_id(m), body = new_id(m), next = new_id(m), end = new_id(m);
   put(&m->variables, "%%%u = OpVariable %%ptr_function Function\n", counter);
   const uint32_t limit = pick(m, 2) ? number(m, pick(m, 6) * (m->num_loops || pick(m, 4) ? 1 : 4)) : masked(m, value(m, U32), 4);
   const uint32_t first = number(m, pick(m, 3) / 2), step = number(m, 1 + pick(m, 4) / 3);
   put(m->body, "OpStore %%%u %%%u\nOpBranch %%%u\n", counter, first, header);
   begin_block(m, header);
   put(m->body, "OpLoopMerge %%%u %%%u None\nOpBranch %%%u\n", end, next, test);
   begin_block(m, test);
   const uint32_t i = load(m, counter), condition = new_id(m);
   put(m->body, "%%%u = OpULessThan %%bool %%%u %%%u\nOpBranchConditional %%%u %%%u %%%u\n", condition, i, limit, condition, body, end);
   uint32_t counts[NUM_TYPES];
   memcpy(counts, m->num_values, sizeof(counts));
   add_value(m, U32, i);
   m->loops[m->num_loops].merge = end;
   m->loops[m->num_loops++].next = next;
   make_arm(m, body, next, depth, false);
   m->num_loops--;
   memcpy(m->num_values, counts, sizeof(counts));
   begin_block(m, next);
   const uint32_t old = load(m, counter), sum = new_id(m);
   put(m->body, "%%%u = OpIAdd %%u32 %%%u %%%u\nOpStore %%%u %%%u\nOpBranch %%%u\n", sum, old, step, counter, sum, header);
   begin_block(m, end);
}

static void make_statements(struct maker *m, uint32_t depth)
{
   for (uint32_t i = 2 + pick(m, 8); i > 0 && m->budget > 0; i--) {
      m->budget--;
      const uint32_t class = pick(m, 20);
      if (class < 10)
         make_value(m);
      else if (class < 14)
         make_memory(m);
      else if (class == 14 && m->helper)
         make_call(m);
      else if (depth && class < 17)
         make_if(m, depth - 1);
      else if (depth && class == 17)
         make_switch(m, depth - 1);
      else if (depth && m->num_loops < MAX_LOOPS)
         make_loop(m, depth - 1);
   }
}

/* ---- functions ---- */

/* The variables of a function get values before anything reads them. */
static void begin_function(struct maker *m)
{
   memset(m->num_values, 0, sizeof(m->num_values));
   m->num_loops = 0;
   m->variables.size = 0;
   for (uint32_t i = 0; i < NUM_VARS; i++) {
      m->vars[i] = new_id(m);
      put(&m->variables, "%%%u = OpVariable %%ptr_function Function\n", m->vars[i]);
   }
   m->array = new_id(m);
   put(&m->variables, "%%%u = OpVariable %%ptr_array Function\n", m->array);
   for (uint32_t i = 0; i < NUM_VARS; i++)
      put(m->body, "OpStore %%%u %%%u\n", m->vars[i], number(m, i * 3));
   for (uint32_t i = 0; i < m->array_size; i++) {
      const uint32_t pointer = new_id(m);
      put(m->body, "%%%u = OpAccessChain %%ptr_function %%%u %%%u\nOpStore %%%u %%%u\n", pointer, m->array, number(m, i), pointer,
          number(m, i + 7));
   }
}

static void make_helper(struct maker *m, struct text *body)
{
   const uint32_t function = new_id(m), parameters[2] = {new_id(m), new_id(m)}, label = new_id(m);
   body->size = 0;
   m->body = body;
   m->is_main = false;
   begin_function(m);
   m->label = label;
   for (uint32_t i = 0; i < 2; i++)
      add_value(m, U32, parameters[i]);
   make_statements(m, 2);
   put(m->body, "OpReturnValue %%%u\n", value(m, U32));
   put(&m->functions, "%%%u = OpFunction %%u32 None %%helper_type\n%%%u = OpFunctionParameter %%u32\n", function, parameters[0]);
   put(&m->functions, "%%%u = OpFunctionParameter %%u32\n%%%u = OpLabel\n", parameters[1], label);
   m->helper = function;
}

static void append(struct text *to, const struct text *from)
{
   for (size_t at = 0; from->bytes && at < from->size; at += 400)
      put(to, "%.400s", from->bytes + at);
}

/* Outputs that all invocations write before anything else: no words, and a point at the middle of the texel. */
static void make_vertex(struct maker *m)
{
   for (uint32_t i = 0; i < RANDOM_SPIRV_OUTPUTS / 4 && m->form->has_words; i++) {
      const uint32_t pointer = out_pointer(m, "%ptr_out_v4", "%out", "%%%u", number(m, i));
      put(m->body, "OpStore %%%u %%no_words\n", pointer);
   }
   if (!m->form->has_position)
      return;
   const uint32_t sizes[2] = {RANDOM_SPIRV_COLUMNS, RANDOM_SPIRV_ROWS};
   for (uint32_t i = 0; i < 2; i++) {
      const uint32_t texel = new_id(m), as_float = new_id(m), scaled = new_id(m), scale = new_id(m), offset = new_id(m);
      put(&m->constants, "%%%u = OpConstant %%f32 %.9g\n%%%u = OpConstant %%f32 %.9g\n", scale, 2.0 / sizes[i], offset, 1.0 / sizes[i] - 1);
      put(m->body, "%%%u = %s %%u32 %%x %%columns\n%%%u = OpConvertUToF %%f32 %%%u\n%%%u = OpFMul %%f32 %%%u %%%u\n", texel, i ? "OpUDiv" : "OpUMod",
          as_float, texel, scaled, as_float, scale);
      put(m->body, "%%at%u = OpFAdd %%f32 %%%u %%%u\n", i, scaled, offset);
   }
   const char *corner = m->form->num_corners ? " %corner" : "";
   put(m->body, "%%at = OpCompositeConstruct %%v4f %%at0 %%at1 %%f_0 %%f_1\n%%where = OpAccessChain %%ptr_out_v4f %%position%s\n"
                "OpStore %%where %%at\n%%size_at = OpAccessChain %%ptr_out_f32 %%point_size%s\nOpStore %%size_at %%f_1\n", corner, corner);
}

static void make_main(struct maker *m, struct text *body)
{
   body->size = 0;
   m->body = body;
   m->is_main = true;
   put(body, "%s", m->form->number);
   put(body, "%%own = OpIMul %%u32 %%x %%%u\n", number(m, RANDOM_SPIRV_OUTPUTS));
   begin_function(m);
   make_vertex(m);
   const uint32_t x = new_id(m);
   put(body, "%%%u = OpCopyObject %%u32 %%x\n", x);
   add_value(m, U32, x);
   m->label = 1;
   make_statements(m, 4);
   for (uint32_t i = 0; i < 4; i++)
      store_output(m);
   put(body, "OpReturn\n");
}

static void put_header(struct maker *m, struct text *out)
{
   static const char *const modes[] = {"DenormFlushToZero", "RoundingModeRTZ", "DenormPreserve", "RoundingModeRTE"};
   static const uint32_t widths[] = {16, 32, 64};
   const uint32_t denorms = pick(m, 3), rounding = pick(m, 3), denorms_of = pick(m, 3), rounding_of = pick(m, 3); /* 2: no mode */
   put(out, "%sOpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpCapability Float16\nOpCapability Float64\n", m->form->is_mesh ? "; spirv: 1.4\n" : "");
   if (denorms < 2)
      put(out, "OpCapability %s\n", modes[denorms * 2]);
   if (rounding < 2)
      put(out, "OpCapability %s\n", modes[rounding * 2 + 1]);
   put(out, "%s", m->form->capabilities);
   if (m->is_untyped)
      put(out, "OpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n");
   if (m->form->is_mesh)
      put(out, "OpExtension \"SPV_EXT_mesh_shader\"\n");
   put(out, "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\nOpExtension \"SPV_KHR_float_controls\"\n"
            "%%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n");
   put(out, "OpEntryPoint %s %%main \"main\" %s%s\n%s", m->form->model, m->form->interface, m->form->has_words ? " %out" : "", m->form->modes);
   if (denorms < 2)
      put(out, "OpExecutionMode %%main %s %u\n", modes[denorms * 2], widths[denorms_of]);
   if (rounding < 2)
      put(out, "OpExecutionMode %%main %s %u\n", modes[rounding * 2 + 1], widths[rounding_of]);
   put(out, "%s%s", m->form->decorations, m->form->has_words ? "OpDecorate %out Location 0\n" : "");
   put(out, "OpDecorate %%words ArrayStride 4\nOpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\n");
   for (uint32_t i = 0; i < 2; i++)
      put(out, "OpDecorate %%%s DescriptorSet 0\nOpDecorate %%%s Binding %u\n", i ? "outputs" : "inputs", i ? "outputs" : "inputs", i);
}

/* Outputs, as many as there are corners. */
static void put_outputs(const struct maker *m, struct text *out)
{
   static const struct {
      const char *name, *type;
   } points[] = {{"position", "v4f"}, {"point_size", "f32"}}, words[] = {{"out", "out_words"}};
   const uint32_t num_points = m->form->has_position ? UTIL_ARRAY_SIZE(points) : 0;
   put(out, "%%v4 = OpTypeVector %%u32 4\n%%v4f = OpTypeVector %%f32 4\n%%ptr_in_u32 = OpTypePointer Input %%u32\n%%ptr_out_u32 = OpTypePointer Output %%u32\n"
            "%%ptr_out_f32 = OpTypePointer Output %%f32\n%%ptr_out_v4 = OpTypePointer Output %%v4\n%%ptr_out_v4f = OpTypePointer Output %%v4f\n");
   put(out, "%%f_0 = OpConstant %%f32 0\n%%f_1 = OpConstant %%f32 1\n%%four = OpConstant %%u32 4\n%%columns = OpConstant %%u32 %u\n"
            "%%no_words = OpConstantNull %%v4\n%%out_words = OpTypeArray %%v4 %%four\n%%num_corners = OpConstant %%u32 %u\n",
       RANDOM_SPIRV_COLUMNS, m->form->num_corners ? m->form->num_corners : 1);
   for (uint32_t i = 0; i < num_points + m->form->has_words; i++) {
      const char *name = i < num_points ? points[i].name : words[0].name, *type = i < num_points ? points[i].type : words[0].type;
      if (m->form->num_corners)
         put(out, "%%%s_corners = OpTypeArray %%%s %%num_corners\n", name, type);
      put(out, "%%%s_pointer = OpTypePointer Output %%%s%s\n%%%s = OpVariable %%%s_pointer Output\n", name, m->form->num_corners ? name : type,
          m->form->num_corners ? "_corners" : "", name, name);
   }
}

static void put_types(const struct maker *m, struct text *out)
{
   put(out, "%%void = OpTypeVoid\n%%main_type = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%u32 = OpTypeInt 32 0\n%%u64 = OpTypeInt 64 0\n"
            "%%f32 = OpTypeFloat 32\n%%f64 = OpTypeFloat 64\n%%u8 = OpTypeInt 8 0\n%%u16 = OpTypeInt 16 0\n%%f16 = OpTypeFloat 16\n%%v3 = OpTypeVector %%u32 3\n%%helper_type = OpTypeFunction %%u32 %%u32 %%u32\n"
            "%%size = OpConstant %%u32 %u\n%%array = OpTypeArray %%u32 %%size\n", m->array_size);
   put(out, "%%words = OpTypeRuntimeArray %%u32\n%%block = OpTypeStruct %%words\n%%ptr_block = OpTypePointer StorageBuffer %%block\n"
            "%%ptr_storage = OpTypePointer StorageBuffer %%u32\n%%ptr_function = OpTypePointer Function %%u32\n"
            "%%ptr_array = OpTypePointer Function %%array\n");
   if (m->is_untyped)
      put(out, "%%ptr_untyped = OpTypeUntypedPointerKHR StorageBuffer\n");
   put(out, "%%inputs = OpVariable %%ptr_block StorageBuffer\n%%outputs = OpVariable %%ptr_block StorageBuffer\n"
            "%%zero = OpConstant %%u32 0\n%%f1 = OpConstant %%f32 0\n"
            "%%nan16 = OpConstant %%f16 0x1.8p+16\n%%nan32 = OpConstant %%f32 0x1.8p+128\n%%nan64 = OpConstant %%f64 0x1.8p+1024\n");
}

char *random_spirv(enum abi_stage stage, const struct random_choices *choices)
{
   struct maker m = {.form = &forms[stage], .state = choices->seed * 0x9e3779b97f4a7c15u + 1, .choices = choices->bytes,
                     .end_of_choices = choices->bytes ? choices->bytes + choices->num_bytes : NULL, .next_id = 10,
                     .budget = 15 + (int32_t)(choices->seed % 7) * 15, .is_untyped = choices->is_untyped};
   m.array_size = 4u << pick(&m, 4);
   struct text body = {0}, out = {0};
   put_header(&m, &out);
   if (pick(&m, 2)) {
      make_helper(&m, &body);
      append(&m.functions, &m.variables);
      append(&m.functions, &body);
      put(&m.functions, "OpFunctionEnd\n");
      m.budget += 20;
   }
   make_main(&m, &body);
   append(&out, &m.decorations);
   put_types(&m, &out);
   put_outputs(&m, &out);
   put(&out, "%s", m.form->variables);
   append(&out, &m.constants);
   append(&out, &m.functions);
   put(&out, "%s = OpFunction %%void None %%main_type\n%%1 = OpLabel\n", m.form->end ? "%body" : "%main");
   append(&out, &m.variables);
   append(&out, &body);
   put(&out, "OpFunctionEnd\n");
   if (m.form->end)
      put(&out, "%%main = OpFunction %%void None %%main_type\n%%2 = OpLabel\n%s%%3 = OpFunctionCall %%void %%body\n%sOpFunctionEnd\n", m.form->begin,
          m.form->end);
   const bool is_broken = body.is_broken || out.is_broken || m.decorations.is_broken || m.constants.is_broken || m.functions.is_broken ||
                          m.variables.is_broken;
   free(body.bytes);
   free(m.decorations.bytes);
   free(m.constants.bytes);
   free(m.functions.bytes);
   free(m.variables.bytes);
   if (is_broken) {
      free(out.bytes);
      return NULL;
   }
   return out.bytes;
}
