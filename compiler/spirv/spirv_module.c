/* SPDX-License-Identifier: MIT
 * Reads a module from its header to its functions: names, decorations, entry point, execution modes, types, constants,
 * variables, and where each block starts. Spec: SPIR-V, "Logical Layout of a Module". */
#include "compiler/spirv/spirv_cfg.h"
#include "compiler/spirv/spirv_node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SPIRV_MAX_BOUND = 1 << 22 };

/* Extended instructions without a meaning for execution are all skipped. */
static uint8_t ext_set_of_name(const char *name)
{
   if (strcmp(name, "GLSL.std.450") == 0)
      return SPIRV_EXT_GLSL;
   if (strcmp(name, "SPV_AMD_shader_trinary_minmax") == 0)
      return SPIRV_EXT_AMD_TRINARY;
   if (strcmp(name, "SPV_AMD_gcn_shader") == 0)
      return SPIRV_EXT_AMD_GCN;
   /* A version 1xx adds to those before it; a new number for what is read here would be 200. */
   if (strncmp(name, "NonSemantic.Shader.DebugInfo.1", 30) == 0)
      return SPIRV_EXT_DEBUG_INFO;
   if (strcmp(name, "NonSemantic.DebugPrintf") == 0)
      return SPIRV_EXT_PRINT;
   if (strncmp(name, "NonSemantic.", 12) == 0 || strcmp(name, "OpenCL.DebugInfo.100") == 0 ||
       strcmp(name, "DebugInfo") == 0)
      return SPIRV_EXT_IGNORED;
   return SPIRV_EXT_UNKNOWN;
}

/* ---- decorations ---- */

static void add_decoration(struct spirv_ctx *t, uint32_t id, struct spirv_decoration decoration)
{
   struct spirv_id *record = spirv_id(t, id);
   decoration.next = record->decorations;
   record->decorations = util_arena_dup(t->arena, &decoration, sizeof(decoration));
}

static void add_group(struct spirv_ctx *t, uint32_t group, uint32_t id, int32_t member)
{
   if (group == id)
      spirv_fail(t, "decoration group %u decorates itself", id);
   for (const struct spirv_decoration *d = spirv_id(t, group)->decorations; d; d = d->next) {
      struct spirv_decoration copy = *d;
      if (member >= 0)
         copy.member = member;
      add_decoration(t, id, copy);
   }
}

static void add_member_decoration(struct spirv_ctx *t, const struct spirv_instr *in)
{
   add_decoration(t, spirv_word(t, in, 1),
                  (struct spirv_decoration){.member = spirv_word(t, in, 2) & INT32_MAX,
                                            .decoration = spirv_word(t, in, 3),
                                            .num_operands = in->count - 4,
                                            .operands = in->words + 4});
}

static bool parse_annotation(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpDecorateString:
      t->has_buffer_blocks |= spirv_word(t, in, 2) == SpvDecorationBufferBlock;
      add_decoration(t, spirv_word(t, in, 1),
                     (struct spirv_decoration){.member = -1, .decoration = spirv_word(t, in, 2),
                                               .num_operands = in->count - 3, .operands = in->words + 3});
      return true;
   case SpvOpMemberDecorate:
   case SpvOpMemberDecorateString:
      add_member_decoration(t, in);
      return true;
   case SpvOpDecorationGroup:
      return true;
   case SpvOpGroupDecorate:
      for (uint32_t i = 2; i < in->count; i++)
         add_group(t, spirv_word(t, in, 1), in->words[i], -1);
      return true;
   case SpvOpGroupMemberDecorate:
      for (uint32_t i = 2; i + 1 < in->count; i += 2)
         add_group(t, spirv_word(t, in, 1), in->words[i], in->words[i + 1] & INT32_MAX);
      return true;
   default:
      if ((uint32_t)in->op != UTIL_SPV_OP_MEMBER_DECORATE_ID)
         return false;
      add_member_decoration(t, in);
      return true;
   }
}

/* ---- entry point and execution modes ---- */

