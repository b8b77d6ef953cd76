/* SPDX-License-Identifier: MIT */
#include "tests/bench/made_up.h"

#include "tests/bench/picture.h"
#include "util/macros.h"

#include <math.h>
#include <spirv-tools/libspirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
   SIZE = 1024, /* of textures; cubes and volumes are smaller */
   CUBE_SIZE = 256,
   VOLUME_SIZE = 64,
   NUM_LAYERS = 4,
   NUM_SAMPLES = 4,
   STORAGE_BYTES = 4 << 20, /* of a buffer that may have any size */
};

/* ---- numbers ---- */

struct filler {
   const struct made_up_picture *picture;
   spvc_compiler compiler;
   char *bytes;
   size_t size_bytes;
   bool is_varied; /* each number another one, as data has it; else one that a setting may have */
   uint32_t state;
};

static bool has_word(const char *name, const char *word)
{
   for (; *name; name++) {
      if (!strncasecmp(name, word, strlen(word)))
         return true;
   }
   return false;
}

/* Component `c` of a vector or scalar called `name`. */
static double number_for(struct filler *f, const char *name, uint32_t c, uint32_t vector_size, bool is_integer)
{
   if (has_word(name, "size") || has_word(name, "resolution")) {
      const bool is_output = has_word(name, "output") || has_word(name, "viewport") || has_word(name, "screen") || has_word(name, "resolution");
      const double sizes[2] = {is_output ? f->picture->width : SIZE, is_output ? f->picture->height : SIZE};
      return c < 2 || is_integer || vector_size < 4 ? sizes[c & 1] : 1 / sizes[c & 1];
   }
   f->state = f->state * 1664525 + 1013904223;
   if (is_integer)
      return f->is_varied ? f->state >> 24 : has_word(name, "count") || has_word(name, "num") ? 4 : 1;
   return f->is_varied ? (f->state >> 8) / 16777216.0 : 0.5;
}

static void put(struct filler *f, size_t at, spvc_basetype base, double number)
{
   const float single = (float)number;
   const uint64_t integer = (uint64_t)number;
   const void *from = &integer;
   size_t bytes = 4;
   switch (base) {
   case SPVC_BASETYPE_FP32: from = &single; break;
   case SPVC_BASETYPE_FP64: from = &number, bytes = 8; break;
   case SPVC_BASETYPE_INT8:
   case SPVC_BASETYPE_UINT8: bytes = 1; break;
   case SPVC_BASETYPE_INT16:
   case SPVC_BASETYPE_UINT16: bytes = 2; break;
   case SPVC_BASETYPE_INT64:
   case SPVC_BASETYPE_UINT64: bytes = 8; break;
   case SPVC_BASETYPE_INT32:
   case SPVC_BASETYPE_UINT32:
   case SPVC_BASETYPE_BOOLEAN: break;
   default: return; /* half precision and pointers stay zero */
   }
   if (at + bytes <= f->size_bytes)
      memcpy(f->bytes + at, from, bytes);
}

static void fill_struct(struct filler *f, size_t at, spvc_type type);

/* Numbers row by row; a matrix has ones on its diagonal. */
static void fill_value(struct filler *f, size_t at, spvc_type type, const char *name, uint32_t matrix_stride)
{
   const spvc_basetype base = spvc_type_get_basetype(type);
   if (base == SPVC_BASETYPE_STRUCT) {
      fill_struct(f, at, type);
      return;
   }
   const uint32_t columns = spvc_type_get_columns(type), rows = spvc_type_get_vector_size(type);
   const bool is_integer = base != SPVC_BASETYPE_FP32 && base != SPVC_BASETYPE_FP64 && base != SPVC_BASETYPE_FP16;
   const size_t bytes = base == SPVC_BASETYPE_BOOLEAN ? 4 : spvc_type_get_bit_width(type) / 8;
   for (uint32_t column = 0; column < columns; column++) {
      for (uint32_t row = 0; row < rows; row++)
         put(f, at + column * (size_t)matrix_stride + row * bytes, base, columns > 1 ? column == row : number_for(f, name, row, rows, is_integer));
   }
}

