/* SPDX-License-Identifier: MIT
 * One texture instruction of a vector of invocations: splits it into batches of one image and sampler, runs each,
 * writes results. */
#include "runtime/texture/batch.h"
#include "runtime/texture/whole.h"

#include <string.h>

static void load_lanes(void *to, const uint32_t *from, uint32_t first, uint32_t count)
{
   uint32_t *values = to;
   memcpy(values, from + first, count * sizeof(uint32_t));
   if (count < RT_LANES)
      memset(values + count, 0, (RT_LANES - count) * sizeof(uint32_t));
}

static uint32_t num_coords(uint32_t dim)
{
   switch (dim) {
   case ABI_DIM_1D:
   case ABI_DIM_BUFFER: return 1;
   case ABI_DIM_3D:
   case ABI_DIM_CUBE: return 3;
   default: return 2;
   }
}

/* What integer coordinates an operation has. */
static void load_fetch(struct rt_tex_batch *batch, const struct abi_tex_call *call, uint32_t first, uint32_t count)
{
   const uint32_t coords = num_coords(batch->dim), flags = batch->flags;
   memset(batch->icoord, 0, sizeof(batch->icoord));
   memset(batch->ilayer, 0, sizeof(batch->ilayer));
   memset(batch->ilod, 0, sizeof(batch->ilod));
   memset(batch->isample, 0, sizeof(batch->isample));
   for (uint32_t a = 0; a < coords; a++) {
      load_lanes(batch->icoord[a], call->coords[a], first, count);
      if (flags & ABI_TEX_OFFSET)
         for (uint32_t i = 0; i < count; i++)
            batch->icoord[a][i] = (int32_t)((uint32_t)batch->icoord[a][i] + call->offset[a][first + i]);
   }
   if (flags & ABI_TEX_ARRAYED)
      load_lanes(batch->ilayer, call->coords[coords], first, count);
   else if (batch->dim == ABI_DIM_SUBPASS)
      RT_EACH_LANE(i)
         batch->ilayer[i] = (int32_t)call->view_index;
   if (flags & ABI_TEX_LOD)
      load_lanes(batch->ilod, call->lod, first, count);
   if (flags & ABI_TEX_SAMPLE)
      load_lanes(batch->isample, call->sample, first, count);
}

static void load_sample(struct rt_tex_batch *batch, const struct abi_tex_call *call, uint32_t first, uint32_t count)
{
   const uint32_t coords = num_coords(batch->dim), flags = batch->flags;
   for (uint32_t a = 0; a < coords; a++)
      load_lanes(batch->coord[a], call->coords[a], first, count);
   if (flags & ABI_TEX_ARRAYED)
      load_lanes(batch->layer, call->coords[coords], first, count); /* floats until resolve_layers() */
   if (flags & ABI_TEX_GRAD) {
      for (uint32_t a = 0; a < coords; a++) {
         load_lanes(batch->ddx[a], call->ddx[a], first, count);
         load_lanes(batch->ddy[a], call->ddy[a], first, count);
      }
   } else if (call->quad_size == 4 && !(flags & ABI_TEX_LOD) && call->op != ABI_TEX_OP_GATHER) {
      for (uint32_t a = 0; a < coords; a++)
         rt_tex_quad_derivatives(batch->coord[a], batch->ddx[a], batch->ddy[a]);
   }
   if (flags & (ABI_TEX_LOD | ABI_TEX_BIAS))
      load_lanes(batch->lod, call->lod, first, count);
   if (flags & ABI_TEX_MIN_LOD)
      load_lanes(batch->min_lod, call->min_lod, first, count);
   if (flags & ABI_TEX_DREF)
      load_lanes(batch->dref, call->dref, first, count);
   if (flags & ABI_TEX_COMPONENT)
      load_lanes(batch->component, call->component, first, count);
   else
      RT_EACH_LANE(i)
         batch->component[i] = call->gathered;
   batch->has_offset = flags & ABI_TEX_OFFSET && batch->dim != ABI_DIM_CUBE;
   if (batch->has_offset)
      for (uint32_t a = 0; a < coords; a++)
         load_lanes(batch->offset[a], call->offset[a], first, count);
}

