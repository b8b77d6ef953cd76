/* SPDX-License-Identifier: MIT
 * Image operations: arguments go to the runtime in arrays of lanes, through the table of helpers (include/abi/shader.h); queries are
 * read from the image's struct.
 *
 * Fetches, loads and stores of the commonest formats are done without a call (cg_texel.c), which then stands beside. */
#include "compiler/llvm/cg_call.h"
#include "compiler/llvm/cg_texel.h"

/* Coordinates of a texel, beside layers. */
static const uint8_t axes_of[] = {[ABI_DIM_1D] = 1, [ABI_DIM_2D] = 2, [ABI_DIM_3D] = 3, [ABI_DIM_CUBE] = 2, [ABI_DIM_BUFFER] = 1, [ABI_DIM_SUBPASS] = 2};

/* ---- lanes in ---- */

static void put(struct cg *cg, uint32_t scratch, struct ir_instr *value, uint32_t comp)
{
   cg_spill(cg, scratch, cg_as_int(cg, cg_vector(cg, value, comp)));
}

static void put_all(struct cg *cg, uint32_t scratch, struct ir_instr *value)
{
   for (uint32_t c = 0; c < value->num_components; c++)
      put(cg, scratch + c, value, c);
}

static void put_descriptor(struct cg *cg, uint32_t scratch, struct ir_instr *desc, bool is_uniform)
{
   LLVMValueRef memory = cg_scratch(cg, scratch);
   if (is_uniform)
      cg_store(cg, cg_as_int(cg, cg_scalar(cg, desc, 0)), memory, 8);
   else
      cg_store(cg, cg_as_int(cg, cg_vector(cg, desc, 0)), memory, 64);
}

/* Coordinates; of an input attachment relative to the fragment, its layer last. */
static void put_coords(struct cg *cg, struct ir_instr *coords, uint32_t flags)
{
   put_all(cg, CG_SCRATCH_COORDS, coords);
   if (!(flags & ABI_TEX_INPUT_ATTACHMENT))
      return;
   if (!cg->fragment)
      cg_fail(cg, "input attachments are read in fragment shaders only");
   for (uint32_t c = 0; c < 2; c++) {
      LLVMValueRef at = cg_fragment_pixel(cg, c);
      cg_spill(cg, CG_SCRATCH_COORDS + c, LLVMBuildAdd(cg->b, cg_as_int(cg, cg_vector(cg, coords, c)), at, ""));
   }
   cg_spill(cg, CG_SCRATCH_COORDS + 2, cg_splat(cg, cg_fragment_layer(cg)));
}

/* All lanes share the value: it is fetched for lane 0, whether or not that is on, and taken from there. */
static bool is_shared(const struct ir_instr *instr)
{
   return instr->divergence <= IR_SUBGROUP_UNIFORM;
}

/* What the runtime has written. */
static void read_results(struct cg *cg, struct ir_instr *instr, uint32_t scratch, LLVMValueRef values[4])
{
   const uint32_t bits = instr->bit_size == 64 ? 64 : 32;
   for (uint32_t c = 0; c < instr->num_components; c++)
      values[c] = cg_load(cg, cg_vec_type(cg, cg_int_type(cg, bits)), cg_scratch(cg, scratch + c), 64);
}

static void set_results(struct cg *cg, struct ir_instr *instr, LLVMValueRef values[4])
{
   for (uint32_t c = 0; c < instr->num_components; c++) {
      LLVMValueRef value = values[c];
      if (instr->bit_size == 16 && !(instr->op == IR_tex ? instr->imm.u[2] & ABI_TEX_INTEGER : instr->imm.u[1] & ABI_TEX_INTEGER))
         cg_fail(cg, "images of 16-bit floats are not supported");
      if (instr->bit_size < 32)
         value = LLVMBuildTrunc(cg->b, value, cg_vec_type(cg, cg_int_type(cg, instr->bit_size)), "");
      if (is_shared(instr))
         cg_set_scalar(cg, instr, c, LLVMBuildExtractElement(cg->b, value, cg_i32(cg, 0), ""), 0);
      else
         cg_set_vector(cg, instr, c, value);
   }
}

