/* SPDX-License-Identifier: MIT
 * `bounds`: accesses past the end of buffers and images, descriptors that are not there, or of which a subgroup takes several at once without
 * NonUniform, addresses that are nobody's. Indices of arrays
 * are the front end's to check, which alone knows how long an array is: spirv/spirv_bounds.c.
 *
 * Requires: nothing; the fewer accesses are left, the fewer probes. Does: puts a probe in front of each access, with the condition that it
 * is out of bounds; an access by address becomes one of address 0, which does nothing, where the address is not a buffer's. Preserves: all else.
 *
 *    store_buffer %1, %2, %3, %4      →      %5 = ult %2, 4
 *                                            %6 = isub %2, 4
 *                                            %7 = ult %6, %3
 *                                            %8 = ior %5, %7
 *                                            probe %8, …, %3, %2, %1 site=0
 *                                            store_buffer %1, %2, %3, %4 */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

/* Descriptors that the module does not say to differ between invocations: those of a subgroup are to be the same where it is active. */
static void check_uniform(struct ir_instrument *in, struct ir_instr *instr, struct ir_instr *handle, enum abi_probe_access access)
{
   if (!ir_is_handle(handle) || handle->imm.u[2] || handle->srcs[0]->divergence <= IR_SUBGROUP_UNIFORM)
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct abi_site *site =
      ir_site_create(in->shader, ABI_PROBE_NONUNIFORM, instr, ir_resource_name(in->shader, handle->imm.u[0], handle->imm.u[1]));
   if (!site)
      return;
   site->access = (uint8_t)access;
   ir_site_resource(in->shader, site, handle);
   struct ir_instr *index = handle->srcs[0], *first = ir_alu1(&b, IR_read_first, index);
   ir_probe(in, &b, site, ir_alu2(&b, IR_ine, index, first), 2, (struct ir_instr *[]){index, first});
}

static void check_buffer(struct ir_instrument *in, struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *size = access->size;
   const char *name = size->op == IR_buffer_size ? ir_resource_name(in->shader, size->imm.u[0], size->imm.u[1]) : NULL;
   struct abi_site *site = ir_site_create(in->shader, ABI_PROBE_BUFFER_BOUNDS, instr, name);
   if (!site)
      return;
   site->bytes = access->bytes;
   site->access = (uint8_t)access->access;
   ir_site_resource(in->shader, site, size);
   ir_probe(in, &b, site, ir_is_outside(&b, access), 3, (struct ir_instr *[]){access->offset, size, access->addr});
}

static void check_address(struct ir_instrument *in, struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct abi_site *site = ir_site_create(in->shader, ABI_PROBE_ADDRESS_BOUNDS, instr, NULL);
   if (!site)
      return;
   site->bytes = access->bytes;
   site->access = (uint8_t)access->access;
   struct ir_instr *is_valid = ir_probe_value(in, &b, site, 1, ir_const(&b, 1, 1), 1, &access->addr);
   instr->srcs[0] = ir_select(&b, is_valid, access->addr, ir_const(&b, 64, 0));
}

/* ---- images ---- */

/* Where an image operation has what. */
struct image_operands {
   uint32_t dim, flags;
   struct ir_instr *desc, *coords, *lod, *sample;
   enum abi_probe_access access;
   bool is_texel; /* coordinates count texels */
};

static struct image_operands image_operands_of(const struct ir_instr *instr)
{
   struct image_operands o = {.desc = instr->srcs[0], .is_texel = true};
   struct ir_instr *const *src = instr->srcs + 2;
   if (instr->op == IR_tex) {
      o.dim = instr->imm.u[1];
      o.flags = instr->imm.u[2];
      o.coords = instr->srcs[2];
      o.is_texel = instr->imm.u[0] == ABI_TEX_OP_FETCH && !(o.flags & ABI_TEX_OFFSET);
      src = instr->srcs + 3;
      o.lod = o.flags & ABI_TEX_LOD ? *src++ : NULL;
      o.sample = o.flags & ABI_TEX_SAMPLE && o.is_texel ? *src++ : NULL;
      return o;
   }
   o.dim = instr->imm.u[0];
   o.flags = instr->imm.u[1];
   o.coords = instr->srcs[1];
   o.access = instr->op == IR_image_load ? ABI_PROBE_READ : instr->op == IR_image_store ? ABI_PROBE_WRITE : ABI_PROBE_ATOMIC;
   if (instr->op == IR_image_store)
      src++;
   else if (instr->op == IR_image_atomic)
      src += instr->imm.u[2] == ABI_ATOMIC_CMPXCHG ? 2 : 1;
   o.sample = o.flags & ABI_TEX_SAMPLE ? *src++ : NULL;
   o.lod = o.flags & ABI_TEX_LOD ? *src++ : NULL;
   return o;
}

static struct abi_site *image_site(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr, const struct image_operands *o)
{
   const struct ir_instr *desc = o->desc;
   const char *name = desc->op == IR_image_desc ? ir_resource_name(in->shader, desc->imm.u[0], desc->imm.u[1]) : NULL;
   struct abi_site *site = ir_site_create(in->shader, probe, instr, name);
   if (site) {
      site->access = (uint8_t)o->access;
      ir_site_resource(in->shader, site, desc);
   }
   return site;
}

