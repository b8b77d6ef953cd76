/* SPDX-License-Identifier: MIT */
#include "compiler/spirv/memory/spirv_emission.h"

#include "compiler/spirv/instructions/spirv_instructions.h"

/* A store of an output's part that the code may still turn out not to write. */
struct pending_store {
   struct pending_store *next;
   const struct spirv_iface *part;
   struct ir_instr *instr;
};

struct spirv_emission {
   struct ir_var *count;  /* vertices so far */
   struct ir_var *begins; /* bit set: the stream's next vertex begins a strip */
   struct ir_instr *index; /* of the vertex that is being stored */
   struct pending_store *stores;
};

static struct ir_instr *load(struct spirv_ctx *t, struct ir_var *var)
{
   return ir_load_var(&t->b, var, spirv_u32(t, 0), 1, 32);
}

static void store(struct spirv_ctx *t, struct ir_var *var, struct ir_instr *value)
{
   ir_store_var(&t->b, var, spirv_u32(t, 0), value, 1);
}

void spirv_begin_emission(struct spirv_ctx *t)
{
   struct abi_shader_info *info = &t->shader->info;
   if (t->desc->stage != ABI_STAGE_GEOMETRY)
      return;
   if (!info->vertices_in || !info->corners_out)
      spirv_fail(t, "a geometry shader does not say what it reads and makes");
   info->num_invocations = UTIL_MAX(info->num_invocations, 1);
   info->max_vertices = UTIL_MAX(info->max_vertices, 1);
   struct spirv_emission *emission = UTIL_ARENA_NEW(t->arena, struct spirv_emission);
   emission->count = ir_var_create(t->shader, 4, "emitted");
   emission->begins = ir_var_create(t->shader, 4, "begins");
   t->emission = emission;
   store(t, emission->count, spirv_u32(t, 0));
   store(t, emission->begins, spirv_u32(t, UINT32_MAX));
}

static struct ir_instr *store_slot(struct spirv_ctx *t, uint32_t slot, struct ir_instr *value)
{
   struct ir_instr *instr = ir_emit(&t->b, IR_store_vertex, 0, 0, 2, (struct ir_instr *[]){t->emission->index, value});
   instr->imm.u[0] = slot;
   return instr;
}

static void store_pending(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value)
{
   struct pending_store *pending = UTIL_ARENA_NEW(t->arena, struct pending_store);
   if (slot >= ABI_NUM_SLOTS)
      spirv_fail(t, "an output passes the last location");
   spirv_note_output(t, part, slot, value);
   *pending = (struct pending_store){t->emission->stores, part, store_slot(t, slot, value)};
   t->emission->stores = pending;
}

static void store_word(struct spirv_ctx *t, uint32_t slot, struct ir_instr *value)
{
   store_slot(t, slot, value);
}

/* What a vertex of another stream has there. */
static void store_zero(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value)
{
   store_pending(t, part, slot, spirv_u32(t, 0));
}

static void store_parts(struct spirv_ctx *t, uint32_t stream, bool is_own)
{
   for (struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         struct spirv_iface *part = &variable->parts[p];
         if ((part->stream == stream) != is_own)
            continue;
         if (!part->var)
            part->var = spirv_temp_pointer(t, part->type, t->ids[variable->id].name).var;
         spirv_store_part(t, part, is_own ? store_pending : store_zero);
      }
   }
}

/* Outputs of other streams are zeros: nobody need read them, but what is rasterized may, and is then the same everywhere. */
static void store_outputs(struct spirv_ctx *t, uint32_t stream)
{
   store_parts(t, stream, false);
   store_parts(t, stream, true); /* last, where two streams share a location */
   spirv_store_written(t, store_word);
}

static void forget_value(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   if (!spirv_is_scalar_or_vector(pointer->type)) {
      for (uint32_t i = 0; i < spirv_num_children(t, pointer->type); i++) {
         const struct spirv_pointer child = spirv_pointer_child(t, pointer, i);
         forget_value(t, &child);
      }
      return;
   }
   struct spirv_val *val = spirv_load(t, pointer);
   const uint32_t count = spirv_leaf_count(t, pointer->type);
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++)
      comps[i] = ir_alu2(&t->b, IR_undefined_where, spirv_comps(t, val)[i], ir_const(&t->b, 1, 1));
   spirv_store(t, pointer, spirv_new_leaf(t, pointer->type, comps));
}