/* Lanes whose texels are wanted. */
static LLVMValueRef wanted_lanes(struct cg *cg, const struct ir_instr *instr, LLVMValueRef bits)
{
   return is_shared(instr) ? cg_i32(cg, 1) : bits;
}

static LLVMValueRef image_or_zeros(struct cg *cg, LLVMValueRef address)
{
   LLVMValueRef is_null = LLVMBuildICmp(cg->b, LLVMIntEQ, address, cg_i64(cg, 0), "");
   return cg_select(cg, is_null, cg->zeros, LLVMBuildIntToPtr(cg->b, address, cg->ptr, ""));
}

/* ---- texels by compiled code itself ---- */

/* So many accesses of a shader: each is some dozens of instructions of LLVM's, beside those of the call that others take. */
enum { MAX_DIRECT = 256 };

static bool is_direct(struct cg *cg, const struct ir_instr *instr, struct ir_instr *desc, struct ir_instr *coords, struct ir_instr *lod, uint32_t dim,
                      uint32_t flags)
{
   const bool is_store = instr->op == IR_image_store;
   const uint32_t num_components = instr->op == IR_image_atomic ? 1 : 4;
   return cg_texel_is_direct(dim, flags) && cg_is_uniform(cg, desc, 0) && (!lod || cg_is_uniform(cg, lod, 0)) &&
          coords->bit_size == 32 && (is_store || (instr->bit_size == 32 && instr->num_components == num_components)) && cg->num_texels < MAX_DIRECT;
}

/* For the call too, which reads vectors: they are made here, where both see them. */
static LLVMValueRef number_of(struct cg *cg, struct ir_instr *value, uint32_t comp)
{
   LLVMValueRef vector = cg_as_int(cg, cg_vector(cg, value, comp));
   return cg_is_uniform(cg, value, comp) ? cg_as_int(cg, cg_scalar(cg, value, comp)) : vector;
}

/* `offset` and `sample` may be NULL. */
static void put_texel(struct cg *cg, struct cg_texel *texel, const struct ir_instr *instr, struct ir_instr *desc, struct ir_instr *coords,
                      struct ir_instr *offset, struct ir_instr *sample, struct ir_instr *lod)
{
   const uint32_t axes = axes_of[texel->dim];
   texel->image = image_or_zeros(cg, cg_as_int(cg, cg_scalar(cg, desc, 0)));
   for (uint32_t a = 0; a < axes; a++) {
      texel->at[a] = number_of(cg, coords, a);
      if (offset)
         texel->at[a] = cg_texel_add(cg, texel->at[a], number_of(cg, offset, a));
   }
   if (texel->flags & ABI_TEX_ARRAYED)
      texel->layer = number_of(cg, coords, axes);
   if (sample)
      texel->sample = number_of(cg, sample, 0);
   if (lod)
      texel->level = number_of(cg, lod, 0);
   if (instr->op == IR_image_store || instr->op == IR_image_atomic)
      texel->mask = cg_effect_mask(cg);
   else
      texel->mask = is_shared(instr) ? cg_mask_from_bits(cg, cg_i32(cg, 1)) : cg->exec;
}

/* ---- sampling ---- */

/* Level 0 is asked for by a constant, or nothing but the sampler's limits says which. */
static bool is_base_lod(const struct cg *cg, const struct ir_instr *instr)
{
   const uint32_t flags = instr->imm.u[2];
   if (flags & (ABI_TEX_BIAS | ABI_TEX_GRAD | ABI_TEX_MIN_LOD))
      return false;
   if (flags & ABI_TEX_LOD)
      return ir_is_const(instr->srcs[3]) && instr->srcs[3]->imm.c[0] == 0;
   return !cg->fragment && !cg->ir->info.uses_derivatives;
}

