/* SPDX-License-Identifier: MIT
 * SPV_QCOM_image_processing: weighted samples, box filters and block matching are loops over fetches here, so that texels are taken by the code of all
 * fetches and the loops poll as others do. What an instruction asks of sampler and views is read where their descriptors point to; without one of them all
 * is 0.
 * Spec: Image Operations, "Weight Image Sampling", "Block Matching", "Box Filter Sampling". */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include "abi/weights.h"
#include "compiler/spirv/spirv_loop.h"

#include <math.h>
#include <stddef.h>

enum { NUM_COMPS = 4 };
/* Beyond every image, and what is added to it is no more than 2^31: all that is farther away is the same. */
static const double FAR_AWAY = 1 << 20;

/* One image whose texels are taken. */
struct source {
   const struct spirv_type *type;
   struct ir_instr *desc; /* 64 bits */
   struct ir_instr *width, *height;
};

/* What one instruction reads and writes. */
struct operation {
   struct source image;
   struct ir_instr *sampler;
   struct ir_instr *is_border[2]; /* of u and v: beyond the edge there are zeros; else the edge goes on */
   struct ir_instr *is_sum, *is_min; /* reduction; else the maximum */
   struct ir_var *result;         /* NUM_COMPS of 32 bits: what the loops have collected */
   struct ir_instr *guard;        /* the construct that holds all of it */
   struct ir_builder behind;
};

static struct ir_instr *alu(struct spirv_ctx *t, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
   return ir_alu2(&t->b, op, x, y);
}

static struct ir_instr *real(struct spirv_ctx *t, double value)
{
   return ir_const_f(&t->b, 32, value);
}

static struct ir_instr *is_equal(struct spirv_ctx *t, struct ir_instr *x, uint32_t value)
{
   return alu(t, IR_ieq, x, spirv_u32(t, value));
}

static struct ir_instr *to_real(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_convert(&t->b, IR_u2f, 32, x);
}

/* ---- what descriptors point to ---- */

static struct ir_instr *field(struct spirv_ctx *t, struct ir_instr *base, size_t offset, uint32_t bits)
{
   struct ir_instr *address = alu(t, IR_iadd, base, ir_const(&t->b, 64, offset));
   struct ir_instr *load = ir_emit(&t->b, IR_load_global, 1, bits, 1, &address);
   load->imm.u[0] = IR_ACCESS_READ_ONLY | IR_ACCESS_DESCRIPTOR;
   load->imm.u[1] = bits / 8;
   return bits == 32 ? load : ir_convert(&t->b, IR_u2u, 32, load);
}

static struct ir_instr *level_field(struct spirv_ctx *t, struct ir_instr *image, uint32_t level, size_t offset)
{
   return field(t, image, offsetof(struct abi_image, levels) + level * sizeof(struct abi_level) + offset, 32);
}

#define LEVEL_FIELD(t, image, level, name) level_field(t, image, level, offsetof(struct abi_level, name))

/* An image of floats in two dimensions; `val` may have a sampler beside it. */
static struct source source_of(struct spirv_ctx *t, struct spirv_val *val)
{
   const struct spirv_type *type = val->type->class == SPIRV_TYPE_SAMPLED_IMAGE ? val->type->elem : val->type;
   if (type->class != SPIRV_TYPE_IMAGE || type->image.dim != ABI_DIM_2D || type->image.is_ms || type->elem->class != SPIRV_TYPE_FLOAT)
      spirv_fail(t, "image processing is of images of floats in two dimensions, with one sample");
   return (struct source){.type = type, .desc = spirv_comps(t, val)[0]};
}

static void measure(struct spirv_ctx *t, struct source *source)
{
   source->width = LEVEL_FIELD(t, source->desc, 0, width);
   source->height = LEVEL_FIELD(t, source->desc, 0, height);
}

static struct ir_instr *is_there(struct spirv_ctx *t, struct ir_instr *address)
{
   return ir_alu2(&t->b, IR_ine, address, ir_const(&t->b, 64, 0));
}

/* ---- the operation as a whole ---- */

static struct ir_instr *at(struct spirv_ctx *t, uint32_t component)
{
   return spirv_u32(t, component * 4);
}

