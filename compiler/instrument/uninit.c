/* SPDX-License-Identifier: MIT
 * `uninit`: values that nobody wrote. Beside each value that may be undefined the shader computes which of its bits are (undefined.c); beside memory
 * lies a shadow with a bit a bit, set where nobody wrote: of device memory at ABI_SHADOW_DISTANCE (abi/probe.h), of shared memory and of variables behind
 * them. Copies carry it on; it is reported where such a value decides something: a branch, an address, an atomic operation, or where it leaves the shader.
 *
 * Requires: variables to be values where they can be; all other checks to be in place, whose accesses are those of the program.
 * Does: shadows of values, params and results; loads and stores of shadows behind those of the program; probes in front of what decides.
 * Preserves: all else.
 *
 *    %2 = load_shared 1x32 %1                   →      %2 = load_shared 1x32 %1
 *    %3 = ieq 1x1 %2, 0                                %4 = load_shared 1x32 (%1 + shadow)
 *    if %3 {                                           %3 = ieq 1x1 %2, 0
 *                                                      %5 = ine 1x1 %4, 0
 *                                                      probe %5, … site=0
 *                                                      if %3 { */
#include "compiler/instrument/instrument.h"
#include "compiler/instrument/undefined.h"
#include "compiler/ir/passes.h"

#include <stddef.h>

/* pass_flags of values; pass_data: the shadow. */
enum { MAY_BE_UNDEFINED = 1, IS_SHADOW = 2 };
enum { MAX_VAR_BYTES = 1024, MAX_COPY_DEPTH = 8, MAX_SRCS = 16 };

struct uninit {
   struct ir_instrument in; /* the first: visit() gets it */
   struct ir_var **vars;    /* shadows by index of the variable; NULL: it has none */
   uint32_t *shadow_offsets; /* [num_vars]: where in it: payloads have theirs behind them */
   uint32_t num_vars;
   uint32_t stored;    /* bits of a fragment shader's colours that get a value */
   uint32_t last_line; /* in ir_shader.lines */
   bool has_found;    /* in this round of looking ahead */
   bool has_replaced; /* a value: sources are to be resolved */
};

static struct ir_instr *shadow_of(const struct ir_instr *value)
{
   return ir_is_construct(value) ? NULL : value->pass_data;
}

/* ---- what may be undefined ---- */

/* The params or results that a jump's operands go to. */
static struct ir_instr **destinations_of(const struct ir_instr *jump, uint32_t *count)
{
   const struct ir_instr *owner = jump->op == IR_yield ? jump->region->owner : jump->imm.cf.target;
   *count = 0;
   if (!owner)
      return NULL;
   if (jump->op == IR_continue || (jump->op == IR_yield && owner->op == IR_loop)) {
      const struct ir_region *region = owner->imm.cf.regions[jump->op == IR_continue];
      *count = region->num_params;
      return region->params;
   }
   *count = owner->imm.cf.num_results;
   return owner->imm.cf.results;
}

static void mark(struct uninit *u, struct ir_instr *value)
{
   u->has_found |= !(value->pass_flags & MAY_BE_UNDEFINED);
   value->pass_flags |= MAY_BE_UNDEFINED;
}

static void mark_destinations(struct uninit *u, struct ir_instr *const *srcs, struct ir_instr *const *destinations, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      if (srcs[i]->pass_flags & MAY_BE_UNDEFINED)
         mark(u, destinations[i]);
   }
}

static bool is_source(const struct uninit *u, const struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_undef: case IR_undefined_where: case IR_load_buffer: case IR_load_global: return true;
   case IR_load_shared: return u->in.shader->info.shared_shadow;
   case IR_load_var: return instr->imm.var.var->index < u->num_vars && u->vars[instr->imm.var.var->index];
   default: return false;
   }
}

