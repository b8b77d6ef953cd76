/* SPDX-License-Identifier: MIT
 * `uninit`: which outputs a stage has written, for the next one. A stage gives bits beside its outputs, one a slot (ABI_SLOT_WRITTEN), set where the value
 * is defined; whoever reads a slot reads the bit, too. Which values are defined the pass finds out (compiler/instrument/uninit.c): here stand is_defined
 * and undefined_where. Spec: Vulkan, "Shader Input and Output Interfaces". */
#include "compiler/spirv/memory/spirv_pointer.h"
#include "util/bitset.h"

bool spirv_follows_outputs(const struct spirv_ctx *t)
{
   return t->shader->checks & ABI_CHECK_UNINIT && t->desc->stage <= ABI_STAGE_FRAGMENT && t->desc->stage != ABI_STAGE_TASK;
}

/* Of built-in variables those that have no value unless a stage writes them. */
bool spirv_follows_part(const struct spirv_ctx *t, const struct spirv_iface *part)
{
   if (!spirv_follows_outputs(t))
      return false;
   if (!part->is_builtin)
      return true;
   switch (part->builtin) {
   case SpvBuiltInPosition:
   case SpvBuiltInPointSize:
   case SpvBuiltInClipDistance:
   case SpvBuiltInCullDistance:
   case SpvBuiltInTessLevelOuter:
   case SpvBuiltInTessLevelInner:
   case SpvBuiltInPrimitivePointIndicesEXT:
   case SpvBuiltInPrimitiveLineIndicesEXT:
   case SpvBuiltInPrimitiveTriangleIndicesEXT: return true;
   default: return false;
   }
}

static bool is_cull_distance(const struct spirv_iface *part)
{
   return part->is_builtin && part->builtin == SpvBuiltInCullDistance;
}

/* Cull distances stand behind the clip distances, of which stages may have different numbers: their bits come from the end of the slots of both,
 * backwards. `num_clip`: of those in front. Variables of patches have the bits of the same locations of vertices, in words of their own. */
static uint32_t bit_of_slot(const struct spirv_iface *part, uint32_t slot, uint32_t num_clip)
{
   if (slot >= ABI_SLOT_PATCH)
      return slot - ABI_SLOT_PATCH + ABI_SLOT_USER;
   return is_cull_distance(part) ? ABI_SLOT_USER - 1 - (slot - ABI_SLOT_CLIP_DISTANCE - num_clip) : slot;
}

static struct ir_instr *bit_if_defined(struct spirv_ctx *t, struct ir_instr *value, struct ir_instr *bit)
{
   return ir_select(&t->b, ir_alu1(&t->b, IR_is_defined, value), bit, spirv_u32(t, 0));
}

/* ---- outputs of an invocation ---- */

void spirv_note_output(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value)
{
   if (!spirv_follows_part(t, part) || t->desc->stage == ABI_STAGE_FRAGMENT || slot >= 32 * ABI_WRITTEN_WORDS)
      return;
   slot = bit_of_slot(part, slot, 0);
   struct ir_instr **word = &t->written[slot / 32], *bit = bit_if_defined(t, value, spirv_u32(t, 1u << slot % 32));
   *word = *word ? ir_alu2(&t->b, IR_ior, *word, bit) : bit;
}

void spirv_store_written(struct spirv_ctx *t, void (*store)(struct spirv_ctx *t, uint32_t slot, struct ir_instr *value))
{
   for (uint32_t i = 0; i < ABI_WRITTEN_WORDS; i++) {
      if (t->written[i])
         store(t, ABI_SLOT_WRITTEN + i, t->written[i]);
      t->written[i] = NULL;
   }
}

/* ---- outputs that invocations share ---- */

void spirv_declare_written(const struct spirv_ctx *t, uint64_t *of_vertices, uint64_t *of_others)
{
   for (uint32_t i = 0; i < ABI_WRITTEN_WORDS && spirv_follows_outputs(t); i++) {
      util_bitset_set(of_vertices, ABI_SLOT_WRITTEN + i);
      util_bitset_set(of_others, ABI_SLOT_WRITTEN_OF_PRIMITIVE + i);
   }
}

/* Where a component's bit is. */
static struct ir_instr *row_of_bit(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t first_slot, const struct spirv_rows_steps *steps,
                                   struct ir_instr **bit)
{
   const struct spirv_variable *variable = p->iface->variable;
   const bool is_other = variable->is_of_patch || variable->is_of_primitives;
   struct ir_instr *slot = spirv_u32(t, bit_of_slot(p->iface, first_slot, t->shader->info.num_clip_distances));
   if (p->dyn) /* in rows */
      slot = ir_alu2(&t->b, is_cull_distance(p->iface) ? IR_isub : IR_iadd, slot, ir_alu2(&t->b, IR_udiv, p->dyn, spirv_u32(t, steps->slot)));
   *bit = ir_alu2(&t->b, IR_ishl, spirv_u32(t, 1), ir_alu2(&t->b, IR_iand, slot, spirv_u32(t, 31)));
   struct ir_instr *row = ir_alu2(&t->b, IR_imul, ir_alu2(&t->b, IR_ushr, slot, spirv_u32(t, 5)), spirv_u32(t, steps->slot));
   row = ir_alu2(&t->b, IR_iadd, row, spirv_u32(t, t->shader->info.rows[is_other ? ABI_SLOT_WRITTEN_OF_PRIMITIVE : ABI_SLOT_WRITTEN]));
   return p->vertex ? ir_alu2(&t->b, IR_iadd, row, ir_alu2(&t->b, IR_imul, p->vertex, spirv_u32(t, steps->vertex))) : row;
}

