/* SPDX-License-Identifier: MIT
 * VK_QCOM_image_processing against the specification's sums. Argument: processing.comp.spvasm.
 * Texels and weights are multiples of powers of two, so that sums are exact in whatever order; what is divided is compared with a tolerance. */
#include "tests/attack/hangs.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/macros.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 13, HEIGHT = 9, COUNT = 128, OPERAND_WORDS = 12, RESULTS = 16, FILTER_W = 5, FILTER_H = 3, AXIS_PHASES = 4, MAX_SIZE = 64 };
enum { PACKED = AXIS_PHASES * 8 }; /* weights of one axis of a separable filter */

static const char *path;
static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,           VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM,
                                         VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM,
                                         VK_DESCRIPTOR_TYPE_SAMPLER,                VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,          VK_DESCRIPTOR_TYPE_SAMPLER};
static const uint32_t num_of_each[UTIL_ARRAY_SIZE(types)] = {1, 2, 1, 1, 1, 1, 1, 1};

struct picture {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
   float texels[16 * HEIGHT * WIDTH][4]; /* by layer, row, column */
   uint32_t width, height;
};

struct config {
   bool is_separable, has_border;
   VkSamplerReductionMode reduction;
   bool breaks_rules; /* those of the run */
};

struct scene {
   struct client client;
   VkPipeline pipeline;
   VkPipelineLayout layout;
   struct client_set set;
   struct client_buffer operands, results;
   struct picture images[3], separable; /* picture, weights, target; the reference is the picture */
};

static uint32_t random_bits(void)
{
   static uint32_t state = 12345;
   state = state * 1664525u + 1013904223u;
   return state >> 8;
}

/* Floats of a few bits; `next` extends the view. */
static void picture_init(struct client *c, struct picture *p, VkImageType type, uint32_t width, uint32_t height, uint32_t layers, bool is_weights,
                         VkImageUsageFlags usage, const void *next, const VkComponentMapping *swizzle)
{
   p->width = width;
   p->height = height;
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = type, .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                   .extent = {width, height, 1}, .mipLevels = 1, .arrayLayers = layers, .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(c->device, &info, NULL, &p->image), "vkCreateImage");
   vk.GetImageMemoryRequirements(c->device, p->image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(c->device, &allocate, NULL, &p->memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(c->device, p->image, p->memory, 0), "vkBindImageMemory");
   const bool is_flat = type == VK_IMAGE_TYPE_2D;
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .pNext = next, .image = p->image, .format = info.format,
                                       .viewType = !is_flat ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : is_weights ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                                       .components = swizzle ? *swizzle : (VkComponentMapping){0},
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers}};
   client_check(vk.CreateImageView(c->device, &view, NULL, &p->view), "vkCreateImageView");
   const uint32_t count = width * height * layers;
   for (uint32_t i = 0; i < count; i++)
      for (uint32_t k = 0; k < 4; k++)
         p->texels[i][k] = is_weights ? (float)(random_bits() % 3 ? random_bits() % 2 : 0) : (float)(random_bits() % 64) / 64;
   struct client_buffer staging = client_buffer_create(c, count * 16, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   memcpy(staging.map, p->texels, count * 16);
   VkCommandBuffer cmd = client_begin(c);
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL, .image = p->image, .subresourceRange = view.subresourceRange};
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers}, .imageExtent = info.extent};
   vk.CmdCopyBufferToImage(cmd, staging.buffer, p->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   client_barrier(cmd);
   client_run(c, cmd);
   client_buffer_destroy(c, &staging);
}

static void picture_finish(struct client *c, struct picture *p)
{
   vk.DestroyImageView(c->device, p->view, NULL);
   vk.DestroyImage(c->device, p->image, NULL);
   vk.FreeMemory(c->device, p->memory, NULL);
}

