/* SPDX-License-Identifier: MIT
 * Image instructions. The order of an IR instruction's sources is in compiler/ir/ir.h, "Images".
 * Spec: SPIR-V, "Image Instructions", "Image Operands"; Vulkan, "Image Operations". */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include "abi/texel_format.h"

#include <assert.h>

enum { MAX_SRCS = 20 };

/* The sources of an image operation as they are collected. */
struct access {
   const struct spirv_type *type; /* of the image */
   uint32_t flags;                /* enum abi_tex_flags */
   uint32_t access;               /* enum ir_access */
   struct ir_instr *lod, *bias, *ddx, *ddy, *offset, *sample, *min_lod, *dref, *component;
   struct ir_instr *gather_offsets[4];
   uint32_t num_srcs;
   struct ir_instr *srcs[MAX_SRCS];
};

/* Residency codes: others than this say that a texel has no memory. A shader may combine codes by |, or keep them. */
enum { ALL_RESIDENT = 0 };

/* The operation without a residency code. The sparse ones are numbered in the order of the others. */
static uint32_t base_op(uint32_t op)
{
   static_assert(SpvOpImageSparseDrefGather - SpvOpImageSparseSampleImplicitLod ==
                 SpvOpImageDrefGather - SpvOpImageSampleImplicitLod, "sparse operations have the order of the others");
   if (op == SpvOpImageSparseRead)
      return SpvOpImageRead;
   if (op < SpvOpImageSparseSampleImplicitLod || op > SpvOpImageSparseDrefGather)
      return op;
   return op - SpvOpImageSparseSampleImplicitLod + SpvOpImageSampleImplicitLod;
}

static const struct spirv_type *image_type(struct spirv_ctx *t, const struct spirv_type *type)
{
   if (type->class == SPIRV_TYPE_SAMPLED_IMAGE)
      return type->elem;
   if (type->class != SPIRV_TYPE_IMAGE)
      spirv_fail(t, "an operand is not an image");
   return type;
}

static uint32_t num_dims(const struct spirv_type *image)
{
   switch (image->image.dim) {
   case ABI_DIM_1D:
   case ABI_DIM_BUFFER: return 1;
   case ABI_DIM_3D:
   case ABI_DIM_CUBE: return 3;
   default: return 2;
   }
}

static struct access begin_access(struct spirv_ctx *t, const struct spirv_type *image)
{
   struct access a = {.type = image};
   if (image->image.is_arrayed)
      a.flags |= ABI_TEX_ARRAYED;
   if (image->image.is_ms)
      a.flags |= ABI_TEX_MS;
   if (image->elem->class == SPIRV_TYPE_INT)
      a.flags |= ABI_TEX_INTEGER | (image->elem->is_signed ? ABI_TEX_SIGNED : 0);
   if (image->image.dim == ABI_DIM_SUBPASS)
      a.flags |= ABI_TEX_INPUT_ATTACHMENT;
   return a;
}

static struct ir_instr *as_float(struct spirv_ctx *t, struct ir_instr *x)
{
   return x->bit_size == 32 ? x : ir_convert(&t->b, IR_f2f, 32, x);
}

/* The first `count` components as one vector; `is_float` says how to widen others than 32 bits. */
static struct ir_instr *vector(struct spirv_ctx *t, uint32_t id, uint32_t count, bool is_float)
{
   struct spirv_val *val = spirv_value(t, id);
   const uint32_t available = spirv_leaf_count(t, val->type);
   struct ir_instr **x = spirv_comps(t, val), *comps[4];
   if (available < count || count > 4)
      spirv_fail(t, "%u coordinates where %u are needed", available, count);
   for (uint32_t i = 0; i < count; i++)
      comps[i] = is_float ? as_float(t, x[i]) : spirv_resize(t, x[i], 32, true);
   return ir_vec(&t->b, count, comps);
}