static uint32_t stage_of_model(uint32_t model)
{
   static const uint32_t models[ABI_NUM_STAGES] = {
      [ABI_STAGE_VERTEX] = SpvExecutionModelVertex,
      [ABI_STAGE_CONTROL] = SpvExecutionModelTessellationControl,
      [ABI_STAGE_EVALUATION] = SpvExecutionModelTessellationEvaluation,
      [ABI_STAGE_GEOMETRY] = SpvExecutionModelGeometry,
      [ABI_STAGE_TASK] = SpvExecutionModelTaskEXT,
      [ABI_STAGE_MESH] = SpvExecutionModelMeshEXT,
      [ABI_STAGE_FRAGMENT] = SpvExecutionModelFragment,
      [ABI_STAGE_COMPUTE] = SpvExecutionModelGLCompute,
      [ABI_STAGE_RAYGEN] = SpvExecutionModelRayGenerationKHR,
      [ABI_STAGE_ANY_HIT] = SpvExecutionModelAnyHitKHR,
      [ABI_STAGE_CLOSEST_HIT] = SpvExecutionModelClosestHitKHR,
      [ABI_STAGE_MISS] = SpvExecutionModelMissKHR,
      [ABI_STAGE_INTERSECTION] = SpvExecutionModelIntersectionKHR,
      [ABI_STAGE_CALLABLE] = SpvExecutionModelCallableKHR,
   };
   uint32_t stage = 0;
   while (stage < ABI_NUM_STAGES && models[stage] != model)
      stage++;
   return stage;
}

static void parse_entry_point(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const char *name = spirv_string(t, in, 3);
   if (stage_of_model(spirv_word(t, in, 1)) != t->desc->stage || strcmp(name, t->desc->entry_point) != 0)
      return;
   const uint32_t words_of_name = strlen(name) / 4 + 1;
   t->entry_id = spirv_word(t, in, 2);
   t->interface_ids = in->words + 3 + words_of_name;
   t->num_interface_ids = in->count - 3 - words_of_name;
}

static uint8_t *fp_of_width(struct spirv_ctx *t, uint32_t width)
{
   if (width != 16 && width != 32 && width != 64)
      spirv_fail(t, "float controls for a width of %u", width);
   return &t->fp_by_width[width == 16 ? 0 : width == 32 ? 1 : 2];
}

static void parse_output_vertices(struct spirv_ctx *t, uint32_t count)
{
   const bool is_patch = t->desc->stage == ABI_STAGE_CONTROL || t->desc->stage == ABI_STAGE_EVALUATION;
   const uint32_t limit = is_patch                              ? ABI_MAX_PATCH_VERTICES
                          : t->desc->stage == ABI_STAGE_MESH ? ABI_MAX_MESH_VERTICES
                                                             : ABI_MAX_EMITTED;
   if (count > limit)
      spirv_fail(t, "%u vertices are above the limit", count);
   t->shader->info.max_vertices = is_patch ? 0 : (uint16_t)count;
   t->shader->info.vertices_out = is_patch ? (uint8_t)count : 0;
}