/* The component of a gather, where it is a constant, as it is in valid modules; else NULL. */
static const struct ir_instr *constant_component(const struct ir_instr *instr)
{
   const uint32_t flags = instr->imm.u[2];
   const struct ir_instr *component = flags & ABI_TEX_COMPONENT ? instr->srcs[instr->num_srcs - (flags & ABI_TEX_GATHER_OFFSETS ? 5u : 1u)] : NULL;
   return component && ir_is_const(component) ? component : NULL;
}

/* What the flags say of the call. */
static uint32_t call_flags(const struct ir_instr *instr)
{
   return constant_component(instr) ? instr->imm.u[2] & ~(uint32_t)ABI_TEX_COMPONENT : instr->imm.u[2];
}

/* ---- gathers of several components ---- */

/* Those at the same coordinates, not far from each other, and no others between that have an effect: one call, at the first. */
enum { MAX_GATHERS = 8, MAX_GATHERS_DISTANCE = 200 };
struct gathers {
   struct ir_instr *instrs[MAX_GATHERS];
   uint32_t count;
   uint32_t components; /* a bit each */
};

static bool is_gather(const struct ir_instr *instr)
{
   return instr->op == IR_tex && instr->imm.u[0] == ABI_TEX_OP_GATHER && constant_component(instr) && !is_shared(instr) && instr->bit_size == 32 &&
          abi_tex_class(instr->imm.u[0], instr->imm.u[1], call_flags(instr)) == ABI_TEX_CLASS_GATHER;
}

static bool is_same_gather(const struct ir_instr *a, const struct ir_instr *b)
{
   bool is_same = a->num_srcs == b->num_srcs && a->imm.u[1] == b->imm.u[1] && a->imm.u[2] == b->imm.u[2];
   for (uint32_t i = 0; is_same && i + 1 < a->num_srcs; i++)
      is_same = a->srcs[i] == b->srcs[i];
   return is_same;
}

static void add_gather(struct gathers *gathers, struct ir_instr *instr)
{
   gathers->instrs[gathers->count++] = instr;
   gathers->components |= 1u << (constant_component(instr)->imm.c[0] & 3);
}

static void find_gathers(struct gathers *gathers, struct ir_instr *first)
{
   uint32_t distance = 0;
   gathers->count = gathers->components = 0;
   if (!is_gather(first))
      return;
   add_gather(gathers, first);
   for (const struct util_list *link = first->link.next; link != &first->region->instrs && distance < MAX_GATHERS_DISTANCE; link = link->next, distance++) {
      struct ir_instr *instr = UTIL_LIST_ENTRY(link, struct ir_instr, link);
      if (ir_info(instr)->flags & IR_EFFECT || gathers->count == MAX_GATHERS)
         return;
      if (is_gather(instr) && is_same_gather(first, instr))
         add_gather(gathers, instr);
   }
}

/* ---- calls ---- */

