/* SPDX-License-Identifier: MIT
 * `uninit` of images against a bit a texel: random boxes and stores into images of each layout, read back texel by texel, and filtered. */
#include "runtime/instrument/texels.h"

#include "runtime/instrument/written.h"
#include "runtime/texture/texture.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 16, NUM_BOXES = 12, NUM_STORES = 8 };

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static const struct shape {
   VkFormat format;
   VkImageType type;
   VkExtent3D extent;
   uint32_t num_levels, num_layers, num_samples;
   bool is_tiled;
} shapes[] = {
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, {37, 23, 1}, 3, 2, 1, true},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, {37, 23, 1}, 1, 1, 1, false},
   {VK_FORMAT_R8_UINT, VK_IMAGE_TYPE_2D, {70, 9, 1}, 2, 1, 1, true},
   {VK_FORMAT_R16G16B16A16_SFLOAT, VK_IMAGE_TYPE_1D, {65, 1, 1}, 3, 3, 1, true},
   {VK_FORMAT_R32G32B32A32_SFLOAT, VK_IMAGE_TYPE_3D, {11, 9, 7}, 2, 1, 1, true},
   {VK_FORMAT_R16_SFLOAT, VK_IMAGE_TYPE_3D, {11, 9, 7}, 1, 1, 1, false},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, {19, 17, 1}, 1, 2, 4, true},
   {VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_2D, {33, 31, 1}, 1, 1, 1, true},
   {VK_FORMAT_R8G8B8_UNORM, VK_IMAGE_TYPE_2D, {21, 6, 1}, 1, 1, 1, false},
   {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_IMAGE_TYPE_2D, {29, 22, 1}, 3, 1, 1, true},
   {VK_FORMAT_BC7_UNORM_BLOCK, VK_IMAGE_TYPE_2D, {29, 22, 1}, 1, 2, 1, true},
   {VK_FORMAT_ASTC_8x5_UNORM_BLOCK, VK_IMAGE_TYPE_2D, {50, 33, 1}, 2, 1, 1, true},
};

/* An image in followed memory; of each texel whether it has been written. */
struct fixture {
   const struct shape *shape;
   struct rt_image image;
   struct abi_image view;
   void *memory;
   uint32_t first_texel[3]; /* of each level of layer 0; layers follow each other */
   uint32_t texels_per_layer;
   bool *is_written;
};

static VkExtent3D extent_of(const struct fixture *f, uint32_t level)
{
   const VkExtent3D e = f->shape->extent;
   return (VkExtent3D){UTIL_MAX(e.width >> level, 1u), UTIL_MAX(e.height >> level, 1u), UTIL_MAX(e.depth >> level, 1u)};
}

static bool *texel_of(const struct fixture *f, uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
   const VkExtent3D e = extent_of(f, level);
   const uint32_t at = f->first_texel[level] + (((z * e.height + y) * e.width + x) * f->shape->num_samples + sample);
   return &f->is_written[layer * f->texels_per_layer + at];
}

static bool init(struct fixture *f, const struct shape *shape)
{
   const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_3D};
   const VkComponentMapping swizzle = {VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_A};
   const bool is_depth = shape->format == VK_FORMAT_D16_UNORM;
   *f = (struct fixture){.shape = shape};
   CHECK(rt_image_init(&f->image, shape->type, shape->format, shape->extent, shape->num_levels, shape->num_layers, shape->num_samples, shape->is_tiled,
                       UINT64_C(1) << 30) == VK_SUCCESS);
   f->memory = rt_followed_create(f->image.size_bytes);
   if (!f->memory) /* ThreadSanitizer has these addresses */
      return false;
   rt_image_bind(&f->image, f->memory);
   rt_image_view_init(&f->view, &f->image, types[shape->type], shape->format, swizzle, is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                      shape->num_levels, 0, shape->num_layers, 0);
   for (uint32_t level = 0; level < shape->num_levels; level++) {
      const VkExtent3D e = extent_of(f, level);
      f->first_texel[level] = f->texels_per_layer;
      f->texels_per_layer += e.width * e.height * e.depth * shape->num_samples;
   }
   f->is_written = calloc((size_t)f->texels_per_layer * shape->num_layers, sizeof(bool));
   CHECK(f->is_written != NULL);
   return true;
}

static void finish(struct fixture *f)
{
   rt_followed_destroy(f->memory, f->image.size_bytes);
   free(f->is_written);
}

