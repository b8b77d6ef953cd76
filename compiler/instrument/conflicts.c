/* SPDX-License-Identifier: MIT
 * Phases are numbered in program order. All invocations of a workgroup pass its barriers together (compiler/llvm/cg_workgroup.c), so two accesses are in
 * one phase if a path without a barrier joins them, in either direction: what stands at the beginning and at the end of a construct's regions, and where
 * jumps leave them, counts as one phase with what stands around it. Of
 *     loop { store_shared a; barrier; load_shared b; barrier }
 * the store shares its phase with what stands before and behind the loop, the load is in one of its own, where nobody writes: it cannot be in a race. */
#include "compiler/instrument/conflicts.h"

enum { READS = 1, WRITES = 2, ATOMICS = 4 };
enum { SCOPE_WORKGROUP = 2, ACQUIRE_OR_RELEASE = 0x1e, OF_SHARED = 0x100, MAX_PHASES = UINT16_MAX };

bool ir_conflicts_is_image(const struct ir_instr *instr)
{
   return instr->op == IR_image_load || instr->op == IR_image_store || instr->op == IR_image_atomic;
}

bool ir_conflicts_is_image_atomic(const struct ir_instr *instr)
{
   return instr->op == IR_image_atomic || (ir_conflicts_is_image(instr) && instr->imm.u[2] & IR_ACCESS_ATOMIC);
}

enum abi_probe_access ir_conflicts_image_access(const struct ir_instr *instr)
{
   return ir_conflicts_is_image_atomic(instr) ? ABI_PROBE_ATOMIC : instr->op == IR_image_load ? ABI_PROBE_READ : ABI_PROBE_WRITE;
}

/* ---- phases ---- */

struct walk {
   uint16_t *parents; /* by phase: of one set with this one; itself: there is no other */
   uint32_t count;
};

static uint16_t find(const struct walk *walk, uint32_t phase)
{
   while (walk->parents[phase] != phase)
      phase = walk->parents[phase];
   return (uint16_t)phase;
}

static void join(struct walk *walk, uint32_t a, uint32_t b)
{
   walk->parents[find(walk, a)] = find(walk, b);
}

/* As runtime/instrument/races.c has it. */
static bool ends_phase(const struct ir_instr *instr)
{
   return instr->op == IR_barrier && instr->imm.u[0] && instr->imm.u[0] <= SCOPE_WORKGROUP && instr->imm.u[2] & ACQUIRE_OR_RELEASE &&
          instr->imm.u[2] & OF_SHARED;
}

static void count_phases(struct ir_instr *instr, void *data)
{
   *(uint32_t *)data += ends_phase(instr);
}

/* Returns the phase at the region's end. */
static uint32_t number(struct walk *walk, struct ir_region *region, uint32_t phase)
{
   for (struct util_list *node = region->instrs.next; node != &region->instrs; node = node->next) {
      struct ir_instr *instr = UTIL_LIST_ENTRY(node, struct ir_instr, link);
      if (ends_phase(instr) && walk->count < MAX_PHASES)
         phase = walk->count++;
      instr->pass_flags = (uint16_t)phase;
      if (instr->op == IR_break || instr->op == IR_continue)
         join(walk, phase, instr->imm.cf.target->pass_flags);
      for (uint32_t r = 0; r < ir_num_regions(instr); r++)
         join(walk, number(walk, instr->imm.cf.regions[r], phase), phase);
   }
   return phase;
}

/* ---- what is done ---- */

static uint8_t bit_of(enum abi_probe_access access)
{
   static const uint8_t bits[] = {[ABI_PROBE_READ] = READS, [ABI_PROBE_WRITE] = WRITES, [ABI_PROBE_ATOMIC] = ATOMICS};
   return bits[access];
}

/* One and the same buffer wherever it is asked for. */
static bool is_one_buffer(const struct ir_instr *addr)
{
   return addr->op == IR_buffer_addr && ir_is_const(addr->srcs[0]);
}

static bool is_same_buffer(const struct ir_instr *a, const struct ir_instr *b)
{
   return a->imm.u[0] == b->imm.u[0] && a->imm.u[1] == b->imm.u[1] && a->srcs[0]->imm.c[0] == b->srcs[0]->imm.c[0];
}

static void add_written(struct ir_conflicts *conflicts, const struct ir_memory_access *access)
{
   for (uint32_t i = 0; is_one_buffer(access->addr) && i < conflicts->num_written; i++) {
      if (is_same_buffer(access->addr, conflicts->written[i]))
         return;
   }
   if (!is_one_buffer(access->addr) || conflicts->num_written == IR_CONFLICTS_MAX_WRITTEN)
      conflicts->writes_anywhere = true;
   else
      conflicts->written[conflicts->num_written++] = access->addr;
}