/* Spec: SPIR-V, OpEmitVertex: outputs have no value behind it. They keep what they had, which `uninit` takes for nothing. */
static void forget_outputs(struct spirv_ctx *t)
{
   static const struct spirv_layout cells = {.class = SPIRV_LAYOUT_CELLS};
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         const struct spirv_iface *part = &variable->parts[p];
         const struct spirv_pointer pointer = {.class = SPIRV_PTR_VAR, .type = part->type, .layout = cells, .align = 4, .var = part->var};
         if (part->var && spirv_follows_part(t, part))
            forget_value(t, &pointer);
      }
   }
}

static void emit_vertex(struct spirv_ctx *t, uint32_t stream)
{
   struct spirv_emission *emission = t->emission;
   struct abi_shader_info *info = &t->shader->info;
   info->streams |= 1u << stream;
   struct ir_instr *index = load(t, emission->count);
   struct ir_instr *fits = ir_if(&t->b, ir_alu2(&t->b, IR_ult, index, spirv_u32(t, info->max_vertices)));
   const struct ir_builder saved = t->b;
   t->b = ir_builder_at_end(t->shader, fits->imm.cf.regions[0]);
   t->b.line = saved.line;
   emission->index = index;
   store_outputs(t, stream);
   struct ir_instr *begins = load(t, emission->begins);
   struct ir_instr *flags = ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_ushr, begins, spirv_u32(t, stream)), spirv_u32(t, 1));
   if (stream)
      flags = ir_alu2(&t->b, IR_ior, flags, spirv_u32(t, stream << ABI_VERTEX_STREAM_SHIFT));
   store_slot(t, ABI_SLOT_VERTEX_FLAGS, flags);
   store(t, emission->begins, ir_alu2(&t->b, IR_iand, begins, spirv_u32(t, ~(1u << stream))));
   store(t, emission->count, ir_alu2(&t->b, IR_iadd, index, spirv_u32(t, 1)));
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = ir_builder_at_end(t->shader, fits->imm.cf.regions[1]);
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = saved;
   if (spirv_follows_outputs(t))
      forget_outputs(t);
}

static void end_primitive(struct spirv_ctx *t, uint32_t stream)
{
   struct ir_instr *begins = load(t, t->emission->begins);
   store(t, t->emission->begins, ir_alu2(&t->b, IR_ior, begins, spirv_u32(t, 1u << stream)));
}

static uint32_t stream_of(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t stream = spirv_constant_u32(t, spirv_word(t, in, 1));
   if (stream >= 4)
      spirv_fail(t, "stream %u is above the limit", stream);
   return stream;
}

bool spirv_emission(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op < SpvOpEmitVertex || in->op > SpvOpEndStreamPrimitive)
      return false;
   if (!t->emission)
      spirv_fail(t, "%s in a shader that emits nothing", spirv_op_name(in->op));
   switch (in->op) {
   case SpvOpEmitVertex: emit_vertex(t, 0); break;
   case SpvOpEndPrimitive: end_primitive(t, 0); break;
   case SpvOpEmitStreamVertex: emit_vertex(t, stream_of(t, in)); break;
   default: end_primitive(t, stream_of(t, in)); break;
   }
   return true;
}

void spirv_end_emission(struct spirv_ctx *t)
{
   const struct abi_shader_info *info = &t->shader->info;
   spirv_count_output_distances(t);
   for (const struct pending_store *it = t->emission->stores; it; it = it->next) {
      if (!it->part->is_touched) {
         ir_remove(it->instr);
         continue;
      }
      if (it->part->is_builtin && it->part->builtin == SpvBuiltInCullDistance)
         it->instr->imm.u[0] += info->num_clip_distances;
   }
   struct ir_instr *count = load(t, t->emission->count);
   ir_emit(&t->b, IR_store_output, 0, 0, 1, &count)->imm.u[0] = ABI_SLOT_NUM_VERTICES;
}
