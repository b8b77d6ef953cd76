/* SPDX-License-Identifier: MIT
 * `race` and `barrier`: report to the runtime each access to memory that invocations share, and each barrier that they reach and pass.
 * What is a race the runtime finds (runtime/instrument/races.c), granule by granule: site.limit bytes.
 *
 * Requires: nothing; the fewer accesses are left, the fewer probes. Does: probes in front of accesses, where they are in bounds, in front of and
 * behind barriers of a workgroup, and behind barriers of memory. Preserves: all else.
 *
 * What a uniform block holds nobody writes: reads of it are not reported, nor is what cannot be in a race (conflicts.h). In draws and launches an access
 * of memory names its invocation, beside its index in a workgroup if there is one, and nothing orders invocations but interlocked sections, which sites say,
 * and atomics with fences: what has a fence behind it may be in order with what has one in front of it, and sites say that, too
 * (runtime/instrument/touches.h). */
#include "compiler/instrument/conflicts.h"
#include "compiler/ir/passes.h"

enum { SCOPE_DEVICE = 1, SCOPE_WORKGROUP = 2, SCOPE_SUBGROUP = 3, SCOPE_QUEUE_FAMILY = 5, OF_BUFFERS = 0x40, OF_IMAGES = 0x800 };
#define INTERLOCK (IR_INTERLOCK_BEGIN | IR_INTERLOCK_END)

static struct abi_site *access_site(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr,
                                    const struct ir_instr *resource)
{
   struct abi_site *site = ir_access_site(in, probe, instr, resource);
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
      condition = ir_access_in_bounds(&b, access);
      struct ir_instr *overlaps = ir_conflicts_overlap(in->conflicts, &b, access);
      condition = overlaps ? ir_alu2(&b, IR_iand, overlaps, condition) : condition;
      site = access_site(in, ABI_PROBE_ACCESS, instr, access->size);
   }
   if (!site)
      return;
   site->bytes = access->bytes;
   site->access = (uint8_t)access->access;
   site->limit = in->granularity;
   site->is_alone = !is_shared && in->conflicts->num_buffers == 1;
   ir_probe(in, &b, site, condition, is_shared ? 2 : 3, operands);
}

static void follow_image(struct ir_instrument *in, struct ir_instr *instr)
{
   if (instr->imm.u[1] & ABI_TEX_INPUT_ATTACHMENT)
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *operands[6] = {ir_instrument_local_index(in)};
   ir_texel_operands(&b, instr->srcs[0], instr->srcs[1], ir_image_sample(instr), operands + 1);
   struct abi_site *site = access_site(in, ABI_PROBE_ACCESS_IMAGE, instr, instr->srcs[0]);
   if (!site)
      return;
   site->limit = instr->srcs[1]->num_components;
   site->access = (uint8_t)ir_conflicts_image_access(instr);
   site->is_alone = in->conflicts->num_images == 1;
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
   const bool has_index = probe == ABI_PROBE_FENCE || probe == ABI_PROBE_SUBGROUP_BARRIER;
   struct ir_instr *local_index = has_index ? ir_instrument_local_index(in) : NULL;
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
      if (instr->imm.u[0] == SCOPE_SUBGROUP && in->shader->checks & ABI_CHECK_BARRIER)
         emit_barrier(in, &before, instr, ABI_PROBE_SUBGROUP_BARRIER);
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
   if (ir_conflicts_is_image(instr)) {
      if (ir_conflicts_may(in->conflicts, instr))
         follow_image(in, instr);
      return;
   }
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if (access.memory != IR_MEMORY_NONE && access.bytes && !(access.flags & IR_ACCESS_READ_ONLY) && ir_conflicts_may(in->conflicts, instr))
      follow_access(in, instr, &access);
}

/* ---- draws and launches ---- */

enum { IN_LOOP_WITH_FENCE = 1 }; /* pass_flags */

static uint8_t fences_of(const struct ir_instrument *in, const struct ir_instr *access)
{
   const bool is_in_loop = access->pass_flags & IN_LOOP_WITH_FENCE; /* what is behind it comes again */
   return (uint8_t)((in->has_device_fences ? ABI_FENCES_OF_DEVICE : 0) | (in->num_passed || is_in_loop ? ABI_FENCE_IN_FRONT : 0) |
                    (in->num_passed < in->num_fences || is_in_loop ? ABI_FENCE_BEHIND : 0));
}

static void touch_memory(struct ir_instrument *in, struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct abi_site *site = access_site(in, ABI_PROBE_TOUCH, instr, access->size);
   if (!site)
      return;
   site->bytes = access->bytes;
   site->access = (uint8_t)access->access;
   site->limit = in->granularity;
   site->scope = in->is_interlocked;
   site->fences = fences_of(in, instr);
   struct ir_instr *address = ir_access_address(&b, access);
   ir_probe(in, &b, site, ir_access_in_bounds(&b, access), 1, &address);
}

static void touch_image(struct ir_instrument *in, struct ir_instr *instr)
{
   if (instr->imm.u[1] & ABI_TEX_INPUT_ATTACHMENT || instr->imm.u[0] == ABI_DIM_SUBPASS || instr->srcs[0]->op == IR_attachment_desc)
      return; /* in the order of rasterization */
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *operands[5];
   ir_texel_operands(&b, instr->srcs[0], instr->srcs[1], ir_image_sample(instr), operands);
   struct abi_site *site = access_site(in, ABI_PROBE_TOUCH_IMAGE, instr, instr->srcs[0]);
   if (!site)
      return;
   site->access = (uint8_t)ir_conflicts_image_access(instr);
   site->scope = in->is_interlocked;
   site->fences = fences_of(in, instr);
   ir_probe(in, &b, site, ir_const(&b, 1, 1), 5, operands);
}