/* Rounds the layer coordinate to nearest even and clamps it; cubes: of whole cubes, faces come later. */
static void resolve_layers(struct rt_tex_batch *batch)
{
   const uint32_t layers = batch->image->num_layers;
   const float last = (float)(batch->dim == ABI_DIM_CUBE ? UTIL_MAX(layers / 6, 1) - 1 : layers - 1);
   const bool is_arrayed = batch->flags & ABI_TEX_ARRAYED;
   RT_EACH_LANE(i) {
      union {
         uint32_t u;
         float f;
      } v = {.u = batch->layer[i]};
      v.f = rt_clampf(v.f, 0.0f, last) + 0x1p23f;
      batch->layer[i] = is_arrayed ? v.u & 0x7fffff : 0;
   }
}

static void resolve_batch(struct rt_tex_batch *batch)
{
   const struct abi_image *image = batch->image;
   const struct abi_sampler *sampler = batch->sampler;
   batch->info = image->format_info;
   batch->components = 0;
   for (uint32_t c = 0; c < 4; c++)
      if (batch->info->channels[c].bits)
         batch->components |= 1u << c;
   if (batch->flags & ABI_TEX_DREF)
      batch->components = 1;
   batch->num_axes = batch->dim == ABI_DIM_CUBE ? 2 : num_coords(batch->dim);
   batch->has_border = false;
   if (sampler && !(batch->dim == ABI_DIM_CUBE && !sampler->is_non_seamless))
      for (uint32_t a = 0; a < batch->num_axes; a++)
         batch->has_border |= sampler->address_mode[a] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
   batch->has_layer = image->num_layers > 1;
   batch->is_anisotropic = sampler && sampler->max_anisotropy > 1.0f && batch->num_axes == 2 && !batch->info->is_int;
}

/* Swizzles into `out`; gathered components already are. */
static void swizzle(const struct rt_tex_batch *batch, const rt_texels texels, rt_texels out)
{
   const uint32_t one = batch->info->is_int ? 1 : 0x3f800000;
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t from = batch->image->swizzle[c];
      if (from >= VK_COMPONENT_SWIZZLE_R && from <= VK_COMPONENT_SWIZZLE_A)
         memcpy(out[c], texels[from - VK_COMPONENT_SWIZZLE_R], sizeof(out[c]));
      else
         RT_EACH_LANE(i)
            out[c][i] = from == VK_COMPONENT_SWIZZLE_ONE ? one : 0;
   }
}

static bool is_identity(const uint8_t swizzle[4])
{
   return swizzle[0] == VK_COMPONENT_SWIZZLE_R && swizzle[1] == VK_COMPONENT_SWIZZLE_G &&
          swizzle[2] == VK_COMPONENT_SWIZZLE_B && swizzle[3] == VK_COMPONENT_SWIZZLE_A;
}

/* A compared texel is (D, 0, 0, 1) from here on. */
static void complete_compared(rt_texels texels)
{
   memset(texels[1], 0, 2 * sizeof(texels[1]));
   RT_EACH_LANE(i)
      texels[3][i] = 0x3f800000;
}

static void query_lod(const struct rt_tex_batch *batch, const struct rt_tex_lods *lods, rt_texels out)
{
   const bool is_nearest = batch->sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_NEAREST;
   memset(out[2], 0, 2 * sizeof(out[2]));
   RT_EACH_LANE(i) {
      union {
         float f;
         uint32_t u;
      } level = {.f = is_nearest ? -rt_floor(-(lods->level[i] + 0.5f)) - 1.0f : lods->level[i]},
        lambda = {.f = lods->lambda_prime[i]};
      out[0][i] = level.u;
      out[1][i] = lambda.u;
   }
}