static void parse_execution_mode(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct abi_shader_info *info = &t->shader->info;
   if (spirv_word(t, in, 1) != t->entry_id)
      return;
   switch (spirv_word(t, in, 2)) {
   case SpvExecutionModeLocalSize:
      for (uint32_t i = 0; i < 3; i++)
         info->local_size[i] = spirv_word(t, in, 3 + i);
      break;
   case SpvExecutionModeLocalSizeId:
      for (uint32_t i = 0; i < 3; i++)
         t->local_size_ids[i] = spirv_word(t, in, 3 + i);
      break;
   case SpvExecutionModeInputPoints: info->vertices_in = 1; break;
   case SpvExecutionModeInputLines: info->vertices_in = 2; break;
   case SpvExecutionModeInputLinesAdjacency: info->vertices_in = 4; break;
   case SpvExecutionModeTriangles:
      info->vertices_in = 3;
      info->domain = ABI_DOMAIN_TRIANGLES;
      break;
   case SpvExecutionModeQuads: info->domain = ABI_DOMAIN_QUADS; break;
   case SpvExecutionModeIsolines: info->domain = ABI_DOMAIN_ISOLINES; break;
   case SpvExecutionModeSpacingEqual: info->spacing = ABI_SPACING_EQUAL; break;
   case SpvExecutionModeSpacingFractionalEven: info->spacing = ABI_SPACING_EVEN; break;
   case SpvExecutionModeSpacingFractionalOdd: info->spacing = ABI_SPACING_ODD; break;
   case SpvExecutionModeVertexOrderCw: info->vertex_order = ABI_ORDER_CW; break;
   case SpvExecutionModeVertexOrderCcw: info->vertex_order = ABI_ORDER_CCW; break;
   case SpvExecutionModePointMode: info->point_mode = 1; break;
   case SpvExecutionModeInputTrianglesAdjacency: info->vertices_in = 6; break;
   case SpvExecutionModeOutputPoints: info->corners_out = 1; break;
   case SpvExecutionModeOutputLineStrip: info->corners_out = 2; break;
   case SpvExecutionModeOutputTriangleStrip: info->corners_out = 3; break;
   case SpvExecutionModeOutputLinesEXT: info->corners_out = 2; break;
   case SpvExecutionModeOutputTrianglesEXT: info->corners_out = 3; break;
   case SpvExecutionModeOutputVertices: parse_output_vertices(t, spirv_word(t, in, 3)); break;
   case SpvExecutionModeOutputPrimitivesEXT:
      if (spirv_word(t, in, 3) > ABI_MAX_MESH_PRIMITIVES)
         spirv_fail(t, "%u primitives are above the limit", in->words[3]);
      info->max_primitives = (uint16_t)in->words[3];
      break;
   case SpvExecutionModeInvocations:
      if (spirv_word(t, in, 3) > UINT16_MAX)
         spirv_fail(t, "%u invocations are above the limit", in->words[3]);
      info->num_invocations = (uint16_t)in->words[3];
      break;
   case SpvExecutionModePixelInterlockOrderedEXT: /* a pixel's fragments run one after the other, in order */
   case SpvExecutionModePixelInterlockUnorderedEXT:
   case SpvExecutionModeSampleInterlockOrderedEXT:
   case SpvExecutionModeSampleInterlockUnorderedEXT:
   case SpvExecutionModeShadingRateInterlockOrderedEXT:
   case SpvExecutionModeShadingRateInterlockUnorderedEXT: t->shader->is_interlocked = true; break;
   case SpvExecutionModeXfb: t->is_captured = true; break;
   case UTIL_SPV_MODE_64BIT_INDEXING: t->has_64bit_indices = true; break;
   case SpvExecutionModeEarlyFragmentTests: info->early_tests = 1; break;
   case SpvExecutionModeEarlyAndLateFragmentTestsAMD: t->has_early_and_late_tests = true; break;
   case SpvExecutionModePostDepthCoverage: info->post_depth_coverage = 1; break;
   case SpvExecutionModeMaximallyReconvergesKHR: t->shader->maximal_reconvergence = true; break;
   case SpvExecutionModeRoundingModeRTZ: *fp_of_width(t, spirv_word(t, in, 3)) |= IR_FP_RTZ; break;
   case SpvExecutionModeDenormFlushToZero: *fp_of_width(t, spirv_word(t, in, 3)) |= IR_FP_FLUSH_DENORM; break;
   case SpvExecutionModeSignedZeroInfNanPreserve: *fp_of_width(t, spirv_word(t, in, 3)) &= ~IR_FP_ZEROS; break;
   case SpvExecutionModeDerivativeGroupQuadsKHR:
   case SpvExecutionModeDerivativeGroupLinearKHR:
      t->compute_derivatives = spirv_word(t, in, 2);
      break;
   case SpvExecutionModeDepthReplacing:
   case SpvExecutionModeStencilRefReplacingEXT: t->replaces_depth_or_stencil = true; break;
   case SpvExecutionModeOriginUpperLeft:
   case SpvExecutionModeStencilRefUnchangedFrontAMD:
   case SpvExecutionModeStencilRefGreaterFrontAMD:
   case SpvExecutionModeStencilRefLessFrontAMD:
   case SpvExecutionModeStencilRefUnchangedBackAMD:
   case SpvExecutionModeStencilRefGreaterBackAMD:
   case SpvExecutionModeStencilRefLessBackAMD:
   case SpvExecutionModeDepthGreater: /* promises that nothing here depends on */
   case SpvExecutionModeDepthLess:
   case SpvExecutionModeDepthUnchanged:
   case SpvExecutionModeDenormPreserve:
   case SpvExecutionModeRoundingModeRTE:
   case SpvExecutionModeSubgroupUniformControlFlowKHR:
   case SpvExecutionModeQuadDerivativesKHR: /* quads are whole, helpers run along */
   case SpvExecutionModeRequireFullQuadsKHR:
   case SpvExecutionModeNonCoherentColorAttachmentReadEXT: /* reads are coherent whether asked to or not */
   case SpvExecutionModeNonCoherentDepthAttachmentReadEXT:
   case SpvExecutionModeNonCoherentStencilAttachmentReadEXT:
   case SpvExecutionModeCoalescingAMDX: /* spirv_node_mode() */
   case SpvExecutionModeIsApiEntryAMDX:
   case SpvExecutionModeMaxNodeRecursionAMDX:
   case SpvExecutionModeStaticNumWorkgroupsAMDX:
   case SpvExecutionModeMaxNumWorkgroupsAMDX:
   case SpvExecutionModeShaderIndexAMDX:
   case SpvExecutionModeSharesInputWithAMDX:
   case SpvExecutionModeFPFastMathDefault: /* parse_fast_math_default() */
      break;
   default:
      spirv_fail(t, "execution mode %u is not supported", in->words[2]);
   }
}

