/* SPDX-License-Identifier: MIT
 * Binaries of shader objects make the same shader on another device, and what is no such binary makes none; compute objects, bound and unbound. */
#include "icd/cache/secret.h"
#include "icd/device/device.h"
#include "tests/icd/shader_object/scene.h"
#include "tests/random.h"
#include "tests/test.h"

#include "scenario.comp.h"

#include <string.h>

enum { NUM_VALUES = 64, MAX_BINARY = 1 << 18 };

struct compute {
   struct fixture f;
   struct fixture_buffer buffer;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
};

static void compute_init(struct compute *c)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL,
                                                       VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT, 2, bindings};
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   fixture_init(&c->f, NULL);
   c->buffer = fixture_buffer(&c->f, 4096);
   fixture_require(icd_CreateDescriptorSetLayout(c->f.device, &set_layout, NULL, &c->set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo layout = {
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &c->set_layout, 1, &range};
   fixture_require(icd_CreatePipelineLayout(c->f.device, &layout, NULL, &c->layout), "vkCreatePipelineLayout");
   memset(c->buffer.data, 0, 4096);
   ((uint32_t *)c->buffer.data)[512] = 1000;
}

static void compute_finish(struct compute *c)
{
   icd_DestroyPipelineLayout(c->f.device, c->layout, NULL);
   icd_DestroyDescriptorSetLayout(c->f.device, c->set_layout, NULL);
   fixture_buffer_destroy(&c->f, &c->buffer);
   fixture_finish(&c->f, NULL);
}

/* `binary` NULL: of SPIR-V. */
static VkResult compute_object(struct compute *c, uint32_t factor, const void *binary, size_t bytes, VkShaderEXT *object)
{
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo specialization = {1, &entry, 4, &factor};
   const VkShaderCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
      .flags = VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT | VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT,
      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
      .codeType = binary ? VK_SHADER_CODE_TYPE_BINARY_EXT : VK_SHADER_CODE_TYPE_SPIRV_EXT,
      .codeSize = binary ? bytes : sizeof(scenario_comp),
      .pCode = binary ? binary : scenario_comp,
      .pName = "main",
      .setLayoutCount = 1,
      .pSetLayouts = &c->set_layout,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &range,
      .pSpecializationInfo = &specialization,
   };
   return icd_CreateShadersEXT(c->f.device, 1, &info, NULL, object);
}

static void compute_begin(struct compute *c, uint32_t more)
{
   const VkDescriptorBufferInfo infos[] = {{c->buffer.buffer, 0, NUM_VALUES * 4}, {c->buffer.buffer, 2048, 16}};
   const VkWriteDescriptorSet writes[] = {
      {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 0, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &infos[0]},
      {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 1, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = &infos[1]},
   };
   fixture_begin(c->f.commands);
   icd_CmdPushDescriptorSet(c->f.commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 2, writes);
   icd_CmdPushConstants(c->f.commands, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &more);
}

static void bind_compute(struct compute *c, VkShaderEXT object)
{
   const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
   icd_CmdBindShadersEXT(c->f.commands, 1, &stage, &object);
}

static bool values_are(const struct compute *c, uint32_t factor, uint32_t more)
{
   const uint32_t *values = c->buffer.data;
   for (uint32_t i = 0; i < NUM_VALUES; i++) {
      if (values[i] != (i ^ 1) * factor + 1000 + more)
         return false;
   }
   return true;
}

/* The values of a dispatch of the object alone. */
static bool computes(struct compute *c, VkShaderEXT object, uint32_t factor, uint32_t more)
{
   memset(c->buffer.data, 0, NUM_VALUES * 4);
   compute_begin(c, more);
   bind_compute(c, object);
   icd_CmdDispatch(c->f.commands, NUM_VALUES / 32, 1, 1);
   fixture_run(&c->f);
   return values_are(c, factor, more);
}

