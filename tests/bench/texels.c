/* SPDX-License-Identifier: MIT
 * Texel rows: 1024 x 1024 invocations of eight accesses each, about one texel apart, of each type of access that engines
 * use, in compute and in fragment shaders. */
#include "tests/bench/bench.h"
#include "tests/bench/picture.h"
#include "tests/bench/work.h"

#include "texels_array.comp.h"
#include "texels_array.frag.h"
#include "texels_buffer.comp.h"
#include "texels_buffer.frag.h"
#include "texels_compare.comp.h"
#include "texels_compare.frag.h"
#include "texels_cube.comp.h"
#include "texels_cube.frag.h"
#include "texels_fetch.comp.h"
#include "texels_fetch.frag.h"
#include "texels_fetch_ms.comp.h"
#include "texels_fetch_ms.frag.h"
#include "texels_fetch_uint.comp.h"
#include "texels_fetch_uint.frag.h"
#include "texels_gather.comp.h"
#include "texels_gather.frag.h"
#include "texels_gather_compare.comp.h"
#include "texels_gather_compare.frag.h"
#include "texels_incoherent.comp.h"
#include "texels_incoherent.frag.h"
#include "texels_load_r32f.comp.h"
#include "texels_load_r32f.frag.h"
#include "texels_load_rgba16f.comp.h"
#include "texels_load_rgba16f.frag.h"
#include "texels_load_rgba32f.comp.h"
#include "texels_load_rgba32f.frag.h"
#include "texels_load_rgba8.comp.h"
#include "texels_load_rgba8.frag.h"
#include "texels_load_rgba8ui.comp.h"
#include "texels_load_rgba8ui.frag.h"
#include "texels_offset.comp.h"
#include "texels_offset.frag.h"
#include "texels_sample.comp.h"
#include "texels_sample.frag.h"
#include "texels_store_r11f_g11f_b10f.comp.h"
#include "texels_store_r11f_g11f_b10f.frag.h"
#include "texels_store_r16f.comp.h"
#include "texels_store_r16f.frag.h"
#include "texels_store_r8.comp.h"
#include "texels_store_r8.frag.h"
#include "texels_store_r8ui.comp.h"
#include "texels_store_r8ui.frag.h"
#include "texels_store_rgba16f.comp.h"
#include "texels_store_rgba16f.frag.h"
#include "texels_store_rgba32f.comp.h"
#include "texels_store_rgba32f.frag.h"
#include "texels_store_rgba8.comp.h"
#include "texels_store_rgba8.frag.h"
#include "texels_store_rgba8ui.comp.h"
#include "texels_store_rgba8ui.frag.h"
#include "texels_trilinear.comp.h"
#include "texels_trilinear.frag.h"
#include "texels_volume.comp.h"
#include "texels_volume.frag.h"

#include "util/macros.h"

enum { SIZE = 1024, ACCESSES = 8, LEVELS = 4, VOLUME = 64, CUBE = 512 };

/* PLANES: two, sampled with a Y'CbCr conversion. */
enum shape { SHAPE_2D, SHAPE_ARRAY, SHAPE_CUBE, SHAPE_VOLUME, SHAPE_MS, SHAPE_BUFFER, SHAPE_PLANES };

struct access {
   const char *name;
   VkFormat format;
   enum shape shape;
   VkFilter filter;
   VkDescriptorType type;
   bool has_compare;
   struct bench_shader shaders[2]; /* compute, fragment */
};

#define SHADERS(name) {{texels_##name##_comp, sizeof(texels_##name##_comp)}, {texels_##name##_frag, sizeof(texels_##name##_frag)}}
#define SAMPLED VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
#define BUFFER VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER

/* X(name of functions, name of rows, format, shape, filter, descriptor, compares, shader) */
#define ACCESSES_LIST(X)                                                                                               \
   X(fetch_rgba8, "fetch rgba8", R8G8B8A8_UNORM, 2D, NEAREST, SAMPLED, 0, fetch)                                       \
   X(fetch_r8, "fetch r8", R8_UNORM, 2D, NEAREST, SAMPLED, 0, fetch)                                                   \
   X(fetch_rg8, "fetch rg8", R8G8_UNORM, 2D, NEAREST, SAMPLED, 0, fetch)                                               \
   X(fetch_srgb8, "fetch srgb8", R8G8B8A8_SRGB, 2D, NEAREST, SAMPLED, 0, fetch)                                        \
   X(fetch_rgb10a2, "fetch rgb10a2", A2B10G10R10_UNORM_PACK32, 2D, NEAREST, SAMPLED, 0, fetch)                         \
   X(fetch_rg11b10f, "fetch r11f_g11f_b10f", B10G11R11_UFLOAT_PACK32, 2D, NEAREST, SAMPLED, 0, fetch)                  \
   X(fetch_r16f, "fetch r16f", R16_SFLOAT, 2D, NEAREST, SAMPLED, 0, fetch)                                             \
   X(fetch_rg16f, "fetch rg16f", R16G16_SFLOAT, 2D, NEAREST, SAMPLED, 0, fetch)                                        \
   X(fetch_rgba16f, "fetch rgba16f", R16G16B16A16_SFLOAT, 2D, NEAREST, SAMPLED, 0, fetch)                              \
   X(fetch_rg32f, "fetch rg32f", R32G32_SFLOAT, 2D, NEAREST, SAMPLED, 0, fetch)                                        \
   X(fetch_rgba32f, "fetch rgba32f", R32G32B32A32_SFLOAT, 2D, NEAREST, SAMPLED, 0, fetch)                              \
   X(fetch_r8ui, "fetch r8ui", R8_UINT, 2D, NEAREST, SAMPLED, 0, fetch_uint)                                           \
   X(fetch_r16ui, "fetch r16ui", R16_UINT, 2D, NEAREST, SAMPLED, 0, fetch_uint)                                        \
   X(fetch_rgba8ui, "fetch rgba8ui", R8G8B8A8_UINT, 2D, NEAREST, SAMPLED, 0, fetch_uint)                               \
   X(fetch_rgba16, "fetch rgba16", R16G16B16A16_UNORM, 2D, NEAREST, SAMPLED, 0, fetch)                                 \
   X(fetch_r32ui, "fetch r32ui", R32_UINT, 2D, NEAREST, SAMPLED, 0, fetch_uint)                                        \
   X(fetch_d32, "fetch d32", D32_SFLOAT, 2D, NEAREST, SAMPLED, 0, fetch)                                               \
   X(fetch_ms, "fetch of 4 samples", R8G8B8A8_UNORM, MS, NEAREST, SAMPLED, 0, fetch_ms)                                \
   X(buffer, "texel buffer", R8G8B8A8_UNORM, BUFFER, NEAREST, BUFFER, 0, buffer)                                       \
   X(load_rgba8, "image load rgba8", R8G8B8A8_UNORM, 2D, NEAREST, STORAGE, 0, load_rgba8)                              \
   X(load_r32f, "image load r32f", R32_SFLOAT, 2D, NEAREST, STORAGE, 0, load_r32f)                                     \
   X(load_rgba16f, "image load rgba16f", R16G16B16A16_SFLOAT, 2D, NEAREST, STORAGE, 0, load_rgba16f)                   \
   X(load_rgba32f, "image load rgba32f", R32G32B32A32_SFLOAT, 2D, NEAREST, STORAGE, 0, load_rgba32f)                   \
   X(load_rgba8ui, "image load rgba8ui", R8G8B8A8_UINT, 2D, NEAREST, STORAGE, 0, load_rgba8ui)                         \
   X(store_rgba8, "image store rgba8", R8G8B8A8_UNORM, 2D, NEAREST, STORAGE, 0, store_rgba8)                           \
   X(store_r8, "image store r8", R8_UNORM, 2D, NEAREST, STORAGE, 0, store_r8)                                          \
   X(store_rgba16f, "image store rgba16f", R16G16B16A16_SFLOAT, 2D, NEAREST, STORAGE, 0, store_rgba16f)                \
   X(store_rgba32f, "image store rgba32f", R32G32B32A32_SFLOAT, 2D, NEAREST, STORAGE, 0, store_rgba32f)                \
   X(store_r16f, "image store r16f", R16_SFLOAT, 2D, NEAREST, STORAGE, 0, store_r16f)                                  \
   X(store_r11f_g11f_b10f, "image store r11f_g11f_b10f", B10G11R11_UFLOAT_PACK32, 2D, NEAREST, STORAGE, 0, store_r11f_g11f_b10f)\
   X(store_r8ui, "image store r8ui", R8_UINT, 2D, NEAREST, STORAGE, 0, store_r8ui)                                     \
   X(store_rgba8ui, "image store rgba8ui", R8G8B8A8_UINT, 2D, NEAREST, STORAGE, 0, store_rgba8ui)                      \
   X(nearest, "nearest rgba8", R8G8B8A8_UNORM, 2D, NEAREST, SAMPLED, 0, sample)                                        \
   X(nearest_srgb8, "nearest srgb8", R8G8B8A8_SRGB, 2D, NEAREST, SAMPLED, 0, sample)                                   \
   X(rgba8, "bilinear rgba8", R8G8B8A8_UNORM, 2D, LINEAR, SAMPLED, 0, sample)                                          \
   X(srgb8, "bilinear srgb8", R8G8B8A8_SRGB, 2D, LINEAR, SAMPLED, 0, sample)                                           \
   X(r8, "bilinear r8", R8_UNORM, 2D, LINEAR, SAMPLED, 0, sample)                                                      \
   X(rg8, "bilinear rg8", R8G8_UNORM, 2D, LINEAR, SAMPLED, 0, sample)                                                  \
   X(rgb10a2, "bilinear rgb10a2", A2B10G10R10_UNORM_PACK32, 2D, LINEAR, SAMPLED, 0, sample)                            \
   X(rgba16f, "bilinear rgba16f", R16G16B16A16_SFLOAT, 2D, LINEAR, SAMPLED, 0, sample)                                 \
   X(r32f, "bilinear r32f", R32_SFLOAT, 2D, LINEAR, SAMPLED, 0, sample)                                                \
   X(nv12, "bilinear nv12", G8_B8R8_2PLANE_420_UNORM, PLANES, LINEAR, SAMPLED, 0, sample)                              \
   X(bc1, "bilinear bc1", BC1_RGBA_UNORM_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                        \
   X(bc3, "bilinear bc3", BC3_UNORM_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                             \
   X(bc7, "bilinear bc7", BC7_UNORM_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                             \
   X(bc6h, "bilinear bc6h", BC6H_UFLOAT_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                         \
   X(etc2, "bilinear etc2", ETC2_R8G8B8A8_UNORM_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                 \
   X(astc, "bilinear astc 4x4", ASTC_4x4_UNORM_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                  \
   X(astc8, "bilinear astc 8x8", ASTC_8x8_SRGB_BLOCK, 2D, LINEAR, SAMPLED, 0, sample)                                  \
   X(trilinear_bc7, "trilinear bc7", BC7_UNORM_BLOCK, 2D, LINEAR, SAMPLED, 0, trilinear)                               \
   X(offset, "constant offset", R8G8B8A8_UNORM, 2D, LINEAR, SAMPLED, 0, offset)                                        \
   X(compare, "depth compare", D32_SFLOAT, 2D, LINEAR, SAMPLED, 1, compare)                                            \
   X(gather, "gather", R8G8B8A8_UNORM, 2D, LINEAR, SAMPLED, 0, gather)                                                 \
   X(gather_compare, "gather compare", D32_SFLOAT, 2D, LINEAR, SAMPLED, 1, gather_compare)                             \
   X(array, "array rgba8", R8G8B8A8_UNORM, ARRAY, LINEAR, SAMPLED, 0, array)                                           \
   X(cube, "cube rgba8", R8G8B8A8_UNORM, CUBE, LINEAR, SAMPLED, 0, cube)                                               \
   X(volume, "3D rgba8", R8G8B8A8_UNORM, VOLUME, LINEAR, SAMPLED, 0, volume)                                           \
   X(trilinear, "trilinear rgba8", R8G8B8A8_UNORM, 2D, LINEAR, SAMPLED, 0, trilinear)                                  \
   X(trilinear_srgb8, "trilinear srgb8", R8G8B8A8_SRGB, 2D, LINEAR, SAMPLED, 0, trilinear)                             \
   X(incoherent, "incoherent rgba8", R8G8B8A8_UNORM, 2D, LINEAR, SAMPLED, 0, incoherent)

struct job {
   struct client *client;
   const struct access *access;
   struct client_image image;
   struct client_buffer texels, sums;
   VkBufferView view;
   VkSampler sampler;
   VkSamplerYcbcrConversion conversion;
   struct client_set set;
};

/* Bytes that are finite numbers in every format. */
static void fill(struct client_buffer *buffer)
{
   for (size_t i = 0; i < buffer->size_bytes; i++)
      ((uint8_t *)buffer->map)[i] = (uint8_t)((uint32_t)i * 2654435761u >> 13) & 0x3b;
}

static void make_image(struct job *job)
{
   const struct access *access = job->access;
   const bool is_storage = access->type == STORAGE, is_ms = access->shape == SHAPE_MS;
   const uint32_t size = access->shape == SHAPE_CUBE ? CUBE : access->shape == SHAPE_VOLUME ? VOLUME : is_ms ? SIZE / 2 : SIZE;
   const VkImageAspectFlags aspect = access->format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = access->shape == SHAPE_CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .imageType = access->shape == SHAPE_VOLUME ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
      .format = access->format,
      .extent = {size, size, access->shape == SHAPE_VOLUME ? VOLUME : 1},
      .mipLevels = access->shape == SHAPE_2D && !is_storage ? LEVELS : 1,
      .arrayLayers = access->shape == SHAPE_CUBE ? 6 : access->shape == SHAPE_ARRAY ? 2 : 1,
      .samples = is_ms ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
      .usage = (is_storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT) | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (is_ms ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : 0),
   };
   static const VkImageViewType views[] = {
      [SHAPE_2D] = VK_IMAGE_VIEW_TYPE_2D,     [SHAPE_ARRAY] = VK_IMAGE_VIEW_TYPE_2D_ARRAY, [SHAPE_CUBE] = VK_IMAGE_VIEW_TYPE_CUBE,
      [SHAPE_VOLUME] = VK_IMAGE_VIEW_TYPE_3D, [SHAPE_MS] = VK_IMAGE_VIEW_TYPE_2D,    [SHAPE_PLANES] = VK_IMAGE_VIEW_TYPE_2D,
   };
   job->image = bench_picture_create(job->client, &info, views[access->shape], aspect, job->conversion);
   VkCommandBuffer cmd = client_begin(job->client);
   bench_picture_layout(cmd, &job->image, aspect, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   if (is_ms) {
      const VkClearColorValue color = {.float32 = {0.1f, 0.2f, 0.3f, 0.4f}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      vk.CmdClearColorImage(cmd, job->image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   } else if (access->shape == SHAPE_PLANES) {
      const VkBufferImageCopy copies[2] = {
         {.imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}},
         {.imageSubresource = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, .imageExtent = {SIZE / 2, SIZE / 2, 1}},
      };
      vk.CmdCopyBufferToImage(cmd, job->texels.buffer, job->image.image, VK_IMAGE_LAYOUT_GENERAL, 2, copies);
   } else {
      VkBufferImageCopy copies[LEVELS];
      for (uint32_t i = 0; i < info.mipLevels; i++)
         copies[i] = (VkBufferImageCopy){.imageSubresource = {aspect, i, 0, info.arrayLayers},
                                         .imageExtent = {size >> i, size >> i, info.extent.depth}};
      vk.CmdCopyBufferToImage(cmd, job->texels.buffer, job->image.image, VK_IMAGE_LAYOUT_GENERAL, info.mipLevels, copies);
   }
   bench_picture_layout(cmd, &job->image, aspect, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
   client_run(job->client, cmd);
}

/* As video is: BT.709, narrow range, chroma beside the left texels. */
static void make_conversion(struct job *job)
{
   const VkSamplerYcbcrConversionCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
                                                    .format = job->access->format,
                                                    .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
                                                    .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW,
                                                    .xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN,
                                                    .yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN,
                                                    .chromaFilter = VK_FILTER_LINEAR};
   const PFN_vkCreateSamplerYcbcrConversion create =
      (PFN_vkCreateSamplerYcbcrConversion)vk.GetDeviceProcAddr(job->client->device, "vkCreateSamplerYcbcrConversion");
   client_check(create(job->client->device, &info, NULL, &job->conversion), "vkCreateSamplerYcbcrConversion");
}

static void make_sampler(struct job *job)
{
   const struct access *access = job->access;
   if (access->shape == SHAPE_PLANES)
      make_conversion(job);
   const VkSamplerYcbcrConversionInfo with = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, job->conversion};
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .pNext = job->conversion ? &with : NULL,
                                     .magFilter = access->filter,
                                     .minFilter = access->filter,
                                     .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .compareEnable = access->has_compare,
                                     .compareOp = VK_COMPARE_OP_LESS,
                                     .maxLod = VK_LOD_CLAMP_NONE};
   client_check(vk.CreateSampler(job->client->device, &info, NULL, &job->sampler), "vkCreateSampler");
}

static void make_resources(struct job *job)
{
   struct client *client = job->client;
   const struct access *access = job->access;
   const VkDescriptorType types[2] = {access->type, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   job->texels = client_buffer_create(client, SIZE * SIZE * 16, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
   job->sums = client_buffer_create(client, SIZE * SIZE * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   fill(&job->texels);
   if (access->shape != SHAPE_BUFFER)
      make_sampler(job);
   job->set = client_set_create_with(client, 2, types, NULL, job->conversion ? job->sampler : VK_NULL_HANDLE);
   client_set_buffer(client, &job->set, 1, types[1], &job->sums);
   if (access->shape == SHAPE_BUFFER) {
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = job->texels.buffer,
                                           .format = access->format,
                                           .range = SIZE * SIZE * 4};
      const PFN_vkCreateBufferView create =
         (PFN_vkCreateBufferView)vk.GetDeviceProcAddr(client->device, "vkCreateBufferView");
      client_check(create(client->device, &info, NULL, &job->view), "vkCreateBufferView");
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = job->set.set,
                                          .descriptorCount = 1,
                                          .descriptorType = access->type,
                                          .pTexelBufferView = &job->view};
      vk.UpdateDescriptorSets(client->device, 1, &write, 0, NULL);
      return;
   }
   make_image(job);
   client_set_image(client, &job->set, 0, access->type, job->image.view, job->sampler, VK_IMAGE_LAYOUT_GENERAL);
}

static void job_finish(struct job *job)
{
   VkDevice device = job->client->device;
   vk.DestroySampler(device, job->sampler, NULL);
   ((PFN_vkDestroySamplerYcbcrConversion)vk.GetDeviceProcAddr(device, "vkDestroySamplerYcbcrConversion"))(device, job->conversion, NULL);
   ((PFN_vkDestroyBufferView)vk.GetDeviceProcAddr(device, "vkDestroyBufferView"))(device, job->view, NULL);
   client_image_destroy(job->client, &job->image);
   client_set_destroy(job->client, &job->set);
   client_buffer_destroy(job->client, &job->texels);
   client_buffer_destroy(job->client, &job->sums);
}

/* Millions of accesses a second. */
static double measure(struct client *client, const struct access *access, bool is_fragment)
{
   struct job job = {.client = client, .access = access};
   make_resources(&job);
   struct bench_work work = is_fragment ? bench_work_picture(client, &job.set, access->shaders[1], SIZE, SIZE)
                                        : bench_work_dispatch(client, &job.set, access->shaders[0], (const uint32_t[]){SIZE / 8, SIZE / 8});
   const double seconds = bench_median(0.3, bench_work_submit, &work);
   bench_work_destroy(&work);
   job_finish(&job);
   return (double)ACCESSES * SIZE * SIZE / seconds * 1e-6;
}

#define DEFINE(id, text, vk_format, form, vk_filter, descriptor, compares, shader)                                     \
   static const struct access id = {                                                                                   \
      text, VK_FORMAT_##vk_format, SHAPE_##form, VK_FILTER_##vk_filter, descriptor, compares, SHADERS(shader)};        \
   static double id##_in_compute(struct client *client)                                                                \
   {                                                                                                                   \
      return measure(client, &id, false);                                                                              \
   }                                                                                                                   \
   static double id##_in_fragments(struct client *client)                                                              \
   {                                                                                                                   \
      return measure(client, &id, true);                                                                               \
   }
ACCESSES_LIST(DEFINE)

#define NEED(shape, format) (shape == SHAPE_PLANES ? BENCH_NEEDS_CONVERSION : IS_MOBILE(format) ? BENCH_NEEDS_BLOCKS : BENCH_NEEDS_NOTHING)
#define IS_MOBILE(format) (format >= VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK && format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK)
#define COMPUTE_ROW(id, text, format, form, ...) {"texels, " text, "Maccess/s", false, id##_in_compute, NEED(SHAPE_##form, VK_FORMAT_##format)},
#define FRAGMENT_ROW(id, text, format, form, ...)                                                                      \
   {"texels of fragments, " text, "Maccess/s", false, id##_in_fragments, NEED(SHAPE_##form, VK_FORMAT_##format)},
const struct bench_row bench_texel_rows[] = {
   ACCESSES_LIST(COMPUTE_ROW) ACCESSES_LIST(FRAGMENT_ROW){NULL, NULL, false, NULL},
};