/* ConstOffsets: an array of four vectors of two. */
static void gather_offsets(struct spirv_ctx *t, struct access *a, uint32_t id)
{
   struct spirv_val *array = spirv_value(t, id);
   if (array->type->class != SPIRV_TYPE_ARRAY || array->type->count != 4)
      spirv_fail(t, "ConstOffsets are not an array of four");
   a->flags |= ABI_TEX_GATHER_OFFSETS;
   for (uint32_t i = 0; i < 4; i++) {
      struct spirv_val *offset = spirv_child(t, array, i);
      if (spirv_leaf_count(t, offset->type) != 2)
         spirv_fail(t, "ConstOffsets are not vectors of two");
      a->gather_offsets[i] = ir_vec(&t->b, 2, spirv_comps(t, offset));
   }
}

/* Reads the image operands whose mask stands at word `index`, if the instruction has any. */
static void image_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index, bool is_fetch,
                           struct access *a)
{
   if (index >= in->count)
      return;
   const uint32_t mask = in->words[index++], dims = num_dims(a->type);
   const uint32_t known = 0x7fff | SpvImageOperandsOffsetsMask;
   if (mask & ~known)
      spirv_fail(t, "%s: image operands 0x%x are not supported", spirv_op_name(in->op), mask & ~known);
   if (mask & SpvImageOperandsBiasMask) {
      a->bias = as_float(t, spirv_scalar(t, spirv_word(t, in, index++)));
      a->flags |= ABI_TEX_BIAS;
   }
   if (mask & SpvImageOperandsLodMask) {
      struct ir_instr *lod = spirv_scalar(t, spirv_word(t, in, index++));
      a->lod = is_fetch ? spirv_resize(t, lod, 32, true) : as_float(t, lod);
      a->flags |= ABI_TEX_LOD;
   }
   if (mask & SpvImageOperandsGradMask) {
      a->ddx = vector(t, spirv_word(t, in, index++), dims, true);
      a->ddy = vector(t, spirv_word(t, in, index++), dims, true);
      a->flags |= ABI_TEX_GRAD;
   }
   if (mask & SpvImageOperandsConstOffsetMask) {
      a->offset = vector(t, spirv_word(t, in, index++), dims, false);
      a->flags |= ABI_TEX_OFFSET;
   }
   if (mask & SpvImageOperandsOffsetMask) {
      a->offset = vector(t, spirv_word(t, in, index++), dims, false);
      a->flags |= ABI_TEX_OFFSET;
   }
   if (mask & SpvImageOperandsConstOffsetsMask)
      gather_offsets(t, a, spirv_word(t, in, index++));
   if (mask & SpvImageOperandsSampleMask) {
      a->sample = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, index++)), 32, false);
      a->flags |= ABI_TEX_SAMPLE;
   }
   if (mask & SpvImageOperandsMinLodMask) {
      a->min_lod = as_float(t, spirv_scalar(t, spirv_word(t, in, index++)));
      a->flags |= ABI_TEX_MIN_LOD;
   }
   if (mask & SpvImageOperandsMakeTexelAvailableMask)
      index++;
   if (mask & SpvImageOperandsMakeTexelVisibleMask)
      index++;
   if (mask & (SpvImageOperandsMakeTexelAvailableMask | SpvImageOperandsMakeTexelVisibleMask |
               SpvImageOperandsNonPrivateTexelMask))
      a->access |= IR_ACCESS_COHERENT;
   if (mask & SpvImageOperandsVolatileTexelMask)
      a->access |= IR_ACCESS_VOLATILE;
   if (mask & SpvImageOperandsSignExtendMask)
      a->flags |= ABI_TEX_SIGNED;
   if (mask & SpvImageOperandsZeroExtendMask)
      a->flags &= ~(uint32_t)ABI_TEX_SIGNED;
   if (mask & SpvImageOperandsOffsetsMask)
      gather_offsets(t, a, spirv_word(t, in, index++));
}

static void add_src(struct access *a, struct ir_instr *src)
{
   if (src)
      a->srcs[a->num_srcs++] = src;
}

/* Everything that may follow the coordinates, in its fixed order. */
static void add_operands(struct access *a)
{
   add_src(a, a->lod);
   add_src(a, a->bias);
   add_src(a, a->ddx);
   add_src(a, a->ddy);
   add_src(a, a->offset);
   add_src(a, a->dref);
   add_src(a, a->sample);
   add_src(a, a->min_lod);
   add_src(a, a->component);
   for (uint32_t i = 0; i < 4; i++)
      add_src(a, a->gather_offsets[i]);
}