static void look_ahead(struct ir_instr *instr, void *data)
{
   struct uninit *u = data;
   uint32_t count;
   if (ir_is_jump(instr)) {
      struct ir_instr **destinations = destinations_of(instr, &count);
      mark_destinations(u, instr->srcs, destinations, count);
   } else if (instr->op == IR_loop) {
      mark_destinations(u, instr->srcs, instr->imm.cf.regions[0]->params, instr->num_srcs);
   } else if (is_source(u, instr)) {
      mark(u, instr);
   } else if (ir_carries_undefined(instr) && instr->num_srcs <= MAX_SRCS) {
      for (uint32_t i = 0; i < instr->num_srcs; i++) {
         if (instr->srcs[i]->pass_flags & MAY_BE_UNDEFINED)
            mark(u, instr);
      }
   }
}

/* ---- joins: params and results ---- */

static void add_joins(struct ir_instr *instr, void *data)
{
   struct uninit *u = data;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      struct ir_region *region = instr->imm.cf.regions[r];
      for (uint32_t i = 0, count = region->num_params; i < count; i++) {
         struct ir_instr *param = region->params[i];
         if (!(param->pass_flags & MAY_BE_UNDEFINED))
            continue;
         struct ir_instr *shadow = ir_add_param(u->in.shader, region, param->num_components, param->bit_size);
         shadow->pass_flags = IS_SHADOW;
         region->params[i]->pass_data = shadow;
      }
   }
   for (uint32_t i = 0, count = ir_is_construct(instr) ? instr->imm.cf.num_results : 0; i < count; i++) {
      struct ir_instr *result = instr->imm.cf.results[i];
      if (!(result->pass_flags & MAY_BE_UNDEFINED))
         continue;
      struct ir_instr *shadow = ir_add_result(u->in.shader, instr, result->num_components, result->bit_size);
      shadow->pass_flags = IS_SHADOW;
      result->pass_data = shadow;
   }
}

static void give_operands(struct uninit *u, struct ir_instr *instr, struct ir_instr *const *destinations, uint32_t count)
{
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   for (uint32_t i = 0; i < count && !(destinations[i]->pass_flags & IS_SHADOW); i++) {
      if (!(destinations[i]->pass_flags & MAY_BE_UNDEFINED))
         continue;
      struct ir_instr *shadow = shadow_of(instr->srcs[i]);
      if (!shadow)
         shadow = ir_undefined_none(&b, destinations[i]->num_components, destinations[i]->bit_size);
      ir_append_src(u->in.shader, instr, shadow);
   }
}

/* A sum has what its row and its column depend on; a transpose has the same elements. */
static void follow_matrices(struct uninit *u, struct ir_instr *instr)
{
   const struct ir_var *var = instr->imm.var.var;
   if (var->index >= u->num_vars || !u->vars[var->index])
      return;
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   struct ir_instr *followed = ir_emit(&b, (enum ir_op)instr->op, 0, 0, 0, NULL);
   followed->imm.var.var = u->vars[var->index];
   followed->imm.u[2] = instr->imm.u[2];
   followed->imm.u[3] = instr->op == IR_multiply_matrices ? ABI_MATRIX_BITS : instr->imm.u[3];
}

/* ---- probes ---- */

static void report(struct uninit *u, struct ir_instr *instr, enum abi_probe probe, struct ir_instr *condition)
{
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   const struct ir_memory_access access = ir_memory_access_of(instr);
   const bool is_named = access.size && access.size->op == IR_buffer_size;
   const char *name = is_named ? ir_resource_name(u->in.shader, access.size->imm.u[0], access.size->imm.u[1]) : NULL;
   struct abi_site *site = ir_site_create(u->in.shader, probe, instr, name);
   if (site && is_named) {
      ir_site_resource(u->in.shader, site, access.size);
      site->access = (uint8_t)access.access;
   }
   ir_probe(&u->in, &b, site, condition, 0, NULL);
}

/* In front of `instr`, whose source is `value`. */
static void check(struct uninit *u, struct ir_instr *instr, const struct ir_instr *value, enum abi_probe probe, uint32_t components)
{
   struct ir_instr *shadow = shadow_of(value);
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   if (shadow)
      report(u, instr, probe, ir_any_undefined(&b, shadow, components));
}

/* ---- memory ---- */