/* components: of several gathers; 0: of one instruction. */
static LLVMValueRef tex_shape(struct cg *cg, struct ir_instr *instr, bool is_uniform, uint32_t components)
{
   const struct ir_instr *component = constant_component(instr);
   const uint32_t op = instr->imm.u[0], dim = instr->imm.u[1], flags = call_flags(instr), is_base = is_base_lod(cg, instr);
   const uint32_t gathered = component && !components ? (uint32_t)component->imm.c[0] : 0, unread = components ? 0 : instr->unread;
   const uint32_t key[8] = {op, dim, flags, is_uniform, instr->srcs[2]->num_components, is_base, unread, gathered | components << 8};
   bool is_new;
   LLVMValueRef m = cg_call_find(cg, &cg->tex_shapes, key, sizeof(struct abi_tex_call), &is_new);
   if (!is_new)
      return m;
   LLVMBasicBlockRef here = cg_call_begin(cg, m, sizeof(struct abi_tex_call));
   const uint32_t coords = flags & ABI_TEX_INPUT_ATTACHMENT ? 3 : instr->srcs[2]->num_components;
   const uint32_t axes = dim == ABI_DIM_1D || dim == ABI_DIM_BUFFER ? 1 : dim == ABI_DIM_2D || dim == ABI_DIM_SUBPASS ? 2 : 3;
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, lanes), cg->lanes);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, op), op);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, dim), dim);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, flags), flags);
   /* in compute shaders derivatives come with a group of four lanes */
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, quad_size), cg->fragment || cg->ir->info.uses_derivatives ? 4 : 0);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, is_uniform), is_uniform);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, unread), unread);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, is_base_lod), is_base);
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, class),
                   !is_uniform ? ABI_TEX_CLASS_NONE : components ? ABI_TEX_CLASS_GATHERS : abi_tex_class(op, dim, flags));
   cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, gathered), gathered);
   cg_call_set_ptr(cg, m, offsetof(struct abi_tex_call, images), cg_scratch(cg, CG_SCRATCH_IMAGES));
   cg_call_set_ptr(cg, m, offsetof(struct abi_tex_call, samplers), cg_scratch(cg, CG_SCRATCH_SAMPLERS));
   cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, coords), coords, CG_SCRATCH_COORDS);
   cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, result), 4, CG_SCRATCH_RESULT);
   if (flags & (ABI_TEX_LOD | ABI_TEX_BIAS))
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, lod), 1, CG_SCRATCH_LOD);
   if (flags & ABI_TEX_GRAD) {
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, ddx), axes, CG_SCRATCH_DDX);
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, ddy), axes, CG_SCRATCH_DDY);
   }
   if (flags & ABI_TEX_OFFSET)
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, offset), axes, CG_SCRATCH_OFFSET);
   if (flags & ABI_TEX_DREF)
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, dref), 1, CG_SCRATCH_DREF);
   if (flags & ABI_TEX_SAMPLE)
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, sample), 1, CG_SCRATCH_SAMPLE);
   if (flags & ABI_TEX_MIN_LOD)
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, min_lod), 1, CG_SCRATCH_MIN_LOD);
   if (flags & ABI_TEX_COMPONENT)
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, component), 1, CG_SCRATCH_COMPONENT);
   if (flags & ABI_TEX_GATHER_OFFSETS)
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, gather_offsets), 8, CG_SCRATCH_GATHER);
   if (components) {
      cg_call_set_u32(cg, m, offsetof(struct abi_tex_call, components), components);
      cg_call_set_arrays(cg, m, offsetof(struct abi_tex_call, gathers), 16, CG_SCRATCH_GATHERED);
   }
   cg_call_end(cg, here);
   return m;
}

static void call_tex(struct cg *cg, struct ir_instr *instr, uint32_t components, LLVMValueRef mask)
{
   const uint32_t flags = instr->imm.u[2];
   struct ir_instr **src = instr->srcs, **end = src + instr->num_srcs;
   const bool is_uniform = cg_is_uniform(cg, src[0], 0) && cg_is_uniform(cg, src[1], 0);
   LLVMValueRef m = tex_shape(cg, instr, is_uniform, components);
   put_descriptor(cg, CG_SCRATCH_IMAGES, src[0], is_uniform);
   put_descriptor(cg, CG_SCRATCH_SAMPLERS, src[1], is_uniform);
   put_coords(cg, src[2], flags);
   src += 3;
   if (flags & (ABI_TEX_LOD | ABI_TEX_BIAS) && src < end)
      put(cg, CG_SCRATCH_LOD, *src++, 0);
   if (flags & ABI_TEX_GRAD && src + 1 < end) {
      put_all(cg, CG_SCRATCH_DDX, *src++);
      put_all(cg, CG_SCRATCH_DDY, *src++);
   }
   if (flags & ABI_TEX_OFFSET && src < end)
      put_all(cg, CG_SCRATCH_OFFSET, *src++);
   if (flags & ABI_TEX_DREF && src < end)
      put(cg, CG_SCRATCH_DREF, *src++, 0);
   if (flags & ABI_TEX_SAMPLE && src < end)
      put(cg, CG_SCRATCH_SAMPLE, *src++, 0);
   if (flags & ABI_TEX_MIN_LOD && src < end)
      put(cg, CG_SCRATCH_MIN_LOD, *src++, 0);
   if (flags & ABI_TEX_COMPONENT && src < end) {
      if (!constant_component(instr))
         put(cg, CG_SCRATCH_COMPONENT, *src, 0);
      src++;
   }
   for (uint32_t i = 0; flags & ABI_TEX_GATHER_OFFSETS && i < 4 && src < end; i++)
      put_all(cg, CG_SCRATCH_GATHER + i * 2, *src++);
   if (cg->fragment)
      cg_store(cg, cg_fragment_view(cg), cg_gep_const(cg, m, offsetof(struct abi_tex_call, view_index)), 4);
   cg_store(cg, wanted_lanes(cg, instr, mask), cg_gep_const(cg, m, offsetof(struct abi_tex_call, mask)), 4);
   const bool asks = flags & ABI_TEX_UNWRITTEN;
   cg_call_helper(cg, asks ? offsetof(struct abi_helpers, tex_unwritten) : offsetof(struct abi_helpers, tex), cg->void_type, 1, &m);
}