/* A texel of one 64-bit component comes as two halves; alpha is 1, or 0 of a null descriptor. */
static void split_wide(struct spirv_ctx *t, struct ir_instr *texel, uint32_t count, struct ir_instr **comps)
{
   struct ir_instr *halves[2] = {ir_extract(&t->b, texel, 0), ir_extract(&t->b, texel, 1)};
   comps[0] = ir_emit(&t->b, IR_pack, 1, 64, 2, halves);
   for (uint32_t i = 1; i < count; i++) {
      comps[i] = i < 3 ? ir_const(&t->b, 64, 0)
                       : ir_convert(&t->b, IR_u2u, 64, ir_extract(&t->b, texel, 3));
   }
}

/* The components of a texel of a type, from those of 32 bits that it came in. */
static void narrow_texel(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *texel, uint32_t flags,
                         uint32_t count, struct ir_instr **comps)
{
   if (type->bits == 64 && texel->num_components == 4) {
      split_wide(t, texel, count, comps);
      return;
   }
   spirv_split(t, texel, count, comps);
   for (uint32_t i = 0; i < count && type->bits != 32; i++) {
      if (flags & ABI_TEX_INTEGER)
         comps[i] = spirv_resize(t, comps[i], type->bits, flags & ABI_TEX_SIGNED);
      else
         comps[i] = ir_convert(&t->b, IR_f2f, type->bits, comps[i]);
   }
}

/* Of the texels that `texel` takes: the same operation once more, which the runtime answers by their addresses. */
static struct ir_instr *residency_code(struct spirv_ctx *t, const struct ir_instr *texel, uint32_t bits)
{
   const uint32_t flags_at = texel->op == IR_tex ? 2 : 1;
   struct ir_instr *code = ir_emit(&t->b, texel->op, 1, 32, texel->num_srcs, texel->srcs);
   code->imm = texel->imm;
   code->imm.u[flags_at] |= ABI_TEX_RESIDENCY | ABI_TEX_INTEGER;
   return spirv_resize(t, code, bits, false);
}

/* Sets the result from 32-bit texel components, narrowed where the shader's type is; of a sparse operation a structure
 * of the residency code and the texel. */
static void set_texel(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *texel, uint32_t flags)
{
   const bool is_sparse = base_op(in->op) != in->op;
   const struct spirv_type *result = spirv_result_type(t, in);
   if (is_sparse && (result->class != SPIRV_TYPE_STRUCT || result->count != 2 || result->members[0].type->class != SPIRV_TYPE_INT))
      spirv_fail(t, "%s: the result is not a residency code and a texel", spirv_op_name(in->op));
   const struct spirv_type *type = is_sparse ? result->members[1].type : result;
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr *comps[4];
   if (count > texel->num_components)
      spirv_fail(t, "%s: the result has too many components", spirv_op_name(in->op));
   narrow_texel(t, type, texel, flags, count, comps);
   if (!is_sparse) {
      spirv_set_result(t, in, count, comps);
      return;
   }
   const struct spirv_type *code = result->members[0].type;
   struct spirv_val *both = spirv_new_composite(t, result);
   spirv_set_child(t, both, 0, spirv_new_scalar(t, code, residency_code(t, texel, code->bits)));
   spirv_set_child(t, both, 1, spirv_new_leaf(t, type, comps));
   spirv_set_value(t, spirv_word(t, in, 2), both);
}

static struct ir_instr *emit_tex(struct spirv_ctx *t, struct access *a, enum abi_tex_op op, uint32_t num_components)
{
   struct ir_instr *tex = ir_emit(&t->b, IR_tex, num_components, 32, a->num_srcs, a->srcs);
   tex->imm.u[0] = op;
   tex->imm.u[1] = a->type->image.dim;
   tex->imm.u[2] = a->flags;
   return tex;
}

/* ---- sampling ---- */

static bool is_dref(uint32_t op)
{
   switch (base_op(op)) {
   case SpvOpImageSampleDrefImplicitLod:
   case SpvOpImageSampleDrefExplicitLod:
   case SpvOpImageSampleProjDrefImplicitLod:
   case SpvOpImageSampleProjDrefExplicitLod:
   case SpvOpImageDrefGather:
      return true;
   default:
      return false;
   }
}

