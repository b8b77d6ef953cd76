/* SPDX-License-Identifier: MIT
 * Ordinary work: whole shaders like those that engines, players and user interfaces run, 1280 x 720 pixels or as many items as the
 * table says. Each source is in shaders/ordinary/; all share the bindings of common.glsl. */
#include "tests/bench/bench.h"
#include "tests/bench/picture.h"
#include "tests/bench/work.h"

#include "ordinary_advect.frag.h"
#include "ordinary_antialias.frag.h"
#include "ordinary_bicubic.frag.h"
#include "ordinary_bilateral.frag.h"
#include "ordinary_bloom_down.frag.h"
#include "ordinary_blur.frag.h"
#include "ordinary_bodies.comp.h"
#include "ordinary_borders.frag.h"
#include "ordinary_boxes.frag.h"
#include "ordinary_bytes.comp.h"
#include "ordinary_cells.frag.h"
#include "ordinary_checksum.comp.h"
#include "ordinary_clouds.frag.h"
#include "ordinary_clustered.frag.h"
#include "ordinary_compact.comp.h"
#include "ordinary_convolve.comp.h"
#include "ordinary_cosines.comp.h"
#include "ordinary_depth_of_field.frag.h"
#include "ordinary_dilate.comp.h"
#include "ordinary_disc_shadow.frag.h"
#include "ordinary_distance.comp.h"
#include "ordinary_edges.frag.h"
#include "ordinary_flood.frag.h"
#include "ordinary_fourier.comp.h"
#include "ordinary_fractal_noise.frag.h"
#include "ordinary_fractal_set.frag.h"
#include "ordinary_grade.frag.h"
#include "ordinary_hash.comp.h"
#include "ordinary_histogram.comp.h"
#include "ordinary_indexed_lights.frag.h"
#include "ordinary_kuwahara.frag.h"
#include "ordinary_lattice.comp.h"
#include "ordinary_life.comp.h"
#include "ordinary_march.frag.h"
#include "ordinary_median.comp.h"
#include "ordinary_mirror.frag.h"
#include "ordinary_motion.comp.h"
#include "ordinary_occlusion.frag.h"
#include "ordinary_outlines.frag.h"
#include "ordinary_palette.frag.h"
#include "ordinary_parallax.frag.h"
#include "ordinary_paths.frag.h"
#include "ordinary_permuted_noise.frag.h"
#include "ordinary_physical.frag.h"
#include "ordinary_quantized.comp.h"
#include "ordinary_reflection.frag.h"
#include "ordinary_resolve.frag.h"
#include "ordinary_rows_times.comp.h"
#include "ordinary_scan.comp.h"
#include "ordinary_sharpen.comp.h"
#include "ordinary_simplex.frag.h"
#include "ordinary_skin.comp.h"
#include "ordinary_sky.frag.h"
#include "ordinary_soft_shadow.frag.h"
#include "ordinary_softmax.comp.h"
#include "ordinary_sort.comp.h"
#include "ordinary_splats.frag.h"
#include "ordinary_surface.comp.h"
#include "ordinary_text.frag.h"
#include "ordinary_tree.comp.h"
#include "ordinary_triplanar.frag.h"
#include "ordinary_video.frag.h"
#include "ordinary_voxels.frag.h"
#include "ordinary_water.frag.h"
#include "ordinary_wave.comp.h"

#include "util/macros.h"

#include <math.h>

enum { WIDTH = 1280, HEIGHT = 720, SIZE = 1024, LEVELS = 4, NUM_LIGHTS = 64, NUM_IMAGES = 6, NUM_SAMPLERS = 2, NUM_BUFFERS = 3, NUM_BINDINGS = 11 };