/* Sources that say where the shadow of an access is. */
static uint32_t shadow_address(struct uninit *u, struct ir_builder *b, const struct ir_memory_access *access, struct ir_instr *srcs[3])
{
   if (access->memory == IR_MEMORY_SHARED) {
      srcs[0] = ir_alu2(b, IR_iadd, access->offset, ir_const(b, 32, u->in.shader->info.shared_shadow));
      return 1;
   }
   struct ir_instr *has_shadow = ir_alu2(b, IR_ieq, ir_alu2(b, IR_ushr, access->addr, ir_const(b, 64, ABI_SHADOW_SHIFT)),
                                         ir_const(b, 64, ABI_SHADOWED_BEGIN >> ABI_SHADOW_SHIFT));
   struct ir_instr *addr = ir_alu2(b, IR_iadd, access->addr, ir_const(b, 64, ABI_SHADOW_DISTANCE));
   srcs[0] = ir_select(b, has_shadow, addr, ir_const(b, 64, 0));
   if (access->memory == IR_MEMORY_GLOBAL)
      return 1;
   srcs[1] = ir_select(b, has_shadow, access->size, ir_const(b, 32, 0));
   srcs[2] = access->offset;
   return 3;
}

static const struct {
   uint16_t load, store;
} memory_ops[] = {
   [IR_MEMORY_BUFFER] = {IR_load_buffer, IR_store_buffer},
   [IR_MEMORY_GLOBAL] = {IR_load_global, IR_store_global},
   [IR_MEMORY_SHARED] = {IR_load_shared, IR_store_shared},
};

static uint32_t align_of(const struct ir_instr *instr, const struct ir_memory_access *access)
{
   return access->access == ABI_PROBE_ATOMIC ? instr->bit_size / 8u : instr->imm.u[1];
}

static struct ir_instr *load_shadow(struct uninit *u, struct ir_builder *b, const struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_instr *srcs[3];
   const uint32_t count = shadow_address(u, b, access, srcs);
   struct ir_instr *load = ir_emit(b, memory_ops[access->memory].load, instr->num_components, instr->bit_size, count, srcs);
   load->imm.u[0] = access->flags & (IR_ACCESS_READ_ONLY | IR_ACCESS_NON_UNIFORM);
   load->imm.u[1] = align_of(instr, access);
   return load;
}

static void store_shadow(struct uninit *u, struct ir_builder *b, const struct ir_instr *instr, const struct ir_memory_access *access,
                         struct ir_instr *shadow, uint32_t mask)
{
   struct ir_instr *srcs[4];
   const uint32_t count = shadow_address(u, b, access, srcs);
   srcs[count] = shadow;
   struct ir_instr *store = ir_emit(b, memory_ops[access->memory].store, 0, 0, count + 1, srcs);
   store->imm.u[0] = access->flags & IR_ACCESS_NON_UNIFORM;
   store->imm.u[1] = access->access == ABI_PROBE_ATOMIC ? shadow->bit_size / 8u : instr->imm.u[1];
   store->imm.u[2] = mask;
   u->in.has_changed = true;
}

/* What was read from memory and goes to memory as it is: a structure of which a part was never written may be copied. */
static bool is_copy(const struct ir_instr *value, uint32_t depth)
{
   switch (value->op) {
   case IR_const: case IR_load_buffer: case IR_load_global: case IR_load_shared: case IR_load_var: return true;
   case IR_vec: case IR_extract: case IR_pack: case IR_unpack: case IR_u2u:
      for (uint32_t i = 0; i < value->num_srcs; i++) {
         if (depth == MAX_COPY_DEPTH || !is_copy(value->srcs[i], depth + 1))
            return false;
      }
      return true;
   default: return !(value->pass_flags & MAY_BE_UNDEFINED);
   }
}

/* How many workgroups, vertices or primitives there are. */
static bool is_output_word(const struct abi_shader_info *info, const struct ir_instr *offset)
{
   const bool has_words = info->stage == ABI_STAGE_TASK || info->stage == ABI_STAGE_MESH;
   return has_words && offset->op == IR_const && offset->imm.c[0] >= info->output_offset && offset->imm.c[0] < info->output_offset + info->output_bytes;
}