/* A fetch: descriptors, coordinates, then what the flags say. */
static bool find_direct_fetch(struct cg *cg, struct ir_instr *instr, struct cg_texel *texel)
{
   const uint32_t flags = instr->imm.u[2];
   struct ir_instr **src = instr->srcs + 3;
   *texel = (struct cg_texel){.dim = instr->imm.u[1], .flags = flags};
   if (instr->imm.u[0] != ABI_TEX_OP_FETCH || !cg_texel_is_direct(texel->dim, flags))
      return false;
   struct ir_instr *lod = flags & ABI_TEX_LOD ? *src++ : NULL, *offset = flags & ABI_TEX_OFFSET ? *src++ : NULL;
   struct ir_instr *sample = flags & ABI_TEX_SAMPLE ? *src++ : NULL;
   if (!is_direct(cg, instr, instr->srcs[0], instr->srcs[2], lod, texel->dim, flags) || !cg_is_uniform(cg, instr->srcs[1], 0))
      return false;
   put_texel(cg, texel, instr, instr->srcs[0], instr->srcs[2], offset, sample, lod);
   return true;
}

/* True: it has its values, of a call for several. */
static bool gather_several(struct cg *cg, struct ir_instr *instr, LLVMValueRef mask)
{
   struct gathers gathers;
   if (!cg_is_uniform(cg, instr->srcs[0], 0) || !cg_is_uniform(cg, instr->srcs[1], 0))
      return false;
   find_gathers(&gathers, instr);
   if (gathers.count < 2)
      return false;
   call_tex(cg, instr, gathers.components, mask);
   for (uint32_t i = 0; i < gathers.count; i++) {
      const uint32_t first = CG_SCRATCH_GATHERED + 4 * (uint32_t)(constant_component(gathers.instrs[i])->imm.c[0] & 3);
      LLVMValueRef values[4];
      read_results(cg, gathers.instrs[i], first, values);
      set_results(cg, gathers.instrs[i], values);
      cg_value(cg, gathers.instrs[i])->is_gathered = i > 0;
   }
   return true;
}

void cg_emit_tex(struct cg *cg, struct ir_instr *instr)
{
   struct cg_texel texel;
   if (cg_value(cg, instr)->is_gathered) {
      cg_value(cg, instr)->is_gathered = false;
      return;
   }
   LLVMValueRef values[4], mask = cg_mask_bits(cg, cg->exec);
   if (cg->fragment) {
      mask = LLVMBuildAnd(cg->b, mask, cg_fragment_quad_bits(cg), "");
      cg_fragment_view(cg);
   }
   if (gather_several(cg, instr, mask))
      return;
   const bool is_direct = find_direct_fetch(cg, instr, &texel);
   if (is_direct)
      cg_texel_begin(cg, &texel);
   call_tex(cg, instr, 0, mask);
   read_results(cg, instr, CG_SCRATCH_RESULT, values);
   if (is_direct)
      cg_texel_end(cg, &texel, values);
   set_results(cg, instr, values);
}

/* ---- storage images ---- */