uint8_t spirv_fp_of_fast_math(uint32_t mode)
{
   const uint32_t zeros = SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask | SpvFPFastMathModeNSZMask;
   uint8_t fp = (mode & zeros) == zeros || mode & SpvFPFastMathModeFastMask ? IR_FP_ZEROS : 0;
   if (mode & (SpvFPFastMathModeAllowContractMask | SpvFPFastMathModeFastMask))
      fp |= IR_FP_CONTRACT;
   if (mode & (SpvFPFastMathModeAllowReassocMask | SpvFPFastMathModeFastMask))
      fp |= IR_FP_REASSOC;
   if (mode & (SpvFPFastMathModeAllowRecipMask | SpvFPFastMathModeFastMask))
      fp |= IR_FP_RECIP;
   return fp;
}

/* FPFastMathDefault takes ids of constants, so it is read after them. */
static void parse_fast_math_default(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op != SpvOpExecutionModeId || spirv_word(t, in, 1) != t->entry_id ||
       spirv_word(t, in, 2) != SpvExecutionModeFPFastMathDefault)
      return;
   const struct spirv_type *type = spirv_type(t, spirv_word(t, in, 3));
   const uint32_t mode = spirv_constant_u32(t, spirv_word(t, in, 4));
   uint8_t *fp = fp_of_width(t, type->bits);
   *fp = (*fp & (IR_FP_RTZ | IR_FP_FLUSH_DENORM)) | (spirv_fp_of_fast_math(mode) & (IR_FP_CONTRACT | IR_FP_ZEROS));
}

/* ---- variables ---- */

/* Inputs, outputs and what ray shaders hand over are made of locations or rows of four components. Spec: SPV_EXT_long_vector. */
static bool can_be_long(uint32_t storage)
{
   switch (storage) {
   case SpvStorageClassPrivate:
   case SpvStorageClassUniform:
   case SpvStorageClassWorkgroup:
   case SpvStorageClassStorageBuffer:
   case SpvStorageClassPushConstant:
   case SpvStorageClassShaderRecordBufferKHR:
      return true;
   default:
      return false;
   }
}

static uint8_t access_of_decorations(struct spirv_ctx *t, uint32_t id, int32_t member)
{
   uint8_t access = 0;
   if (spirv_find_decoration(t, id, member, SpvDecorationCoherent))
      access |= IR_ACCESS_COHERENT;
   if (spirv_find_decoration(t, id, member, SpvDecorationVolatile))
      access |= IR_ACCESS_VOLATILE | IR_ACCESS_COHERENT;
   return access;
}