static void follow_store(struct uninit *u, struct ir_instr *instr, const struct ir_memory_access *access)
{
   struct ir_instr *value = instr->srcs[instr->num_srcs - 1], *shadow = shadow_of(value);
   const uint32_t mask = instr->imm.u[2];
   if (access->memory == IR_MEMORY_SHARED && is_output_word(&u->in.shader->info, access->offset))
      check(u, instr, value, ABI_PROBE_UNINIT_OUTPUT, mask);
   if (access->memory == IR_MEMORY_SHARED && !u->in.shader->info.shared_shadow)
      return;
   if (shadow && access->memory != IR_MEMORY_SHARED && !is_copy(value, 0)) {
      check(u, instr, value, ABI_PROBE_UNINIT_OUTPUT, mask);
      shadow = NULL;
   }
   struct ir_builder b = ir_builder_after(u->in.shader, instr);
   b.line = instr->line;
   store_shadow(u, &b, instr, access, shadow ? shadow : ir_undefined_none(&b, value->num_components, value->bit_size), mask);
}

static void follow_atomic(struct uninit *u, struct ir_instr *instr, const struct ir_memory_access *access)
{
   const uint32_t first = access->memory == IR_MEMORY_BUFFER ? 3 : 1;
   for (uint32_t i = first; i < instr->num_srcs; i++)
      check(u, instr, instr->srcs[i], ABI_PROBE_UNINIT_OUTPUT, UINT32_MAX);
   if (access->memory == IR_MEMORY_SHARED && !u->in.shader->info.shared_shadow)
      return;
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   b.line = instr->line;
   if (instr->imm.u[0] == ABI_ATOMIC_XCHG)
      store_shadow(u, &b, instr, access, ir_undefined_none(&b, 1, instr->bit_size), 1);
   else /* what was undefined stays so, for whoever comes next */
      report(u, instr, ABI_PROBE_UNINIT_ATOMIC, ir_any_undefined(&b, load_shadow(u, &b, instr, access), UINT32_MAX));
}

static void follow_memory(struct uninit *u, struct ir_instr *instr, const struct ir_memory_access *access)
{
   const bool is_atomic = instr->op == IR_atomic_buffer || instr->op == IR_atomic_global || instr->op == IR_atomic_shared;
   check(u, instr, access->offset ? access->offset : access->addr, ABI_PROBE_UNINIT_ADDRESS, UINT32_MAX);
   if (is_atomic) {
      follow_atomic(u, instr, access);
   } else if (instr->num_components) {
      struct ir_builder b = ir_builder_after(u->in.shader, instr);
      b.line = instr->line;
      if (instr->pass_flags & MAY_BE_UNDEFINED)
         instr->pass_data = load_shadow(u, &b, instr, access);
   } else {
      follow_store(u, instr, access);
   }
}

static void follow_variable(struct uninit *u, struct ir_instr *instr)
{
   struct ir_var *var = instr->imm.var.var, *shadow = var->index < u->num_vars ? u->vars[var->index] : NULL;
   struct ir_builder b = ir_builder_after(u->in.shader, instr);
   b.line = instr->line;
   check(u, instr, instr->srcs[0], ABI_PROBE_UNINIT_ADDRESS, UINT32_MAX);
   if (!shadow)
      return;
   struct ir_instr *offset = instr->srcs[0];
   if (u->shadow_offsets[var->index])
      offset = ir_alu2(&b, IR_iadd, offset, ir_const(&b, 32, u->shadow_offsets[var->index]));
   if (instr->op == IR_load_var) {
      instr->pass_data = ir_load_var(&b, shadow, offset, instr->num_components, instr->bit_size);
      return;
   }
   struct ir_instr *value = instr->srcs[1], *undefined = shadow_of(value);
   ir_store_var(&b, shadow, offset, undefined ? undefined : ir_undefined_none(&b, value->num_components, value->bit_size), instr->imm.var.mask);
}

/* ---- images ---- */

/* Operands of the probe. Coordinates that are offsets, or numbers between 0 and 1, are none of texels. */
static uint32_t texel_operands(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *operands[5])
{
   const bool is_tex = instr->op == IR_tex, is_texel = !is_tex || instr->imm.u[0] == ABI_TEX_OP_FETCH;
   const uint32_t flags = instr->imm.u[is_tex ? 2 : 1];
   struct ir_instr *coords = instr->srcs[is_tex ? 2 : 1], *zero = ir_const(b, 32, 0);
   if (is_texel && !(flags & (ABI_TEX_OFFSET | ABI_TEX_INPUT_ATTACHMENT))) {
      ir_texel_operands(b, instr->srcs[0], coords, is_tex ? NULL : ir_image_sample(instr), operands);
      return UTIL_MIN(coords->num_components, 3u);
   }
   operands[0] = instr->srcs[0];
   for (uint32_t i = 1; i < 5; i++)
      operands[i] = zero;
   return 0;
}