static bool is_projective(uint32_t op)
{
   switch (base_op(op)) {
   case SpvOpImageSampleProjImplicitLod:
   case SpvOpImageSampleProjExplicitLod:
   case SpvOpImageSampleProjDrefImplicitLod:
   case SpvOpImageSampleProjDrefExplicitLod:
      return true;
   default:
      return false;
   }
}

static struct ir_instr **sampled_image(struct spirv_ctx *t, uint32_t id, const struct spirv_type **image)
{
   struct spirv_val *val = spirv_value(t, id);
   if (val->type->class != SPIRV_TYPE_SAMPLED_IMAGE)
      spirv_fail(t, "id %u is not a sampled image", id);
   *image = val->type->elem;
   return spirv_comps(t, val);
}

/* The coordinates and the reference, divided by the component after the coordinates. */
static struct ir_instr *projected(struct spirv_ctx *t, uint32_t id, uint32_t dims, struct ir_instr **dref)
{
   struct ir_instr *all = vector(t, id, dims + 1, true), *comps[4];
   spirv_split(t, all, dims + 1, comps);
   struct ir_instr *q = comps[dims];
   for (uint32_t i = 0; i < dims; i++)
      comps[i] = ir_alu2(&t->b, IR_fdiv, comps[i], q);
   if (*dref)
      *dref = ir_alu2(&t->b, IR_fdiv, *dref, q);
   return ir_vec(&t->b, dims, comps);
}

static void sample(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *image;
   struct ir_instr **handles = sampled_image(t, spirv_word(t, in, 3), &image);
   struct access a = begin_access(t, image);
   const bool has_dref = is_dref(in->op);
   const bool is_gather = base_op(in->op) == SpvOpImageGather || base_op(in->op) == SpvOpImageDrefGather;
   const uint32_t dims = num_dims(image), coordinates = spirv_word(t, in, 4);
   if (has_dref) {
      a.dref = as_float(t, spirv_scalar(t, spirv_word(t, in, 5)));
      a.flags |= ABI_TEX_DREF;
   } else if (is_gather) {
      a.component = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, 5)), 32, false);
      a.flags |= ABI_TEX_COMPONENT;
   }
   image_operands(t, in, has_dref || is_gather ? 6 : 5, false, &a);
   add_src(&a, handles[0]);
   add_src(&a, handles[1]);
   if (is_projective(in->op))
      add_src(&a, projected(t, coordinates, dims, &a.dref));
   else
      add_src(&a, vector(t, coordinates, dims + image->image.is_arrayed, true));
   add_operands(&a);
   struct ir_instr *texel =
      emit_tex(t, &a, is_gather ? ABI_TEX_OP_GATHER : ABI_TEX_OP_SAMPLE, has_dref && !is_gather ? 1 : 4);
   set_texel(t, in, texel, a.flags);
}

/* `a` has what the image operands say. */
static void fetch_texel(struct spirv_ctx *t, const struct spirv_instr *in, struct access *a)
{
   add_src(a, spirv_comps(t, spirv_value(t, spirv_word(t, in, 3)))[0]);
   add_src(a, a->srcs[0]);
   add_src(a, vector(t, spirv_word(t, in, 4), num_dims(a->type) + a->type->image.is_arrayed, false));
   add_operands(a);
   set_texel(t, in, emit_tex(t, a, ABI_TEX_OP_FETCH, 4), a->flags);
}

static void fetch(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct access a = begin_access(t, image_type(t, spirv_value_type(t, spirv_word(t, in, 3))));
   image_operands(t, in, 5, true, &a);
   fetch_texel(t, in, &a);
}

static void query_lod(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *image;
   struct ir_instr **handles = sampled_image(t, spirv_word(t, in, 3), &image);
   struct access a = begin_access(t, image);
   add_src(&a, handles[0]);
   add_src(&a, handles[1]);
   add_src(&a, vector(t, spirv_word(t, in, 4), num_dims(image), true));
   a.flags &= ~(uint32_t)ABI_TEX_ARRAYED; /* without the layer */
   set_texel(t, in, emit_tex(t, &a, ABI_TEX_OP_QUERY_LOD, 4), 0);
}