static LLVMValueRef image_shape(struct cg *cg, struct ir_instr *instr, enum abi_image_op op, bool is_uniform, uint32_t num_data)
{
   const uint32_t dim = instr->imm.u[0], flags = instr->imm.u[1], atomic = op == ABI_IMAGE_ATOMIC ? instr->imm.u[2] : 0;
   const uint32_t key[8] = {op, dim, flags, atomic, is_uniform, instr->srcs[1]->num_components, num_data};
   bool is_new;
   LLVMValueRef m = cg_call_find(cg, &cg->image_shapes, key, sizeof(struct abi_image_call), &is_new);
   if (!is_new)
      return m;
   LLVMBasicBlockRef here = cg_call_begin(cg, m, sizeof(struct abi_image_call));
   cg_call_set_u32(cg, m, offsetof(struct abi_image_call, lanes), cg->lanes);
   cg_call_set_u32(cg, m, offsetof(struct abi_image_call, op), op);
   cg_call_set_u32(cg, m, offsetof(struct abi_image_call, dim), dim);
   cg_call_set_u32(cg, m, offsetof(struct abi_image_call, flags), flags);
   cg_call_set_u32(cg, m, offsetof(struct abi_image_call, atomic), atomic);
   cg_call_set_u32(cg, m, offsetof(struct abi_image_call, is_uniform), is_uniform);
   cg_call_set_ptr(cg, m, offsetof(struct abi_image_call, images), cg_scratch(cg, CG_SCRATCH_IMAGES));
   cg_call_set_arrays(cg, m, offsetof(struct abi_image_call, coords), flags & ABI_TEX_INPUT_ATTACHMENT ? 3 : instr->srcs[1]->num_components, CG_SCRATCH_COORDS);
   if (flags & ABI_TEX_SAMPLE)
      cg_call_set_arrays(cg, m, offsetof(struct abi_image_call, sample), 1, CG_SCRATCH_SAMPLE);
   if (flags & ABI_TEX_LOD)
      cg_call_set_arrays(cg, m, offsetof(struct abi_image_call, lod), 1, CG_SCRATCH_LOD);
   cg_call_set_arrays(cg, m, offsetof(struct abi_image_call, data), num_data, CG_SCRATCH_DATA);
   cg_call_set_arrays(cg, m, offsetof(struct abi_image_call, result), 4, CG_SCRATCH_RESULT);
   cg_call_end(cg, here);
   return m;
}

static void call_access(struct cg *cg, struct ir_instr *instr, LLVMValueRef mask)
{
   const enum abi_image_op op = instr->op == IR_image_load ? ABI_IMAGE_LOAD : instr->op == IR_image_store ? ABI_IMAGE_STORE : ABI_IMAGE_ATOMIC;
   const uint32_t flags = instr->imm.u[1];
   struct ir_instr **src = instr->srcs;
   const bool is_uniform = cg_is_uniform(cg, src[0], 0);
   uint32_t num_data = 0;
   put_descriptor(cg, CG_SCRATCH_IMAGES, src[0], is_uniform);
   put_coords(cg, src[1], flags);
   src += 2;
   if (op == ABI_IMAGE_STORE) {
      if ((*src)->bit_size != 32)
         cg_fail(cg, "storing texels of %u bits is not supported", (*src)->bit_size);
      num_data = (*src)->num_components;
      put_all(cg, CG_SCRATCH_DATA, *src++);
   } else if (op == ABI_IMAGE_ATOMIC) {
      if (instr->bit_size != 32 && !(instr->bit_size == 64 && flags & ABI_TEX_64BIT))
         cg_fail(cg, "image atomics of %u bits are not supported", instr->bit_size);
      put(cg, CG_SCRATCH_DATA, *src++, 0);
      num_data = 1;
      if (instr->imm.u[2] == ABI_ATOMIC_CMPXCHG) {
         put(cg, CG_SCRATCH_DATA + 1, *src++, 0);
         num_data = 2;
      }
   }
   if (flags & ABI_TEX_SAMPLE)
      put(cg, CG_SCRATCH_SAMPLE, *src++, 0);
   if (flags & ABI_TEX_LOD)
      put(cg, CG_SCRATCH_LOD, *src++, 0);
   LLVMValueRef m = image_shape(cg, instr, op, is_uniform, num_data);
   cg_store(cg, mask, cg_gep_const(cg, m, offsetof(struct abi_image_call, mask)), 4);
   if (op == ABI_IMAGE_ATOMIC)
      cg_spill(cg, CG_SCRATCH_RESULT, LLVMConstNull(cg_vec_type(cg, cg_int_type(cg, instr->bit_size))));
   const bool asks = flags & ABI_TEX_UNWRITTEN;
   cg_call_helper(cg, asks ? offsetof(struct abi_helpers, image_unwritten) : offsetof(struct abi_helpers, image_access), cg->void_type, 1, &m);
}