/* Of arrays of arrays only the first of each inner one is filled: the others stay zero. */
static void fill_struct(struct filler *f, size_t at, spvc_type type)
{
   const spvc_type_id id = spvc_type_get_base_type_id(type);
   for (uint32_t i = 0; i < spvc_type_get_num_member_types(type); i++) {
      const spvc_type member = spvc_compiler_get_type_handle(f->compiler, spvc_type_get_member_type(type, i));
      const uint32_t dimensions = spvc_type_get_num_array_dimensions(member);
      uint32_t offset = 0, array_stride = 0, matrix_stride = 0, count = 1;
      spvc_compiler_type_struct_member_offset(f->compiler, type, i, &offset);
      if (spvc_type_get_columns(member) > 1)
         spvc_compiler_type_struct_member_matrix_stride(f->compiler, type, i, &matrix_stride);
      if (dimensions) {
         spvc_compiler_type_struct_member_array_stride(f->compiler, type, i, &array_stride);
         count = spvc_type_get_array_dimension(member, dimensions - 1);
         if (!count && array_stride && at + offset < f->size_bytes)
            count = (uint32_t)((f->size_bytes - at - offset) / array_stride);
      }
      for (uint32_t k = 0; k < count && at + offset + (size_t)k * array_stride < f->size_bytes; k++)
         fill_value(f, at + offset + (size_t)k * array_stride, member, spvc_compiler_get_member_name(f->compiler, id, i), matrix_stride);
   }
}

/* ---- textures ---- */

/* Waves, so that neighbours are alike: bytes, or floats from 0.1 to 0.9. */
static void fill_texels(struct client_buffer *buffer, bool is_depth)
{
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const float x = (float)(i % SIZE), y = (float)(i / SIZE), wave = 0.5f + 0.25f * sinf(x * 0.11f) + 0.25f * sinf(y * 0.07f + x * 0.013f);
      const uint32_t byte = (uint32_t)(wave * 255.0f);
      if (is_depth)
         ((float *)buffer->map)[i] = 0.1f + 0.8f * wave;
      else
         ((uint32_t *)buffer->map)[i] = byte | (255 - byte) << 8 | (byte / 2 + 64) << 16 | 0xff000000;
   }
}