/* What follows happens only where image, sampler and `other` are there: the others' result is 0. */
static struct operation begin(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *other)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   if (val->type->class != SPIRV_TYPE_SAMPLED_IMAGE)
      spirv_fail(t, "%s: id %u is not a sampled image", spirv_op_name(in->op), spirv_word(t, in, 3));
   struct operation o = {.image = source_of(t, val), .sampler = spirv_comps(t, val)[1], .result = ir_var_create(t->shader, NUM_COMPS * 4, "processed")};
   struct ir_instr *exists = alu(t, IR_iand, is_there(t, o.image.desc), is_there(t, o.sampler));
   if (other)
      exists = alu(t, IR_iand, exists, is_there(t, other));
   for (uint32_t c = 0; c < NUM_COMPS; c++)
      ir_store_var(&t->b, o.result, at(t, c), spirv_u32(t, 0), 1);
   o.guard = ir_if(&t->b, exists);
   struct ir_builder none = ir_builder_at_end(t->shader, o.guard->imm.cf.regions[1]);
   ir_jump(&none, IR_yield, NULL, 0, NULL);
   o.behind = t->b;
   t->b = ir_builder_at_end(t->shader, o.guard->imm.cf.regions[0]);
   t->b.line = o.behind.line;
   t->b.fp = o.behind.fp;

   measure(t, &o.image);
   for (uint32_t a = 0; a < 2; a++)
      o.is_border[a] = is_equal(t, field(t, o.sampler, offsetof(struct abi_sampler, address_mode) + a, 8), VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
   struct ir_instr *reduction = field(t, o.sampler, offsetof(struct abi_sampler, reduction_mode), 8);
   o.is_min = is_equal(t, reduction, VK_SAMPLER_REDUCTION_MODE_MIN);
   o.is_sum = alu(t, IR_iand, ir_alu1(&t->b, IR_inot, o.is_min), ir_alu1(&t->b, IR_inot, is_equal(t, reduction, VK_SAMPLER_REDUCTION_MODE_MAX)));
   struct ir_instr *first = ir_select(&t->b, o.is_sum, real(t, 0), ir_select(&t->b, o.is_min, real(t, INFINITY), real(t, -INFINITY)));
   for (uint32_t c = 0; c < NUM_COMPS; c++)
      ir_store_var(&t->b, o.result, at(t, c), first, 1);
   return o;
}

static struct ir_instr *collected(struct spirv_ctx *t, const struct operation *o, uint32_t component)
{
   return ir_load_var(&t->b, o->result, at(t, component), 1, 32);
}

static void end(struct spirv_ctx *t, const struct spirv_instr *in, const struct operation *o)
{
   const struct spirv_type *type = spirv_result_type(t, in), *scalar = spirv_scalar_type(type);
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr *comps[NUM_COMPS];
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = o->behind;
   if (count > NUM_COMPS || !spirv_is_float(scalar))
      spirv_fail(t, "%s: the result is not a vector of floats", spirv_op_name(in->op));
   for (uint32_t c = 0; c < count; c++) {
      comps[c] = collected(t, o, c);
      if (scalar->bits != 32)
         comps[c] = ir_convert(&t->b, IR_f2f, scalar->bits, comps[c]);
   }
   spirv_set_result(t, in, count, comps);
}

/* A value joins what is collected of its component, where `counts` (NULL: always): `summand` to sums, `value` to minima and maxima. */
static void collect(struct spirv_ctx *t, const struct operation *o, uint32_t component, struct ir_instr *summand, struct ir_instr *value,
                    struct ir_instr *counts)
{
   struct ir_instr *old = collected(t, o, component);
   struct ir_instr *extreme = ir_select(&t->b, o->is_min, alu(t, IR_fmin, old, value), alu(t, IR_fmax, old, value));
   if (counts)
      extreme = ir_select(&t->b, counts, extreme, old);
   ir_store_var(&t->b, o->result, at(t, component), ir_select(&t->b, o->is_sum, alu(t, IR_fadd, old, summand), extreme), 1);
}

/* ---- texels ---- */

/* Zeros outside of the image: of components that the format has, the others' constants stay. */
static struct ir_instr *fetch(struct spirv_ctx *t, const struct source *source, struct ir_instr *x, struct ir_instr *y, struct ir_instr *layer)
{
   struct ir_instr *coords[3] = {x, y, layer ? layer : spirv_u32(t, 0)};
   const bool is_arrayed = source->type->image.is_arrayed;
   struct ir_instr *srcs[3] = {source->desc, source->desc, ir_vec(&t->b, is_arrayed ? 3 : 2, coords)};
   struct ir_instr *texel = ir_emit(&t->b, IR_tex, NUM_COMPS, 32, 3, srcs);
   texel->imm.u[0] = ABI_TEX_OP_FETCH;
   texel->imm.u[1] = source->type->image.dim;
   texel->imm.u[2] = is_arrayed ? ABI_TEX_ARRAYED : 0;
   texel->imm.u[3] = 1;
   return texel;
}