static void parse_variable(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_type(t, spirv_word(t, in, 1));
   const bool is_untyped = in->op == SpvOpUntypedVariableKHR;
   const uint32_t initializer = is_untyped ? 5 : 4;
   if (type->class != SPIRV_TYPE_POINTER || type->is_untyped != is_untyped || (!is_untyped && !type->elem))
      spirv_fail(t, "the type of variable %u is not a pointer", spirv_word(t, in, 2));

   const uint32_t id = spirv_word(t, in, 2);
   struct spirv_variable *variable = UTIL_ARENA_NEW(t->arena, struct spirv_variable);
   variable->id = id;
   variable->pointer_type = type;
   variable->type = !is_untyped ? type->elem : in->count > 4 ? spirv_type(t, in->words[4]) : &spirv_type_u8; /* a heap */
   variable->storage = spirv_word(t, in, 3);
   if (variable->type->has_long_vector && !can_be_long(variable->storage))
      spirv_fail(t, "a vector of more than four components in storage class %u", variable->storage);
   variable->initializer = in->count > initializer ? in->words[initializer] : 0;
   variable->set = spirv_decoration_operand(t, id, -1, SpvDecorationDescriptorSet, 0);
   variable->binding = spirv_decoration_operand(t, id, -1, SpvDecorationBinding, 0);
   variable->access = access_of_decorations(t, id, -1);
   spirv_id(t, id)->class = SPIRV_ID_VARIABLE;
   spirv_id(t, id)->variable = variable;
}

/* ---- functions ---- */

static bool is_terminator(uint32_t op)
{
   switch (op) {
   case SpvOpBranch:
   case SpvOpBranchConditional:
   case SpvOpSwitch:
   case SpvOpKill:
   case SpvOpReturn:
   case SpvOpReturnValue:
   case SpvOpUnreachable:
   case SpvOpTerminateInvocation:
   case SpvOpEmitMeshTasksEXT:
   case SpvOpIgnoreIntersectionKHR:
   case SpvOpTerminateRayKHR:
   case UTIL_SPV_OP_ABORT:
      return true;
   default:
      return false;
   }
}

static struct spirv_function *begin_function(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_function *function = UTIL_ARENA_NEW(t->arena, struct spirv_function);
   function->id = spirv_word(t, in, 2);
   function->type = spirv_type(t, spirv_word(t, in, 4));
   function->return_type = spirv_type(t, spirv_word(t, in, 1));
   if (function->type->class != SPIRV_TYPE_FUNCTION)
      spirv_fail(t, "the type of function %u is not a function type", function->id);
   function->num_params = function->type->count;
   function->params = UTIL_ARENA_ARRAY(t->arena, uint32_t, function->num_params + 1);
   spirv_id(t, function->id)->class = SPIRV_ID_FUNCTION;
   spirv_id(t, function->id)->function = function;
   return function;
}

static struct spirv_block *begin_block(struct spirv_ctx *t, struct spirv_function *function,
                                       const struct spirv_instr *in)
{
   struct spirv_block *block = UTIL_ARENA_NEW(t->arena, struct spirv_block);
   block->id = spirv_word(t, in, 1);
   block->function = function;
   block->first = (size_t)(in->words - t->words) + in->count;
   spirv_id(t, block->id)->class = SPIRV_ID_BLOCK;
   spirv_id(t, block->id)->block = block;

   if (function->num_blocks == function->cap_blocks) {
      const uint32_t cap = UTIL_MAX(8u, function->cap_blocks * 2);
      struct spirv_block **blocks = UTIL_ARENA_ARRAY(t->arena, struct spirv_block *, cap);
      if (function->num_blocks)
         memcpy(blocks, function->blocks, function->num_blocks * sizeof(*blocks));
      function->blocks = blocks;
      function->cap_blocks = cap;
   }
   function->blocks[function->num_blocks++] = block;
   return block;
}

/* Notes the type of a result before the instruction is met: OpSwitch needs its selector's width. */
static void note_result_type(struct spirv_ctx *t, const struct spirv_instr *in)
{
   bool has_result = false, has_type = false;
   spirv_op_shape(in->op, &has_result, &has_type);
   if (has_result && has_type)
      spirv_id(t, spirv_word(t, in, 2))->result_type = spirv_word(t, in, 1);
}

static void note_size(struct spirv_ctx *t, struct spirv_function *function, const struct spirv_instr *in)
{
   function->num_instructions++;
   if (in->op != SpvOpFunctionCall)
      return;
   struct spirv_call_site *call = UTIL_ARENA_NEW(t->arena, struct spirv_call_site);
   *call = (struct spirv_call_site){.callee = spirv_word(t, in, 3), .next = function->calls};
   function->calls = call;
}