/* A load from an input attachment, as one from an array of images: the fragment's texel, in its layer. */
static void put_attachment(struct cg *cg, struct cg_texel *texel)
{
   if (!cg->fragment)
      cg_fail(cg, "input attachments are read in fragment shaders only");
   for (uint32_t c = 0; c < 2; c++)
      texel->at[c] = cg_texel_add(cg, texel->at[c], cg_fragment_pixel(cg, c));
   texel->flags |= ABI_TEX_ARRAYED;
   texel->layer = cg_fragment_layer(cg);
}

/* Descriptor, coordinates, what is stored or the operands of an atomic operation, then what the flags say. */
static bool find_direct_access(struct cg *cg, struct ir_instr *instr, struct cg_texel *texel)
{
   const bool is_store = instr->op == IR_image_store, is_atomic = instr->op == IR_image_atomic;
   const uint32_t flags = instr->imm.u[1];
   struct ir_instr **src = instr->srcs + 2, *data = is_store || is_atomic ? *src++ : NULL;
   *texel = (struct cg_texel){.dim = instr->imm.u[0], .flags = flags, .is_atomic = is_atomic};
   if (is_atomic)
      texel->atomic = (enum abi_atomic)instr->imm.u[2];
   else
      texel->format = (enum abi_texel_format)(instr->imm.u[2] >> IR_ACCESS_FORMAT_SHIFT & 63);
   struct ir_instr *compare = is_atomic && texel->atomic == ABI_ATOMIC_CMPXCHG ? *src++ : NULL;
   struct ir_instr *sample = flags & ABI_TEX_SAMPLE ? *src++ : NULL, *lod = flags & ABI_TEX_LOD ? *src++ : NULL;
   const bool is_attachment = flags & ABI_TEX_INPUT_ATTACHMENT;
   if (is_attachment) {
      texel->dim = ABI_DIM_2D;
      texel->flags &= ~(uint32_t)ABI_TEX_INPUT_ATTACHMENT;
   }
   if (!is_direct(cg, instr, instr->srcs[0], instr->srcs[1], lod, texel->dim, texel->flags) ||
       (is_store && (data->bit_size != 32 || data->num_components != 4)))
      return false;
   for (uint32_t c = 0; data && c < (is_atomic ? 1 : 4); c++)
      texel->data[c] = cg_vector(cg, data, c);
   if (compare)
      texel->data[1] = cg_vector(cg, compare, 0);
   put_texel(cg, texel, instr, instr->srcs[0], instr->srcs[1], NULL, sample, lod);
   if (is_attachment)
      put_attachment(cg, texel);
   return true;
}

static void emit_access(struct cg *cg, struct ir_instr *instr)
{
   struct cg_texel texel;
   LLVMValueRef values[4], mask = cg_mask_bits(cg, instr->op == IR_image_load ? cg->exec : cg_effect_mask(cg));
   const bool is_direct = find_direct_access(cg, instr, &texel);
   if (is_direct)
      cg_texel_begin(cg, &texel);
   call_access(cg, instr, instr->op == IR_image_load ? wanted_lanes(cg, instr, mask) : mask);
   if (instr->op != IR_image_store)
      read_results(cg, instr, CG_SCRATCH_RESULT, values);
   if (is_direct)
      cg_texel_end(cg, &texel, values);
   if (instr->op != IR_image_store)
      set_results(cg, instr, values);
}


/* ---- queries ---- */