/* X(name, name of the row): fragment shaders. */
#define PICTURES(X) \
   X(antialias, "anti-aliasing by luma") \
   X(soft_shadow, "soft shadow, 16 rotated taps") \
   X(bloom_down, "bloom") \
   X(grade, "tone map, 3D table") \
   X(video, "luma and chroma to colours") \
   X(text, "text of distances") \
   X(boxes, "rounded rectangles") \
   X(clustered, "clustered lights") \
   X(reflection, "cube reflection") \
   X(blur, "9 x 9 blur") \
   X(bicubic, "bicubic") \
   X(fractal_noise, "fractal noise") \
   X(march, "ray march") \
   X(occlusion, "ambient occlusion") \
   X(physical, "physically based, 16 lights") \
   X(resolve, "temporal anti-aliasing") \
   X(depth_of_field, "depth of field") \
   X(sky, "sky") \
   X(cells, "cellular noise") \
   X(parallax, "parallax") \
   X(clouds, "clouds, 3D noise") \
   X(mirror, "reflections on the screen") \
   X(kuwahara, "Kuwahara filter") \
   X(borders, "borders of cells") \
   X(edges, "anti-aliasing along edges") \
   X(indexed_lights, "lights by a list") \
   X(disc_shadow, "shadow, taps from a disc") \
   X(palette, "palette, ordered dither") \
   X(permuted_noise, "noise by permutations") \
   X(paths, "light's paths among spheres") \
   X(bilateral, "bilateral filter of 7 x 7") \
   X(water, "waves of water") \
   X(advect, "flow of a fluid") \
   X(splats, "soft particles of a tile") \
   X(fractal_set, "fractal by iteration") \
   X(flood, "jump flooding") \
   X(outlines, "text by outlines") \
   X(voxels, "rays through voxels") \
   X(triplanar, "ground from three sides") \
   X(simplex, "gradient noise in 3D")
/* X(name, name of the row, workgroups, items): kernels. */
#define KERNELS(X) \
   X(median, "median of 3 x 3, images", 1024 / 16, 1024 / 8, 1024 * 1024) \
   X(sharpen, "5 x 5 filter, images", 1024 / 16, 1024 / 16, 1024 * 1024) \
   X(fourier, "Fourier transforms of 256", 2048, 1, 2048 * 256) \
   X(quantized, "4-bit matrix by vector", 4096, 1, 4096 * 4096) \
   X(sort, "sorts of 512", 2048, 1, 2048 * 512) \
   X(skin, "skinning, 4 bones", 512, 1, 512 * 64) \
   X(scan, "prefix sums of 512", 2048, 1, 2048 * 512) \
   X(bodies, "gravity of 2048 bodies", 16, 1, 2048 * 2048) \
   X(convolve, "3 x 3 network layer", 4, 16 * 64, 64 * 64 * 64) \
   X(softmax, "softmax of rows", 1024, 1, 1024 * 1024) \
   X(hash, "SHA-256 of blocks", 1024, 1, 1024 * 64) \
   X(cosines, "cosine transforms of 8 x 8", 1024 / 8, 1024 / 8, 1024 * 1024) \
   X(tree, "a tree with a stack", 1024, 1, 1024 * 64) \
   X(life, "cells that live and die", 16384, 1, 16384 * 64) \
   X(rows_times, "sparse matrix by vector", 1024, 1, 1024 * 64) \
   X(histogram, "counts of bytes", 256, 1, 256 * 8192) \
   X(motion, "motion of blocks", 256, 1, 256 * 64) \
   X(compact, "wanted items side by side", 8192, 1, 8192 * 128) \
   X(checksum, "checksums of 64 bytes", 2048, 1, 2048 * 64) \
   X(distance, "distances of words", 512, 1, 512 * 64) \
   X(dilate, "largest of 7 x 7, shared tiles", 1024 / 16, 1024 / 16, 1024 * 1024) \
   X(wave, "a wave on a grid", 1024 / 16, 512 / 8, 1024 * 512) \
   X(lattice, "a fluid on a lattice", 1024, 1, 256 * 256) \
   X(bytes, "edges of a picture of bytes", 8192, 1, 8192 * 64) \
   X(surface, "cells of a surface", 512 / 8, 512 / 8, 512 * 512)

struct row {
   struct bench_shader shader;
   uint32_t groups[2]; /* 0: a fragment shader */
   double items;
};

enum image { IMAGE_PICTURE, IMAGE_DEPTHS, IMAGE_TABLE, IMAGE_ENVIRONMENT, IMAGE_BRIGHT, IMAGE_TO };

struct job {
   struct client *client;
   struct client_image images[NUM_IMAGES], from;
   struct client_buffer staging, buffers[NUM_BUFFERS];
   VkSampler samplers[NUM_SAMPLERS];
   struct client_set set;
};