static const VkFormat storage_formats[] = {
   [SpvImageFormatUnknown] = VK_FORMAT_R8G8B8A8_UNORM,
   [SpvImageFormatRgba32f] = VK_FORMAT_R32G32B32A32_SFLOAT,
   [SpvImageFormatRgba16f] = VK_FORMAT_R16G16B16A16_SFLOAT,
   [SpvImageFormatR32f] = VK_FORMAT_R32_SFLOAT,
   [SpvImageFormatRgba8] = VK_FORMAT_R8G8B8A8_UNORM,
   [SpvImageFormatRgba8Snorm] = VK_FORMAT_R8G8B8A8_SNORM,
   [SpvImageFormatRg32f] = VK_FORMAT_R32G32_SFLOAT,
   [SpvImageFormatRg16f] = VK_FORMAT_R16G16_SFLOAT,
   [SpvImageFormatR11fG11fB10f] = VK_FORMAT_B10G11R11_UFLOAT_PACK32,
   [SpvImageFormatR16f] = VK_FORMAT_R16_SFLOAT,
   [SpvImageFormatRgba16] = VK_FORMAT_R16G16B16A16_UNORM,
   [SpvImageFormatRgb10A2] = VK_FORMAT_A2B10G10R10_UNORM_PACK32,
   [SpvImageFormatRg16] = VK_FORMAT_R16G16_UNORM,
   [SpvImageFormatRg8] = VK_FORMAT_R8G8_UNORM,
   [SpvImageFormatR16] = VK_FORMAT_R16_UNORM,
   [SpvImageFormatR8] = VK_FORMAT_R8_UNORM,
   [SpvImageFormatRgba32i] = VK_FORMAT_R32G32B32A32_SINT,
   [SpvImageFormatRgba16i] = VK_FORMAT_R16G16B16A16_SINT,
   [SpvImageFormatRgba8i] = VK_FORMAT_R8G8B8A8_SINT,
   [SpvImageFormatR32i] = VK_FORMAT_R32_SINT,
   [SpvImageFormatRg32i] = VK_FORMAT_R32G32_SINT,
   [SpvImageFormatRg16i] = VK_FORMAT_R16G16_SINT,
   [SpvImageFormatRgba32ui] = VK_FORMAT_R32G32B32A32_UINT,
   [SpvImageFormatRgba16ui] = VK_FORMAT_R16G16B16A16_UINT,
   [SpvImageFormatRgba8ui] = VK_FORMAT_R8G8B8A8_UINT,
   [SpvImageFormatR32ui] = VK_FORMAT_R32_UINT,
   [SpvImageFormatRg32ui] = VK_FORMAT_R32G32_UINT,
   [SpvImageFormatRg16ui] = VK_FORMAT_R16G16_UINT,
   [SpvImageFormatRgba16Snorm] = VK_FORMAT_R16G16B16A16_SNORM, [SpvImageFormatRg16Snorm] = VK_FORMAT_R16G16_SNORM,
   [SpvImageFormatRg8Snorm] = VK_FORMAT_R8G8_SNORM, [SpvImageFormatR16Snorm] = VK_FORMAT_R16_SNORM, [SpvImageFormatR8Snorm] = VK_FORMAT_R8_SNORM,
   [SpvImageFormatRg8i] = VK_FORMAT_R8G8_SINT, [SpvImageFormatR16i] = VK_FORMAT_R16_SINT, [SpvImageFormatR8i] = VK_FORMAT_R8_SINT,
   [SpvImageFormatRgb10a2ui] = VK_FORMAT_A2B10G10R10_UINT_PACK32, [SpvImageFormatRg8ui] = VK_FORMAT_R8G8_UINT, [SpvImageFormatR16ui] = VK_FORMAT_R16_UINT,
   [SpvImageFormatR8ui] = VK_FORMAT_R8_UINT,
};

struct texture {
   VkImageViewType view;
   VkImageCreateInfo info;
   bool is_depth, is_integer;
};

static spvc_basetype sampled_base(spvc_compiler compiler, spvc_type type)
{
   return spvc_type_get_basetype(spvc_compiler_get_type_handle(compiler, spvc_type_get_image_sampled_type(type)));
}

/* As a storage image or storage texel buffer says, if it is one and says it; else by the numbers that are read, `of_floats` for floats. */
static VkFormat format_of(spvc_compiler compiler, spvc_type type, bool is_storage, VkFormat of_floats)
{
   const spvc_basetype base = sampled_base(compiler, type);
   const SpvImageFormat storage = spvc_type_get_image_storage_format(type);
   if (!is_storage || storage == SpvImageFormatUnknown)
      return base == SPVC_BASETYPE_INT32 ? VK_FORMAT_R8G8B8A8_SINT : base == SPVC_BASETYPE_UINT32 ? VK_FORMAT_R8G8B8A8_UINT : of_floats;
   if ((size_t)storage >= UTIL_ARRAY_SIZE(storage_formats) || !storage_formats[storage])
      client_die("a storage image of format %d is not made here", (int)storage);
   return storage_formats[storage];
}