/* Blocks are written as wholes. */
static void write_box(struct fixture *f, uint32_t level, uint32_t layer, VkOffset3D o, VkExtent3D e)
{
   const VkImageSubresourceLayers layers = {f->view.aspect ? f->view.aspect : VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1};
   const VkExtent3D size = extent_of(f, level);
   const uint32_t width = f->image.info->block_width, height = f->image.info->block_height;
   rt_written_box(&f->image, &layers, o, e);
   for (uint32_t z = 0; z < size.depth; z++)
      for (uint32_t y = 0; y < size.height; y++)
         for (uint32_t x = 0; x < size.width; x++) {
            const bool is_in = x / width >= (uint32_t)o.x / width && x / width * width < (uint32_t)o.x + e.width && y / height >= (uint32_t)o.y / height &&
                               y / height * height < (uint32_t)o.y + e.height && z >= (uint32_t)o.z && z < (uint32_t)o.z + e.depth;
            for (uint32_t s = 0; is_in && s < f->shape->num_samples; s++)
               *texel_of(f, level, layer, x, y, z, s) = true;
         }
}

static void write_random_box(struct fixture *f)
{
   const uint32_t level = random_below(f->shape->num_levels), layer = random_below(f->shape->num_layers);
   const VkExtent3D size = extent_of(f, level);
   const VkOffset3D o = {(int32_t)random_below(size.width), (int32_t)random_below(size.height), (int32_t)random_below(size.depth)};
   write_box(f, level, layer, o,
             (VkExtent3D){1 + random_below(size.width - (uint32_t)o.x), 1 + random_below(size.height - (uint32_t)o.y), 1 + random_below(size.depth - (uint32_t)o.z)});
}

/* Coordinates of 16 lanes: x, y, z, or x and layer, or x, y and layer. */
struct lanes {
   uint32_t coords[4][LANES + 8], level[LANES + 8], sample[LANES + 8], result[4][LANES + 8];
};

static void set_lane(struct lanes *lanes, const struct fixture *f, uint32_t i, uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
   const bool is_1d = f->shape->type == VK_IMAGE_TYPE_1D;
   lanes->coords[0][i] = x;
   lanes->coords[1][i] = is_1d ? layer : y;
   lanes->coords[2][i] = f->shape->type == VK_IMAGE_TYPE_3D ? z : layer;
   lanes->level[i] = level;
   lanes->sample[i] = sample;
}

static uint32_t flags_of(const struct fixture *f)
{
   return (f->shape->type == VK_IMAGE_TYPE_3D ? 0 : ABI_TEX_ARRAYED) | (f->shape->num_samples > 1 ? ABI_TEX_MS | ABI_TEX_SAMPLE : 0) | ABI_TEX_UNWRITTEN;
}

static void store_random(struct fixture *f)
{
   struct lanes lanes = {0};
   const struct abi_image *images[LANES] = {&f->view};
   struct abi_image_call call = {.lanes = LANES, .mask = random_below(1u << LANES), .op = ABI_IMAGE_STORE, .dim = f->view.dim, .flags = flags_of(f), .images = images,
                                 .is_uniform = 1, .coords = {lanes.coords[0], lanes.coords[1], lanes.coords[2]}, .sample = lanes.sample};
   const VkExtent3D size = f->shape->extent;
   for (uint32_t i = 0; i < LANES; i++) {
      const uint32_t layer = random_below(f->shape->num_layers), x = random_below(size.width), y = random_below(size.height), z = random_below(size.depth);
      const uint32_t sample = random_below(f->shape->num_samples);
      set_lane(&lanes, f, i, 0, layer, x, y, z, sample);
      if (call.mask >> i & 1)
         *texel_of(f, 0, layer, x, y, z, sample) = true;
   }
   rt_image_unwritten(&call);
}