static const struct shape {
   VkFormat format;
   VkImageViewType view;
   uint32_t size, depth, layers, levels;
   VkImageUsageFlags usage;
} shapes[NUM_IMAGES + 1] = {
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D, SIZE, 1, 1, LEVELS, VK_IMAGE_USAGE_SAMPLED_BIT},
   {VK_FORMAT_D32_SFLOAT, VK_IMAGE_VIEW_TYPE_2D, SIZE, 1, 1, 1, VK_IMAGE_USAGE_SAMPLED_BIT},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_3D, 32, 32, 1, 1, VK_IMAGE_USAGE_SAMPLED_BIT},
   {VK_FORMAT_R16G16B16A16_SFLOAT, VK_IMAGE_VIEW_TYPE_CUBE, 256, 1, 6, LEVELS, VK_IMAGE_USAGE_SAMPLED_BIT},
   {VK_FORMAT_R16G16B16A16_SFLOAT, VK_IMAGE_VIEW_TYPE_2D, SIZE, 1, 1, LEVELS, VK_IMAGE_USAGE_SAMPLED_BIT},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D, SIZE, 1, 1, 1, VK_IMAGE_USAGE_STORAGE_BIT},
   {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_VIEW_TYPE_2D, SIZE, 1, 1, 1, VK_IMAGE_USAGE_STORAGE_BIT},
};

/* Waves, so that neighbours are alike: as bytes, halves from 0 to 1, or floats from 0.1 to 0.5. */
static void fill(struct client_buffer *buffer, VkFormat format)
{
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const float x = (float)(i % SIZE), y = (float)(i / SIZE), wave = 0.5f + 0.25f * sinf(x * 0.11f) + 0.25f * sinf(y * 0.07f + x * 0.013f);
      const uint32_t byte = (uint32_t)(wave * 255.0f), half = 0x3000 + (uint32_t)(wave * 0xbff);
      if (format == VK_FORMAT_D32_SFLOAT)
         ((float *)buffer->map)[i] = 0.1f + 0.4f * wave;
      else if (format == VK_FORMAT_R8G8B8A8_UNORM)
         ((uint32_t *)buffer->map)[i] = byte | (255 - byte) << 8 | (byte / 2 + 64) << 16 | 0xff000000;
      else
         ((uint64_t *)buffer->map)[i] = half | (uint64_t)half << 16 | (uint64_t)half << 32 | UINT64_C(0x3c00) << 48;
   }
}