/* A coordinate after wrapping: with a border those outside stay there, which a fetch sees. */
static struct ir_instr *wrapped(struct spirv_ctx *t, struct ir_instr *x, struct ir_instr *size, struct ir_instr *is_border)
{
   struct ir_instr *last = alu(t, IR_isub, size, spirv_u32(t, 1));
   return ir_select(&t->b, is_border, x, alu(t, IR_imax, alu(t, IR_imin, x, last), spirv_u32(t, 0)));
}

static struct ir_instr *tap(struct spirv_ctx *t, const struct operation *o, const struct source *source, struct ir_instr *x, struct ir_instr *y)
{
   return fetch(t, source, wrapped(t, x, source->width, o->is_border[0]), wrapped(t, y, source->height, o->is_border[1]), NULL);
}

/* Unnormalized, and no farther away than that every number around it is one of 32 bits. */
static void coordinates(struct spirv_ctx *t, const struct spirv_instr *in, const struct operation *o, struct ir_instr *uv[2])
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 4));
   struct ir_instr **x = spirv_comps(t, val), *sizes[2] = {o->image.width, o->image.height};
   struct ir_instr *counts_texels = is_equal(t, field(t, o->sampler, offsetof(struct abi_sampler, unnormalized), 8), 1);
   if (spirv_leaf_count(t, val->type) != 2)
      spirv_fail(t, "%s: the coordinates are not two", spirv_op_name(in->op));
   for (uint32_t a = 0; a < 2; a++) {
      struct ir_instr *given = x[a]->bit_size == 32 ? x[a] : ir_convert(&t->b, IR_f2f, 32, x[a]);
      uv[a] = ir_select(&t->b, counts_texels, given, alu(t, IR_fmul, given, to_real(t, sizes[a])));
      uv[a] = alu(t, IR_fmin, alu(t, IR_fmax, uv[a], real(t, -FAR_AWAY)), real(t, FAR_AWAY));
   }
}

static struct ir_instr *floor_of(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_convert(&t->b, IR_f2i, 32, ir_alu1(&t->b, IR_ffloor, x));
}

static struct ir_instr *fraction(struct spirv_ctx *t, struct ir_instr *x)
{
   return alu(t, IR_fsub, x, ir_alu1(&t->b, IR_ffloor, x));
}

/* ---- OpImageSampleWeightedQCOM ---- */

/* Where the weight of a tap along one axis is, in a separable filter: four weights of each phase follow each other. */
static struct ir_instr *packed(struct spirv_ctx *t, struct ir_instr *index, struct ir_instr *phase, struct ir_instr *phases)
{
   struct ir_instr *low = alu(t, IR_iand, index, spirv_u32(t, 3)), *high = alu(t, IR_isub, index, low);
   return alu(t, IR_iadd, alu(t, IR_iadd, alu(t, IR_imul, high, phases), alu(t, IR_imul, phase, spirv_u32(t, 4))), low);
}

/* The phase of a coordinate: as many bits of its fraction as there are phases. */
static struct ir_instr *phase_of(struct spirv_ctx *t, struct ir_instr *u, struct ir_instr *phases)
{
   struct ir_instr *scaled = alu(t, IR_fmul, fraction(t, alu(t, IR_fsub, u, real(t, 0.5))), to_real(t, phases));
   return alu(t, IR_umin, floor_of(t, scaled), alu(t, IR_isub, phases, spirv_u32(t, 1)));
}

/* The swizzle of ones and zeros comes after the filter. */
static void swizzle_constants(struct spirv_ctx *t, const struct operation *o)
{
   for (uint32_t c = 0; c < NUM_COMPS; c++) {
      struct ir_instr *swizzle = field(t, o->image.desc, offsetof(struct abi_image, swizzle) + c, 8);
      struct ir_instr *value = ir_select(&t->b, is_equal(t, swizzle, VK_COMPONENT_SWIZZLE_ONE), real(t, 1), collected(t, o, c));
      ir_store_var(&t->b, o->result, at(t, c), value, 1);
   }
}