/* A texture's or, with `is_storage`, a storage image's shape and format. */
static struct texture shape_of(const struct made_up_picture *picture, spvc_compiler compiler, spvc_type type, bool is_storage)
{
   const spvc_basetype base = sampled_base(compiler, type);
   const SpvDim dim = spvc_type_get_image_dimension(type);
   const bool is_arrayed = spvc_type_get_image_arrayed(type), is_multisampled = spvc_type_get_image_multisampled(type);
   struct texture t = {.is_depth = !is_storage && spvc_type_get_image_is_depth(type),
                       .is_integer = base == SPVC_BASETYPE_INT32 || base == SPVC_BASETYPE_UINT32};
   if (base != SPVC_BASETYPE_FP32 && base != SPVC_BASETYPE_FP16 && !t.is_integer)
      client_die("an image of other numbers than floats and words is not made here");
   const VkFormat of_floats = t.is_depth                        ? VK_FORMAT_D32_SFLOAT
                              : picture->is_srgb && !is_storage ? VK_FORMAT_R8G8B8A8_SRGB
                                                                : VK_FORMAT_R8G8B8A8_UNORM;
   uint32_t layers = is_arrayed ? NUM_LAYERS : 1;
   VkExtent3D extent = {SIZE, SIZE, 1};
   VkImageType image = VK_IMAGE_TYPE_2D;
   switch (dim) {
   case SpvDim1D:
      image = VK_IMAGE_TYPE_1D;
      extent.height = 1;
      t.view = is_arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
      break;
   case SpvDim2D:
      if (is_storage)
         extent = (VkExtent3D){picture->width, picture->height, 1};
      t.view = is_arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
      break;
   case SpvDim3D:
      image = VK_IMAGE_TYPE_3D;
      extent = (VkExtent3D){VOLUME_SIZE, VOLUME_SIZE, VOLUME_SIZE};
      t.view = VK_IMAGE_VIEW_TYPE_3D;
      break;
   case SpvDimCube:
      extent = (VkExtent3D){CUBE_SIZE, CUBE_SIZE, 1};
      layers *= 6;
      t.view = is_arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
      break;
   default: client_die("an image of dimension %d is not made here", (int)dim);
   }
   const uint32_t longest = UTIL_MAX(extent.width, extent.height);
   t.info = (VkImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = dim == SpvDimCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .imageType = image,
      .format = format_of(compiler, type, is_storage, of_floats),
      .extent = extent,
      .mipLevels = is_multisampled || is_storage ? 1 : 32 - (uint32_t)__builtin_clz(longest),
      .arrayLayers = layers,
      .samples = is_multisampled ? (VkSampleCountFlagBits)NUM_SAMPLES : VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | (is_storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT),
   };
   if (is_multisampled)
      t.info.usage |= t.is_depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   return t;
}

