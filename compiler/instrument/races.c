/* SPDX-License-Identifier: MIT
 * `race` and `barrier`: report to the runtime each access to memory that invocations share, and each barrier that they reach and pass.
 * What is a race the runtime finds (runtime/instrument/races.c), granule by granule: site.limit bytes.
 *
 * Requires: nothing; the fewer accesses are left, the fewer probes. Does: probes in front of accesses, where they are in bounds, in front of and
 * behind barriers of a workgroup, and behind barriers of memory. Preserves: all else.
 *
 * Of the stages those that have workgroups. What a uniform block holds nobody writes: reads of it are not reported. */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

enum { SCOPE_WORKGROUP = 2, SCOPE_SUBGROUP = 3 };

static struct abi_site *access_site(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr,
                                    const struct ir_instr *resource)
{
   const bool is_known = resource && (resource->op == IR_buffer_size || resource->op == IR_image_desc);
   struct abi_site *site = ir_site_create(in->shader, probe, instr,
                                          is_known ? ir_resource_name(in->shader, resource->imm.u[0], resource->imm.u[1]) : NULL);
   if (site && is_known)
      ir_site_resource(in->shader, site, resource);
   if (site) {
      site->has_subgroup_barriers = in->has_subgroup_barriers;
      site->has_flags = in->has_atomics && in->has_fences;
   }
   return site;
}

static void follow_access(struct ir_instrument *in, struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *operands[3] = {ir_instrument_local_index(in), NULL, NULL}, *condition;
   const bool is_shared = access->memory == IR_MEMORY_SHARED;
   struct abi_site *site;
   if (is_shared) {
      const uint32_t last = in->shader->info.shared_bytes - UTIL_MIN(access->bytes, in->shader->info.shared_bytes);
      operands[1] = access->offset;
      condition = ir_alu2(&b, IR_uge, ir_const(&b, 32, last), access->offset);
      site = access_site(in, ABI_PROBE_ACCESS_SHARED, instr, NULL);
   } else {
      operands[1] = access->addr;
      operands[2] = access->offset ? access->offset : ir_const(&b, 32, 0);
      condition = ir_alu2(&b, IR_ine, access->addr, ir_const(&b, 64, 0)); /* where bounds.c found nothing */
      if (access->memory == IR_MEMORY_BUFFER) {
         condition = ir_alu1(&b, IR_inot, ir_is_outside(&b, access));
      }
      site = access_site(in, ABI_PROBE_ACCESS, instr, access->size);
   }
   if (!site)
      return;
   site->bytes = access->bytes;
   site->access = (uint8_t)access->access;
   site->limit = in->granularity;
   ir_probe(in, &b, site, condition, is_shared ? 2 : 3, operands);
}

static bool is_image_atomic(const struct ir_instr *instr)
{
   return instr->op == IR_image_atomic || ((instr->op == IR_image_load || instr->op == IR_image_store) && instr->imm.u[2] & IR_ACCESS_ATOMIC);
}

static void follow_image(struct ir_instrument *in, struct ir_instr *instr)
{
   if (instr->imm.u[1] & IR_TEX_INPUT_ATTACHMENT)
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *zero = ir_const(&b, 32, 0), *coords = instr->srcs[1];
   struct ir_instr *operands[6] = {ir_instrument_local_index(in), instr->srcs[0], zero, zero, zero, zero};
   for (uint32_t i = 0; i < UTIL_MIN(coords->num_components, 3u); i++)
      operands[2 + i] = ir_extract(&b, coords, i);
   uint32_t sample = 2;
   if (instr->op == IR_image_store)
      sample = 3;
   else if (instr->op == IR_image_atomic)
      sample = instr->imm.u[2] == IR_ATOMIC_CMPXCHG ? 4 : 3;
   if (instr->imm.u[1] & IR_TEX_SAMPLE)
      operands[5] = instr->srcs[sample];
   struct abi_site *site = access_site(in, ABI_PROBE_ACCESS_IMAGE, instr, instr->srcs[0]);
   if (!site)
      return;
   site->limit = coords->num_components;
   site->access = is_image_atomic(instr) ? ABI_PROBE_ATOMIC : instr->op == IR_image_load ? ABI_PROBE_READ : ABI_PROBE_WRITE;
   ir_probe(in, &b, site, ir_const(&b, 1, 1), 6, operands);
}

static void emit_barrier(struct ir_instrument *in, struct ir_builder *b, const struct ir_instr *instr, enum abi_probe probe)
{
   struct abi_site *site = ir_site_create(in->shader, probe, instr, NULL);
   if (!site)
      return;
   site->scope = (uint8_t)instr->imm.u[0];
   site->memory = (uint8_t)instr->imm.u[1];
   site->semantics = instr->imm.u[2];
   site->has_flags = in->has_atomics && in->has_fences;
   struct ir_instr *local_index = probe == ABI_PROBE_FENCE ? ir_instrument_local_index(in) : NULL;
   ir_probe(in, b, site, ir_const(b, 1, 1), local_index ? 1 : 0, &local_index);
}

static void follow_barrier(struct ir_instrument *in, struct ir_instr *instr)
{
   struct ir_builder before = ir_builder_before(in->shader, instr), after = ir_builder_after(in->shader, instr);
   before.line = after.line = instr->line;
   if (instr->imm.u[0] != 0 && instr->imm.u[0] <= SCOPE_WORKGROUP) {
      emit_barrier(in, &before, instr, ABI_PROBE_BARRIER);
      emit_barrier(in, &after, instr, ABI_PROBE_BARRIER_PASSED);
   } else {
      emit_barrier(in, &after, instr, ABI_PROBE_FENCE);
   }
}

static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   if (instr->op == IR_barrier) {
      follow_barrier(in, instr);
      return;
   }
   if (!(in->shader->checks & ABI_CHECK_RACE))
      return;
   if (instr->op == IR_image_load || instr->op == IR_image_store || instr->op == IR_image_atomic) {
      follow_image(in, instr);
      return;
   }
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if (access.memory != IR_MEMORY_NONE && access.bytes && !(access.flags & IR_ACCESS_READ_ONLY))
      follow_access(in, instr, &access);
}

/* Granules are those of the narrowest access: no two of different bytes are to meet. */
static void look_ahead(struct ir_instr *instr, void *data)
{
   struct ir_instrument *in = data;
   in->has_subgroup_barriers |= instr->op == IR_barrier && instr->imm.u[0] == SCOPE_SUBGROUP;
   in->has_fences |= instr->op == IR_barrier && (!instr->imm.u[0] || (instr->imm.u[0] == SCOPE_SUBGROUP && instr->imm.u[1] != SCOPE_SUBGROUP));
   in->has_atomics |= is_image_atomic(instr);
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if (access.memory == IR_MEMORY_NONE)
      return;
   in->has_atomics |= access.access == ABI_PROBE_ATOMIC;
   const uint32_t bits = access.access == ABI_PROBE_WRITE && !instr->num_components ? instr->srcs[instr->num_srcs - 1]->bit_size : instr->bit_size;
   if (bits >= 8)
      in->granularity = UTIL_MIN(in->granularity, bits / 8u);
}

bool ir_instrument_races(struct ir_shader *shader)
{
   struct ir_instrument in = {.shader = shader, .granularity = 4};
   ir_for_each(shader, look_ahead, &in);
   if (shader->checks & (ABI_CHECK_RACE | ABI_CHECK_BARRIER) && abi_has_workgroups(shader->info.stage))
      ir_instrument_walk(&in, visit);
   return in.has_changed;
}