static void sample_weighted(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct source weights = source_of(t, spirv_value(t, spirv_word(t, in, 5)));
   struct operation o = begin(t, in, weights.desc);
   struct ir_instr *uv[2], *zero = spirv_u32(t, 0), *max = spirv_u32(t, ABI_MAX_FILTER_SIZE);
   coordinates(t, in, &o, uv);
   /* Of a texel buffer, which a descriptor may be in truth, there is one level. */
   struct ir_instr *dim = field(t, weights.desc, offsetof(struct abi_image, dim), 32), *base = weights.desc;
   struct ir_instr *has_filter = alu(t, IR_ine, dim, spirv_u32(t, ABI_DIM_BUFFER)), *is_separable = is_equal(t, dim, ABI_DIM_1D);
   const uint32_t levels[2] = {ABI_LEVEL_FILTER_SIZE, ABI_LEVEL_FILTER_CENTER};
   /* Then all of these are the image's height and width, whose loads are good. */
   struct ir_instr *steps[2];
   for (uint32_t i = 0; i < 2; i++) {
      struct ir_instr *step = ir_select(&t->b, has_filter, spirv_u32(t, levels[i] * sizeof(struct abi_level)), zero);
      steps[i] = alu(t, IR_iadd, base, ir_convert(&t->b, IR_u2u, 64, step));
   }
   struct ir_instr *size[2] = {LEVEL_FIELD(t, steps[0], 0, width), LEVEL_FIELD(t, steps[0], 0, height)};
   struct ir_instr *center[2] = {LEVEL_FIELD(t, steps[1], 0, width), LEVEL_FIELD(t, steps[1], 0, height)};
   struct ir_instr *phases = LEVEL_FIELD(t, steps[1], 0, depth), *phase[2], *first[2];
   phases = alu(t, IR_umax, alu(t, IR_umin, phases, spirv_u32(t, ABI_MAX_AXIS_PHASES)), spirv_u32(t, 1));
   for (uint32_t a = 0; a < 2; a++) {
      size[a] = ir_select(&t->b, has_filter, alu(t, IR_umin, size[a], max), zero);
      center[a] = alu(t, IR_umin, center[a], max);
      phase[a] = phase_of(t, uv[a], phases);
      first[a] = floor_of(t, alu(t, IR_fsub, uv[a], to_real(t, center[a])));
   }
   struct ir_instr *layer = ir_select(&t->b, is_separable, zero, alu(t, IR_iadd, alu(t, IR_imul, phase[1], phases), phase[0]));

   const struct spirv_loop rows = spirv_loop_begin(t, size[1]);
   struct ir_instr *vertical = ir_extract(&t->b, fetch(t, &weights, packed(t, rows.index, phase[1], phases), zero, spirv_u32(t, 1)), 0);
   vertical = ir_select(&t->b, is_separable, vertical, real(t, 1));
   struct ir_instr *y = alu(t, IR_iadd, first[1], rows.index), *weight_y = ir_select(&t->b, is_separable, zero, rows.index);
   const struct spirv_loop columns = spirv_loop_begin(t, size[0]);
   struct ir_instr *weight_x = ir_select(&t->b, is_separable, packed(t, columns.index, phase[0], phases), columns.index);
   struct ir_instr *weight = alu(t, IR_fmul, ir_extract(&t->b, fetch(t, &weights, weight_x, weight_y, layer), 0), vertical);
   struct ir_instr *texel = tap(t, &o, &o.image, alu(t, IR_iadd, first[0], columns.index), y), *counts = alu(t, IR_fneu, weight, real(t, 0));
   for (uint32_t c = 0; c < NUM_COMPS; c++) {
      struct ir_instr *value = ir_extract(&t->b, texel, c);
      collect(t, &o, c, alu(t, IR_fmul, weight, value), value, counts);
   }
   spirv_loop_end(t, &columns);
   spirv_loop_end(t, &rows);
   swizzle_constants(t, &o);
   end(t, in, &o);
}

/* ---- OpImageBoxFilterQCOM ---- */

/* One axis of a box. */
struct span {
   struct ir_instr *first, *count; /* texels */
   struct ir_instr *size, *start, *end; /* what of the first is not covered, what of the last is: 0 is all of it */
};

