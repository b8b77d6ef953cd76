/* SPDX-License-Identifier: MIT
 * Views that do not fit what a shader declares: one message each under VK_SWRAST_DEBUG=validate, none where all fit. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "views.comp.h"

enum { NUM_BINDINGS = 4 };

struct fixture_images {
   struct fixture_image unorm, uint, four_samples, other_format;
};

static const VkDescriptorType types[NUM_BINDINGS] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                     VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

static void bind(struct run_device *run, uint32_t binding, VkImageView view)
{
   const VkDescriptorImageInfo info = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
   run_write(run, binding, 0, types[binding], &info, NULL, NULL);
}

/* Gives `binding` (NUM_BINDINGS: none) the view, all others one that fits, and runs. */
static void run_with(struct run_device *run, const struct fixture_images *images, uint32_t binding, VkImageView view)
{
   const VkImageView fitting[NUM_BINDINGS] = {images->unorm.view, images->uint.view, VK_NULL_HANDLE, images->uint.view};
   for (uint32_t i = 0; i < NUM_BINDINGS; i++)
      bind(run, i, i == binding ? view : fitting[i]);
   atomic_store(&run->f.ears.count, 0);
   run->f.ears.id[0] = 0;
   run_compute(run, views_comp, sizeof(views_comp), NULL, 0);
}

TEST(views)
{
   struct run_device run;
   VkDescriptorSetLayoutBinding bindings[NUM_BINDINGS];
   for (uint32_t i = 0; i < NUM_BINDINGS; i++)
      bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
   setenv("VK_SWRAST_DEBUG", "nocache,validate", 1);
   run_init(&run, NUM_BINDINGS, bindings, 0);
   const VkClearColorValue zero = {.uint32 = {0}};
   const struct fixture_images images = {
      run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, zero),
      run_image(&run, VK_FORMAT_R32_UINT, VK_SAMPLE_COUNT_1_BIT, zero),
      run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT, zero),
      run_image(&run, VK_FORMAT_R8G8B8A8_UINT, VK_SAMPLE_COUNT_1_BIT, zero),
   };
   const struct {
      uint32_t binding;
      VkImageView view;
      const char *id;
   } rows[] = {
      {0, images.uint.view, "VUID-vkCmdDispatch-format-07753"},
      {1, images.unorm.view, "VUID-vkCmdDispatch-format-07753"},
      {2, images.unorm.view, "VUID-vkCmdDispatch-viewType-07752"},
      {0, images.four_samples.view, "VUID-RuntimeSpirv-samples-08725"},
      {3, images.other_format.view, "vk_swrast-image-format"},
   };
   run_with(&run, &images, NUM_BINDINGS, VK_NULL_HANDLE);
   CHECK_EQ(atomic_load(&run.f.ears.count), 0);
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      run_with(&run, &images, rows[i].binding, rows[i].view);
      CHECK_EQ(atomic_load(&run.f.ears.count), 1);
      CHECK(!strcmp(run.f.ears.id, rows[i].id));
   }
   fixture_image_destroy(run.f.device, &images.unorm);
   fixture_image_destroy(run.f.device, &images.uint);
   fixture_image_destroy(run.f.device, &images.four_samples);
   fixture_image_destroy(run.f.device, &images.other_format);
   run_finish(&run);
}

TEST_MAIN
