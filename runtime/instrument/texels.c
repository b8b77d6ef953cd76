/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/texels.h"

#include "abi/probe.h"
#include "runtime/instrument/written.h"
#include "runtime/texture/texture.h"
#include "util/size.h"

#include <stddef.h>
#include <string.h>

enum { ONE = 0x3f800000 }; /* as a float */

/* ---- the format: R is 1 where all bits of a texel are set ---- */

static inline bool is_unwritten(const uint8_t *shadow, uint32_t bytes)
{
   static const uint8_t all[32] = {[0 ... 31] = 0xff};
   return !memcmp(shadow, all, bytes);
}

static inline void unpack(const void *texels, uint32_t stride, uint32_t count, uint32_t (*rgba)[4], uint32_t bytes)
{
   for (uint32_t i = 0; i < count; i++) {
      memset(rgba[i], 0, sizeof(rgba[i]));
      rgba[i][0] = is_unwritten((const uint8_t *)texels + (size_t)i * stride, bytes) ? ONE : 0;
   }
}

static inline void pack(void *texels, uint32_t stride, uint32_t count, const uint32_t (*rgba)[4], uint32_t bytes)
{
   for (uint32_t i = 0; i < count; i++)
      memset((uint8_t *)texels + (size_t)i * stride, rgba[i][0] ? 0xff : 0, bytes);
}

static inline void unpack_block(const void *texels, uint32_t (*planes)[16], uint32_t bytes)
{
   memset(planes[1], 0, 3 * sizeof(planes[1]));
   for (uint32_t i = 0; i < 16; i++)
      planes[0][i] = is_unwritten((const uint8_t *)texels + (size_t)i * bytes, bytes) ? ONE : 0;
}

static inline void pack_block(void *texels, const uint32_t (*planes)[16], uint32_t bytes)
{
   for (uint32_t i = 0; i < 16; i++)
      memset((uint8_t *)texels + (size_t)i * bytes, planes[0][i] ? 0xff : 0, bytes);
}

static inline void decode(const void *block, uint32_t (*rgba)[4], uint32_t bytes, uint32_t count)
{
   const uint32_t value = is_unwritten(block, bytes) ? ONE : 0;
   memset(rgba, 0, count * sizeof(*rgba));
   for (uint32_t i = 0; i < count; i++)
      rgba[i][0] = value;
}

/* Bytes of texels; of blocks, with the numbers of texels that they have. */
#define SIZES(X) X(1) X(2) X(3) X(4) X(6) X(8) X(12) X(16) X(24) X(32)
#define BLOCKS(X)                                                                                                      \
   X(8, 16) X(16, 16) X(16, 20) X(16, 25) X(16, 27) X(16, 30) X(16, 36) X(16, 40) X(16, 48) X(16, 50) X(16, 60) X(16, 64) X(16, 80) X(16, 96) X(16, 100)    \
   X(16, 120) X(16, 125) X(16, 144) X(16, 150) X(16, 180) X(16, 216)

#define DEFINE_SIZE(bytes)                                                                                             \
   static void unpack_##bytes(const void *texels, uint32_t stride, uint32_t count, uint32_t (*rgba)[4])                \
   {                                                                                                                   \
      unpack(texels, stride, count, rgba, bytes);                                                                      \
   }                                                                                                                   \
   static void pack_##bytes(void *texels, uint32_t stride, uint32_t count, const uint32_t (*rgba)[4])                  \
   {                                                                                                                   \
      pack(texels, stride, count, rgba, bytes);                                                                        \
   }                                                                                                                   \
   static void unpack_block_##bytes(const void *texels, uint32_t (*planes)[16])                                        \
   {                                                                                                                   \
      unpack_block(texels, planes, bytes);                                                                             \
   }                                                                                                                   \
   static void pack_block_##bytes(void *texels, const uint32_t (*planes)[16])                                          \
   {                                                                                                                   \
      pack_block(texels, planes, bytes);                                                                               \
   }