TEST(compute_objects_are_bound_and_unbound)
{
   struct compute c;
   VkShaderEXT five = VK_NULL_HANDLE, seven = VK_NULL_HANDLE;
   compute_init(&c);
   CHECK_EQ(compute_object(&c, 5, NULL, 0, &five), VK_SUCCESS);
   CHECK_EQ(compute_object(&c, 7, NULL, 0, &seven), VK_SUCCESS);
   CHECK(computes(&c, five, 5, 3));
   compute_begin(&c, 4);
   bind_compute(&c, five);
   icd_CmdDispatchBase(c.f.commands, 1, 0, 0, 1, 1, 1);
   const VkMemoryBarrier written = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT, .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
   icd_CmdPipelineBarrier(c.f.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &written, 0, NULL, 0, NULL);
   bind_compute(&c, seven); /* writes over it */
   icd_CmdDispatch(c.f.commands, 2, 1, 1);
   bind_compute(&c, VK_NULL_HANDLE); /* dispatches nothing from here on */
   icd_CmdDispatch(c.f.commands, 2, 1, 1);
   fixture_run(&c.f);
   CHECK(values_are(&c, 7, 4));
   icd_DestroyShaderEXT(c.f.device, five, NULL);
   icd_DestroyShaderEXT(c.f.device, seven, NULL);
   icd_DestroyShaderEXT(c.f.device, VK_NULL_HANDLE, NULL);
   compute_finish(&c);
}

/* ---- binaries ---- */

static _Alignas(16) uint8_t binary[MAX_BINARY], other[MAX_BINARY];

static size_t get_binary(struct compute *c, VkShaderEXT object, uint8_t data[MAX_BINARY])
{
   size_t bytes = 0, small;
   fixture_require(icd_GetShaderBinaryDataEXT(c->f.device, object, &bytes, NULL), "vkGetShaderBinaryDataEXT");
   CHECK(bytes > 100 && bytes < MAX_BINARY);
   small = bytes - 1;
   memset(data, 0x5a, MAX_BINARY);
   CHECK_EQ(icd_GetShaderBinaryDataEXT(c->f.device, object, &small, data), VK_INCOMPLETE);
   for (size_t i = 0; i < bytes; i++)
      CHECK(data[i] == 0x5a);
   bytes = MAX_BINARY;
   fixture_require(icd_GetShaderBinaryDataEXT(c->f.device, object, &bytes, data), "vkGetShaderBinaryDataEXT");
   CHECK(data[bytes] == 0x5a);
   return bytes;
}

TEST(binaries_travel_between_devices)
{
   struct compute c;
   VkShaderEXT object = VK_NULL_HANDLE;
   compute_init(&c);
   CHECK_EQ(compute_object(&c, 11, NULL, 0, &object), VK_SUCCESS);
   const size_t bytes = get_binary(&c, object, binary);
   icd_DestroyShaderEXT(c.f.device, object, NULL);
   compute_finish(&c);

   for (uint32_t shift = 0; shift < 2; shift++) { /* aligned as it must be, and not */
      compute_init(&c);
      memmove(other + shift, binary, bytes);
      /* What the binary was not made of is not looked at. */
      CHECK_EQ(compute_object(&c, 99, other + shift, bytes, &object), VK_SUCCESS);
      memset(other, 0xff, bytes + shift);
      CHECK(computes(&c, object, 11, 6));
      CHECK_EQ(get_binary(&c, object, other), bytes);
      CHECK(memcmp(binary, other, bytes) == 0);
      icd_DestroyShaderEXT(c.f.device, object, NULL);
      compute_finish(&c);
   }
}

#ifdef VK_EXT_shader_64bit_indexing
/* Devices with other features take them, so nothing of the code may follow from what is enabled. */
TEST(features_leave_binaries_alone)
{
   size_t bytes[2];
   for (uint32_t i = 0; i < 2; i++) {
      struct compute c;
      VkShaderEXT object = VK_NULL_HANDLE;
      compute_init(&c);
      struct icd_device *device = icd_device_from_handle(c.f.device);
      device->features.shader64BitIndexing = i; /* the only one that was looked at */
      icd_device_hash_enabled(device);
      CHECK_EQ(compute_object(&c, 11, NULL, 0, &object), VK_SUCCESS);
      bytes[i] = get_binary(&c, object, i ? other : binary);
      icd_DestroyShaderEXT(c.f.device, object, NULL);
      compute_finish(&c);
   }
   CHECK(bytes[0] == bytes[1] && !memcmp(binary, other, bytes[0]));
}
#endif