/* What is read, or an atomic operation changes. */
static void follow_texel_read(struct uninit *u, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   const uint32_t at_flags = instr->op == IR_tex ? 2 : 1;
   struct ir_instr *srcs[MAX_SRCS], *operands[5];
   uint32_t count = 0;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const bool is_data = instr->op == IR_image_atomic && (i == 2 || (i == 3 && instr->imm.u[2] == ABI_ATOMIC_CMPXCHG));
      if (!is_data)
         srcs[count++] = instr->srcs[i];
   }
   struct ir_instr *unwritten = ir_emit(&b, instr->op == IR_tex ? IR_tex : IR_image_load, instr->op == IR_tex ? instr->num_components : 4, 32, count, srcs);
   unwritten->imm = instr->imm;
   unwritten->imm.u[at_flags] = (instr->imm.u[at_flags] | ABI_TEX_UNWRITTEN) & ~(uint32_t)ABI_TEX_64BIT;
   if (instr->op == IR_image_atomic)
      unwritten->imm.u[2] = 0;
   struct abi_site *site = ir_access_site(&u->in, ABI_PROBE_UNINIT_IMAGE, instr, instr->srcs[0]);
   const uint32_t num_coordinates = texel_operands(&b, instr, operands);
   if (site) {
      site->access = instr->op == IR_image_atomic ? ABI_PROBE_ATOMIC : ABI_PROBE_READ;
      site->limit = num_coordinates;
   }
   ir_probe(&u->in, &b, site, ir_any_undefined(&b, unwritten, 1), 5, operands);
}

static void follow_texel_write(struct uninit *u, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_after(u->in.shader, instr);
   struct ir_instr *srcs[MAX_SRCS] = {instr->srcs[0], instr->srcs[1], ir_undefined_none(&b, 4, 32)};
   const uint32_t num_data = instr->op == IR_image_store ? 1 : instr->imm.u[2] == ABI_ATOMIC_CMPXCHG ? 2 : 1;
   uint32_t count = 3;
   for (uint32_t i = 2 + num_data; i < instr->num_srcs; i++)
      srcs[count++] = instr->srcs[i];
   struct ir_instr *store = ir_emit(&b, IR_image_store, 0, 0, count, srcs);
   store->imm = instr->imm;
   store->imm.u[1] = (instr->imm.u[1] | ABI_TEX_UNWRITTEN) & ~(uint32_t)ABI_TEX_64BIT;
   store->imm.u[2] = 0;
   u->in.has_changed = true;
}

/* The runtime does it once more on the shadow of the image, which is one itself: ABI_TEX_UNWRITTEN. What an atomic operation finds unwritten stays so, for
 * whoever comes next. */
static void follow_image(struct uninit *u, struct ir_instr *instr)
{
   const uint32_t flags = instr->imm.u[instr->op == IR_tex ? 2 : 1];
   for (uint32_t i = 1; i < instr->num_srcs; i++) {
      const bool is_value = instr->op == IR_image_store && i == 2;
      check(u, instr, instr->srcs[i], is_value ? ABI_PROBE_UNINIT_OUTPUT : ABI_PROBE_UNINIT_ADDRESS, UINT32_MAX);
   }
   if (flags & ABI_TEX_RESIDENCY || (instr->op == IR_tex && instr->imm.u[0] == ABI_TEX_OP_QUERY_LOD))
      return;
   if (instr->op == IR_image_store || (instr->op == IR_image_atomic && instr->imm.u[2] == ABI_ATOMIC_XCHG))
      follow_texel_write(u, instr);
   else
      follow_texel_read(u, instr);
}

/* ---- rays ---- */