SIZES(DEFINE_SIZE)

#define DEFINE_BLOCK(bytes, count)                                                                                     \
   static void decode_##bytes##_##count(const void *block, uint32_t (*rgba)[4])                                        \
   {                                                                                                                   \
      decode(block, rgba, bytes, count);                                                                               \
   }
BLOCKS(DEFINE_BLOCK)

static const struct {
   uint32_t bytes;
   void (*unpack)(const void *texels, uint32_t stride, uint32_t count, uint32_t (*rgba)[4]);
   void (*pack)(void *texels, uint32_t stride, uint32_t count, const uint32_t (*rgba)[4]);
   void (*unpack_block)(const void *texels, uint32_t (*planes)[16]);
   void (*pack_block)(void *texels, const uint32_t (*planes)[16]);
} sizes[] = {
#define ROW(bytes) {bytes, unpack_##bytes, pack_##bytes, unpack_block_##bytes, pack_block_##bytes},
   SIZES(ROW)
#undef ROW
};

static const struct {
   uint32_t bytes, count;
   void (*decode)(const void *block, uint32_t (*rgba)[4]);
} blocks[] = {
#define ROW(bytes, count) {bytes, count, decode_##bytes##_##count},
   BLOCKS(ROW)
#undef ROW
};

/* Texels of `texel_bytes`, which may be halves of the format's blocks. False: none that the code for images knows. */
static bool make_format(struct rt_format_info *shadow, const struct rt_format_info *info, uint32_t texel_bytes)
{
   *shadow = *info;
   shadow->texel_bytes = (uint8_t)texel_bytes;
   shadow->num_channels = 1;
   memset(shadow->channels, 0, sizeof(shadow->channels));
   shadow->channels[0] = (struct rt_channel){8, 0, RT_UNORM};
   shadow->is_depth = shadow->is_stencil = shadow->is_srgb = shadow->is_int = shadow->is_signed = false;
   shadow->unpack = NULL;
   shadow->pack = NULL;
   shadow->unpack_block = NULL;
   shadow->pack_block = NULL;
   shadow->decode = NULL;
   shadow->round = NULL;
   for (uint32_t i = 0; info->is_compressed && i < UTIL_ARRAY_SIZE(blocks); i++) {
      if (blocks[i].bytes == texel_bytes && blocks[i].count == rt_format_block_texels(info))
         shadow->decode = blocks[i].decode;
   }
   for (uint32_t i = 0; !info->is_compressed && i < UTIL_ARRAY_SIZE(sizes); i++) {
      if (sizes[i].bytes != texel_bytes)
         continue;
      shadow->unpack = sizes[i].unpack;
      shadow->pack = sizes[i].pack;
      shadow->unpack_block = sizes[i].unpack_block;
      shadow->pack_block = sizes[i].pack_block;
   }
   return shadow->decode || shadow->unpack;
}

bool rt_shadow_image_init(struct rt_shadow_image *shadow, const struct rt_image *image)
{
   bool has_shadow = true;
   shadow->image = *image;
   for (uint32_t i = 0; i < image->num_planes; i++) {
      struct rt_plane *plane = &shadow->image.planes[i];
      has_shadow &= plane->data && abi_has_shadow((uintptr_t)plane->data) && make_format(&shadow->infos[i], plane->info, plane->texel_bytes);
      plane->data = (uint8_t *)((uintptr_t)plane->data + ABI_SHADOW_DISTANCE);
      plane->info = &shadow->infos[i];
   }
   return has_shadow;
}

void rt_shadow_image_changed(const struct rt_image *image)
{
   for (uint32_t i = 0; i < image->num_planes; i++) {
      const struct rt_plane *plane = &image->planes[i];
      rt_unwritten_note((uintptr_t)plane->data, (uintptr_t)plane->data + plane->layer_bytes * image->num_layers);
   }
}