/* Levels and filters don't depend on the level of detail. */
static bool needs_lod(const struct rt_tex_batch *batch)
{
   return batch->op == ABI_TEX_OP_QUERY_LOD || batch->image->num_levels > 1 ||
          batch->sampler->mag_filter != batch->sampler->min_filter || batch->is_anisotropic;
}

static void run_sampling(struct rt_tex_batch *batch, const struct abi_tex_call *call, uint32_t first, rt_texels out)
{
   const bool is_implicit = batch->op != ABI_TEX_OP_GATHER && !(batch->flags & ABI_TEX_LOD) &&
                            (call->quad_size == 4 || batch->flags & ABI_TEX_GRAD);
   struct rt_tex_lods lods;
   rt_texels texels;
   const bool wants_lod = batch->op != ABI_TEX_OP_GATHER && needs_lod(batch);
   if (batch->image->num_layers > 1 || batch->dim == ABI_DIM_CUBE)
      resolve_layers(batch);
   if (batch->dim == ABI_DIM_CUBE)
      rt_tex_cube_faces(batch, is_implicit && wants_lod);
   if (wants_lod)
      rt_tex_lod(batch, is_implicit, &lods);
   else
      memset(&lods, 0, sizeof(lods));

   switch (batch->op) {
   case ABI_TEX_OP_GATHER:
      rt_tex_gather(batch, call, first, out);
      return;
   case ABI_TEX_OP_QUERY_LOD:
      query_lod(batch, &lods, out);
      return;
   default:
      rt_tex_sample_anisotropic(batch, &lods, texels);
      break;
   }
   if (batch->flags & ABI_TEX_DREF)
      complete_compared(texels);
   if (is_identity(batch->image->swizzle))
      memcpy(out, texels, sizeof(rt_texels));
   else
      swizzle(batch, (const uint32_t(*)[RT_LANES])texels, out);
}

static void run_batch(struct rt_tex_batch *batch, const struct abi_tex_call *call, uint32_t first, rt_texels out)
{
   /* Faces are found without a look at the number of layers. */
   const bool has_image = batch->image && batch->image->data && (batch->dim != ABI_DIM_CUBE || batch->image->is_cube);
   if (!has_image || (call->op != ABI_TEX_OP_FETCH && !batch->sampler)) {
      memset(out, 0, sizeof(rt_texels));
      return;
   }
   resolve_batch(batch);
   if (call->op == ABI_TEX_OP_FETCH) {
      rt_texels texels;
      rt_tex_fetch(batch, texels);
      swizzle(batch, (const uint32_t(*)[RT_LANES])texels, out);
   } else {
      run_sampling(batch, call, first, out);
   }
}

static void store_results(const struct abi_tex_call *call, uint32_t first, uint32_t count, uint32_t mask,
                          const rt_texels texels)
{
   for (uint32_t c = 0; c < 4; c++) {
      uint32_t *to = call->result[c];
      if (!to)
         continue;
      to += first;
      if (mask == (1u << count) - 1)
         memcpy(to, texels[c], count * sizeof(uint32_t));
      else
         for (uint32_t i = 0; i < count; i++)
            to[i] = mask >> i & 1 ? texels[c][i] : to[i];
   }
}

static void run_lanes(const struct abi_tex_call *call, uint32_t first, uint32_t count, uint32_t mask)
{
   struct rt_tex_batch batch;
   rt_texels out;
   batch.op = call->op;
   batch.dim = call->dim;
   batch.flags = call->flags;
   batch.has_offset = false;
   if (call->op == ABI_TEX_OP_FETCH)
      load_fetch(&batch, call, first, count);
   else
      load_sample(&batch, call, first, count);

   uint32_t absent = 0;
   batch.mask = batch.takers = mask;
   batch.image = call->images[0];
   const bool asks = call->flags & ABI_TEX_RESIDENCY;
   batch.absent = asks && batch.image && batch.image->residency ? &absent : NULL;
   batch.sampler = call->samplers && call->op != ABI_TEX_OP_FETCH ? call->samplers[0] : NULL;
   if (!asks || batch.absent)
      run_batch(&batch, call, first, out);
   if (asks)
      RT_EACH_LANE(i)
         out[0][i] = absent >> i & 1;
   store_results(call, first, count, mask, (const uint32_t(*)[RT_LANES])out);
}