/* Every level and layer begins with the same texels; what is stored to, or has samples, has one colour. */
static VkImageView make_image(struct client *client, const struct texture *t, bool is_storage)
{
   const VkImageAspectFlags aspect = t->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   const struct client_image image = bench_picture_create(client, &t->info, t->view, aspect, VK_NULL_HANDLE);
   struct client_buffer staging = client_buffer_create(client, (size_t)SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   VkCommandBuffer cmd = client_begin(client);
   bench_picture_layout(cmd, &image, aspect, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   if (!is_storage && t->info.samples == VK_SAMPLE_COUNT_1_BIT) {
      fill_texels(&staging, t->is_depth);
      for (uint32_t i = 0; i < t->info.mipLevels * t->info.arrayLayers; i++) {
         const uint32_t level = i / t->info.arrayLayers;
         const VkBufferImageCopy copy = {.imageSubresource = {aspect, level, i % t->info.arrayLayers, 1},
                                         .imageExtent = {UTIL_MAX(t->info.extent.width >> level, 1u), UTIL_MAX(t->info.extent.height >> level, 1u),
                                                         UTIL_MAX(t->info.extent.depth >> level, 1u)}};
         vk.CmdCopyBufferToImage(cmd, staging.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
      }
   } else if (!t->is_depth) {
      const VkClearColorValue half = t->is_integer ? (VkClearColorValue){.uint32 = {1, 1, 1, 1}} : (VkClearColorValue){.float32 = {0.5f, 0.5f, 0.5f, 1}};
      const VkImageSubresourceRange all = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
      vk.CmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &half, 1, &all);
   }
   bench_picture_layout(cmd, &image, aspect, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
   client_run(client, cmd);
   client_buffer_destroy(client, &staging);
   return image.view;
}

static VkSampler make_sampler(struct client *client, const struct made_up_picture *picture, const struct texture *t)
{
   const bool is_nearest = t->is_integer || picture->is_nearest;
   const VkFilter filter = is_nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .magFilter = filter,
                                     .minFilter = filter,
                                     .mipmapMode = is_nearest ? VK_SAMPLER_MIPMAP_MODE_NEAREST : VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                     .compareEnable = t->is_depth,
                                     .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
                                     .maxLod = VK_LOD_CLAMP_NONE};
   VkSampler sampler;
   client_check(vk.CreateSampler(client->device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* ---- descriptors ---- */

static struct client_buffer make_buffer(struct client *client, const struct made_up_picture *picture, struct reflection_type type, bool is_storage)
{
   const spvc_type handle = spvc_compiler_get_type_handle(type.compiler, type.id);
   size_t bytes = 0;
   spvc_compiler_get_declared_struct_size(type.compiler, handle, &bytes);
   bytes = is_storage ? UTIL_MAX(bytes, (size_t)STORAGE_BYTES) : UTIL_MAX((bytes + 15) & ~(size_t)15, (size_t)16);
   struct client_buffer buffer = client_buffer_create(client, bytes, is_storage ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
   struct filler filler = {.picture = picture, .compiler = type.compiler, .bytes = buffer.map, .size_bytes = bytes, .is_varied = is_storage};
   fill_struct(&filler, 0, handle);
   return buffer;
}

static VkBufferView make_texel_buffer(struct client *client, struct reflection_type type, bool is_storage)
{
   struct client_buffer buffer =
      client_buffer_create(client, (size_t)SIZE * SIZE * 4, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
   fill_texels(&buffer, false);
   const VkBufferViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
      .buffer = buffer.buffer,
      .format = format_of(type.compiler, spvc_compiler_get_type_handle(type.compiler, type.id), is_storage, VK_FORMAT_R8G8B8A8_UNORM),
      .range = VK_WHOLE_SIZE};
   const PFN_vkCreateBufferView create = (PFN_vkCreateBufferView)vk.GetDeviceProcAddr(client->device, "vkCreateBufferView");
   VkBufferView view;
   client_check(create(client->device, &info, NULL, &view), "vkCreateBufferView");
   return view;
}

/* Writes what a binding has, the same to each descriptor of an array. */
static void make_binding(struct client *client, const struct made_up_picture *picture, VkDescriptorSet set, const VkDescriptorSetLayoutBinding *binding,
                         struct reflection_type type)
{
   VkDescriptorImageInfo image = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   VkDescriptorBufferInfo buffer = {.range = VK_WHOLE_SIZE};
   VkBufferView texels = VK_NULL_HANDLE;
   struct texture texture = {0};
   const bool is_storage = binding->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
   switch (binding->descriptorType) {
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      buffer.buffer = make_buffer(client, picture, type, binding->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER).buffer;
      break;
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      texels = make_texel_buffer(client, type, binding->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER);
      break;
   case VK_DESCRIPTOR_TYPE_SAMPLER: image.sampler = make_sampler(client, picture, &texture); break;
   case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
   case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
   case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      texture = shape_of(picture, type.compiler, spvc_compiler_get_type_handle(type.compiler, type.id), is_storage);
      image.imageView = make_image(client, &texture, is_storage);
      image.sampler = make_sampler(client, picture, &texture);
      break;
   default: client_die("a descriptor of type %d is not made here", (int)binding->descriptorType);
   }
   for (uint32_t i = 0; i < binding->descriptorCount; i++) {
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .dstBinding = binding->binding,
                                          .dstArrayElement = i,
                                          .descriptorCount = 1,
                                          .descriptorType = binding->descriptorType,
                                          .pImageInfo = &image,
                                          .pBufferInfo = &buffer,
                                          .pTexelBufferView = &texels};
      vk.UpdateDescriptorSets(client->device, 1, &write, 0, NULL);
   }
}

static VkDescriptorSet make_set(struct client *client, VkDescriptorSetLayout layout, uint32_t num_bindings, const VkDescriptorSetLayoutBinding *bindings)
{
   VkDescriptorPoolSize sizes[REFLECTION_MAX_BINDINGS] = {{VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
   for (uint32_t i = 0; i < num_bindings; i++)
      sizes[i] = (VkDescriptorPoolSize){bindings[i].descriptorType, bindings[i].descriptorCount};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = UTIL_MAX(num_bindings, 1u), .pPoolSizes = sizes};
   VkDescriptorPool pool;
   client_check(vk.CreateDescriptorPool(client->device, &info, NULL, &pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &layout};
   VkDescriptorSet set;
   client_check(vk.AllocateDescriptorSets(client->device, &allocate, &set), "vkAllocateDescriptorSets");
   return set;
}

struct made_up made_up_resources(struct client *client, const struct reflection *reflection, const struct made_up_picture *picture)
{
   struct made_up made = {.num_sets = reflection->num_sets, .push_bytes = reflection->push_bytes};
   VkDescriptorSetLayout layouts[REFLECTION_MAX_SETS];
   if (made.push_bytes > MADE_UP_PUSH_BYTES)
      client_die("%u bytes of push constants", made.push_bytes);
   for (uint32_t s = 0; s < made.num_sets; s++) {
      const VkDescriptorSetLayoutCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = reflection->num_bindings[s], .pBindings = reflection->bindings[s]};
      client_check(vk.CreateDescriptorSetLayout(client->device, &info, NULL, &layouts[s]), "vkCreateDescriptorSetLayout");
      made.sets[s] = make_set(client, layouts[s], info.bindingCount, info.pBindings);
      for (uint32_t i = 0; i < info.bindingCount; i++)
         make_binding(client, picture, made.sets[s], &info.pBindings[i], reflection->types[s][i]);
   }
   const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_ALL, .size = made.push_bytes};
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = made.num_sets,
                                            .pSetLayouts = layouts,
                                            .pushConstantRangeCount = made.push_bytes != 0,
                                            .pPushConstantRanges = &range};
   client_check(vk.CreatePipelineLayout(client->device, &info, NULL, &made.layout), "vkCreatePipelineLayout");
   if (made.push_bytes) {
      struct filler filler = {.picture = picture, .compiler = reflection->push_type.compiler, .bytes = (char *)made.push, .size_bytes = made.push_bytes};
      fill_struct(&filler, 0, spvc_compiler_get_type_handle(filler.compiler, reflection->push_type.id));
   }
   return made;
}

/* ---- vertices ---- */

static const spvc_reflected_resource *inputs_of(spvc_compiler compiler, size_t *count)
{
   spvc_resources resources;
   const spvc_reflected_resource *list;
   if (spvc_compiler_create_shader_resources(compiler, &resources) ||
       spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_STAGE_INPUT, &list, count))
      client_die("SPIRV-Cross does not list the inputs");
   return list;
}

struct text {
   char *text;
   size_t size;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *text, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   const size_t length = strlen(text->text);
   if (vsnprintf(text->text + length, text->size - length, format, arguments) >= (int)(text->size - length))
      client_die("too many inputs");
   va_end(arguments);
}

uint32_t *made_up_vertex_stage(spvc_compiler fragment, size_t *num_words)
{
   static char memory[4][1 << 14];
   struct text interface = {memory[0], sizeof(memory[0])}, decorations = {memory[1], sizeof(memory[1])}, variables = {memory[2], sizeof(memory[2])},
               stores = {memory[3], sizeof(memory[3])};
   size_t count;
   const spvc_reflected_resource *inputs = inputs_of(fragment, &count);
   for (size_t i = 0; i < count; i++) {
      const spvc_type type = spvc_compiler_get_type_handle(fragment, inputs[i].type_id);
      const spvc_basetype base = spvc_type_get_basetype(type);
      const uint32_t size = spvc_type_get_vector_size(type), location = spvc_compiler_get_decoration(fragment, inputs[i].id, SpvDecorationLocation);
      const uint32_t component = spvc_compiler_get_decoration(fragment, inputs[i].id, SpvDecorationComponent);
      if (spvc_type_get_num_array_dimensions(type) || spvc_type_get_columns(type) > 1 ||
          (base != SPVC_BASETYPE_FP32 && base != SPVC_BASETYPE_INT32 && base != SPVC_BASETYPE_UINT32))
         client_die("an input that is no vector of floats or words is not made here");
      const char *name = base == SPVC_BASETYPE_FP32 ? "float" : base == SPVC_BASETYPE_INT32 ? "int" : "uint";
      add(&interface, " %%out%zu", i);
      add(&decorations, "OpDecorate %%out%zu Location %u\n", i, location);
      if (component)
         add(&decorations, "OpDecorate %%out%zu Component %u\n", i, component);
      add(&variables, "%%out%zu = OpVariable %%ptr_%s%u Output\n", i, name, size);
      add(&stores, "OpStore %%out%zu %%%s%u_value\n", i, name, size);
   }
   static char module[1 << 17];
   snprintf(
      module, sizeof(module),
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %%main \"main\" %%index %%position%s\n"
      "OpDecorate %%index BuiltIn VertexIndex\nOpDecorate %%position BuiltIn Position\n%s"
      "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%int1 = OpTypeInt 32 1\n%%uint1 = OpTypeInt 32 0\n%%float1 = OpTypeFloat 32\n"
      "%%int2 = OpTypeVector %%int1 2\n%%int3 = OpTypeVector %%int1 3\n%%int4 = OpTypeVector %%int1 4\n"
      "%%uint2 = OpTypeVector %%uint1 2\n%%uint3 = OpTypeVector %%uint1 3\n%%uint4 = OpTypeVector %%uint1 4\n"
      "%%float2 = OpTypeVector %%float1 2\n%%float3 = OpTypeVector %%float1 3\n%%float4 = OpTypeVector %%float1 4\n"
      "%%ptr_in = OpTypePointer Input %%int1\n"
      "%%ptr_int1 = OpTypePointer Output %%int1\n%%ptr_int2 = OpTypePointer Output %%int2\n%%ptr_int3 = OpTypePointer Output %%int3\n"
      "%%ptr_int4 = OpTypePointer Output %%int4\n%%ptr_uint1 = OpTypePointer Output %%uint1\n%%ptr_uint2 = OpTypePointer Output %%uint2\n"
      "%%ptr_uint3 = OpTypePointer Output %%uint3\n%%ptr_uint4 = OpTypePointer Output %%uint4\n%%ptr_float1 = OpTypePointer Output %%float1\n"
      "%%ptr_float2 = OpTypePointer Output %%float2\n%%ptr_float3 = OpTypePointer Output %%float3\n%%ptr_float4 = OpTypePointer Output %%float4\n"
      "%%int1_value = OpConstantNull %%int1\n%%int2_value = OpConstantNull %%int2\n%%int3_value = OpConstantNull %%int3\n"
      "%%int4_value = OpConstantNull %%int4\n%%uint1_value = OpConstantNull %%uint1\n%%uint2_value = OpConstantNull %%uint2\n"
      "%%uint3_value = OpConstantNull %%uint3\n%%uint4_value = OpConstantNull %%uint4\n"
      "%%i1 = OpConstant %%int1 1\n%%i2 = OpConstant %%int1 2\n%%zero = OpConstant %%float1 0\n%%one = OpConstant %%float1 1\n%%two = OpConstant %%float1 2\n"
      "%%index = OpVariable %%ptr_in Input\n%%position = OpVariable %%ptr_float4 Output\n%s"
      "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%i = OpLoad %%int1 %%index\n"
      "%%ix = OpBitwiseAnd %%int1 %%i %%i1\n%%iy = OpShiftRightArithmetic %%int1 %%i %%i1\n"
      "%%half_x = OpConvertSToF %%float1 %%ix\n%%half_y = OpConvertSToF %%float1 %%iy\n"
      "%%x = OpFMul %%float1 %%half_x %%two\n%%y = OpFMul %%float1 %%half_y %%two\n"
      "%%x2 = OpFMul %%float1 %%x %%two\n%%y2 = OpFMul %%float1 %%y %%two\n%%clip_x = OpFSub %%float1 %%x2 %%one\n%%clip_y = OpFSub %%float1 %%y2 %%one\n"
      "%%clip = OpCompositeConstruct %%float4 %%clip_x %%clip_y %%zero %%one\nOpStore %%position %%clip\n"
      "%%float1_value = OpCopyObject %%float1 %%x\n%%float2_value = OpCompositeConstruct %%float2 %%x %%y\n"
      "%%float3_value = OpCompositeConstruct %%float3 %%x %%y %%one\n%%float4_value = OpCompositeConstruct %%float4 %%x %%y %%one %%one\n"
      "%sOpReturn\nOpFunctionEnd\n",
      interface.text, decorations.text, variables.text, stores.text);
   spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_0);
   spv_binary binary = NULL;
   if (spvTextToBinary(context, module, strlen(module), &binary, NULL))
      client_die("the vertex stage cannot be assembled");
   uint32_t *words = malloc(binary->wordCount * sizeof(*words));
   if (!words)
      client_die("no memory");
   memcpy(words, binary->code, binary->wordCount * sizeof(*words));
   *num_words = binary->wordCount;
   spvBinaryDestroy(binary);
   spvContextDestroy(context);
   return words;
}

uint32_t made_up_vertices(struct client *client, spvc_compiler vertex, VkVertexInputAttributeDescription attributes[MADE_UP_MAX_ATTRIBUTES],
                          struct client_buffer *buffer)
{
   size_t count;
   const spvc_reflected_resource *inputs = inputs_of(vertex, &count);
   if (count > MADE_UP_MAX_ATTRIBUTES)
      client_die("%zu vertex attributes", count);
   *buffer = client_buffer_create(client, UTIL_MAX(MADE_UP_VERTICES * MADE_UP_ATTRIBUTE_BYTES * count, (size_t)MADE_UP_ATTRIBUTE_BYTES),
                                  VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
   for (size_t i = 0; i < count; i++) {
      const uint32_t location = spvc_compiler_get_decoration(vertex, inputs[i].id, SpvDecorationLocation);
      const spvc_basetype base = spvc_type_get_basetype(spvc_compiler_get_type_handle(vertex, inputs[i].type_id));
      const bool is_position = location == 0 || has_word(inputs[i].name, "pos");
      attributes[i] = (VkVertexInputAttributeDescription){.location = location,
                                                          .format = base == SPVC_BASETYPE_FP32    ? VK_FORMAT_R32G32B32A32_SFLOAT
                                                                    : base == SPVC_BASETYPE_INT32 ? VK_FORMAT_R32G32B32A32_SINT
                                                                                                  : VK_FORMAT_R32G32B32A32_UINT,
                                                          .offset = (uint32_t)(i * MADE_UP_ATTRIBUTE_BYTES)};
      for (uint32_t v = 0; v < MADE_UP_VERTICES && base == SPVC_BASETYPE_FP32; v++) {
         const float x = (float)(v & 1) * 2, y = (float)(v >> 1) * 2;
         const float values[4] = {is_position ? x * 2 - 1 : x, is_position ? y * 2 - 1 : y, 0, 1};
         memcpy((char *)buffer->map + (v * count + i) * MADE_UP_ATTRIBUTE_BYTES, values, sizeof(values));
      }
   }
   return (uint32_t)count;
}