/* ---- views of which all texels are written ---- */

enum { NUM_VIEWS = 64 };

/* How far all texels of a view are written: what is written stays so, but for what rt_is_unwritten_since() says. */
struct seen_view {
   const struct abi_image *view;
   const uint8_t *data; /* this and what follows: whether it is another view where one was that is gone */
   uint64_t layer_bytes, level_bytes;
   uint32_t width, height, depth, num_levels, num_layers, texel_bytes;
   uint32_t layer, level; /* num_layers: all of it is written */
   uint64_t at_bytes;     /* in the level */
   uint64_t epoch;
};

static struct seen_view identity_of(const struct abi_image *view, uint64_t epoch)
{
   const struct abi_level *level = &view->levels[0];
   return (struct seen_view){.view = view, .data = view->data, .layer_bytes = view->layer_bytes, .level_bytes = level->offset_bytes, .width = level->width,
                             .height = level->height, .depth = level->depth, .num_levels = view->num_levels, .num_layers = UTIL_MAX(view->num_layers, 1u),
                             .texel_bytes = view->texel_bytes, .epoch = epoch};
}

static uint64_t level_bytes(const struct abi_image *view, const struct abi_level *level)
{
   const struct rt_format_info *info = view->format_info;
   if (view->dim == ABI_DIM_BUFFER)
      return (uint64_t)level->width * view->texel_bytes;
   return level->slice_bytes * UTIL_DIV_ROUND_UP(UTIL_MAX(level->depth, 1u), (uint32_t)info->block_depth);
}

/* The bytes of the texel that has byte `at_bytes` of the level, as [*begin, *end). False: what stands between rows, and in tiles beyond the image, which is
 * nobody's. */
static bool find_texel(const struct abi_image *view, const struct abi_level *level, uint64_t at_bytes, uint64_t *begin, uint64_t *end)
{
   const struct rt_format_info *info = view->format_info;
   const uint64_t unit = view->dim == ABI_DIM_BUFFER || view->is_tiled ? view->texel_bytes : 1;
   *begin = at_bytes - at_bytes % unit;
   *end = *begin + unit;
   if (view->dim == ABI_DIM_BUFFER)
      return true;
   const struct rt_texel_position at = rt_level_texel(level, view->is_tiled, view->texel_bytes, view->num_samples, level->offset_bytes + at_bytes);
   if (at.x >= UTIL_DIV_ROUND_UP(level->width, (uint32_t)info->block_width) || at.y >= UTIL_DIV_ROUND_UP(level->height, (uint32_t)info->block_height))
      return false;
   *begin = rt_level_offset(level, view->is_tiled, view->texel_bytes, at.x, at.y, at.z, at.sample, view->num_samples) - level->offset_bytes;
   *end = *begin + view->texel_bytes;
   return true;
}

/* Goes on to the next texel that nobody wrote, if there is one in the level. Padding counts as written once it has been met. */
static bool find_in_level(struct seen_view *seen)
{
   const struct abi_image *view = seen->view;
   const struct abi_level *level = &view->levels[seen->level];
   const uint64_t bytes = level_bytes(view, level);
   uint8_t *data = view->data + seen->layer * view->layer_bytes + level->offset_bytes;
   for (uint64_t begin, end; seen->at_bytes < bytes; seen->at_bytes = end) {
      seen->at_bytes = util_size_add(seen->at_bytes, rt_find_unwritten(data + seen->at_bytes, bytes - seen->at_bytes));
      if (seen->at_bytes >= bytes)
         break;
      if (!find_texel(view, level, seen->at_bytes, &begin, &end))
         rt_written(data + begin, end - begin);
      else if (is_unwritten(data + begin + ABI_SHADOW_DISTANCE, view->texel_bytes))
         return true; /* else something of it is written */
   }
   return false;
}