static struct ir_instr *query(struct ir_builder *b, const struct image_operands *o, enum ir_image_query what, uint32_t components)
{
   struct ir_instr *srcs[2] = {o->desc, o->lod};
   const bool has_lod = what == IR_QUERY_SIZE && o->lod;
   struct ir_instr *result = ir_emit(b, IR_image_query, components, 32, has_lod ? 2 : 1, srcs);
   result->imm.u[0] = what;
   result->imm.u[1] = o->dim;
   result->imm.u[2] = o->flags & (ABI_TEX_ARRAYED | ABI_TEX_MS);
   return result;
}

static void check_count(struct ir_instrument *in, struct ir_builder *b, struct ir_instr *instr, const struct image_operands *o,
                        struct ir_instr *value, enum ir_image_query what, struct ir_instr *is_there)
{
   struct abi_site *site = image_site(in, ABI_PROBE_LEVEL_BOUNDS, instr, o);
   struct ir_instr *count = query(b, o, what, 1);
   if (site)
      site->limit = what == IR_QUERY_SAMPLES;
   struct ir_instr *is_outside = ir_alu2(b, IR_iand, is_there, ir_alu2(b, IR_uge, value, count));
   ir_probe(in, b, site, is_outside, 3, (struct ir_instr *[]){o->desc, value, count});
}

static void check_texel(struct ir_instrument *in, struct ir_builder *b, struct ir_instr *instr, const struct image_operands *o,
                        struct ir_instr *is_there)
{
   struct ir_instr *zero = ir_const(b, 32, 0), *operands[7] = {o->desc, zero, zero, zero, zero, zero, zero}, *is_outside = ir_const(b, 1, 0);
   const uint32_t count = UTIL_MIN(o->coords->num_components, 3u);
   struct ir_instr *size = query(b, o, IR_QUERY_SIZE, count);
   for (uint32_t i = 0; i < count; i++) {
      struct ir_instr *coord = ir_extract(b, o->coords, i), *limit = ir_extract(b, size, i);
      if (o->dim == ABI_DIM_CUBE && i == 2)
         limit = ir_alu2(b, IR_imul, limit, ir_const(b, 32, 6));
      is_outside = ir_alu2(b, IR_ior, is_outside, ir_alu2(b, IR_uge, coord, limit));
      operands[1 + i] = coord;
      operands[4 + i] = limit;
   }
   struct abi_site *site = image_site(in, ABI_PROBE_IMAGE_BOUNDS, instr, o);
   if (site)
      site->limit = count;
   ir_probe(in, b, site, ir_alu2(b, IR_iand, is_there, is_outside), 7, operands);
}

static void check_image(struct ir_instrument *in, struct ir_instr *instr)
{
   const struct image_operands o = image_operands_of(instr);
   if (o.flags & ABI_TEX_INPUT_ATTACHMENT || o.dim == ABI_DIM_SUBPASS || o.desc->op == IR_attachment_desc)
      return;
   check_uniform(in, instr, o.desc, o.access);
   if (instr->op == IR_tex)
      check_uniform(in, instr, instr->srcs[1], o.access);
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *is_null = ir_alu2(&b, IR_ieq, o.desc, ir_const(&b, 64, 0));
   struct ir_instr *index = o.desc->op == IR_image_desc ? o.desc->srcs[0] : ir_const(&b, 32, 0);
   ir_probe(in, &b, image_site(in, ABI_PROBE_DESCRIPTOR, instr, &o), is_null, 1, &index);
   if (!o.is_texel)
      return;
   struct ir_instr *is_there = ir_alu1(&b, IR_inot, is_null);
   if (o.lod) {
      check_count(in, &b, instr, &o, o.lod, IR_QUERY_LEVELS, is_there);
      is_there = ir_alu2(&b, IR_iand, is_there, ir_alu2(&b, IR_ult, o.lod, query(&b, &o, IR_QUERY_LEVELS, 1)));
   }
   if (o.sample)
      check_count(in, &b, instr, &o, o.sample, IR_QUERY_SAMPLES, is_there);
   check_texel(in, &b, instr, &o, is_there);
}

static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   if (instr->op == IR_tex && instr->imm.u[3])
      return;
   if (instr->op == IR_tex || instr->op == IR_image_load || instr->op == IR_image_store || instr->op == IR_image_atomic) {
      check_image(in, instr);
      return;
   }
   if (instr->op == IR_structure_desc)
      check_uniform(in, instr, instr, ABI_PROBE_READ);
   const struct ir_memory_access access = ir_memory_access_of(instr);
   if (access.memory == IR_MEMORY_BUFFER && access.bytes) {
      check_uniform(in, instr, access.size, access.access);
      check_buffer(in, instr, &access);
   }
   else if (access.memory == IR_MEMORY_GLOBAL && access.bytes && !(access.flags & IR_ACCESS_DESCRIPTOR))
      check_address(in, instr, &access);
}

static void find_indexed(struct ir_instr *instr, void *data)
{
   bool *has_indexed = data;
   *has_indexed |= ir_is_handle(instr) && !instr->imm.u[2] && !ir_is_const(instr->srcs[0]);
}

bool ir_instrument_bounds(struct ir_shader *shader)
{
   struct ir_instrument in = {.shader = shader};
   bool has_indexed = false;
   if (!(shader->checks & ABI_CHECK_BOUNDS))
      return false;
   ir_for_each(shader, find_indexed, &has_indexed);
   if (has_indexed)
      ir_analyze_divergence(shader); /* of what is the same by itself nothing is asked */
   ir_instrument_walk(&in, visit);
   return in.has_changed;
}