/* ---- storage images ---- */

static struct ir_instr *emit_image(struct spirv_ctx *t, const struct access *a, enum ir_op op, uint32_t num_components)
{
   struct ir_instr *instr = ir_emit(&t->b, op, num_components, 32, a->num_srcs, a->srcs);
   instr->imm.u[0] = a->type->image.dim;
   instr->imm.u[1] = a->flags;
   return instr;
}

static uint32_t num_image_coordinates(const struct spirv_type *image)
{
   /* cubes are addressed by face here, arrays of cubes by 6 * layer + face */
   const bool is_cube = image->image.dim == ABI_DIM_CUBE;
   return num_dims(image) + (image->image.is_arrayed && !is_cube);
}

/* What is known of texels whose format the shader names. */
static uint32_t format_bits(const struct spirv_type *image)
{
   static const uint8_t numerics[ABI_NUM_TEXEL_FORMATS] = {
#define X(name, vk_name, numeric, ...) [SpvImageFormat##name] = ABI_TEXEL_##numeric,
      ABI_TEXEL_FORMATS(X)
#undef X
   };
   static_assert((uint32_t)SpvImageFormatR8ui == ABI_TEXEL_FORMAT_R8ui, "SPIR-V's order");
   const uint32_t format = (uint32_t)image->image.format;
   if (format == SpvImageFormatUnknown || format >= ABI_NUM_TEXEL_FORMATS)
      return 0;
   const bool is_normalized = numerics[format] == ABI_TEXEL_UNORM || numerics[format] == ABI_TEXEL_SNORM;
   return format << IR_ACCESS_FORMAT_SHIFT | (is_normalized ? IR_ACCESS_NORMALIZED : 0);
}

/* What was rendered with several samples to an image of one has been resolved: each sample of the input attachment is that one. */
static struct ir_instr *input_sample(struct spirv_ctx *t, const struct access *a, struct ir_instr *image, struct ir_instr *sample)
{
   struct ir_instr *samples = ir_emit(&t->b, IR_image_query, 4, 32, 1, &image), *count[1];
   samples->imm.u[0] = IR_QUERY_SAMPLES;
   samples->imm.u[1] = a->type->image.dim;
   samples->imm.u[2] = a->flags;
   spirv_split(t, samples, 1, count);
   return ir_alu2(&t->b, IR_umin, sample, ir_alu2(&t->b, IR_isub, count[0], spirv_u32(t, 1)));
}

/* `a` has what the image operands say. */
static void load_texel(struct spirv_ctx *t, const struct spirv_instr *in, struct access *a)
{
   add_src(a, spirv_comps(t, spirv_value(t, spirv_word(t, in, 3)))[0]);
   add_src(a, vector(t, spirv_word(t, in, 4), num_image_coordinates(a->type), false));
   if (a->sample && a->flags & ABI_TEX_INPUT_ATTACHMENT)
      a->sample = input_sample(t, a, a->srcs[0], a->sample);
   add_src(a, a->sample);
   add_src(a, a->lod);
   struct ir_instr *texel = emit_image(t, a, IR_image_load, 4);
   texel->imm.u[2] = a->access | format_bits(a->type);
   set_texel(t, in, texel, a->flags);
}

static void read_texel(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct access a = begin_access(t, image_type(t, spirv_value_type(t, spirv_word(t, in, 3))));
   image_operands(t, in, 5, true, &a);
   load_texel(t, in, &a);
}

/* ---- SPV_AMD_shader_fragment_mask ---- */

/* Four bits a sample, the number of its fragment: each sample has one of its own. */
static void fetch_fragment_mask(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *mask = spirv_u32(t, 0x76543210);
   (void)image_type(t, spirv_value_type(t, spirv_word(t, in, 3)));
   spirv_set_result(t, in, 1, &mask);
}

static void fetch_fragment(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct access a = begin_access(t, image_type(t, spirv_value_type(t, spirv_word(t, in, 3))));
   a.sample = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, 5)), 32, false);
   a.flags |= ABI_TEX_SAMPLE;
   if (a.flags & ABI_TEX_INPUT_ATTACHMENT)
      load_texel(t, in, &a);
   else
      fetch_texel(t, in, &a);
}