static bool has_changed(const struct seen_view *seen)
{
   const struct abi_image *view = seen->view;
   const struct abi_level *first = &view->levels[0], *last = &view->levels[view->num_levels - 1];
   const uint64_t address = (uintptr_t)view->data, last_layer = address + (seen->num_layers - 1) * view->layer_bytes;
   return rt_is_unwritten_since(seen->epoch, address + first->offset_bytes, last_layer + last->offset_bytes + level_bytes(view, last));
}

static bool is_complete(const struct abi_image *view)
{
   static _Thread_local struct seen_view views[NUM_VIEWS];
   struct seen_view *seen = &views[((uintptr_t)view >> 6 ^ (uintptr_t)view >> 13) % NUM_VIEWS];
   const struct seen_view wanted = identity_of(view, rt_unwritten_epoch());
   if (memcmp(seen, &wanted, offsetof(struct seen_view, layer)) || (seen->epoch != wanted.epoch && has_changed(seen)))
      *seen = wanted;
   seen->epoch = wanted.epoch;
   while (seen->layer < wanted.num_layers) {
      if (find_in_level(seen))
         return false;
      seen->at_bytes = 0;
      seen->level++;
      if (seen->level >= view->num_levels) {
         seen->level = 0;
         seen->layer++;
      }
   }
   return true;
}

static bool is_followed(const struct abi_image *view)
{
   return view && view->data && abi_has_shadow((uintptr_t)view->data) && !is_complete(view);
}

/* ---- calls ---- */

struct shadow_view {
   struct abi_image view;
   struct rt_format_info info;
   const struct abi_image *views[1];
};

static bool make_view(struct shadow_view *shadow, const struct abi_image *view)
{
   static const uint8_t identity[4] = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_A};
   if (!make_format(&shadow->info, view->format_info, view->texel_bytes))
      return false;
   shadow->view = *view;
   shadow->view.data = (uint8_t *)((uintptr_t)view->data + ABI_SHADOW_DISTANCE);
   shadow->view.format_info = &shadow->info;
   shadow->view.conversion = NULL; /* all else is of its luma */
   shadow->view.residency = NULL;
   shadow->view.sampling = ABI_SAMPLING_GENERAL;
   shadow->view.direct = ABI_DIRECT_NONE;
   shadow->view.texel = shadow->view.plain = shadow->view.layout = shadow->view.packing = 0;
   memcpy(shadow->view.swizzle, identity, sizeof(identity));
   shadow->views[0] = &shadow->view;
   return true;
}

/* Borders are no texels, and nothing is compared or chosen. */
static struct abi_sampler plain_sampler(const struct abi_sampler *sampler)
{
   struct abi_sampler plain = *sampler;
   plain.compare_enable = plain.reduction_mode = 0;
   plain.class = ABI_SAMPLER_SPECIAL;
   memset(&plain.border, 0, sizeof(plain.border));
   return plain;
}

/* Of `pending` those that have the image, and the sampler if there are any, of the first of them. */
static uint32_t lanes_alike(const struct abi_image *const *images, const struct abi_sampler *const *samplers, uint32_t pending)
{
   const uint32_t lead = (uint32_t)__builtin_ctz(pending);
   uint32_t alike = 0;
   for (uint32_t left = pending; left; left &= left - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(left);
      alike |= (uint32_t)(images[i] == images[lead] && (!samplers || samplers[i] == samplers[lead])) << i;
   }
   return alike;
}

