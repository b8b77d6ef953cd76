/* SPDX-License-Identifier: MIT
 * `sync`: reports to the runtime which memory a command's shaders use, so that it finds missing barriers between commands (runtime/instrument/hazards.h).
 *
 * Requires: nothing; the fewer accesses are left, the fewer probes. Does: probes in front of accesses to buffers, where they are in bounds, and to
 * images, and where rays begin. Texels of storage images and of texel buffers are reported one by one, sampled images by their views. Preserves: all else.
 *
 *    %4 = load_buffer 1x32 %1, %2, %3      →      %5 = …in bounds, %6 = %1 + %3
 *                                                 probe %5, %6 site=0
 *                                                 %4 = load_buffer 1x32 %1, %2, %3 */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

#include <stddef.h>

static struct abi_site *site_of(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr, const struct ir_instr *resource,
                                enum abi_probe_access access)
{
   struct abi_site *site = ir_access_site(in, probe, instr, resource);
   if (site) {
      site->access = (uint8_t)access;
      site->scope = in->shader->is_interlocked;
   }
   return site;
}

static void report_memory(struct ir_instrument *in, struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct abi_site *site = site_of(in, ABI_PROBE_USE, instr, access->size, access->access);
   if (!site)
      return;
   site->bytes = access->bytes;
   site->limit = (access->flags & IR_ACCESS_READ_ONLY) != 0;
   struct ir_instr *address = ir_access_address(&b, access);
   ir_probe(in, &b, site, ir_access_in_bounds(&b, access), 1, &address);
}

static void report_view(struct ir_instrument *in, struct ir_instr *instr, bool is_input_attachment)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct abi_site *site = site_of(in, ABI_PROBE_USE_VIEW, instr, instr->srcs[0], ABI_PROBE_READ);
   if (site)
      site->limit = is_input_attachment;
   ir_probe(in, &b, site, ir_const(&b, 1, 1), 1, &instr->srcs[0]);
}

static void report_texel(struct ir_instrument *in, struct ir_instr *instr, struct ir_instr *coords, struct ir_instr *sample,
                       enum abi_probe_access access)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *operands[5];
   ir_texel_operands(&b, instr->srcs[0], coords, sample, operands);
   struct abi_site *site = site_of(in, ABI_PROBE_USE_TEXEL, instr, instr->srcs[0], access);
   if (site)
      site->limit = instr->op == IR_tex;
   ir_probe(in, &b, site, ir_const(&b, 1, 1), 5, operands);
}

static void report_sampled(struct ir_instrument *in, struct ir_instr *instr)
{
   const uint32_t dim = instr->imm.u[1], flags = instr->imm.u[2];
   if (instr->srcs[0]->op == IR_attachment_desc)
      return; /* in the order of rasterization */
   if (dim == ABI_DIM_BUFFER)
      report_texel(in, instr, instr->srcs[2], NULL, ABI_PROBE_READ);
   else
      report_view(in, instr, dim == ABI_DIM_SUBPASS || flags & ABI_TEX_INPUT_ATTACHMENT);
}

static void report_image(struct ir_instrument *in, struct ir_instr *instr)
{
   const uint32_t dim = instr->imm.u[0], flags = instr->imm.u[1];
   if (instr->srcs[0]->op == IR_attachment_desc)
      return;
   if (dim == ABI_DIM_SUBPASS || flags & ABI_TEX_INPUT_ATTACHMENT) {
      report_view(in, instr, true);
      return;
   }
   report_texel(in, instr, instr->srcs[1], ir_image_sample(instr),
              instr->op == IR_image_load    ? ABI_PROBE_READ
              : instr->op == IR_image_store ? ABI_PROBE_WRITE
                                            : ABI_PROBE_ATOMIC);
}

/* A structure that rays may go through, and all that it refers to: the runtime knows how large they are. */
static void report_structure(struct ir_instrument *in, struct ir_instr *instr, struct ir_instr *structure)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   ir_probe(in, &b, site_of(in, ABI_PROBE_USE_ACCEL, instr, structure, ABI_PROBE_READ), ir_const(&b, 1, 1), 1, &structure);
}

static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_trace_ray: case IR_trace_object: report_structure(in, instr, instr->srcs[0]); return;
   case IR_store_ray: /* a query begins */
      if (instr->imm.var.field == offsetof(struct abi_ray, structure) && instr->srcs[1]->bit_size == 64)
         report_structure(in, instr, instr->srcs[1]);
      return;
   case IR_tex: report_sampled(in, instr); return;
   case IR_image_load: case IR_image_store: case IR_image_atomic: report_image(in, instr); return;
   default: break;
   }
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if ((access.memory == IR_MEMORY_BUFFER || access.memory == IR_MEMORY_GLOBAL) && access.bytes)
      report_memory(in, instr, &access);
}

bool ir_instrument_uses(struct ir_shader *shader)
{
   struct ir_instrument in = {.shader = shader};
   if (shader->checks & ABI_CHECK_SYNC)
      ir_instrument_walk(&in, visit);
   return in.has_changed;
}