/* Reads a function's blocks; returns the word offset after OpFunctionEnd. */
static size_t parse_function(struct spirv_ctx *t, size_t offset)
{
   struct spirv_instr in = spirv_instr_at(t, offset);
   struct spirv_function *function = begin_function(t, &in);
   struct spirv_block *block = NULL;

   for (;;) {
      offset += in.count;
      in = spirv_instr_at(t, offset);
      if (in.op == SpvOpFunctionEnd) {
         if (block)
            spirv_fail(t, "block %u has no end", block->id);
         return offset + in.count;
      }
      note_result_type(t, &in);
      note_size(t, function, &in);
      if (in.op == SpvOpFunctionParameter) {
         if (function->num_param_ids >= function->num_params)
            spirv_fail(t, "function %u has more parameters than its type", function->id);
         function->params[function->num_param_ids++] = spirv_word(t, &in, 2);
      } else if (in.op == SpvOpLabel) {
         if (block)
            spirv_fail(t, "block %u has no end", block->id);
         block = begin_block(t, function, &in);
      } else if (is_terminator(in.op)) {
         if (!block)
            spirv_fail(t, "%s outside of a block", spirv_op_name(in.op));
         block->terminator = in;
         block = NULL;
      } else if (in.op == SpvOpSelectionMerge && block) {
         block->merge = spirv_word(t, &in, 1);
      } else if (in.op == SpvOpLoopMerge && block) {
         block->merge = spirv_word(t, &in, 1);
         block->continue_target = spirv_word(t, &in, 2);
      } else if (in.op == SpvOpFunction) {
         spirv_fail(t, "function within function %u", function->id);
      } else if (!block && in.op != SpvOpLine && in.op != SpvOpNoLine && in.op != SpvOpExtInst &&
                 in.op != SpvOpExtInstWithForwardRefsKHR) {
         spirv_fail(t, "%s outside of a block", spirv_op_name(in.op));
      }
   }
}

/* ---- the whole ---- */

static void add_source(struct spirv_ctx *t, const char *file, const char *text)
{
   struct ir_source *source = UTIL_ARENA_NEW(t->arena, struct ir_source);
   *source = (struct ir_source){t->shader->sources, file, text};
   t->shader->sources = source;
}

/* OpSource with the text of a file; what OpSourceContinued adds is left out: a line that is not there has no text. */
static void parse_source(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (!t->shader->checks || in->count < 5)
      return;
   const struct spirv_id *file = spirv_id(t, in->words[3]);
   if (file->class == SPIRV_ID_STRING)
      add_source(t, file->string, spirv_string(t, in, 4));
}

static void parse_debug_source(struct spirv_ctx *t, const struct spirv_instr *in)
{
   enum { DEBUG_SOURCE = 35 };
   if (in->count < 6 || spirv_id(t, in->words[3])->ext_set != SPIRV_EXT_DEBUG_INFO || in->words[4] != DEBUG_SOURCE)
      return;
   const struct spirv_id *file = spirv_id(t, in->words[5]);
   if (file->class == SPIRV_ID_STRING)
      spirv_id(t, spirv_word(t, in, 2))->source_file = file->string;
   const struct spirv_id *text = in->count > 6 ? spirv_id(t, in->words[6]) : NULL;
   if (t->shader->checks && file->class == SPIRV_ID_STRING && text && text->class == SPIRV_ID_STRING)
      add_source(t, file->string, text->string);
}

static void add_member_name(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_member_name *name = UTIL_ARENA_NEW(t->arena, struct spirv_member_name);
   *name = (struct spirv_member_name){t->member_names, spirv_word(t, in, 1), spirv_word(t, in, 2), spirv_string(t, in, 3)};
   t->member_names = name;
}