/* What a ray or a call of another shader is given, but for the payload, whose shadow goes with it. */
static void follow_ray(struct uninit *u, struct ir_instr *instr)
{
   const bool is_ray = instr->op == IR_store_ray; /* a query's fields, or a hit object's attributes, which are copied */
   for (uint32_t i = 0; i < instr->num_srcs && !(is_ray && instr->imm.var.field >= offsetof(struct abi_ray, candidate)); i++)
      check(u, instr, instr->srcs[i], is_ray && !i ? ABI_PROBE_UNINIT_ADDRESS : ABI_PROBE_UNINIT_OUTPUT, UINT32_MAX);
}

/* ---- the walk ---- */

static bool is_captured(const struct abi_shader_info *info, uint32_t slot)
{
   for (uint32_t i = 0; i < info->num_xfb_ranges; i++) {
      const struct abi_xfb_range *range = &info->xfb_ranges[i];
      if (slot >= range->slot && slot < (uint32_t)range->slot + range->count)
         return true;
   }
   return false;
}

/* A size that is not that of a point is passed on from stage to stage, but not used. Of what a vertex shader makes nobody knows before the draw. */
static bool may_make_points(const struct abi_shader_info *info)
{
   return info->stage == ABI_STAGE_GEOMETRY ? info->corners_out == 1 : info->stage == ABI_STAGE_VERTEX || info->point_mode;
}

static bool is_used_without_shader(const struct abi_shader_info *info, uint32_t slot)
{
   const bool is_unused_size = slot == ABI_SLOT_POINT_SIZE && !may_make_points(info);
   return (slot < ABI_SLOT_USER && !is_unused_size) || is_captured(info, slot);
}

/* Of what a stage gives to the next one, which need not read it, only what is used without a shader: positions, what transform feedback captures. A
 * component that a fragment shader never writes is another matter: taken.c. */
static void follow_output(struct uninit *u, struct ir_instr *instr)
{
   const struct abi_shader_info *info = &u->in.shader->info;
   const uint32_t slot = instr->imm.u[0];
   struct ir_instr *value = instr->srcs[instr->num_srcs - 1];
   if (info->stage == ABI_STAGE_FRAGMENT && slot < ABI_FRAG_DEPTH && value->op != IR_undef)
      u->stored |= 1u << slot;
   if (info->stage == ABI_STAGE_FRAGMENT ? value->op != IR_undef : is_used_without_shader(info, slot))
      check(u, instr, value, ABI_PROBE_UNINIT_OUTPUT, UINT32_MAX);
}

/* ---- what a stage leaves unwritten for the next one: spirv_written.c says it with three operations, which end here ---- */

static void replace(struct uninit *u, struct ir_instr *instr, struct ir_instr *value)
{
   instr->forward = value;
   ir_remove(instr);
   u->has_replaced = true;
}

static void lower_is_defined(struct uninit *u, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   struct ir_instr *shadow = shadow_of(instr->srcs[0]);
   replace(u, instr, shadow ? ir_alu1(&b, IR_inot, ir_any_undefined(&b, shadow, UINT32_MAX)) : ir_const(&b, 1, 1));
}

static void lower_undefined_where(struct uninit *u, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   b.line = instr->line;
   struct ir_instr *all = ir_undefined_all(&b, instr->num_components, instr->bit_size), *own = shadow_of(instr->srcs[0]);
   instr->pass_data = ir_select(&b, instr->srcs[1], all, own ? own : ir_undefined_none(&b, instr->num_components, instr->bit_size));
   replace(u, instr, instr->srcs[0]);
}

/* Invocations of a mesh shader set bits of one word side by side; those of a patch come one after the other. */
static void lower_or_row(struct uninit *u, struct ir_instr *instr)
{
   const struct abi_shader_info *info = &u->in.shader->info;
   struct ir_builder b = ir_builder_before(u->in.shader, instr);
   struct ir_instr *row = instr->srcs[0], *bits = instr->srcs[1];
   if (info->stage == ABI_STAGE_MESH) {
      struct ir_instr *offset = ir_alu2(&b, IR_iadd, ir_alu2(&b, IR_imul, row, ir_const(&b, 32, 4)), ir_const(&b, 32, info->output_offset));
      ir_emit(&b, IR_atomic_shared, 1, 32, 2, (struct ir_instr *[]){offset, bits})->imm.u[0] = ABI_ATOMIC_OR;
   } else {
      struct ir_instr *word = ir_alu2(&b, IR_ior, ir_emit(&b, IR_load_row, 1, 32, 1, &row), bits);
      ir_emit(&b, IR_store_row, 0, 0, 2, (struct ir_instr *[]){row, word});
   }
   ir_remove(instr);
}