/* As many bits of a fraction as limits.subTexelPrecisionBits says. */
static struct ir_instr *subtexels(struct spirv_ctx *t, struct ir_instr *x)
{
   struct ir_instr *scaled = ir_alu1(&t->b, IR_ffloor, alu(t, IR_fmul, fraction(t, x), real(t, 256)));
   return alu(t, IR_fmul, scaled, real(t, 1.0 / 256));
}

static struct span span_of(struct spirv_ctx *t, struct ir_instr *u, struct ir_instr *given)
{
   struct span s;
   struct ir_instr *size = given->bit_size == 32 ? given : ir_convert(&t->b, IR_f2f, 32, given);
   s.size = alu(t, IR_fmin, alu(t, IR_fmax, size, real(t, 1)), real(t, ABI_MAX_FILTER_SIZE));
   struct ir_instr *low = alu(t, IR_fsub, u, alu(t, IR_fmul, s.size, real(t, 0.5)));
   s.first = floor_of(t, low);
   s.start = subtexels(t, low);
   struct ir_instr *high = alu(t, IR_fadd, s.start, s.size), *whole = floor_of(t, high);
   s.end = subtexels(t, high);
   struct ir_instr *is_cut = alu(t, IR_flt, to_real(t, whole), high);
   s.count = alu(t, IR_iadd, whole, ir_select(&t->b, is_cut, spirv_u32(t, 1), spirv_u32(t, 0)));
   return s;
}

static struct ir_instr *coverage(struct spirv_ctx *t, const struct span *s, struct ir_instr *index)
{
   struct ir_instr *is_last = alu(t, IR_ieq, alu(t, IR_iadd, index, spirv_u32(t, 1)), s->count), *one = real(t, 1);
   is_last = alu(t, IR_iand, is_last, alu(t, IR_fneu, s->end, real(t, 0)));
   return ir_select(&t->b, is_equal(t, index, 0), alu(t, IR_fsub, one, s->start), ir_select(&t->b, is_last, s->end, one));
}

static void filter_box(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *size = spirv_value(t, spirv_word(t, in, 5));
   struct operation o = begin(t, in, NULL);
   struct ir_instr *uv[2];
   if (spirv_leaf_count(t, size->type) != 2)
      spirv_fail(t, "the size of a box is not a vector of two");
   coordinates(t, in, &o, uv);
   const struct span u = span_of(t, uv[0], spirv_comps(t, size)[0]), v = span_of(t, uv[1], spirv_comps(t, size)[1]);
   const struct spirv_loop rows = spirv_loop_begin(t, v.count);
   struct ir_instr *y = alu(t, IR_iadd, v.first, rows.index), *vertical = coverage(t, &v, rows.index);
   const struct spirv_loop columns = spirv_loop_begin(t, u.count);
   struct ir_instr *weight = alu(t, IR_fmul, coverage(t, &u, columns.index), vertical);
   struct ir_instr *texel = tap(t, &o, &o.image, alu(t, IR_iadd, u.first, columns.index), y);
   for (uint32_t c = 0; c < NUM_COMPS; c++) {
      struct ir_instr *value = ir_extract(&t->b, texel, c);
      collect(t, &o, c, alu(t, IR_fmul, weight, value), value, NULL);
   }
   spirv_loop_end(t, &columns);
   spirv_loop_end(t, &rows);
   struct ir_instr *area = ir_select(&t->b, o.is_sum, alu(t, IR_fmul, u.size, v.size), real(t, 1));
   for (uint32_t c = 0; c < NUM_COMPS; c++)
      ir_store_var(&t->b, o.result, at(t, c), alu(t, IR_fdiv, collected(t, &o, c), area), 1);
   end(t, in, &o);
}

/* ---- OpImageBlockMatchSSDQCOM, OpImageBlockMatchSADQCOM ---- */

/* Two unsigned numbers, not above a limit. */
static void numbers(struct spirv_ctx *t, uint32_t id, uint32_t limit, struct ir_instr *out[2])
{
   struct spirv_val *val = spirv_value(t, id);
   if (spirv_leaf_count(t, val->type) != 2)
      spirv_fail(t, "id %u is not a vector of two", id);
   for (uint32_t a = 0; a < 2; a++)
      out[a] = alu(t, IR_umin, spirv_resize(t, spirv_comps(t, val)[a], 32, false), spirv_u32(t, limit));
}