static LLVMValueRef image_field(struct cg *cg, LLVMValueRef image, size_t offset)
{
   return cg_load_at(cg, cg->i32, image, offset);
}

/* Component `c` of the answer for one image; `image` may be the block of zeros. */
static LLVMValueRef query(struct cg *cg, struct ir_instr *instr, LLVMValueRef image, LLVMValueRef lod, uint32_t c)
{
   static const size_t extents[] = {offsetof(struct abi_level, width), offsetof(struct abi_level, height), offsetof(struct abi_level, depth)};
   const uint32_t dim = instr->imm.u[1];
   if (instr->imm.u[0] == IR_QUERY_LEVELS)
      return image_field(cg, image, offsetof(struct abi_image, num_levels));
   if (instr->imm.u[0] == IR_QUERY_SAMPLES)
      return image_field(cg, image, offsetof(struct abi_image, num_samples));
   if (c >= axes_of[dim]) {
      LLVMValueRef layers = image_field(cg, image, offsetof(struct abi_image, num_layers));
      return dim == ABI_DIM_CUBE ? LLVMBuildUDiv(cg->b, layers, cg_i32(cg, 6), "") : layers;
   }
   LLVMValueRef level = cg_gep_const(cg, image, offsetof(struct abi_image, levels) + extents[c]), fits = NULL;
   if (lod) { /* a level that is not there has size 0 */
      LLVMValueRef count = image_field(cg, image, offsetof(struct abi_image, num_levels));
      fits = LLVMBuildICmp(cg->b, LLVMIntULT, lod, count, "");
      LLVMValueRef index = LLVMBuildZExt(cg->b, cg_select(cg, fits, lod, cg_i32(cg, 0)), cg->i64, "");
      level = cg_gep(cg, level, LLVMBuildMul(cg->b, index, cg_i64(cg, sizeof(struct abi_level)), ""));
   }
   LLVMValueRef value = cg_load(cg, cg->i32, level, 4);
   return fits ? cg_select(cg, fits, value, cg_i32(cg, 0)) : value;
}

static void emit_query(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *lod = instr->imm.u[0] == IR_QUERY_SIZE && instr->num_srcs > 1 ? instr->srcs[1] : NULL;
   if (cg_is_uniform(cg, instr->srcs[0], 0) && (!lod || cg_is_uniform(cg, lod, 0))) {
      LLVMValueRef image = image_or_zeros(cg, cg_as_int(cg, cg_scalar(cg, instr->srcs[0], 0)));
      for (uint32_t c = 0; c < instr->num_components; c++)
         cg_set_scalar(cg, instr, c, query(cg, instr, image, lod ? cg_as_int(cg, cg_scalar(cg, lod, 0)) : NULL, c), 0);
      return;
   }
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef images = cg_spill(cg, 4, cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)));
   LLVMValueRef lods = lod ? cg_spill(cg, 5, cg_as_int(cg, cg_vector(cg, lod, 0))) : NULL;
   struct cg_lane_loop loop;
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_spill(cg, CG_SCRATCH_QUERY + c, LLVMConstNull(type));
   cg_lane_loop_begin(cg, cg->exec, &loop);
   LLVMValueRef image = image_or_zeros(cg, cg_load(cg, cg->i64, cg_lane_ptr(cg, images, 64, loop.lane), 8));
   LLVMValueRef level = lods ? cg_load(cg, cg->i32, cg_lane_ptr(cg, lods, 32, loop.lane), 4) : NULL;
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_store(cg, query(cg, instr, image, level, c), cg_lane_ptr(cg, cg_scratch(cg, CG_SCRATCH_QUERY + c), 32, loop.lane), 4);
   cg_lane_loop_end(cg, &loop);
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_set_vector(cg, instr, c, cg_load(cg, type, cg_scratch(cg, CG_SCRATCH_QUERY + c), 64));
}

void cg_emit_image(struct cg *cg, struct ir_instr *instr)
{
   if (instr->op == IR_image_query)
      emit_query(cg, instr);
   else
      emit_access(cg, instr);
}