static void follow_value(struct uninit *u, struct ir_instr *instr)
{
   struct ir_instr *undefined[MAX_SRCS];
   struct ir_builder b = ir_builder_after(u->in.shader, instr);
   b.line = instr->line;
   if (!(instr->pass_flags & MAY_BE_UNDEFINED) || instr->op == IR_result)
      return;
   if (instr->op == IR_undef) {
      instr->pass_data = ir_undefined_all(&b, instr->num_components, instr->bit_size);
      return;
   }
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      undefined[i] = shadow_of(instr->srcs[i]);
   instr->pass_data = ir_undefined_bits(&b, instr, undefined);
}

/* An if of numbers.c. */
static bool is_of_probes(const struct ir_instr *branch)
{
   IR_FOR_EACH (it, branch->imm.cf.regions[0]) {
      if (it->op != IR_probe && it->op != IR_yield)
         return false;
   }
   return ((const struct ir_instr *)UTIL_LIST_ENTRY(branch->imm.cf.regions[0]->instrs.next, struct ir_instr, link))->op == IR_probe;
}

static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   struct uninit *u = (struct uninit *)in;
   const struct ir_memory_access access = ir_memory_access_of(instr);
   uint32_t count;
   u->last_line = instr->line ? instr->line : u->last_line;
   if (access.memory != IR_MEMORY_NONE) {
      follow_memory(u, instr, &access);
      return;
   }
   if (ir_is_jump(instr)) {
      struct ir_instr **destinations = destinations_of(instr, &count);
      give_operands(u, instr, destinations, count);
      return;
   }
   switch (instr->op) {
   case IR_if:
      if (!is_of_probes(instr))
         check(u, instr, instr->srcs[0], ABI_PROBE_UNINIT_BRANCH, 1);
      break;
   case IR_loop: give_operands(u, instr, instr->imm.cf.regions[0]->params, instr->imm.cf.regions[0]->num_params); break;
   case IR_load_var: case IR_store_var: follow_variable(u, instr); break;
   case IR_multiply_matrices: case IR_transpose_matrix: follow_matrices(u, instr); break;
   case IR_load_table: check(u, instr, instr->srcs[0], ABI_PROBE_UNINIT_ADDRESS, 1); break;
   case IR_tex: case IR_image_load: case IR_image_store: case IR_image_atomic: follow_image(u, instr); break;
   case IR_buffer_addr: case IR_image_desc: check(u, instr, instr->srcs[0], ABI_PROBE_UNINIT_ADDRESS, 1); break;
   case IR_store_output: case IR_store_vertex: follow_output(u, instr); break;
   case IR_trace_ray: case IR_trace_object: case IR_call_shader: case IR_report_hit: case IR_store_ray: follow_ray(u, instr); break;
   case IR_is_defined: lower_is_defined(u, instr); break;
   case IR_undefined_where: lower_undefined_where(u, instr); break;
   case IR_or_row: lower_or_row(u, instr); break;
   default: follow_value(u, instr); break;
   }
}

/* ---- shadows of memory that the shader has ---- */

/* A payload goes from shader to shader with its shadow behind it: runtime/rays/call.c. A hit's attributes have as much room. */
static void add_payload(struct uninit *u, struct ir_var *var)
{
   struct abi_shader_info *info = &u->in.shader->info;
   const uint32_t own = (uint32_t)util_align(var->size_bytes, 4);
   if (var->class == IR_VAR_ATTRIBUTES && own > ABI_ATTRIBUTE_WORDS * 2)
      return;
   u->vars[var->index] = var;
   u->shadow_offsets[var->index] = var->class == IR_VAR_ATTRIBUTES ? ABI_ATTRIBUTE_WORDS * 2 : var->class == IR_VAR_INCOMING ? info->payload_words * 4 : own;
   var->size_bytes = u->shadow_offsets[var->index] + (var->class == IR_VAR_ATTRIBUTES ? ABI_ATTRIBUTE_WORDS * 2 : own);
}