/* The swizzle of a view that is read without it, from the results. Constants of the format come before it: they are what is not 0 outside of the image. */
static void swizzle_result(struct spirv_ctx *t, const struct operation *o)
{
   struct ir_instr *outside = spirv_u32(t, UINT32_MAX), *constants = fetch(t, &o->image, outside, outside, NULL), *plain[NUM_COMPS];
   /* Only an image of one level has it; of a texel buffer, which a descriptor may be in truth, there is no more memory. */
   struct ir_instr *has_one = is_equal(t, field(t, o->image.desc, offsetof(struct abi_image, num_levels), 32), 1);
   struct ir_instr *is_image = ir_alu2(&t->b, IR_ine, field(t, o->image.desc, offsetof(struct abi_image, dim), 32), spirv_u32(t, ABI_DIM_BUFFER));
   struct ir_instr *knows = alu(t, IR_iand, has_one, is_image);
   struct ir_instr *step = ir_select(&t->b, knows, spirv_u32(t, ABI_LEVEL_SWIZZLE * sizeof(struct abi_level)), spirv_u32(t, 0));
   struct ir_instr *word = LEVEL_FIELD(t, alu(t, IR_iadd, o->image.desc, ir_convert(&t->b, IR_u2u, 64, step)), 0, width);
   word = ir_select(&t->b, knows, word, spirv_u32(t, 0));
   for (uint32_t c = 0; c < NUM_COMPS; c++) {
      struct ir_instr *constant = ir_extract(&t->b, constants, c);
      plain[c] = ir_select(&t->b, alu(t, IR_fneu, constant, real(t, 0)), constant, collected(t, o, c));
   }
   for (uint32_t c = 0; c < NUM_COMPS; c++) {
      struct ir_instr *from = alu(t, IR_iand, alu(t, IR_ushr, word, spirv_u32(t, 8 * c)), spirv_u32(t, 0xff)), *value = plain[c];
      value = ir_select(&t->b, is_equal(t, from, VK_COMPONENT_SWIZZLE_ZERO), real(t, 0), value);
      value = ir_select(&t->b, is_equal(t, from, VK_COMPONENT_SWIZZLE_ONE), real(t, 1), value);
      for (uint32_t i = 0; i < NUM_COMPS; i++)
         value = ir_select(&t->b, is_equal(t, from, VK_COMPONENT_SWIZZLE_R + i), plain[i], value);
      ir_store_var(&t->b, o->result, at(t, c), value, 1);
   }
}

static void match_blocks(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_squared = in->op == SpvOpImageBlockMatchSSDQCOM;
   struct source reference = source_of(t, spirv_value(t, spirv_word(t, in, 5)));
   struct operation o = begin(t, in, reference.desc);
   struct ir_instr *target_at[2], *reference_at[2], *size[2];
   measure(t, &reference);
   numbers(t, spirv_word(t, in, 4), (uint32_t)FAR_AWAY, target_at);
   numbers(t, spirv_word(t, in, 6), (uint32_t)FAR_AWAY, reference_at);
   numbers(t, spirv_word(t, in, 7), ABI_MAX_FILTER_SIZE, size);
   const struct spirv_loop rows = spirv_loop_begin(t, size[1]);
   const struct spirv_loop columns = spirv_loop_begin(t, size[0]);
   struct ir_instr *texel = tap(t, &o, &o.image, alu(t, IR_iadd, target_at[0], columns.index), alu(t, IR_iadd, target_at[1], rows.index));
   struct ir_instr *other = tap(t, &o, &reference, alu(t, IR_iadd, reference_at[0], columns.index), alu(t, IR_iadd, reference_at[1], rows.index));
   for (uint32_t c = 0; c < NUM_COMPS; c++) {
      struct ir_instr *difference = alu(t, IR_fsub, ir_extract(&t->b, other, c), ir_extract(&t->b, texel, c));
      difference = is_squared ? alu(t, IR_fmul, difference, difference) : ir_alu1(&t->b, IR_fabs, difference);
      collect(t, &o, c, difference, difference, NULL);
   }
   spirv_loop_end(t, &columns);
   spirv_loop_end(t, &rows);
   swizzle_result(t, &o);
   end(t, in, &o);
}

bool spirv_processing(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpImageSampleWeightedQCOM: sample_weighted(t, in); return true;
   case SpvOpImageBoxFilterQCOM: filter_box(t, in); return true;
   case SpvOpImageBlockMatchSSDQCOM:
   case SpvOpImageBlockMatchSADQCOM: match_blocks(t, in); return true;
   default: return false;
   }
}
