/* SPDX-License-Identifier: MIT
 * Rows of commands that move or fill texels and bytes without a shader: copies, blits, clears, resolves. One command, eight times with a
 * barrier after each; images are of 1024 x 1024 unless the row says otherwise. */
#include "tests/bench/bench.h"

#include "util/macros.h"

#include <string.h>

enum { SIZE = 1024, REPEATS = 8, MAX_TEXEL_BYTES = 16, NUM_REGIONS = 1000 };

#define device_function(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

struct transfer {
   struct client *client;
   const struct transfer_row *row;
   VkCommandBuffer cmd;
   struct client_buffer buffers[2];
   struct client_image from, to;
};

/* Records one command. */
typedef void record_fn(const struct transfer *t);

struct transfer_row {
   record_fn *record;
   VkFormat from, to; /* UNDEFINED: there is none */
   uint32_t from_size, to_size;
   VkSampleCountFlagBits samples; /* of `from` */
   VkFilter filter;
   double work; /* bytes or texels of one command */
};

static VkImageSubresourceLayers layers(const struct client_image *image)
{
   return (VkImageSubresourceLayers){.aspectMask = client_aspects(image->format), .layerCount = 1};
}

static VkImageSubresourceRange range(const struct client_image *image)
{
   return (VkImageSubresourceRange){.aspectMask = client_aspects(image->format), .levelCount = 1, .layerCount = 1};
}

static void fill(const struct transfer *t)
{
   vk.CmdFillBuffer(t->cmd, t->buffers[0].buffer, 0, VK_WHOLE_SIZE, 0x01020304);
}

static void update(const struct transfer *t)
{
   static const uint8_t bytes[256];
   for (uint32_t i = 0; i < NUM_REGIONS; i++)
      vk.CmdUpdateBuffer(t->cmd, t->buffers[0].buffer, i * sizeof(bytes), sizeof(bytes), bytes);
}

static void copy_regions(const struct transfer *t)
{
   VkBufferCopy regions[NUM_REGIONS];
   for (uint32_t i = 0; i < NUM_REGIONS; i++)
      regions[i] = (VkBufferCopy){i * 1024, (NUM_REGIONS - 1 - i) * 1024, 256};
   vk.CmdCopyBuffer(t->cmd, t->buffers[0].buffer, t->buffers[1].buffer, NUM_REGIONS, regions);
}

static VkBufferImageCopy whole(const struct client_image *image)
{
   return (VkBufferImageCopy){.imageSubresource = layers(image), .imageExtent = {image->width, image->height, 1}};
}