/* `heard`: what a lost device says; NULL: nobody listens. */
static void scene_init(struct scene *s, struct hangs_heard *heard)
{
   VkPhysicalDeviceImageProcessingFeaturesQCOM features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
                                                           .textureSampleWeighted = VK_TRUE, .textureBoxFilter = VK_TRUE, .textureBlockMatch = VK_TRUE};
   const VkPhysicalDeviceFeatures core = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE};
   const struct client_options options = {.features = &core, .device_extension = "VK_QCOM_image_processing", .next = &features, .api_version = VK_API_VERSION_1_3,
                                          .on_message = heard ? hangs_listen : NULL, .on_message_data = heard};
   const VkImageViewSampleWeightCreateInfoQCOM weights = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM, .filterCenter = {2, 1},
                                                          .filterSize = {FILTER_W, FILTER_H}, .numPhases = AXIS_PHASES * AXIS_PHASES};
   const VkComponentMapping swizzle = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R};
   struct spvasm module;
   memset(s, 0, sizeof(*s));
   client_init(&s->client, &options);
   struct client *c = &s->client;
   if (!spvasm_load(&module, path))
      client_die("no module");
   s->set = client_set_create_with(c, UTIL_ARRAY_SIZE(types), types, num_of_each, VK_NULL_HANDLE);
   s->layout = client_pipeline_layout(c, &s->set, 0);
   const VkShaderModule shader = client_shader(c, module.words, module.num_words * 4);
   s->pipeline = client_compute_pipeline(c, shader, s->layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(c->device, shader, NULL);
   spvasm_free(&module);
   s->operands = client_buffer_create(c, COUNT * OPERAND_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   s->results = client_buffer_create(c, COUNT * RESULTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   picture_init(c, &s->images[0], VK_IMAGE_TYPE_2D, WIDTH, HEIGHT, 1, false, VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM, NULL, NULL);
   picture_init(c, &s->images[1], VK_IMAGE_TYPE_2D, FILTER_W + 1, FILTER_H + 1, AXIS_PHASES * AXIS_PHASES, true, VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM,
                &weights, NULL);
   picture_init(c, &s->images[2], VK_IMAGE_TYPE_2D, WIDTH, HEIGHT, 1, false, VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM, NULL, &swizzle);
   picture_init(c, &s->separable, VK_IMAGE_TYPE_1D, PACKED, 1, 2, true, VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM, &weights, NULL);
}

static void scene_finish(struct scene *s)
{
   struct client *c = &s->client;
   for (uint32_t i = 0; i < 3; i++)
      picture_finish(c, &s->images[i]);
   picture_finish(c, &s->separable);
   client_buffer_destroy(c, &s->operands);
   client_buffer_destroy(c, &s->results);
   vk.DestroyPipeline(c->device, s->pipeline, NULL);
   vk.DestroyPipelineLayout(c->device, s->layout, NULL);
   client_set_destroy(c, &s->set);
   client_finish(c);
}

/* ---- what the specification says ---- */

static float texel_of(const struct picture *p, int32_t x, int32_t y, uint32_t c, bool has_border)
{
   const int32_t w = (int32_t)p->width - 1, h = (int32_t)p->height - 1;
   if (has_border && (x < 0 || y < 0 || x > w || y > h))
      return 0;
   return p->texels[UTIL_MIN(UTIL_MAX(y, 0), h) * (w + 1) + UTIL_MIN(UTIL_MAX(x, 0), w)][c];
}

struct sum {
   VkSamplerReductionMode mode;
   float total, least, greatest;
};

static void sum_add(struct sum *sum, float weight, float value, bool counts)
{
   sum->total += weight * value;
   if (counts) {
      sum->least = fminf(sum->least, value);
      sum->greatest = fmaxf(sum->greatest, value);
   }
}

static float sum_result(const struct sum *sum, float area)
{
   return sum->mode == VK_SAMPLER_REDUCTION_MODE_MIN ? sum->least : sum->mode == VK_SAMPLER_REDUCTION_MODE_MAX ? sum->greatest : sum->total / area;
}

static float weighted(const struct scene *s, const struct config *config, float u, float v, bool is_separable, uint32_t c)
{
   struct sum sum = {config->reduction, 0, INFINITY, -INFINITY};
   const float fu = u - 0.5f, fv = v - 0.5f;
   const uint32_t h = (uint32_t)((fu - floorf(fu)) * AXIS_PHASES), k = (uint32_t)((fv - floorf(fv)) * AXIS_PHASES);
   for (int32_t y = 0; y < FILTER_H; y++)
      for (int32_t x = 0; x < FILTER_W; x++) {
         float weight;
         if (is_separable)
            weight = s->separable.texels[AXIS_PHASES * 4 * (x / 4) + (int32_t)h * 4 + x % 4][0] *
                     s->separable.texels[PACKED + AXIS_PHASES * 4 * (y / 4) + (int32_t)k * 4 + y % 4][0];
         else
            weight = s->images[1].texels[((k * AXIS_PHASES + h) * (FILTER_H + 1) + (uint32_t)y) * (FILTER_W + 1) + (uint32_t)x][0];
         sum_add(&sum, weight, texel_of(&s->images[0], (int32_t)floorf(u - 2) + x, (int32_t)floorf(v - 1) + y, c, config->has_border), weight != 0);
      }
   return sum_result(&sum, 1);
}

static float coverage(float low, float size, int32_t at)
{
   return fminf(low + size, (float)at + 1) - fmaxf(low, (float)at);
}

static float box(const struct scene *s, const struct config *config, const float *f, uint32_t c)
{
   struct sum sum = {config->reduction, 0, INFINITY, -INFINITY};
   const float x0 = f[0] - f[2] / 2, y0 = f[1] - f[3] / 2;
   for (int32_t y = (int32_t)floorf(y0); (float)y < y0 + f[3]; y++)
      for (int32_t x = (int32_t)floorf(x0); (float)x < x0 + f[2]; x++)
         sum_add(&sum, coverage(x0, f[2], x) * coverage(y0, f[3], y), texel_of(&s->images[0], x, y, c, config->has_border), true);
   return sum_result(&sum, f[2] * f[3]);
}

static float match(const struct scene *s, const struct config *config, const uint32_t *w, bool is_squared, uint32_t c)
{
   static const uint32_t from[4] = {2, 4, 5, 0}; /* B, zero, one, R */
   struct sum sum = {config->reduction, 0, INFINITY, -INFINITY};
   if (from[c] >= 4)
      return (float)(from[c] - 4);
   for (uint32_t y = 0; y < w[9]; y++)
      for (uint32_t x = 0; x < w[8]; x++) {
         const float target = texel_of(&s->images[2], (int32_t)(w[4] + x), (int32_t)(w[5] + y), from[c], config->has_border);
         const float difference = fabsf(texel_of(&s->images[0], (int32_t)(w[6] + x), (int32_t)(w[7] + y), from[c], config->has_border) - target);
         sum_add(&sum, 1, is_squared ? difference * difference : difference, true);
      }
   return sum_result(&sum, 1);
}

/* ---- runs ---- */

static VkSampler sampler_create(struct client *c, VkSamplerAddressMode mode, VkSamplerReductionMode reduction_mode, bool counts_texels)
{
   const VkSamplerReductionModeCreateInfo reduction = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO, .reductionMode = reduction_mode};
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &reduction,
                                     .flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM, .addressModeU = mode, .addressModeV = mode,
                                     .unnormalizedCoordinates = counts_texels};
   VkSampler sampler;
   client_check(vk.CreateSampler(c->device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* Broken rules: sizes that are out of range, to either side. */
static void fill_operands(const struct scene *s, const struct config *config)
{
   for (uint32_t i = 0; i < COUNT; i++) {
      uint32_t *words = (uint32_t *)s->operands.map + i * OPERAND_WORDS;
      float *floats = (float *)words;
      floats[0] = (float)((int32_t)(random_bits() % (16 * (WIDTH + 8))) - 64) / 16;
      floats[1] = (float)((int32_t)(random_bits() % (16 * (HEIGHT + 8))) - 64) / 16;
      floats[2] = 1 + (float)(random_bits() % 64) / 16;
      floats[3] = 1 + (float)(random_bits() % 64) / 16;
      words[8] = 1 + random_bits() % 4;
      words[9] = 1 + random_bits() % 4;
      words[4] = random_bits() % (WIDTH + 2);
      words[5] = random_bits() % (HEIGHT + 2);
      words[6] = random_bits() % (WIDTH - words[8]);
      words[7] = random_bits() % (HEIGHT - words[9]);
      if (config->breaks_rules) {
         floats[2 + i % 2] = i % 3 ? 65 + (float)i * 1e6f : -0.5f;
         words[8 + i % 2] = i % 3 ? 65 + i * 1000000 : 0;
      }
   }
}

/* What sizes out of range count as. */
static void limit_operands(uint32_t *words)
{
   float *floats = (float *)words;
   for (uint32_t a = 0; a < 2; a++) {
      floats[2 + a] = fminf(fmaxf(floats[2 + a], 1), MAX_SIZE);
      words[8 + a] = UTIL_MIN(words[8 + a], (uint32_t)MAX_SIZE);
   }
}

/* Broken rules: weights that differ from lane to lane, blocks whose samplers differ and have normalized coordinates: the target's count, in texels. */
static void run(struct scene *s, const struct config *config)
{
   struct client *c = &s->client;
   const VkSamplerAddressMode modes[2] = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
   const VkImageView weights = config->is_separable ? s->separable.view : s->images[1].view;
   const VkImageView views[4] = {s->images[0].view, config->breaks_rules ? s->images[1].view : weights, s->images[2].view, s->images[0].view};
   const VkSampler sampler = sampler_create(c, modes[config->has_border], config->reduction, !config->breaks_rules);
   const VkSampler other = sampler_create(c, modes[config->has_border != config->breaks_rules], config->reduction, true);
   for (uint32_t i = 0; i < 5; i++)
      client_set_image(c, &s->set, i, types[i], i < 4 ? views[i] : VK_NULL_HANDLE, sampler, VK_IMAGE_LAYOUT_GENERAL);
   const VkDescriptorImageInfo second = {.imageView = config->breaks_rules ? s->separable.view : weights, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = s->set.set, .dstBinding = 1, .dstArrayElement = 1,
                                       .descriptorCount = 1, .descriptorType = types[1], .pImageInfo = &second};
   vk.UpdateDescriptorSets(c->device, 1, &write, 0, NULL);
   client_set_image(c, &s->set, 7, types[7], VK_NULL_HANDLE, other, VK_IMAGE_LAYOUT_GENERAL);
   client_set_buffer(c, &s->set, 5, types[5], &s->operands);
   client_set_buffer(c, &s->set, 6, types[6], &s->results);
   fill_operands(s, config);
   client_dispatch(c, s->pipeline, s->layout, &s->set, COUNT / 32);
   for (uint32_t i = 0; i < COUNT; i++) {
      uint32_t *words = (uint32_t *)s->operands.map + i * OPERAND_WORDS;
      float *floats = (float *)words, *out = (float *)s->results.map + i * RESULTS;
      limit_operands(words);
      if (config->breaks_rules) { /* the others' coordinates are normalized */
         floats[0] *= WIDTH;
         floats[1] *= HEIGHT;
      }
      const bool is_separable = config->breaks_rules ? i & 1 : config->is_separable;
      for (uint32_t k = 0; k < 4; k++) {
         CHECK(out[k] == weighted(s, config, floats[0], floats[1], is_separable, k));
         CHECK(fabsf(out[4 + k] - box(s, config, floats, k)) <= 1e-5f);
         CHECK(out[8 + k] == match(s, config, words, true, k));
         CHECK(out[12 + k] == match(s, config, words, false, k));
      }
   }
   vk.DestroySampler(c->device, sampler, NULL);
   vk.DestroySampler(c->device, other, NULL);
}

TEST(sums)
{
   static struct scene s;
   scene_init(&s, NULL);
   for (uint32_t i = 0; i < 12; i++)
      run(&s, &(struct config){.is_separable = i & 1, .has_border = i & 2, .reduction = (VkSamplerReductionMode)(i / 4)});
   scene_finish(&s);
}

TEST(broken_rules_give_defined_sums)
{
   static struct scene s;
   scene_init(&s, NULL);
   for (uint32_t i = 0; i < 6; i++)
      run(&s, &(struct config){.has_border = i & 1, .reduction = (VkSamplerReductionMode)(i / 2), .breaks_rules = true});
   scene_finish(&s);
}

/* SECURITY.md, "time": far too many boxes and blocks, each of the largest size. The device is lost and all threads are back within the time-out and a second. */
TEST(too_many)
{
   static struct scene s;
   struct hangs_heard heard = {0};
   hangs_environment();
   scene_init(&s, &heard);
   uint32_t *words = s.operands.map;
   float *floats = s.operands.map;
   for (uint32_t i = 0; i < COUNT * OPERAND_WORDS; i += OPERAND_WORDS) {
      floats[i + 2] = floats[i + 3] = MAX_SIZE;
      words[i + 8] = words[i + 9] = MAX_SIZE;
   }
   const VkSampler sampler = sampler_create(&s.client, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE, true);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(types); i++) {
      if (types[i] == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
         client_set_buffer(&s.client, &s.set, i, types[i], i == 5 ? &s.operands : &s.results);
      else
         client_set_image(&s.client, &s.set, i, types[i], i < 4 ? s.images[i % 3].view : VK_NULL_HANDLE, sampler, VK_IMAGE_LAYOUT_GENERAL);
   }
   VkCommandBuffer cmd = client_begin(&s.client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &s.set.set, 0, NULL);
   vk.CmdDispatch(cmd, 65535, 65535, 1);
   const double begin_s = hangs_processor_s();
   hangs_check(hangs_run(&s.client, cmd), &heard, begin_s);
   vk.DestroySampler(s.client.device, sampler, NULL);
   scene_finish(&s);
}

int main(int argc, char **argv)
{
   path = argc > 1 ? argv[1] : "";
   return test_run_all(argc - 1, argv + 1);
}