/* What the tile holds at the fragment's position. Spec: Fragment Operations, "Fragment Shader Tile Image Reads". */
static void read_attachment(struct spirv_ctx *t, const struct spirv_instr *in)
{
   static const struct spirv_type real = {.class = SPIRV_TYPE_FLOAT, .bits = 32};
   static const struct spirv_type natural = {.class = SPIRV_TYPE_INT, .bits = 32};
   const bool is_color = in->op == SpvOpColorAttachmentReadEXT, is_depth = in->op == SpvOpDepthAttachmentReadEXT;
   const struct spirv_type plane = {
      .class = SPIRV_TYPE_IMAGE, .elem = is_depth ? &real : &natural, .image = {.dim = ABI_DIM_SUBPASS}};
   const struct spirv_type *image = &plane;
   const uint32_t sample_at = is_color ? 4 : 3;
   struct ir_instr *zero = spirv_u32(t, 0), *desc;
   spirv_require_fragment(t);
   if (is_color) {
      struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
      image = image_type(t, val->type);
      desc = spirv_comps(t, val)[0];
   } else {
      desc = ir_emit(&t->b, IR_attachment_desc, 1, 64, 1, &zero);
      desc->imm.u[0] = is_depth ? ABI_ATTACHMENT_DEPTH : ABI_ATTACHMENT_STENCIL;
   }
   struct access a = begin_access(t, image);
   a.flags |= ABI_TEX_MS | ABI_TEX_SAMPLE;
   add_src(&a, desc);
   add_src(&a, ir_vec(&t->b, 2, (struct ir_instr *[]){zero, zero}));
   add_src(&a, sample_at < in->count ? spirv_resize(t, spirv_scalar(t, spirv_word(t, in, sample_at)), 32, false)
                                     : ir_sysval(&t->b, IR_SYSVAL_SAMPLE_ID, 1, 32));
   set_texel(t, in, emit_image(t, &a, IR_image_load, 4), a.flags);
}

static struct ir_instr *half_of(struct spirv_ctx *t, struct ir_instr *x, uint32_t index)
{
   struct ir_instr *half = ir_emit(&t->b, IR_unpack, 1, 32, 1, &x);
   half->imm.u[0] = index;
   return half;
}

/* Four components of 32 bits of a value of up to four; the halves of one of 64 bits. */
static struct ir_instr *stored_texel(struct spirv_ctx *t, struct spirv_val *val)
{
   struct ir_instr **x = spirv_comps(t, val), *comps[4];
   const uint32_t count = spirv_leaf_count(t, val->type);
   const struct spirv_type *scalar = spirv_scalar_type(val->type);
   for (uint32_t i = 0; i < 4; i++) {
      if (scalar->bits == 64 && i < 2)
         comps[i] = half_of(t, x[0], i);
      else if (i >= count || scalar->bits == 64)
         comps[i] = spirv_u32(t, 0);
      else
         comps[i] = spirv_is_float(scalar) ? as_float(t, x[i]) : spirv_resize(t, x[i], 32, scalar->is_signed);
   }
   return ir_vec(&t->b, 4, comps);
}

static void write_texel(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 1));
   const struct spirv_type *image = image_type(t, val->type);
   struct access a = begin_access(t, image);
   image_operands(t, in, 4, true, &a);
   add_src(&a, spirv_comps(t, val)[0]);
   add_src(&a, vector(t, spirv_word(t, in, 2), num_image_coordinates(image), false));
   add_src(&a, stored_texel(t, spirv_value(t, spirv_word(t, in, 3))));
   add_src(&a, a.sample);
   add_src(&a, a.lod);
   emit_image(t, &a, IR_image_store, 0)->imm.u[2] = a.access | format_bits(image);
}

/* ---- texel pointers ---- */