static struct client_image make_image(struct job *job, const struct shape *shape)
{
   const VkImageAspectFlags aspect = shape->format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = shape->view == VK_IMAGE_VIEW_TYPE_CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .imageType = shape->view == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
      .format = shape->format,
      .extent = {shape->size, shape->size, shape->depth},
      .mipLevels = shape->levels,
      .arrayLayers = shape->layers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = shape->usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
   };
   struct client_image image = bench_picture_create(job->client, &info, shape->view, aspect, VK_NULL_HANDLE);
   VkBufferImageCopy copies[LEVELS];
   for (uint32_t i = 0; i < shape->levels; i++)
      copies[i] = (VkBufferImageCopy){.imageSubresource = {aspect, i, 0, shape->layers},
                                      .imageExtent = {shape->size >> i, shape->size >> i, shape->depth}};
   fill(&job->staging, shape->format);
   VkCommandBuffer cmd = client_begin(job->client);
   bench_picture_layout(cmd, &image, aspect, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vk.CmdCopyBufferToImage(cmd, job->staging.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, shape->levels, copies);
   bench_picture_layout(cmd, &image, aspect, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
   client_run(job->client, cmd);
   return image;
}

static VkSampler make_sampler(struct job *job, bool compares)
{
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .magFilter = VK_FILTER_LINEAR,
                                     .minFilter = VK_FILTER_LINEAR,
                                     .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .compareEnable = compares,
                                     .compareOp = VK_COMPARE_OP_LESS,
                                     .maxLod = VK_LOD_CLAMP_NONE};
   VkSampler sampler;
   client_check(vk.CreateSampler(job->client->device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* Lights, numbers, weights. */
static void make_buffers(struct job *job)
{
   static const size_t sizes[NUM_BUFFERS] = {NUM_LIGHTS * 16, SIZE * SIZE * 4, SIZE * SIZE * 4};
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      job->buffers[i] = client_buffer_create(job->client, sizes[i], VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   for (uint32_t i = 0; i < NUM_LIGHTS; i++) {
      const float light[4] = {(float)(i * 7 % 20) - 10.0f, (float)(i * 13 % 20) - 10.0f, (float)(i % 5) + 1.0f, 1.0f + (float)(i % 3)};
      for (uint32_t c = 0; c < 4; c++)
         ((float *)job->buffers[0].map)[i * 4 + c] = light[c];
   }
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      ((float *)job->buffers[1].map)[i] = (float)(i * 2654435761u >> 16) / 65536.0f;
      ((uint32_t *)job->buffers[2].map)[i] = i * 2654435761u;
   }
}

#define SAMPLED VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
#define BUFFER VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_IMAGE

static void make_set(struct job *job)
{
   static const VkDescriptorType types[NUM_BINDINGS] = {SAMPLED, SAMPLED, SAMPLED, SAMPLED, SAMPLED, SAMPLED, BUFFER, STORAGE, STORAGE, BUFFER, BUFFER};
   static const enum image sampled[] = {IMAGE_PICTURE, IMAGE_DEPTHS, IMAGE_DEPTHS, IMAGE_TABLE, IMAGE_ENVIRONMENT, IMAGE_BRIGHT};
   static const uint32_t buffers[NUM_BUFFERS] = {6, 9, 10};
   struct client *client = job->client;
   job->set = client_set_create(client, NUM_BINDINGS, types);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(sampled); i++)
      client_set_image(client, &job->set, i, SAMPLED, job->images[sampled[i]].view, job->samplers[i == 2], VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      client_set_buffer(client, &job->set, buffers[i], BUFFER, &job->buffers[i]);
   client_set_image(client, &job->set, 7, STORAGE, job->from.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(client, &job->set, 8, STORAGE, job->images[IMAGE_TO].view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
}

static void job_finish(struct job *job)
{
   for (uint32_t i = 0; i < NUM_SAMPLERS; i++)
      vk.DestroySampler(job->client->device, job->samplers[i], NULL);
   for (uint32_t i = 0; i < NUM_IMAGES; i++)
      client_image_destroy(job->client, &job->images[i]);
   client_image_destroy(job->client, &job->from);
   client_set_destroy(job->client, &job->set);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      client_buffer_destroy(job->client, &job->buffers[i]);
   client_buffer_destroy(job->client, &job->staging);
}

/* Millions of items a second. */
static double measure(struct client *client, const struct row *row)
{
   struct job job = {.client = client, .staging = client_buffer_create(client, SIZE * SIZE * 8, VK_BUFFER_USAGE_TRANSFER_SRC_BIT)};
   for (uint32_t i = 0; i < NUM_IMAGES; i++)
      job.images[i] = make_image(&job, &shapes[i]);
   job.from = make_image(&job, &shapes[NUM_IMAGES]);
   for (uint32_t i = 0; i < NUM_SAMPLERS; i++)
      job.samplers[i] = make_sampler(&job, i == 1);
   make_buffers(&job);
   make_set(&job);
   struct bench_work work = row->groups[0] ? bench_work_dispatch(client, &job.set, row->shader, row->groups)
                                           : bench_work_picture(client, &job.set, row->shader, WIDTH, HEIGHT);
   const double seconds = bench_median(0.3, bench_work_submit, &work);
   bench_work_destroy(&work);
   job_finish(&job);
   return row->items / seconds * 1e-6;
}

#define PICTURE(name, text)                                                                                            \
   static double name(struct client *client)                                                                           \
   {                                                                                                                   \
      return measure(client, &(struct row){{ordinary_##name##_frag, sizeof(ordinary_##name##_frag)}, {0, 0}, WIDTH * HEIGHT}); \
   }
#define KERNEL(name, text, width, height, num_items)                                                                   \
   static double name(struct client *client)                                                                           \
   {                                                                                                                   \
      return measure(client, &(struct row){{ordinary_##name##_comp, sizeof(ordinary_##name##_comp)}, {width, height}, num_items}); \
   }
PICTURES(PICTURE)
KERNELS(KERNEL)

#define PICTURE_ROW(name, text) {"ordinary, " text, "Mpixel/s", false, name},
#define KERNEL_ROW(name, text, ...) {"ordinary, " text, "Mitem/s", false, name},
const struct bench_row bench_ordinary_rows[] = {
   PICTURES(PICTURE_ROW) KERNELS(KERNEL_ROW){NULL, NULL, false, NULL},
};