/* Of the memory of a device: GLSL's memoryBarrier(). */
static bool is_of_device(const struct ir_instr *barrier)
{
   const uint32_t scope = barrier->imm.u[1];
   return barrier->imm.u[2] & (OF_BUFFERS | OF_IMAGES) && (scope <= SCOPE_DEVICE || scope == SCOPE_QUEUE_FAMILY);
}

/* It may order what follows: one of memory by what an atomic reads, one that others wait at by itself, but for those of a workgroup. */
static bool is_fence(const struct ir_instrument *in, const struct ir_instr *instr)
{
   if (instr->op != IR_barrier || instr->imm.u[2] & INTERLOCK)
      return false;
   if (abi_has_workgroups(in->shader->info.stage))
      return in->has_atomics && is_of_device(instr);
   return instr->imm.u[0] || in->has_atomics;
}

static uint32_t count_fences(const struct ir_instrument *in, struct ir_region *region)
{
   uint32_t count = 0;
   IR_FOR_EACH (instr, region) {
      count += is_fence(in, instr);
      for (uint32_t r = 0; r < ir_num_regions(instr); r++)
         count += count_fences(in, instr->imm.cf.regions[r]);
   }
   return count;
}

static void mark_loops(const struct ir_instrument *in, struct ir_region *region, bool is_in_loop)
{
   IR_FOR_EACH (instr, region) {
      bool is_inside = is_in_loop;
      for (uint32_t r = 0; instr->op == IR_loop && r < ir_num_regions(instr); r++)
         is_inside |= count_fences(in, instr->imm.cf.regions[r]) != 0;
      instr->pass_flags = is_in_loop ? IN_LOOP_WITH_FENCE : 0;
      for (uint32_t r = 0; r < ir_num_regions(instr); r++)
         mark_loops(in, instr->imm.cf.regions[r], is_inside);
   }
}

static void visit_alone(struct ir_instrument *in, struct ir_instr *instr)
{
   if (instr->op == IR_barrier && instr->imm.u[2] & INTERLOCK)
      in->is_interlocked = instr->imm.u[2] & IR_INTERLOCK_BEGIN;
   in->num_passed += is_fence(in, instr);
   if (ir_conflicts_is_image(instr)) {
      touch_image(in, instr);
      return;
   }
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if ((access.memory == IR_MEMORY_BUFFER || access.memory == IR_MEMORY_GLOBAL) && access.bytes && !(access.flags & IR_ACCESS_READ_ONLY))
      touch_memory(in, instr, &access);
}

/* The shaders of a launch meet those of others in it, a stage that only loads what another one of its draw stores. */
static bool may_race_alone(const struct ir_instrument *in)
{
   return in->shader->info.stage >= ABI_STAGE_RAYGEN || in->has_writes || in->has_reads;
}

/* ---- the pass ---- */

/* Granules are those of the narrowest access: no two of different bytes are to meet. */
static void look_ahead(struct ir_instr *instr, void *data)
{
   struct ir_instrument *in = data;
   const bool is_barrier = instr->op == IR_barrier && !(instr->imm.u[2] & INTERLOCK);
   in->has_subgroup_barriers |= is_barrier && instr->imm.u[0] == SCOPE_SUBGROUP;
   in->has_fences |= is_barrier && (!instr->imm.u[0] || (instr->imm.u[0] == SCOPE_SUBGROUP && instr->imm.u[1] != SCOPE_SUBGROUP));
   in->has_device_fences |= is_barrier && is_of_device(instr);
   in->has_atomics |= ir_conflicts_is_image_atomic(instr);
   in->has_reads |= instr->op == IR_image_load && !ir_conflicts_is_image_atomic(instr);
   in->has_writes |= instr->op == IR_image_store && !ir_conflicts_is_image_atomic(instr);
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if (access.memory == IR_MEMORY_NONE)
      return;
   in->has_atomics |= access.access == ABI_PROBE_ATOMIC;
   in->has_reads |= access.access == ABI_PROBE_READ && !(access.flags & IR_ACCESS_READ_ONLY);
   in->has_writes |= access.access == ABI_PROBE_WRITE;
   const uint32_t bits = access.access == ABI_PROBE_WRITE && !instr->num_components ? instr->srcs[instr->num_srcs - 1]->bit_size : instr->bit_size;
   if (bits >= 8)
      in->granularity = UTIL_MIN(in->granularity, bits / 8u);
}

bool ir_instrument_races(struct ir_shader *shader)
{
   struct ir_instrument in = {.shader = shader, .granularity = 4};
   ir_for_each(shader, look_ahead, &in);
   if (shader->checks & (ABI_CHECK_RACE | ABI_CHECK_BARRIER) && abi_has_workgroups(shader->info.stage)) {
      struct ir_conflicts conflicts;
      ir_conflicts_find(&conflicts, &in);
      in.conflicts = &conflicts;
      ir_instrument_walk(&in, visit);
   }
   if (shader->checks & ABI_CHECK_RACE && shader->info.stage != ABI_STAGE_COMPUTE && may_race_alone(&in)) {
      in.num_fences = count_fences(&in, shader->body);
      mark_loops(&in, shader->body, false);
      ir_instrument_walk(&in, visit_alone);
   }
   return in.has_changed;
}