/* Lanes of one image and sampler. */
static void run_tex(const struct abi_tex_call *call, uint32_t lead, uint32_t mask)
{
   const struct abi_image *image = call->images[lead];
   const struct abi_sampler *sampler = call->op == ABI_TEX_OP_FETCH ? NULL : call->samplers[lead];
   struct shadow_view shadow;
   struct abi_sampler plain;
   uint32_t results[4][40] = {{0}};
   if (!is_followed(image) || (call->op != ABI_TEX_OP_FETCH && !sampler) || !make_view(&shadow, image))
      return;
   const struct abi_sampler *const samplers[1] = {&plain};
   if (sampler)
      plain = plain_sampler(sampler);
   struct abi_tex_call own = *call;
   own.flags &= ~(uint32_t)(ABI_TEX_UNWRITTEN | ABI_TEX_DREF | ABI_TEX_COMPONENT | ABI_TEX_SIGNED | ABI_TEX_INTEGER | ABI_TEX_64BIT);
   own.mask = mask;
   own.images = shadow.views;
   own.samplers = sampler ? samplers : NULL;
   own.is_uniform = 1;
   own.class = ABI_TEX_CLASS_NONE;
   own.unread = 0;
   for (uint32_t c = 0; c < 4; c++)
      own.result[c] = results[c];
   rt_texture_call(&own);
   for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(left);
      call->result[0][i] = call->op == ABI_TEX_OP_GATHER ? results[0][i] | results[1][i] | results[2][i] | results[3][i] : results[0][i];
   }
}

void rt_tex_unwritten(const struct abi_tex_call *call)
{
   memset(call->result[0], 0, call->lanes * sizeof(uint32_t));
   if (call->is_uniform) {
      run_tex(call, 0, call->mask);
      return;
   }
   for (uint32_t pending = call->mask, alike; pending; pending &= ~alike) {
      alike = lanes_alike(call->images, call->samplers, pending);
      run_tex(call, (uint32_t)__builtin_ctz(pending), alike);
   }
}

static void run_image(const struct abi_image_call *call, uint32_t lead, uint32_t mask)
{
   const struct abi_image *image = call->images[lead];
   struct shadow_view shadow;
   uint32_t results[4][40] = {{0}};
   if (!is_followed(image) || !make_view(&shadow, image))
      return;
   struct abi_image_call own = *call;
   own.flags &= ~(uint32_t)(ABI_TEX_UNWRITTEN | ABI_TEX_SIGNED | ABI_TEX_INTEGER | ABI_TEX_64BIT);
   own.mask = mask;
   own.images = shadow.views;
   own.is_uniform = 1;
   for (uint32_t c = 0; c < 4; c++) {
      own.data[c] = NULL; /* zeros */
      own.result[c] = results[c];
   }
   rt_image_access_call(&own);
   for (uint32_t left = call->op == ABI_IMAGE_LOAD ? mask : 0; left; left &= left - 1)
      call->result[0][__builtin_ctz(left)] = results[0][__builtin_ctz(left)];
}

void rt_image_unwritten(const struct abi_image_call *call)
{
   if (call->op == ABI_IMAGE_LOAD)
      memset(call->result[0], 0, call->lanes * sizeof(uint32_t));
   if (call->is_uniform) {
      run_image(call, 0, call->mask);
      return;
   }
   for (uint32_t pending = call->mask, alike; pending; pending &= ~alike) {
      alike = lanes_alike(call->images, NULL, pending);
      run_image(call, (uint32_t)__builtin_ctz(pending), alike);
   }
}

/* ---- blocks ---- */

uint32_t rt_block_find_unwritten(const uint8_t *shadow, uint32_t texel_bytes, uint32_t mask)
{
   uint32_t found = 0;
   for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(left);
      found |= (uint32_t)is_unwritten(shadow + (size_t)i * texel_bytes, texel_bytes) << i;
   }
   return found;
}

void rt_block_set_written(uint8_t *shadow, uint32_t texel_bytes, uint32_t mask, bool is_written)
{
   const int value = is_written ? 0 : 0xff;
   if (mask == 0xffff) {
      memset(shadow, value, (size_t)16 * texel_bytes);
      return;
   }
   for (uint32_t left = mask; left; left &= left - 1)
      memset(shadow + (size_t)__builtin_ctz(left) * texel_bytes, value, texel_bytes);
}
