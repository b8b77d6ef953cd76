/* SPDX-License-Identifier: MIT
 * The front end's entry: translates one entry point, and dispatches instructions to their classes. */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/memory/spirv_emission.h"
#include "compiler/spirv/memory/spirv_heap.h"
#include "compiler/spirv/spirv_cfg.h"

#include <string.h>

/* ---- what instructions inherit ---- */

/* The float that decides how an instruction rounds: its result, or what it compares or converts. */
static const struct spirv_type *float_of(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_id *type_id = spirv_id(t, in->words[1]);
   if (type_id->class != SPIRV_ID_TYPE)
      return NULL;
   const struct spirv_type *type = type_id->type;
   if (type->class == SPIRV_TYPE_STRUCT && type->count)
      type = type->members[0].type;
   type = spirv_scalar_type(type);
   if (type->class == SPIRV_TYPE_FLOAT)
      return type;
   const uint32_t at = in->op == SpvOpExtInst ? 5 : 3;
   if (in->count <= at || in->words[at] >= t->bound || t->ids[in->words[at]].class != SPIRV_ID_VALUE)
      return NULL;
   type = spirv_scalar_type(t->ids[in->words[at]].value->type);
   return type->class == SPIRV_TYPE_FLOAT ? type : NULL;
}

void spirv_set_fp(struct spirv_ctx *t, const struct spirv_instr *in)
{
   t->b.fp = 0;
   bool has_result = false, has_type = false;
   spirv_op_shape(in->op, &has_result, &has_type);
   if (!has_result || !has_type || in->count < 3)
      return;
   const struct spirv_type *type = float_of(t, in);
   if (!type)
      return;
   t->b.fp = t->fp_by_width[type->bits == 16 ? 0 : type->bits == 32 ? 1 : 2];
   for (const struct spirv_decoration *d = spirv_id(t, in->words[2])->decorations; d; d = d->next) {
      if (d->decoration == SpvDecorationNoContraction) {
         t->b.fp &= ~(IR_FP_CONTRACT | IR_FP_ZEROS);
      } else if (d->decoration == SpvDecorationFPFastMathMode && d->num_operands) {
         t->b.fp = (t->b.fp & (IR_FP_RTZ | IR_FP_FLUSH_DENORM)) | spirv_fp_of_fast_math(d->operands[0]);
      } else if (d->decoration == SpvDecorationFPRoundingMode && d->num_operands) {
         t->b.fp &= ~IR_FP_RTZ;
         if (d->operands[0] == SpvFPRoundingModeRTZ)
            t->b.fp |= IR_FP_RTZ;
         else if (d->operands[0] != SpvFPRoundingModeRTE)
            spirv_fail(t, "rounding mode %u is not supported", d->operands[0]);
      }
   }
}

void spirv_set_line(struct spirv_ctx *t, const char *file, uint32_t line, uint32_t column)
{
   struct ir_shader *shader = t->shader;
   if (!line) {
      t->b.line = 0;
      return;
   }
   if (shader->num_lines) {
      const struct ir_line *last = &shader->lines[shader->num_lines - 1];
      if (last->file == file && last->line == line && last->column == column) {
         t->b.line = shader->num_lines - 1;
         return;
      }
   }
   if (shader->num_lines + 1 >= shader->cap_lines) {
      const uint32_t cap = UTIL_MAX(64u, shader->cap_lines * 2);
      struct ir_line *lines = UTIL_ARENA_ARRAY(t->arena, struct ir_line, cap);
      if (shader->num_lines)
         memcpy(lines, shader->lines, shader->num_lines * sizeof(*lines));
      shader->lines = lines;
      shader->cap_lines = cap;
   }
   if (!shader->num_lines)
      shader->num_lines = 1; /* entry 0 stands for "unknown" */
   shader->lines[shader->num_lines] = (struct ir_line){.file = file, .line = line, .column = column};
   t->b.line = shader->num_lines++;
}

/* ---- extended instructions ---- */

static void debug_line(struct spirv_ctx *t, const struct spirv_instr *in)
{
   enum { DEBUG_LINE = 103, DEBUG_NO_LINE = 104 };
   const uint32_t instruction = spirv_word(t, in, 4);
   if (instruction == DEBUG_NO_LINE)
      t->b.line = 0;
   if (instruction != DEBUG_LINE)
      return;
   spirv_set_line(t, spirv_id(t, spirv_word(t, in, 5))->source_file, spirv_constant_u32(t, spirv_word(t, in, 6)),
                  spirv_constant_u32(t, spirv_word(t, in, 8)));
}

bool spirv_ext_inst(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op != SpvOpExtInst && in->op != SpvOpExtInstWithForwardRefsKHR)
      return false;
   const struct spirv_id *set = spirv_id(t, spirv_word(t, in, 3));
   if (set->class != SPIRV_ID_EXT_SET)
      spirv_fail(t, "id %u is not a set of extended instructions", in->words[3]);
   switch (set->ext_set) {
   case SPIRV_EXT_GLSL: spirv_glsl(t, in); break;
   case SPIRV_EXT_AMD_TRINARY: spirv_amd_trinary(t, in); break;
   case SPIRV_EXT_AMD_GCN: spirv_amd_gcn(t, in); break;
   case SPIRV_EXT_DEBUG_INFO: debug_line(t, in); break;
   case SPIRV_EXT_PRINT: spirv_debug_printf(t, in); break;
   case SPIRV_EXT_IGNORED: break;
   default: spirv_fail(t, "extended instruction set %s is not supported", set->string);
   }
   return true;
}