/* Fetches all texels. Returns how many are said to be unwritten. */
static uint32_t compare(const struct fixture *f)
{
   struct lanes lanes = {0};
   const struct abi_image *images[1] = {&f->view};
   const struct abi_tex_call call = {.lanes = LANES, .mask = (1u << LANES) - 1, .op = ABI_TEX_OP_FETCH, .dim = f->view.dim, .flags = flags_of(f) | ABI_TEX_LOD,
                                     .images = images, .is_uniform = 1, .coords = {lanes.coords[0], lanes.coords[1], lanes.coords[2]}, .lod = lanes.level,
                                     .sample = lanes.sample, .result = {lanes.result[0], lanes.result[1], lanes.result[2], lanes.result[3]}};
   uint32_t count = 0, num_wrong = 0;
   for (uint32_t layer = 0; layer < f->shape->num_layers; layer++)
      for (uint32_t level = 0; level < f->shape->num_levels; level++)
         for (uint32_t at = 0, n = extent_of(f, level).width * extent_of(f, level).height * extent_of(f, level).depth * f->shape->num_samples; at < n; at += LANES) {
            const VkExtent3D e = extent_of(f, level);
            for (uint32_t i = 0; i < LANES; i++) {
               const uint32_t texel = UTIL_MIN(at + i, n - 1) / f->shape->num_samples;
               set_lane(&lanes, f, i, level, layer, texel % e.width, texel / e.width % e.height, texel / e.width / e.height,
                        UTIL_MIN(at + i, n - 1) % f->shape->num_samples);
            }
            rt_tex_unwritten(&call);
            for (uint32_t i = 0; i < LANES && at + i < n; i++) {
               const bool is_written = f->is_written[layer * f->texels_per_layer + f->first_texel[level] + at + i];
               num_wrong += (lanes.result[0][i] == 0) != is_written;
               count += lanes.result[0][i] != 0;
            }
         }
   CHECK_EQ(num_wrong, 0);
   return count;
}

TEST(texels)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(shapes); i++) {
      struct fixture f;
      if (!init(&f, &shapes[i]))
         return;
      const uint32_t all = f.texels_per_layer * shapes[i].num_layers;
      CHECK_EQ(compare(&f), all);
      for (uint32_t box = 0; box < NUM_BOXES; box++) {
         write_random_box(&f);
         for (uint32_t store = 0; store < NUM_STORES && !f.image.info->is_compressed && shapes[i].format != VK_FORMAT_R8G8B8_UNORM; store++)
            store_random(&f);
         compare(&f);
      }
      for (uint32_t layer = 0; layer < shapes[i].num_layers; layer++)
         for (uint32_t level = 0; level < shapes[i].num_levels; level++)
            write_box(&f, level, layer, (VkOffset3D){0}, extent_of(&f, level));
      CHECK_EQ(compare(&f), 0);
      rt_unwritten(f.memory, f.image.size_bytes); /* what was known to be complete is not any more */
      memset(f.is_written, 0, all);
      CHECK_EQ(compare(&f), all);
      finish(&f);
   }
}

/* A sample takes the texels that it weighs: between two columns of texels, at their centres, and beyond the edge. */
TEST(weights)
{
   static const float x[] = {0.5f, 3.5f, 3.75f, 4.25f, 4.5f, 7.9f, -2.0f, 12.0f};
   static const bool is_unwritten[] = {false, false, true, true, true, true, false, false};
   const struct shape shape = {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, {8, 8, 1}, 1, 1, 1, true};
   struct fixture f;
   struct lanes lanes = {0};
   if (!init(&f, &shape))
      return;
   write_box(&f, 0, 0, (VkOffset3D){0}, (VkExtent3D){4, 8, 1});
   struct abi_sampler sampler = {.mag_filter = ABI_FILTER_LINEAR, .min_filter = ABI_FILTER_LINEAR, .max_anisotropy = 1.0f, .compare_enable = 1,
                                 .border.f = {1.0f, 1.0f, 1.0f, 1.0f}};
   for (uint32_t a = 0; a < 3; a++)
      sampler.address_mode[a] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
   rt_sampler_finish(&sampler);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(x); i++) {
      const float u = x[i] / 8.0f, v = 0.5f;
      memcpy(&lanes.coords[0][i], &u, sizeof(u));
      memcpy(&lanes.coords[1][i], &v, sizeof(v));
   }
   const struct abi_image *images[1] = {&f.view};
   const struct abi_sampler *samplers[1] = {&sampler};
   const struct abi_tex_call call = {.lanes = LANES, .mask = (1u << UTIL_ARRAY_SIZE(x)) - 1, .op = ABI_TEX_OP_SAMPLE, .dim = ABI_DIM_2D,
                                     .flags = ABI_TEX_LOD | ABI_TEX_DREF | ABI_TEX_UNWRITTEN, .images = images, .samplers = samplers, .is_uniform = 1,
                                     .coords = {lanes.coords[0], lanes.coords[1], lanes.coords[2]}, .lod = lanes.level, .dref = lanes.sample,
                                     .result = {lanes.result[0], lanes.result[1], lanes.result[2], lanes.result[3]}};
   rt_tex_unwritten(&call);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(x); i++)
      CHECK_EQ(lanes.result[0][i] != 0, is_unwritten[i]);
   finish(&f);
}

TEST_MAIN