static struct spirv_val *texel_pointer(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_untyped = (uint32_t)in->op == UTIL_SPV_OP_UNTYPED_IMAGE_TEXEL_POINTER; /* it says the image's type in front of it */
   const uint32_t at = is_untyped ? 4 : 3;
   struct spirv_pointer from = *spirv_pointer(t, spirv_word(t, in, at));
   if (is_untyped)
      spirv_retype(t, &from, spirv_type(t, spirv_word(t, in, 3)));
   struct spirv_val *image = spirv_load(t, &from);
   const struct spirv_type *type = image_type(t, image->type);
   const struct spirv_type *pointer_type = spirv_result_type(t, in);
   if (pointer_type->class != SPIRV_TYPE_POINTER || (!pointer_type->elem && !pointer_type->is_untyped))
      spirv_fail(t, "OpImageTexelPointer: the result is no pointer");
   struct spirv_pointer pointer = {.class = SPIRV_PTR_TEXEL, .type = pointer_type->is_untyped ? type->elem : pointer_type->elem};
   pointer.texel.type = type;
   pointer.texel.desc = spirv_comps(t, image)[0];
   pointer.texel.coords = vector(t, spirv_word(t, in, at + 1), num_image_coordinates(type), false);
   if (type->image.is_ms)
      pointer.texel.sample = spirv_resize(t, spirv_scalar(t, spirv_word(t, in, at + 2)), 32, false);
   return spirv_new_pointer(t, pointer_type, &pointer);
}

bool spirv_texel_pointer(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op != SpvOpImageTexelPointer && in->op != UTIL_SPV_OP_UNTYPED_IMAGE_TEXEL_POINTER)
      return false;
   spirv_set_value(t, spirv_word(t, in, 2), texel_pointer(t, in));
   return true;
}

static struct access begin_texel(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   struct access a = begin_access(t, pointer->texel.type);
   a.access = IR_ACCESS_COHERENT | IR_ACCESS_ATOMIC;
   if (pointer->texel.sample)
      a.flags |= ABI_TEX_SAMPLE;
   add_src(&a, pointer->texel.desc);
   add_src(&a, pointer->texel.coords);
   return a;
}

struct ir_instr *spirv_texel_atomic(struct spirv_ctx *t, const struct spirv_pointer *pointer, enum abi_atomic atomic,
                                    uint32_t bits, uint32_t num_data, struct ir_instr *const *data)
{
   struct access a = begin_texel(t, pointer);
   if (bits != 32 && bits != 64)
      spirv_fail(t, "image atomics of %u bits are not supported", bits);
   if (bits == 64)
      a.flags |= ABI_TEX_64BIT;
   for (uint32_t i = 0; i < num_data; i++)
      add_src(&a, data[i]);
   add_src(&a, pointer->texel.sample);
   struct ir_instr *instr = ir_emit(&t->b, IR_image_atomic, 1, bits, a.num_srcs, a.srcs);
   instr->imm.u[0] = a.type->image.dim;
   instr->imm.u[1] = a.flags;
   instr->imm.u[2] = atomic;
   instr->imm.u[3] = pointer->texel.type->image.format;
   return instr;
}

struct ir_instr *spirv_texel_load(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   struct access a = begin_texel(t, pointer);
   add_src(&a, pointer->texel.sample);
   struct ir_instr *texel = emit_image(t, &a, IR_image_load, 4);
   texel->imm.u[2] = a.access;
   if (pointer->type->bits != 64)
      return ir_extract(&t->b, texel, 0);
   struct ir_instr *value;
   split_wide(t, texel, 1, &value);
   return value;
}

void spirv_texel_store(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct ir_instr *value)
{
   struct access a = begin_texel(t, pointer);
   if (value->bit_size != 32 && value->bit_size != 64)
      spirv_fail(t, "image atomics of %u bits are not supported", value->bit_size);
   struct ir_instr *zero = spirv_u32(t, 0), *high = zero;
   if (value->bit_size == 64) {
      high = half_of(t, value, 1);
      value = half_of(t, value, 0);
   }
   add_src(&a, ir_vec(&t->b, 4, (struct ir_instr *[]){value, high, zero, zero}));
   add_src(&a, pointer->texel.sample);
   emit_image(t, &a, IR_image_store, 0)->imm.u[2] = a.access;
}

/* ---- queries ---- */