/* ---- instructions ---- */

static bool without_code(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpLine: {
      const struct spirv_id *file = spirv_id(t, spirv_word(t, in, 1));
      spirv_set_line(t, file->class == SPIRV_ID_STRING ? file->string : NULL, spirv_word(t, in, 2),
                     spirv_word(t, in, 3));
      return true;
   }
   case SpvOpNoLine:
      t->b.line = 0;
      return true;
   case SpvOpNop:
   case SpvOpAssumeTrueKHR:
      return true;
   default:
      return false;
   }
}

static void follow_result(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (UTIL_UNLIKELY(t->chains != NULL))
      spirv_follow(t, in);
   if (UTIL_UNLIKELY(t->shader->checks))
      spirv_note_nonuniform(t, in);
}

void spirv_instruction(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (without_code(t, in))
      return;
   if (t->shader->num_values + t->copied_operations > SPIRV_MAX_OPERATIONS)
      spirv_fail(t, "the shader has more than %u operations", SPIRV_MAX_OPERATIONS);
   t->b.fp = 0;
   t->code_line = t->b.line;
   if (spirv_memory(t, in) || spirv_copy(t, in) || spirv_access_chain(t, in) || spirv_heap_instruction(t, in) || spirv_texel_pointer(t, in)) {
      follow_result(t, in);
      return;
   }
   spirv_set_fp(t, in);
   if (!spirv_cooperative(t, in) && !spirv_cooperative_vector(t, in) && !spirv_alu(t, in) && !spirv_composite(t, in) &&
       !spirv_conversion(t, in) && !spirv_ext_inst(t, in) && !spirv_matrix(t, in) && !spirv_image(t, in) && !spirv_processing(t, in) &&
       !spirv_atomic(t, in) && !spirv_group(t, in) && !spirv_derivative(t, in) && !spirv_emission(t, in) &&
       !spirv_ray_query(t, in) && !spirv_mesh(t, in) && !spirv_trace(t, in) && !spirv_hit_object(t, in) &&
       !spirv_integer(t, in) && !spirv_node(t, in))
      spirv_fail(t, "%s is not supported", spirv_op_name(in->op));
   t->b.fp = 0;
   follow_result(t, in);
}

/* ---- the shader ---- */

static void translate(struct spirv_ctx *t)
{
   t->b = ir_builder_at_end(t->shader, t->shader->body);
   spirv_parse_module(t);
   spirv_parse_interface(t);
   const struct spirv_id *entry = spirv_id(t, t->entry_id);
   if (entry->class != SPIRV_ID_FUNCTION || entry->function->num_params)
      spirv_fail(t, "the entry point is not a function without parameters");
   if (t->shader->checks & ABI_CHECK_TRACE && t->desc->trace.stages >> t->desc->stage & 1)
      t->chains = UTIL_ARENA_ARRAY(t->arena, const uint32_t *, t->bound);
   spirv_begin_emission(t);
   if (spirv_has_rows(t))
      spirv_begin_rows(t);
   spirv_begin_workgroup(t);
   spirv_check_inlined_size(t, entry->function);
   spirv_emit_function(t, entry->function);

   /* outputs that nobody touches but that have a value */
   for (uint32_t i = 0; i < t->num_interface_ids; i++) {
      struct spirv_variable *variable = t->ids[t->interface_ids[i]].variable;
      if (variable->storage == SpvStorageClassOutput && variable->initializer)
         spirv_variable_pointer(t, variable);
   }
   t->b.fp = 0;
   t->b.line = spirv_follows_outputs(t) ? t->code_line : 0; /* their reports stand at the last line */
   if (t->emission)
      spirv_end_emission(t);
   else if (!spirv_has_rows(t) && t->desc->stage != ABI_STAGE_TASK)
      spirv_store_outputs(t);
   spirv_find_captures(t);
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   spirv_finish_entry(t);
   spirv_fix_scopes(t);
}

static struct spirv_ctx *try_translate(struct util_arena *arena, const struct comp_shader_desc *desc, bool copies_memory)
{
   struct spirv_ctx *t = UTIL_ARENA_NEW(arena, struct spirv_ctx);
   t->copies_memory = copies_memory;
   t->arena = t->spreads.arena = t->constants.arena = arena;
   t->desc = desc;
   t->has_64bit_indices = desc->has_64bit_indices;
   t->words = desc->words;
   t->num_words = desc->num_words;
   t->fp_by_width[0] = t->fp_by_width[1] = t->fp_by_width[2] = IR_FP_CONTRACT | IR_FP_ZEROS;
   t->shader = ir_shader_create(arena, desc->stage);
   t->shader->subgroup_size = desc->required_subgroup_size ? desc->required_subgroup_size : COMP_SUBGROUP_SIZE;
   t->shader->info.source_hash = desc->module_hash.lo;
   t->shader->checks = desc->checks;
   t->shader->copies_memory = copies_memory;
   t->instrument.shader = t->shader;
   if (!setjmp(t->failed))
      translate(t);
   return t;
}

/* Once more where composites are moved part by part more often than their code can be afforded. */
struct ir_shader *spirv_to_ir(struct util_arena *arena, const struct comp_shader_desc *desc, const char **error)
{
   const struct spirv_ctx *t = try_translate(arena, desc, false);
   if (t->num_moved > SPIRV_MAX_MOVED)
      t = try_translate(arena, desc, true);
   *error = t->error;
   return t->error ? NULL : t->shader;
}