/* Instructions before the functions that are not types, constants or annotations. */
static void parse_global(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpName:
      spirv_id(t, spirv_word(t, in, 1))->name = spirv_string(t, in, 2);
      break;
   case SpvOpMemberName:
      if (t->shader->checks & ABI_CHECK_TRACE)
         add_member_name(t, in);
      break;
   case SpvOpString:
      spirv_id(t, spirv_word(t, in, 1))->class = SPIRV_ID_STRING;
      spirv_id(t, spirv_word(t, in, 1))->string = spirv_string(t, in, 2);
      break;
   case SpvOpExtInstImport: {
      struct spirv_id *id = spirv_id(t, spirv_word(t, in, 1));
      id->class = SPIRV_ID_EXT_SET;
      id->string = spirv_string(t, in, 2);
      id->ext_set = ext_set_of_name(id->string);
      break;
   }
   case SpvOpMemoryModel:
      t->addresses_are_physical = spirv_word(t, in, 1) == SpvAddressingModelPhysicalStorageBuffer64;
      break;
   case SpvOpEntryPoint:
      parse_entry_point(t, in);
      break;
   case SpvOpExecutionMode:
   case SpvOpExecutionModeId:
      parse_execution_mode(t, in);
      break;
   case SpvOpVariable:
   case SpvOpUntypedVariableKHR:
      parse_variable(t, in);
      break;
   case SpvOpExtInst:
   case SpvOpExtInstWithForwardRefsKHR:
      parse_debug_source(t, in);
      break;
   case SpvOpSource:
      parse_source(t, in);
      break;
   case SpvOpCapability:
      if (spirv_word(t, in, 1) == SpvCapabilityShaderEnqueueAMDX)
         t->shader->info.node.is_node = t->desc->stage == ABI_STAGE_COMPUTE;
      break;
   case SpvOpExtension:
   case SpvOpSourceContinued:
   case SpvOpSourceExtension:
   case SpvOpModuleProcessed:
   case SpvOpLine:
   case SpvOpNoLine:
   case SpvOpNop:
      break;
   default:
      spirv_fail(t, "%s is not supported", spirv_op_name(in->op));
   }
}

static void find_local_size(struct spirv_ctx *t)
{
   uint32_t *size = t->shader->info.local_size;
   if (t->local_size_constant) {
      struct spirv_val *val = spirv_value(t, t->local_size_constant);
      if (val->type->class != SPIRV_TYPE_VECTOR || val->type->count != 3 || val->class != SPIRV_VAL_CONST)
         spirv_fail(t, "WorkgroupSize is not a constant of three components");
      for (uint32_t i = 0; i < 3; i++)
         size[i] = val->bits[i];
   } else {
      for (uint32_t i = 0; i < 3; i++) {
         if (t->local_size_ids[i])
            size[i] = spirv_constant_u32(t, t->local_size_ids[i]);
      }
   }
   if (!abi_has_workgroups(t->desc->stage))
      return;
   const bool has_quads = t->compute_derivatives == SpvExecutionModeDerivativeGroupQuadsKHR;
   if (has_quads && (size[0] % 2 || size[1] % 2))
      spirv_fail(t, "a workgroup of %u x %u has no groups of 2 x 2", size[0], size[1]);
   if (t->compute_derivatives && !has_quads && size[0] * size[1] * size[2] % 4)
      spirv_fail(t, "a workgroup of %u x %u x %u has no groups of 4", size[0], size[1], size[2]);
   if (!size[0] || !size[1] || !size[2] || (uint64_t)size[0] * size[1] > 1 << 20 ||
       (uint64_t)size[0] * size[1] * size[2] > 1 << 20)
      spirv_fail(t, "workgroup size %u x %u x %u", size[0], size[1], size[2]);
}

void spirv_parse_module(struct spirv_ctx *t)
{
   if (t->num_words < 5 || t->words[0] != SpvMagicNumber)
      spirv_fail(t, "not a SPIR-V module");
   t->bound = t->words[3];
   if (t->bound > SPIRV_MAX_BOUND)
      spirv_fail(t, "id bound %u is above the limit", t->bound);
   t->ids = UTIL_ARENA_ARRAY(t->arena, struct spirv_id, t->bound);

   size_t offset = 5;
   while (offset < t->num_words) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      if (in.op == SpvOpFunction) {
         offset = parse_function(t, offset);
         continue;
      }
      if (!parse_annotation(t, &in) && !spirv_parse_type(t, &in) && !spirv_parse_constant(t, &in))
         parse_global(t, &in);
      offset += in.count;
   }
   spirv_resolve_layouts(t);
   if (!t->entry_id)
      spirv_fail(t, "no entry point \"%s\" of this stage", t->desc->entry_point);
   for (offset = 5; offset < t->num_words; offset += t->words[offset] >> 16) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      parse_fast_math_default(t, &in);
      spirv_node_mode(t, &in);
      if (in.op == SpvOpFunction)
         break;
   }
   /* Of these that is all there is to it: depth or stencil that a shader replaces is tested late, as without the mode. */
   if (t->has_early_and_late_tests && !t->replaces_depth_or_stencil)
      t->shader->info.early_tests = 1;
   find_local_size(t);
   spirv_find_payload(t);
}