static void query(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   const struct spirv_type *image = image_type(t, val->type), *type = spirv_result_type(t, in);
   struct access a = begin_access(t, image);
   enum ir_image_query which = IR_QUERY_SIZE;
   if (in->op == SpvOpImageQueryLevels)
      which = IR_QUERY_LEVELS;
   else if (in->op == SpvOpImageQuerySamples)
      which = IR_QUERY_SAMPLES;
   add_src(&a, spirv_comps(t, val)[0]);
   if (in->op == SpvOpImageQuerySizeLod) {
      a.flags |= ABI_TEX_LOD;
      add_src(&a, spirv_resize(t, spirv_scalar(t, spirv_word(t, in, 4)), 32, true));
   }
   struct ir_instr *result = ir_emit(&t->b, IR_image_query, 4, 32, a.num_srcs, a.srcs), *comps[4];
   result->imm.u[0] = which;
   result->imm.u[1] = image->image.dim;
   result->imm.u[2] = a.flags;
   const uint32_t count = spirv_leaf_count(t, type);
   if (count > 4)
      spirv_fail(t, "%s: the result has too many components", spirv_op_name(in->op));
   spirv_split(t, result, count, comps);
   for (uint32_t i = 0; i < count; i++)
      comps[i] = spirv_resize(t, comps[i], type->bits, false);
   spirv_set_result(t, in, count, comps);
}

static void combine(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *image = spirv_value(t, spirv_word(t, in, 3)), *sampler = spirv_value(t, spirv_word(t, in, 4));
   if (image->type->class != SPIRV_TYPE_IMAGE || sampler->type->class != SPIRV_TYPE_SAMPLER ||
       spirv_result_type(t, in)->class != SPIRV_TYPE_SAMPLED_IMAGE)
      spirv_fail(t, "OpSampledImage of something else than an image and a sampler");
   spirv_set_result(t, in, 2, (struct ir_instr *[]){spirv_comps(t, image)[0], spirv_comps(t, sampler)[0]});
}

static void take_image(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *image;
   struct ir_instr **handles = sampled_image(t, spirv_word(t, in, 3), &image);
   if (spirv_result_type(t, in)->class != SPIRV_TYPE_IMAGE)
      spirv_fail(t, "OpImage: the result is no image");
   spirv_set_result(t, in, 1, handles);
}

static void is_resident(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *code = spirv_scalar(t, spirv_word(t, in, 3));
   struct ir_instr *resident = ir_alu2(&t->b, IR_ieq, code, ir_const(&t->b, code->bit_size, ALL_RESIDENT));
   spirv_set_result(t, in, 1, &resident);
}

bool spirv_image(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (base_op(in->op)) {
   case SpvOpSampledImage: combine(t, in); return true;
   case SpvOpImage: take_image(t, in); return true;
   case SpvOpImageSampleImplicitLod:
   case SpvOpImageSampleExplicitLod:
   case SpvOpImageSampleDrefImplicitLod:
   case SpvOpImageSampleDrefExplicitLod:
   case SpvOpImageSampleProjImplicitLod:
   case SpvOpImageSampleProjExplicitLod:
   case SpvOpImageSampleProjDrefImplicitLod:
   case SpvOpImageSampleProjDrefExplicitLod:
   case SpvOpImageGather:
   case SpvOpImageDrefGather: sample(t, in); return true;
   case SpvOpImageFetch: fetch(t, in); return true;
   case SpvOpImageRead: read_texel(t, in); return true;
   case SpvOpFragmentMaskFetchAMD: fetch_fragment_mask(t, in); return true;
   case SpvOpFragmentFetchAMD: fetch_fragment(t, in); return true;
   case SpvOpColorAttachmentReadEXT:
   case SpvOpDepthAttachmentReadEXT:
   case SpvOpStencilAttachmentReadEXT: read_attachment(t, in); return true;
   case SpvOpImageSparseTexelsResident: is_resident(t, in); return true;
   case SpvOpImageWrite: write_texel(t, in); return true;
   case SpvOpImageQueryLod: query_lod(t, in); return true;
   case SpvOpImageQuerySizeLod:
   case SpvOpImageQuerySize:
   case SpvOpImageQueryLevels:
   case SpvOpImageQuerySamples: query(t, in); return true;
   default: return false;
   }
}