struct search {
   struct ir_conflicts *conflicts;
   const struct walk *walk;
};

static void add(struct ir_instr *instr, void *data)
{
   const struct search *search = data;
   struct ir_conflicts *conflicts = search->conflicts;
   instr->pass_flags = find(search->walk, instr->pass_flags);
   if (ir_conflicts_is_image(instr)) {
      conflicts->images |= bit_of(ir_conflicts_image_access(instr));
      conflicts->num_images++;
      return;
   }
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if (access.memory == IR_MEMORY_NONE || access.flags & IR_ACCESS_READ_ONLY)
      return;
   if (access.memory == IR_MEMORY_SHARED) {
      conflicts->phases[instr->pass_flags] |= bit_of(access.access);
      return;
   }
   conflicts->buffers |= bit_of(access.access);
   conflicts->num_buffers++;
   if (access.access != ABI_PROBE_READ)
      add_written(conflicts, &access);
}

void ir_conflicts_find(struct ir_conflicts *conflicts, const struct ir_instrument *in)
{
   struct ir_shader *shader = in->shader;
   struct walk walk = {.count = 1};
   uint32_t count = 1;
   ir_for_each(shader, count_phases, &count);
   count = UTIL_MIN(count, (uint32_t)MAX_PHASES);
   *conflicts = (struct ir_conflicts){.keeps_atomics = in->has_atomics && in->has_fences};
   conflicts->phases = UTIL_ARENA_ARRAY(shader->arena, uint8_t, count);
   walk.parents = UTIL_ARENA_ARRAY(shader->arena, uint16_t, count);
   for (uint32_t i = 0; i < count; i++)
      walk.parents[i] = (uint16_t)i;
   (void)number(&walk, shader->body, 0);
   ir_for_each(shader, add, &(struct search){conflicts, &walk});
}

/* ---- questions ---- */

bool ir_conflicts_may(const struct ir_conflicts *conflicts, const struct ir_instr *instr)
{
   static const uint8_t others[] = {[ABI_PROBE_READ] = WRITES | ATOMICS, [ABI_PROBE_WRITE] = READS | WRITES | ATOMICS, [ABI_PROBE_ATOMIC] = READS | WRITES};
   const struct ir_memory_access memory = ir_memory_access_of(instr);
   const enum abi_probe_access access = ir_conflicts_is_image(instr) ? ir_conflicts_image_access(instr) : memory.access;
   const uint8_t there = ir_conflicts_is_image(instr)                     ? conflicts->images
                         : memory.memory == IR_MEMORY_SHARED ? conflicts->phases[instr->pass_flags]
                                                             : conflicts->buffers;
   return there & others[access] || (access == ABI_PROBE_ATOMIC && conflicts->keeps_atomics);
}

static struct ir_instr *again(struct ir_builder *b, enum ir_op op, uint32_t bits, const struct ir_instr *addr)
{
   struct ir_instr *index = ir_const(b, 32, addr->srcs[0]->imm.c[0]);
   struct ir_instr *value = ir_emit(b, op, 1, bits, 1, &index);
   value->imm.u[0] = addr->imm.u[0];
   value->imm.u[1] = addr->imm.u[1];
   return value;
}

/* Where the granules end that begin in it: those of 4 bytes, at most. */
static struct ir_instr *end_of(struct ir_builder *b, struct ir_instr *addr, struct ir_instr *size)
{
   struct ir_instr *end = ir_alu2(b, IR_iadd, addr, ir_convert(b, IR_u2u, 64, size));
   return ir_alu2(b, IR_iadd, end, ir_const(b, 64, 3));
}

struct ir_instr *ir_conflicts_overlap(const struct ir_conflicts *conflicts, struct ir_builder *b, const struct ir_memory_access *access)
{
   struct ir_instr *any = NULL;
   if (access->access != ABI_PROBE_READ || access->memory != IR_MEMORY_BUFFER || conflicts->writes_anywhere || !is_one_buffer(access->addr))
      return NULL;
   for (uint32_t i = 0; i < conflicts->num_written; i++) {
      if (is_same_buffer(access->addr, conflicts->written[i]))
         return NULL;
   }
   for (uint32_t i = 0; i < conflicts->num_written; i++) {
      struct ir_instr *addr = again(b, IR_buffer_addr, 64, conflicts->written[i]), *size = again(b, IR_buffer_size, 32, conflicts->written[i]);
      struct ir_instr *begins = ir_alu2(b, IR_ult, addr, end_of(b, access->addr, access->size));
      struct ir_instr *overlaps = ir_alu2(b, IR_iand, begins, ir_alu2(b, IR_ult, access->addr, end_of(b, addr, size)));
      any = any ? ir_alu2(b, IR_ior, any, overlaps) : overlaps;
   }
   return any;
}