TEST(graphics_binaries_draw_the_same)
{
   static uint32_t expected[SIZE * SIZE], pixels[SIZE * SIZE];
   const struct look *look = &scene_looks[7];
   struct scene s;
   VkShaderEXT objects[NUM_STAGES], again[NUM_STAGES];
   const VkPushConstantRange range = scene_push_range();
   scene_init(&s);
   scene_make_objects(&s, look, objects);
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      VkShaderCreateInfoEXT info = scene_shader_info(&s, i, &range);
      info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
      info.codeSize = MAX_BINARY;
      info.pCode = binary;
      info.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
      fixture_require(icd_GetShaderBinaryDataEXT(s.f.device, objects[i], &info.codeSize, binary), "vkGetShaderBinaryDataEXT");
      /* A binary is that of its stage. */
      info.stage = scene_stages[(i + 1) % NUM_STAGES];
      CHECK_EQ(icd_CreateShadersEXT(s.f.device, 1, &info, NULL, &again[i]), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
      CHECK(again[i] == VK_NULL_HANDLE);
      info.stage = scene_stages[i];
      CHECK_EQ(icd_CreateShadersEXT(s.f.device, 1, &info, NULL, &again[i]), VK_SUCCESS);
   }
   for (uint32_t k = 0; k < 2; k++) {
      scene_begin(&s, look);
      scene_bind_objects(&s, look, k ? again : objects);
      scene_set_state(&s, look);
      scene_draw(&s, 0);
      scene_end(&s, look, k ? pixels : expected);
   }
   CHECK(scene_count_colors(expected) > 20);
   CHECK(scene_is_same(expected, pixels));
   scene_destroy_objects(&s, objects);
   scene_destroy_objects(&s, again);
   scene_finish(&s);
}

static uint32_t pick(uint32_t count)
{
   static uint64_t state = 99;
   return (uint32_t)(random_step(&state) >> 33) % count;
}

/* True if what is in `other` makes a shader, which goes again. */
static bool is_taken(struct compute *c, size_t bytes)
{
   VkShaderEXT object = (VkShaderEXT)(uintptr_t)16;
   /* A buffer of just this size, for a sanitizer to see what is read beyond. */
   uint8_t *copy = malloc(bytes ? bytes : 1);
   memcpy(copy, other, bytes);
   const VkResult result = compute_object(c, 3, copy, bytes, &object);
   free(copy);
   CHECK(result == VK_SUCCESS || (result == VK_INCOMPATIBLE_SHADER_BINARY_EXT && object == VK_NULL_HANDLE));
   icd_DestroyShaderEXT(c->f.device, object, NULL);
   return result == VK_SUCCESS;
}

TEST(what_is_no_binary_is_incompatible)
{
   enum { UUID_BYTES = 16, HASH_BYTES = 32, HEAD_BYTES = UUID_BYTES + 2 * HASH_BYTES + 16 };
   struct compute c;
   VkShaderEXT object = VK_NULL_HANDLE;
   compute_init(&c);
   CHECK_EQ(compute_object(&c, 13, NULL, 0, &object), VK_SUCCESS);
   const size_t bytes = get_binary(&c, object, binary);
   icd_DestroyShaderEXT(c.f.device, object, NULL);
   memcpy(other, binary, bytes);
   CHECK(is_taken(&c, bytes));
   for (size_t cut = 0; cut < bytes; cut += 1 + cut / 50)
      CHECK(!is_taken(&c, cut));
   CHECK(!is_taken(&c, bytes + 1));
   for (uint32_t i = 0; i < 2000; i++) {
      memcpy(other, binary, bytes);
      const size_t at = pick(2) ? pick(200) : pick((uint32_t)bytes);
      const uint8_t before = other[at];
      other[at] = pick(2) ? (uint8_t)pick(256) : (uint8_t)(before ^ 1u << pick(8));
      const bool is_unused = at >= HEAD_BYTES - 8 && at < HEAD_BYTES;
      CHECK(is_taken(&c, bytes) == (is_unused || other[at] == before));
   }
   memset(other, 0xff, bytes);
   CHECK(!is_taken(&c, bytes));
   /* Somebody who knows the secret has tagged what he likes: it does not crash when it is loaded. It is never run. */
   for (uint32_t i = 0; i < 1000; i++) {
      struct util_hash key, tag;
      memcpy(other, binary, bytes);
      for (uint32_t n = 1 + pick(4); n > 0; n--)
         other[HEAD_BYTES + 8 + pick((uint32_t)(pick(2) ? 200 : bytes - HEAD_BYTES - 8))] ^= (uint8_t)(1 + pick(255));
      memcpy(&key, other + UUID_BYTES, HASH_BYTES);
      CHECK(icd_secret_tag(key, other + HEAD_BYTES, bytes - HEAD_BYTES, &tag));
      memcpy(other + UUID_BYTES + HASH_BYTES, &tag, HASH_BYTES);
      is_taken(&c, bytes);
   }
   compute_finish(&c);
}

TEST_MAIN