void spirv_note_row(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slot, const struct spirv_rows_steps *steps, struct ir_instr *value)
{
   if (!spirv_follows_part(t, p->iface))
      return;
   struct ir_instr *bit, *row = row_of_bit(t, p, slot, steps, &bit);
   if (p->only_if)
      row = ir_select(&t->b, p->only_if, row, spirv_u32(t, t->shader->info.num_rows - 1u));
   ir_emit(&t->b, IR_or_row, 0, 0, 2, (struct ir_instr *[]){row, bit_if_defined(t, value, bit)});
}

/* ---- inputs ---- */

static struct ir_instr *undefined_unless(struct spirv_ctx *t, struct ir_instr *value, struct ir_instr *word, struct ir_instr *bit)
{
   struct ir_instr *is_unwritten = ir_alu2(&t->b, IR_ieq, ir_alu2(&t->b, IR_iand, word, bit), spirv_u32(t, 0));
   return ir_alu2(&t->b, IR_undefined_where, value, is_unwritten);
}

struct ir_instr *spirv_follow_row(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slot, const struct spirv_rows_steps *steps,
                                  struct ir_instr *value)
{
   if (!spirv_follows_part(t, p->iface) || t->desc->stage != ABI_STAGE_CONTROL)
      return value;
   struct ir_instr *bit, *row = row_of_bit(t, p, slot, steps, &bit);
   return undefined_unless(t, value, ir_emit(&t->b, IR_load_row, 1, 32, 1, &row), bit);
}

static struct ir_instr *interpolant(struct spirv_ctx *t, uint32_t slot, enum ir_interp mode, uint32_t at)
{
   struct ir_instr *word = ir_emit(&t->b, IR_interp, 1, 32, 0, NULL);
   word->imm.u[0] = slot;
   word->imm.u[1] = mode;
   word->imm.u[2] = at;
   return word;
}

/* What is interpolated depends on all vertices, what is flat on the provoking one; or the primitive has it. */
static struct ir_instr *word_of_fragment(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t corner, uint32_t index)
{
   if (part->interp == IR_INTERP_PER_VERTEX)
      return interpolant(t, ABI_SLOT_WRITTEN + index, IR_INTERP_PER_VERTEX, corner);
   struct ir_instr *word = NULL;
   if (part->interp == IR_INTERP_FLAT)
      word = interpolant(t, ABI_SLOT_WRITTEN_FLAT + index, IR_INTERP_FLAT, IR_AT_CENTER);
   for (uint32_t v = 0; v < 3 && part->interp != IR_INTERP_FLAT; v++) {
      struct ir_instr *one = interpolant(t, ABI_SLOT_WRITTEN + index, IR_INTERP_PER_VERTEX, v);
      word = word ? ir_alu2(&t->b, IR_iand, word, one) : one;
   }
   return ir_alu2(&t->b, IR_ior, word, interpolant(t, ABI_SLOT_WRITTEN_OF_PRIMITIVE + index, IR_INTERP_FLAT, IR_AT_CENTER));
}

struct ir_instr *spirv_follow_input(struct spirv_ctx *t, const struct spirv_iface *part, struct ir_instr *vertex, uint32_t corner, uint32_t slot,
                                    struct ir_instr *value)
{
   slot = bit_of_slot(part, slot, vertex ? t->shader->info.num_clip_distances_in : t->shader->info.num_clip_distances);
   if (!spirv_follows_part(t, part) || slot >= 32 * ABI_WRITTEN_WORDS)
      return value;
   struct ir_instr *word;
   if (t->desc->stage == ABI_STAGE_FRAGMENT) {
      word = word_of_fragment(t, part, corner, slot / 32);
   } else {
      word = ir_emit(&t->b, vertex ? IR_load_vertex : IR_load_input, 1, 32, vertex ? 1 : 0, &vertex);
      const bool is_of_vertex = vertex || t->desc->stage == ABI_STAGE_VERTEX; /* of an attribute: what the buffer has */
      word->imm.u[0] = (is_of_vertex ? ABI_SLOT_WRITTEN : ABI_SLOT_WRITTEN_OF_PRIMITIVE) + slot / 32;
   }
   return undefined_unless(t, value, word, spirv_u32(t, 1u << slot % 32));
}