/* Attributes that an intersection shader does not name are unwritten, too. */
static void name_attributes(struct ir_shader *shader)
{
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link) {
      if (var->class == IR_VAR_ATTRIBUTES)
         return;
   }
   ir_var_create(shader, 4, "no attributes")->class = IR_VAR_ATTRIBUTES;
}

static void add_variables(struct uninit *u)
{
   struct ir_shader *shader = u->in.shader;
   bool has_payload = false;
   if (shader->info.stage == ABI_STAGE_INTERSECTION)
      name_attributes(shader);
   u->num_vars = shader->num_vars;
   u->vars = UTIL_ARENA_ARRAY(shader->arena, struct ir_var *, UTIL_MAX(u->num_vars, 1u));
   u->shadow_offsets = UTIL_ARENA_ARRAY(shader->arena, uint32_t, UTIL_MAX(u->num_vars, 1u));
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link) {
      const bool is_own = var->class == IR_VAR_PLAIN || var->class == IR_VAR_MATRICES;
      if (var->index >= u->num_vars || u->vars[var->index])
         continue;
      if (var->class == IR_VAR_OUTGOING || var->class == IR_VAR_INCOMING || var->class == IR_VAR_ATTRIBUTES) {
         add_payload(u, var);
         has_payload |= var->class == IR_VAR_INCOMING;
      } else if (is_own && var->size_bytes <= MAX_VAR_BYTES) {
         u->vars[var->index] = ir_var_create(shader, var->size_bytes, var->name);
         u->vars[var->index]->class = var->class;
      }
   }
   if (has_payload)
      shader->info.payload_words *= 2;
}

/* The caller has written the shadow, or the runtime. */
static bool is_given(const struct uninit *u, const struct ir_var *var)
{
   return var->class == IR_VAR_INCOMING || (var->class == IR_VAR_ATTRIBUTES && u->in.shader->info.stage != ABI_STAGE_INTERSECTION);
}

/* Nobody has written anything yet. */
static void begin_variables(struct uninit *u)
{
   struct ir_builder b = ir_builder_at_end(u->in.shader, u->in.shader->body);
   b.before = u->in.shader->body->instrs.next;
   for (uint32_t i = 0; i < u->num_vars; i++) {
      struct ir_var *shadow = u->vars[i];
      for (uint32_t offset = u->shadow_offsets[i]; shadow && !is_given(u, shadow) && offset < shadow->size_bytes; offset += 16) {
         const uint32_t count = UTIL_MIN(4u, (shadow->size_bytes - offset) / 4);
         ir_store_var(&b, shadow, ir_const(&b, 32, offset), ir_undefined_all(&b, count, 32), (1u << count) - 1);
      }
   }
}

/* Code says of variables that nobody has written them; of a payload and of what stands behind it the runtime says it. */
static void add_shared(struct uninit *u)
{
   struct abi_shader_info *info = &u->in.shader->info;
   const bool is_defined = info->zero_shared && !info->payload_bytes;
   if (!abi_has_workgroups(info->stage) || is_defined || !info->shared_bytes)
      return;
   info->shared_shadow = (uint32_t)util_align(info->shared_bytes, 64);
   info->shared_bytes = 2 * info->shared_shadow;
}

bool ir_instrument_uninit(struct ir_shader *shader)
{
   struct uninit u = {.in.shader = shader};
   if (!(shader->checks & ABI_CHECK_UNINIT))
      return false;
   add_variables(&u);
   add_shared(&u);
   ir_clear_pass_data(shader);
   do {
      u.has_found = false;
      ir_for_each(shader, look_ahead, &u);
   } while (u.has_found);
   ir_for_each(shader, add_joins, &u);
   ir_instrument_walk(&u.in, visit);
   ir_instrument_taken(&u.in, u.last_line, u.stored);
   begin_variables(&u);
   if (u.has_replaced)
      ir_resolve_all(shader);
   ir_clear_pass_data(shader);
   return true;
}
