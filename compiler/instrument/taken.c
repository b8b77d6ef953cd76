/* SPDX-License-Identifier: MIT
 * `uninit`: outputs that no shader reads, but the fixed functions behind the stage take, and which nobody has written when all invocations are at the end:
 * colours of attachments; a patch's levels; a mesh's indices, and positions of vertices that they name. Reported at the shader's last line. Of what is
 * written whose value is undefined uninit.c reports the store.
 * Spec: Fragment Output Interface; Tessellation, "Tessellator Patch Discard"; Mesh Shading, "Mesh Shader Output". */
#include "compiler/instrument/instrument.h"

#include <stddef.h>

enum { ALL_OF_POSITION = 15, NUM_LEVELS = 6, NUM_OUTER_LEVELS = 4, ACQUIRE_RELEASE_SHARED = 0x108, SCOPE_WORKGROUP = 2 };

struct taken {
   struct ir_instrument *in;
   struct ir_builder b; /* at the end of the shader */
   uint32_t line;
};

static struct abi_site *new_site(const struct taken *t, enum abi_probe probe, const char *name)
{
   return ir_site_create_at(t->in->shader, probe, t->line, ir_op_infos[IR_store_output].name, name);
}

static struct ir_instr *u32(struct taken *t, uint32_t value)
{
   return ir_const(&t->b, 32, value);
}

static struct ir_instr *is_not_zero(struct taken *t, struct ir_instr *value)
{
   return ir_alu2(&t->b, IR_ine, value, u32(t, 0));
}

/* ---- colours that attachments take, which draws say ---- */

static void report_colors(struct taken *t, uint32_t stored)
{
   struct ir_instr *taken = NULL;
   for (uint32_t location = 0; location < ABI_MAX_ATTACHMENTS; location++) {
      const uint32_t components = ~stored >> 4 * location & 0xf;
      struct abi_site *site = components ? new_site(t, ABI_PROBE_UNINIT_COLOR, NULL) : NULL;
      if (!site)
         continue;
      site->limit = location;
      taken = taken ? taken : ir_sysval(&t->b, IR_SYSVAL_TAKEN_OUTPUTS, 1, 32);
      struct ir_instr *missing = ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_ushr, taken, u32(t, 4 * location)), u32(t, components));
      ir_probe(t->in, &t->b, site, is_not_zero(t, missing), 1, &missing);
   }
}

/* ---- levels that the tessellator takes, which draws say, too ---- */

static struct ir_instr *load_row(struct taken *t, uint32_t slot)
{
   struct ir_instr *row = u32(t, t->in->shader->info.rows[slot]);
   return ir_emit(&t->b, IR_load_row, 1, 32, 1, &row);
}

/* A patch with an outer level that is not positive is discarded, whatever the others are. */
static struct ir_instr *is_discarded(struct taken *t, struct ir_instr *used)
{
   const uint16_t *rows = t->in->shader->info.rows;
   struct ir_instr *result = ir_const(&t->b, 1, 0), *zero = u32(t, 0);
   for (uint32_t i = 0; i < NUM_OUTER_LEVELS; i++) {
      if (rows[ABI_SLOT_TESS_OUTER + i] == ABI_NO_ROW)
         continue;
      struct ir_instr *is_positive = ir_alu2(&t->b, IR_flt, zero, load_row(t, ABI_SLOT_TESS_OUTER + i));
      struct ir_instr *is_used = is_not_zero(t, ir_alu2(&t->b, IR_iand, used, u32(t, 1u << i)));
      result = ir_alu2(&t->b, IR_ior, result, ir_alu2(&t->b, IR_iand, is_used, ir_alu1(&t->b, IR_inot, is_positive)));
   }
   return result;
}