/* Lanes that have this descriptor. */
static uint32_t lanes_with(const void *const *descriptors, const void *descriptor, uint32_t count)
{
   uint32_t lanes = 0;
   for (uint32_t i = 0; i < count; i++)
      lanes |= (uint32_t)(descriptors[i] == descriptor) << i;
   return lanes;
}

/* In groups of equal descriptors: what a lane gets doesn't depend on whether others share its. */
static __attribute__((noinline)) void run_groups(const struct abi_tex_call *call)
{
   struct abi_tex_call part = *call;
   part.is_uniform = 1;
   part.class = abi_tex_class(call->op, call->dim, call->flags);
   for (uint32_t pending = call->mask; pending; pending &= ~part.mask) {
      const uint32_t lead = (uint32_t)__builtin_ctz(pending);
      part.mask = pending & lanes_with((const void *const *)call->images, call->images[lead], call->lanes);
      if (call->samplers)
         part.mask &= lanes_with((const void *const *)call->samplers, call->samplers[lead], call->lanes);
      part.images = call->images + lead;
      part.samplers = call->samplers ? call->samplers + lead : NULL;
      rt_tex_run(&part);
   }
}

/* Found by little: what is sampled most. The lanes that are left. */
static inline uint32_t run_class(const struct abi_tex_call *call)
{
   const struct abi_image *image = call->images[0];
   rt_whole_fn *const fn = UTIL_LIKELY(image) ? rt_whole_fns[call->class][image->layout] : NULL;
   return fn ? fn(call) & call->mask : call->mask;
}

static __attribute__((noinline)) void run_rest(const struct abi_tex_call *call, uint32_t left)
{
   struct abi_tex_call rest = *call;
   rest.class = ABI_TEX_CLASS_NONE;
   rest.mask = left;
   rt_tex_run(&rest);
}

/* One component after the other. */
static __attribute__((noinline)) void run_components(const struct abi_tex_call *call, uint32_t left)
{
   struct abi_tex_call one = *call;
   one.class = ABI_TEX_CLASS_GATHER;
   one.mask = left;
   for (uint32_t c = 0; c < 4; c++) {
      if (!(call->components >> c & 1))
         continue;
      one.gathered = c;
      memcpy(one.result, call->gathers[c], sizeof(one.result));
      rt_tex_run(&one);
   }
}

void rt_tex_run(const struct abi_tex_call *call)
{
   const uint32_t left = call->class == ABI_TEX_CLASS_NONE ? call->mask : run_class(call);
   if (UTIL_LIKELY(!left))
      return;
   if (UTIL_UNLIKELY(call->class == ABI_TEX_CLASS_GATHERS)) {
      run_components(call, left);
      return;
   }
   if (UTIL_UNLIKELY(left != call->mask)) {
      run_rest(call, left);
      return;
   }
   if (UTIL_UNLIKELY(call->flags & ABI_TEX_RESIDENCY && call->is_uniform))
      rt_tex_run_general(call); /* takes each texel by its address */
   else if (UTIL_LIKELY(call->is_uniform))
      rt_tex_run_uniform(call);
   else
      run_groups(call);
}

void rt_tex_run_general(const struct abi_tex_call *call)
{
   for (uint32_t first = 0; first < call->lanes; first += RT_LANES) {
      const uint32_t count = UTIL_MIN(call->lanes - first, (uint32_t)RT_LANES);
      const uint32_t mask = call->mask >> first & ((1u << count) - 1);
      if (mask)
         run_lanes(call, first, count, mask);
   }
}