static void upload(const struct transfer *t)
{
   const VkBufferImageCopy region = whole(&t->to);
   vk.CmdCopyBufferToImage(t->cmd, t->buffers[0].buffer, t->to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void download(const struct transfer *t)
{
   const VkBufferImageCopy region = whole(&t->from);
   vk.CmdCopyImageToBuffer(t->cmd, t->from.image, VK_IMAGE_LAYOUT_GENERAL, t->buffers[0].buffer, 1, &region);
}

/* Glyphs and small textures: 16 x 16 texels each. */
static void upload_regions(const struct transfer *t)
{
   VkBufferImageCopy regions[NUM_REGIONS];
   for (uint32_t i = 0; i < NUM_REGIONS; i++)
      regions[i] = (VkBufferImageCopy){.bufferOffset = i * 1024,
                                       .imageSubresource = layers(&t->to),
                                       .imageOffset = {(int32_t)(i % 50 * 20 + 3), (int32_t)(i / 50 * 20 + 1), 0},
                                       .imageExtent = {16, 16, 1}};
   vk.CmdCopyBufferToImage(t->cmd, t->buffers[0].buffer, t->to.image, VK_IMAGE_LAYOUT_GENERAL, NUM_REGIONS, regions);
}

static void copy_image(const struct transfer *t)
{
   const VkImageCopy region = {.srcSubresource = layers(&t->from), .dstSubresource = layers(&t->to), .extent = {t->to.width, t->to.height, 1}};
   device_function(t->client, CmdCopyImage)(t->cmd, t->from.image, VK_IMAGE_LAYOUT_GENERAL, t->to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

/* Moved by a few texels. */
static void copy_part(const struct transfer *t)
{
   const VkImageCopy region = {.srcSubresource = layers(&t->from),
                               .srcOffset = {3, 5, 0},
                               .dstSubresource = layers(&t->to),
                               .dstOffset = {10, 1, 0},
                               .extent = {t->to.width - 11, t->to.height - 7, 1}};
   device_function(t->client, CmdCopyImage)(t->cmd, t->from.image, VK_IMAGE_LAYOUT_GENERAL, t->to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void blit(const struct transfer *t)
{
   const VkImageBlit region = {.srcSubresource = layers(&t->from),
                               .srcOffsets = {{0, 0, 0}, {(int32_t)t->from.width, (int32_t)t->from.height, 1}},
                               .dstSubresource = layers(&t->to),
                               .dstOffsets = {{0, 0, 0}, {(int32_t)t->to.width, (int32_t)t->to.height, 1}}};
   vk.CmdBlitImage(t->cmd, t->from.image, VK_IMAGE_LAYOUT_GENERAL, t->to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region, t->row->filter);
}

static void clear(const struct transfer *t)
{
   const VkImageSubresourceRange all = range(&t->to);
   if (all.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT) {
      const VkClearColorValue color = {.float32 = {0.1f, 0.2f, 0.3f, 0.4f}};
      vk.CmdClearColorImage(t->cmd, t->to.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
   } else {
      const VkClearDepthStencilValue value = {0.5f, 3};
      device_function(t->client, CmdClearDepthStencilImage)(t->cmd, t->to.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &all);
   }
}

static void resolve(const struct transfer *t)
{
   const VkImageResolve region = {.srcSubresource = layers(&t->from), .dstSubresource = layers(&t->to), .extent = {t->to.width, t->to.height, 1}};
   vk.CmdResolveImage(t->cmd, t->from.image, VK_IMAGE_LAYOUT_GENERAL, t->to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static struct client_image create_image(struct client *client, VkFormat format, uint32_t size, VkSampleCountFlagBits samples)
{
   const VkImageUsageFlags target =
      client_aspects(format) == VK_IMAGE_ASPECT_COLOR_BIT ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
   return client_image_create(client, format, size, size, 1, samples,
                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                 (samples > VK_SAMPLE_COUNT_1_BIT ? target : 0));
}

/* Something that differs from texel to texel; samples are rendered, and here cleared. */
static void write_source(const struct transfer *t)
{
   VkCommandBuffer cmd = client_begin(t->client);
   client_transition(cmd, &t->from, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   const VkImageSubresourceRange all = range(&t->from);
   const VkClearColorValue color = {.float32 = {0.1f, 0.2f, 0.3f, 0.4f}};
   VkBufferImageCopy region = whole(&t->from);
   if (t->from.samples > VK_SAMPLE_COUNT_1_BIT) {
      vk.CmdClearColorImage(cmd, t->from.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
   } else {
      region.imageSubresource.aspectMask &= ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT;
      vk.CmdCopyBufferToImage(cmd, t->buffers[1].buffer, t->from.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   }
   client_barrier(cmd);
   client_run(t->client, cmd);
}

static void submit(void *data)
{
   struct transfer *t = data;
   client_submit(t->client, t->cmd);
}

static double measure(struct client *client, const struct transfer_row *row)
{
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
   struct transfer t = {.client = client, .row = row};
   for (uint32_t i = 0; i < 2; i++)
      t.buffers[i] = client_buffer_create(client, (size_t)SIZE * SIZE * MAX_TEXEL_BYTES, usage);
   uint32_t *words = t.buffers[1].map;
   for (uint32_t i = 0; i < SIZE * SIZE * MAX_TEXEL_BYTES / 4; i++)
      words[i] = (i * 2654435761u) & 0x3f7f3f7f; /* floats and halves are finite */
   if (row->from) {
      t.from = create_image(client, row->from, row->from_size, row->samples);
      write_source(&t);
   }
   if (row->to)
      t.to = create_image(client, row->to, row->to_size, VK_SAMPLE_COUNT_1_BIT);
   t.cmd = client_begin(client);
   if (row->to)
      client_transition(t.cmd, &t.to, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t i = 0; i < REPEATS; i++) {
      row->record(&t);
      client_barrier(t.cmd);
   }
   client_end(t.cmd);
   const double seconds = bench_median(0.2, submit, &t);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &t.cmd);
   if (row->from)
      client_image_destroy(client, &t.from);
   if (row->to)
      client_image_destroy(client, &t.to);
   for (uint32_t i = 0; i < 2; i++)
      client_buffer_destroy(client, &t.buffers[i]);
   return REPEATS * row->work / seconds * 1e-9;
}

#define TEXELS ((double)SIZE * SIZE)
#define BUFFER_BYTES (TEXELS * MAX_TEXEL_BYTES)

/* X(name of functions, name of rows, unit, what a struct transfer_row has) */
#define TO(id, text, function, format) X(id, text, "Gtexel/s", .record = function, .to = VK_FORMAT_##format, .to_size = SIZE, .work = TEXELS)
#define BETWEEN(id, text, function, source, destination, source_size, destination_size, wanted_filter)                 \
   X(id, text, "Gtexel/s", .record = function, .from = VK_FORMAT_##source, .to = VK_FORMAT_##destination,              \
     .from_size = source_size, .to_size = destination_size, .samples = VK_SAMPLE_COUNT_1_BIT,                          \
     .filter = VK_FILTER_##wanted_filter, .work = (double)(destination_size) * (destination_size))
#define RESOLVE(id, text, format, count)                                                                               \
   X(id, text, "Gtexel/s", .record = resolve, .from = VK_FORMAT_##format, .to = VK_FORMAT_##format, .from_size = SIZE, \
     .to_size = SIZE, .samples = VK_SAMPLE_COUNT_##count##_BIT, .work = TEXELS)
#define ROWS                                                                                                           \
   X(fill, "transfer: fill a buffer", "GB/s", .record = fill, .work = BUFFER_BYTES)                                    \
   X(update, "transfer: update 256 bytes, 1,000 times", "GB/s", .record = update, .work = 256.0 * NUM_REGIONS)         \
   X(regions, "transfer: copy 1,000 regions of 256 bytes", "GB/s", .record = copy_regions, .work = 256.0 * NUM_REGIONS) \
   TO(upload_rgba8, "transfer: buffer to rgba8", upload, R8G8B8A8_UNORM)                                               \
   TO(upload_r8, "transfer: buffer to r8", upload, R8_UNORM)                                                           \
   TO(upload_rgba16f, "transfer: buffer to rgba16f", upload, R16G16B16A16_SFLOAT)                                      \
   TO(upload_bc1, "transfer: buffer to bc1", upload, BC1_RGBA_UNORM_BLOCK)                                             \
   TO(upload_bc7, "transfer: buffer to bc7", upload, BC7_UNORM_BLOCK)                                                  \
   TO(upload_d32, "transfer: buffer to d32", upload, D32_SFLOAT)                                                       \
   X(glyphs, "transfer: buffer to 1,000 parts of r8", "Gtexel/s", .record = upload_regions, .to = VK_FORMAT_R8_UNORM,  \
     .to_size = SIZE, .work = 256.0 * NUM_REGIONS)                                                                     \
   X(glyphs_rgba8, "transfer: buffer to 1,000 parts of rgba8", "Gtexel/s", .record = upload_regions,                   \
     .to = VK_FORMAT_R8G8B8A8_UNORM, .to_size = SIZE, .work = 256.0 * NUM_REGIONS)                                     \
   DOWNLOAD(download_rgba8, "transfer: rgba8 to buffer", R8G8B8A8_UNORM)                                               \
   DOWNLOAD(download_r8, "transfer: r8 to buffer", R8_UNORM)                                                           \
   DOWNLOAD(download_rgba16f, "transfer: rgba16f to buffer", R16G16B16A16_SFLOAT)                                      \
   DOWNLOAD(download_d32, "transfer: d32 to buffer", D32_SFLOAT)                                                       \
   BETWEEN(copy_rgba8, "transfer: copy rgba8", copy_image, R8G8B8A8_UNORM, R8G8B8A8_UNORM, SIZE, SIZE, NEAREST)        \
   BETWEEN(copy_r8, "transfer: copy r8", copy_image, R8_UNORM, R8_UNORM, SIZE, SIZE, NEAREST)                          \
   BETWEEN(copy_rgba32f, "transfer: copy rgba32f", copy_image, R32G32B32A32_SFLOAT, R32G32B32A32_SFLOAT, SIZE, SIZE, NEAREST) \
   BETWEEN(copy_d24s8, "transfer: copy d24s8", copy_image, D24_UNORM_S8_UINT, D24_UNORM_S8_UINT, SIZE, SIZE, NEAREST)  \
   BETWEEN(part_rgba8, "transfer: copy a part of rgba8", copy_part, R8G8B8A8_UNORM, R8G8B8A8_UNORM, SIZE, SIZE, NEAREST) \
   BETWEEN(part_r8, "transfer: copy a part of r8", copy_part, R8_UNORM, R8_UNORM, SIZE, SIZE, NEAREST)                 \
   BETWEEN(blit_rgba8, "transfer: blit rgba8", blit, R8G8B8A8_UNORM, R8G8B8A8_UNORM, SIZE, SIZE, NEAREST)              \
   BETWEEN(blit_bgra8, "transfer: blit rgba8 to bgra8", blit, R8G8B8A8_UNORM, B8G8R8A8_UNORM, SIZE, SIZE, NEAREST)     \
   BETWEEN(blit_half, "transfer: blit rgba16f to rgba8", blit, R16G16B16A16_SFLOAT, R8G8B8A8_UNORM, SIZE, SIZE, NEAREST) \
   BETWEEN(blit_srgb, "transfer: blit rgba8 to srgb8", blit, R8G8B8A8_UNORM, R8G8B8A8_SRGB, SIZE, SIZE, NEAREST)       \
   BETWEEN(blit_near, "transfer: blit rgba8 twice as large, nearest", blit, R8G8B8A8_UNORM, R8G8B8A8_UNORM, 512, SIZE, NEAREST) \
   BETWEEN(blit_mip, "transfer: blit rgba8 to the next level", blit, R8G8B8A8_UNORM, R8G8B8A8_UNORM, SIZE, 512, LINEAR) \
   BETWEEN(blit_mip_srgb, "transfer: blit srgb8 to the next level", blit, R8G8B8A8_SRGB, R8G8B8A8_SRGB, SIZE, 512, LINEAR) \
   BETWEEN(blit_mip_half, "transfer: blit rgba16f to the next level", blit, R16G16B16A16_SFLOAT, R16G16B16A16_SFLOAT, SIZE, 512, LINEAR) \
   BETWEEN(blit_mip_r8, "transfer: blit r8 to the next level", blit, R8_UNORM, R8_UNORM, SIZE, 512, LINEAR)            \
   BETWEEN(blit_scale, "transfer: blit rgba8, scaled, linear", blit, R8G8B8A8_UNORM, R8G8B8A8_UNORM, 700, SIZE, LINEAR) \
   BETWEEN(blit_scale_half, "transfer: blit rgba16f, scaled, linear", blit, R16G16B16A16_SFLOAT, R16G16B16A16_SFLOAT, 700, SIZE, LINEAR) \
   TO(clear_rgba8, "transfer: clear rgba8", clear, R8G8B8A8_UNORM)                                                     \
   TO(clear_r8, "transfer: clear r8", clear, R8_UNORM)                                                                 \
   TO(clear_rgba16f, "transfer: clear rgba16f", clear, R16G16B16A16_SFLOAT)                                            \
   TO(clear_rgba32f, "transfer: clear rgba32f", clear, R32G32B32A32_SFLOAT)                                            \
   TO(clear_d32, "transfer: clear d32", clear, D32_SFLOAT)                                                             \
   TO(clear_d24s8, "transfer: clear d24s8", clear, D24_UNORM_S8_UINT)                                                  \
   RESOLVE(resolve_rgba8, "transfer: resolve rgba8, 4x", R8G8B8A8_UNORM, 4)                                            \
   RESOLVE(resolve_srgb8, "transfer: resolve srgb8, 4x", R8G8B8A8_SRGB, 4)                                             \
   RESOLVE(resolve_rgba16f, "transfer: resolve rgba16f, 4x", R16G16B16A16_SFLOAT, 4)                                   \
   RESOLVE(resolve_rg11b10f, "transfer: resolve rg11b10f, 4x", B10G11R11_UFLOAT_PACK32, 4)                             \
   RESOLVE(resolve_r32f, "transfer: resolve r32f, 4x", R32_SFLOAT, 4)
#define DOWNLOAD(id, text, format)                                                                                     \
   X(id, text, "Gtexel/s", .record = download, .from = VK_FORMAT_##format, .from_size = SIZE,                          \
     .samples = VK_SAMPLE_COUNT_1_BIT, .work = TEXELS)

#define X(id, text, unit, ...)                                                                                         \
   static double run_##id(struct client *client)                                                                       \
   {                                                                                                                   \
      static const struct transfer_row row = {__VA_ARGS__};                                                            \
      return measure(client, &row);                                                                                    \
   }
ROWS
#undef X

const struct bench_row bench_transfer_rows[] = {
#define X(id, text, unit, ...) {text, unit, false, run_##id},
   ROWS
#undef X
   {NULL, NULL, false, NULL},
};