/* The last invocation comes last. */
static void report_levels(struct taken *t)
{
   const struct abi_shader_info *info = &t->in->shader->info;
   const uint32_t word = ABI_SLOT_WRITTEN_OF_PRIMITIVE + ABI_SLOT_TESS_OUTER / 32;
   struct abi_site *site = info->rows[word] == ABI_NO_ROW ? NULL : new_site(t, ABI_PROBE_UNINIT_LEVEL, NULL);
   if (!site)
      return;
   struct ir_instr *taken = ir_sysval(&t->b, IR_SYSVAL_TAKEN_OUTPUTS, 1, 32), *invocation = ir_sysval(&t->b, IR_SYSVAL_INVOCATION_ID, 1, 32);
   struct ir_instr *written = ir_alu2(&t->b, IR_ushr, load_row(t, word), u32(t, ABI_SLOT_TESS_OUTER % 32));
   struct ir_instr *missing = ir_alu2(&t->b, IR_iand, taken, ir_alu1(&t->b, IR_inot, written));
   struct ir_instr *is_last = ir_alu2(&t->b, IR_ieq, invocation, u32(t, info->vertices_out - 1u));
   struct ir_instr *is_used = ir_alu1(&t->b, IR_inot, is_discarded(t, ir_alu2(&t->b, IR_iand, taken, written)));
   ir_probe(t->in, &t->b, site, ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_iand, is_last, is_used), is_not_zero(t, missing)), 1, &missing);
}
_Static_assert(ABI_SLOT_TESS_OUTER % 32 + NUM_LEVELS <= 32 && ABI_SLOT_INDICES + 3 <= 32 * ABI_WRITTEN_WORDS, "all levels in one word; indices have bits");

/* ---- meshes ---- */

static struct ir_instr *load_shared(struct taken *t, struct ir_instr *word)
{
   struct ir_instr *offset = ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, word, u32(t, 4)), u32(t, t->in->shader->info.output_offset));
   struct ir_instr *load = ir_emit(&t->b, IR_load_shared, 1, 32, 1, &offset);
   load->imm.u[1] = 4;
   return load;
}

/* Of a slot, that of a vertex or primitive. */
static struct ir_instr *load_output(struct taken *t, uint32_t slot, struct ir_instr *index)
{
   return load_shared(t, ir_alu2(&t->b, IR_iadd, u32(t, t->in->shader->info.rows[slot]), index));
}

static bool has_slot(const struct taken *t, uint32_t slot)
{
   return t->in->shader->info.rows[slot] != ABI_NO_ROW;
}

/* Some of the slots, from `first` on, that have not been written; `word` is the first of the words that say it. */
static struct ir_instr *lacks(struct taken *t, uint32_t word, struct ir_instr *index, uint32_t first, uint32_t bits)
{
   struct ir_instr *all = u32(t, bits << first % 32);
   return ir_alu2(&t->b, IR_ine, ir_alu2(&t->b, IR_iand, load_output(t, word + first / 32, index), all), all);
}

static struct ir_instr *where(struct taken *t, struct ir_instr *condition, struct ir_instr *value)
{
   return ir_select(&t->b, condition, value, u32(t, 0));
}

/* 1 bit each: the primitive lacks an index; a vertex that it names lacks its position. */
struct lack {
   struct ir_instr *indices, *positions;
};

static struct lack lack_of(struct taken *t, struct ir_instr *primitive, struct ir_instr *is_there, struct ir_instr *num_vertices)
{
   const struct abi_shader_info *info = &t->in->shader->info;
   struct ir_instr *at = where(t, is_there, primitive);
   if (has_slot(t, ABI_SLOT_CULL_PRIMITIVE)) /* then nothing else of it is used */
      is_there = ir_alu2(&t->b, IR_iand, is_there, ir_alu2(&t->b, IR_ieq, load_output(t, ABI_SLOT_CULL_PRIMITIVE, at), u32(t, 0)));
   struct ir_instr *no_indices = lacks(t, ABI_SLOT_WRITTEN_OF_PRIMITIVE, at, ABI_SLOT_INDICES, (1u << info->corners_out) - 1);
   struct ir_instr *positions = ir_const(&t->b, 1, 0);
   for (uint32_t k = 0; has_slot(t, ABI_SLOT_POSITION) && k < info->corners_out; k++) {
      struct ir_instr *vertex = load_output(t, ABI_SLOT_INDICES + k, at), *exists = ir_alu2(&t->b, IR_ult, vertex, num_vertices);
      struct ir_instr *no_position = lacks(t, ABI_SLOT_WRITTEN, where(t, exists, vertex), ABI_SLOT_POSITION, ALL_OF_POSITION);
      positions = ir_alu2(&t->b, IR_ior, positions, ir_alu2(&t->b, IR_iand, exists, no_position));
   }
   struct ir_instr *has_indices = ir_alu2(&t->b, IR_iand, is_there, ir_alu1(&t->b, IR_inot, no_indices));
   return (struct lack){ir_alu2(&t->b, IR_iand, is_there, no_indices), ir_alu2(&t->b, IR_iand, has_indices, positions)};
}

/* Each invocation looks at every primitive of `step`, from its own on. */
static void report_mesh(struct taken *t)
{
   const struct abi_shader_info *info = &t->in->shader->info;
   const uint32_t step = info->local_size[0] * info->local_size[1] * info->local_size[2];
   if (!has_slot(t, ABI_SLOT_WRITTEN_OF_PRIMITIVE) || !has_slot(t, ABI_SLOT_INDICES))
      return;
   struct ir_instr *barrier = ir_emit(&t->b, IR_barrier, 0, 0, 0, NULL);
   barrier->imm.u[0] = barrier->imm.u[1] = SCOPE_WORKGROUP;
   barrier->imm.u[2] = ACQUIRE_RELEASE_SHARED;
   struct ir_instr *local = ir_sysval(&t->b, IR_SYSVAL_LOCAL_INDEX, 1, 32);
   struct ir_instr *num_vertices = load_shared(t, u32(t, offsetof(struct abi_mesh_output, num_vertices) / 4));
   struct ir_instr *num_primitives = load_shared(t, u32(t, offsetof(struct abi_mesh_output, num_primitives) / 4));
   num_vertices = ir_alu2(&t->b, IR_umin, num_vertices, u32(t, info->max_vertices));
   num_primitives = ir_alu2(&t->b, IR_umin, num_primitives, u32(t, info->max_primitives));
   struct lack lack = {ir_const(&t->b, 1, 0), ir_const(&t->b, 1, 0)};
   for (uint32_t first = 0; first < info->max_primitives; first += step) {
      struct ir_instr *primitive = ir_alu2(&t->b, IR_iadd, local, u32(t, first));
      const struct lack one = lack_of(t, primitive, ir_alu2(&t->b, IR_ult, primitive, num_primitives), num_vertices);
      lack.indices = ir_alu2(&t->b, IR_ior, lack.indices, one.indices);
      lack.positions = ir_alu2(&t->b, IR_ior, lack.positions, one.positions);
   }
   ir_probe(t->in, &t->b, new_site(t, ABI_PROBE_UNINIT_OUTPUT, "the indices of a primitive"), lack.indices, 0, NULL);
   ir_probe(t->in, &t->b, new_site(t, ABI_PROBE_UNINIT_OUTPUT, "the position of a primitive's vertex"), lack.positions, 0, NULL);
}

void ir_instrument_taken(struct ir_instrument *in, uint32_t line, uint32_t stored)
{
   struct taken t = {.in = in, .b = ir_builder_before(in->shader, ir_terminator(in->shader->body)), .line = line};
   switch (in->shader->info.stage) {
   case ABI_STAGE_FRAGMENT: report_colors(&t, stored); break;
   case ABI_STAGE_CONTROL: report_levels(&t); break;
   case ABI_STAGE_MESH: report_mesh(&t); break;
   default: break;
   }
}
