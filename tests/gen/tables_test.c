/* SPDX-License-Identifier: MIT
 * What gen/ makes of the registry: enum values, extensions, what exposes a command, feature fields. */
#include "gen/icd_entrypoints.h"
#include "gen/icd_features.h"
#include "gen/icd_names.h"
#include "gen/icd_properties.h"
#include "tests/test.h"

#include <stddef.h>

static struct icd_extension_set set_of(enum icd_extension a, enum icd_extension b)
{
   struct icd_extension_set set = {{0}};
   if (a != ICD_NUM_EXTENSIONS)
      set.words[a / 64] |= UINT64_C(1) << (a % 64);
   if (b != ICD_NUM_EXTENSIONS)
      set.words[b / 64] |= UINT64_C(1) << (b % 64);
   return set;
}

static bool is_exposed(const char *name, uint32_t version, enum icd_extension a, enum icd_extension b)
{
   const struct icd_command *command = icd_command_find(name);
   const struct icd_extension_set set = set_of(a, b);
   CHECK(command != NULL);
   return command && icd_command_is_exposed(command, version, &set);
}

#define NONE ICD_NUM_EXTENSIONS

TEST(names)
{
   CHECK_STR(icd_result_name(VK_SUCCESS), "VK_SUCCESS");
   CHECK_STR(icd_result_name(VK_ERROR_DEVICE_LOST), "VK_ERROR_DEVICE_LOST");
   CHECK_STR(icd_result_name(VK_ERROR_OUT_OF_POOL_MEMORY), "VK_ERROR_OUT_OF_POOL_MEMORY");
   CHECK_STR(icd_result_name(VK_ERROR_SURFACE_LOST_KHR), "VK_ERROR_SURFACE_LOST_KHR");
   CHECK_STR(icd_result_name((VkResult)12345), "unknown");
   CHECK_STR(icd_structure_type_name(VK_STRUCTURE_TYPE_RENDERING_INFO), "VK_STRUCTURE_TYPE_RENDERING_INFO");
   CHECK_STR(icd_structure_type_name(VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT), "VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT");
   CHECK_STR(icd_format_name(VK_FORMAT_D32_SFLOAT), "VK_FORMAT_D32_SFLOAT");
   CHECK_STR(icd_format_name(VK_FORMAT_A8_UNORM), "VK_FORMAT_A8_UNORM");
   CHECK_STR(icd_object_type_name(VK_OBJECT_TYPE_PRIVATE_DATA_SLOT), "VK_OBJECT_TYPE_PRIVATE_DATA_SLOT");
}

TEST(extensions)
{
   for (int i = 0; i < ICD_NUM_EXTENSIONS; i++) {
      CHECK_EQ(icd_extension_find(icd_extension_name((enum icd_extension)i)), i);
      CHECK(icd_extension_infos[i].spec_version > 0);
   }
   CHECK_STR(icd_extension_name(ICD_EXT_KHR_maintenance1), VK_KHR_MAINTENANCE_1_EXTENSION_NAME);
   CHECK_EQ(icd_extension_infos[ICD_EXT_KHR_maintenance1].spec_version, VK_KHR_MAINTENANCE_1_SPEC_VERSION);
   CHECK_EQ(icd_extension_infos[ICD_EXT_KHR_maintenance1].promoted_minor, 1);
   CHECK(icd_extension_infos[ICD_EXT_KHR_maintenance1].is_device);
   CHECK(!icd_extension_infos[ICD_EXT_EXT_debug_utils].is_device);
   CHECK_EQ(icd_extension_infos[ICD_EXT_EXT_debug_utils].promoted_minor, 255);
   CHECK_EQ(icd_extension_find("VK_KHR_nothing"), ICD_NUM_EXTENSIONS);
   CHECK_EQ(icd_extension_find(""), ICD_NUM_EXTENSIONS);
}

TEST(kinds)
{
   CHECK_EQ(icd_command_find("vkCreateInstance")->kind, ICD_COMMAND_GLOBAL);
   CHECK_EQ(icd_command_find("vkGetInstanceProcAddr")->kind, ICD_COMMAND_GLOBAL);
   CHECK_EQ(icd_command_find("vkDestroyInstance")->kind, ICD_COMMAND_INSTANCE);
   CHECK_EQ(icd_command_find("vkCreateDevice")->kind, ICD_COMMAND_PHYSICAL_DEVICE);
   CHECK_EQ(icd_command_find("vkGetDeviceProcAddr")->kind, ICD_COMMAND_DEVICE);
   CHECK_EQ(icd_command_find("vkQueueSubmit")->kind, ICD_COMMAND_DEVICE);
   CHECK_EQ(icd_command_find("vkCmdDraw")->kind, ICD_COMMAND_DEVICE);
   CHECK(icd_command_find("vkCmdDra") == NULL);
   CHECK(icd_command_find("") == NULL);
   CHECK(icd_command_function(icd_command_find("vkCmdDraw")) == NULL);
}

TEST(exposure)
{
   CHECK(is_exposed("vkCmdDraw", VK_API_VERSION_1_0, NONE, NONE));
   CHECK(!is_exposed("vkTrimCommandPool", VK_API_VERSION_1_0, NONE, NONE));
   CHECK(is_exposed("vkTrimCommandPool", VK_API_VERSION_1_1, NONE, NONE));
   /* The name of an extension is for the extension alone, whatever the version. */
   CHECK(!is_exposed("vkTrimCommandPoolKHR", VK_API_VERSION_1_4, NONE, NONE));
   CHECK(is_exposed("vkTrimCommandPoolKHR", VK_API_VERSION_1_0, ICD_EXT_KHR_maintenance1, NONE));
   CHECK_EQ(icd_command_find("vkTrimCommandPoolKHR")->function, icd_command_find("vkTrimCommandPool")->function);
   /* Two extensions, or one and a version. */
   const char *present = "vkGetDeviceGroupPresentCapabilitiesKHR";
   CHECK(!is_exposed(present, VK_API_VERSION_1_0, ICD_EXT_KHR_swapchain, NONE));
   CHECK(is_exposed(present, VK_API_VERSION_1_1, ICD_EXT_KHR_swapchain, NONE));
   CHECK(is_exposed(present, VK_API_VERSION_1_0, ICD_EXT_KHR_device_group, ICD_EXT_KHR_surface));
   CHECK(!is_exposed(present, VK_API_VERSION_1_4, ICD_EXT_KHR_device_group, NONE));
   const char *push = "vkCmdPushDescriptorSetWithTemplateKHR";
   CHECK(!is_exposed(push, VK_API_VERSION_1_0, ICD_EXT_KHR_push_descriptor, NONE));
   CHECK(is_exposed(push, VK_API_VERSION_1_1, ICD_EXT_KHR_push_descriptor, NONE));
   CHECK(is_exposed(push, VK_API_VERSION_1_0, ICD_EXT_KHR_push_descriptor, ICD_EXT_KHR_descriptor_update_template));
   /* Several extensions have it. */
   CHECK(is_exposed("vkCmdSetCullModeEXT", VK_API_VERSION_1_0, ICD_EXT_EXT_extended_dynamic_state, NONE));
   CHECK(is_exposed("vkCmdSetCullModeEXT", VK_API_VERSION_1_0, ICD_EXT_EXT_shader_object, NONE));
}

static bool has_field(VkStructureType type, uint16_t offset)
{
   for (int i = 0; i < ICD_NUM_FEATURE_STRUCTS; i++) {
      const struct icd_feature_struct *s = &icd_feature_structs[i];
      for (uint32_t j = 0; s->type == type && j < s->count; j++) {
         if (icd_feature_fields[s->first + j].offset == offset)
            return true;
      }
   }
   return false;
}

TEST(features)
{
   for (int i = 1; i < ICD_NUM_FEATURE_STRUCTS; i++)
      CHECK(icd_feature_structs[i - 1].type < icd_feature_structs[i].type);
   for (int i = 1; i < ICD_NUM_PROPERTY_STRUCTS; i++)
      CHECK(icd_property_structs[i - 1].type < icd_property_structs[i].type);
   CHECK_EQ(ICD_NUM_CORE_FEATURES, sizeof(VkPhysicalDeviceFeatures) / sizeof(VkBool32));

   const uint16_t timeline = offsetof(struct icd_features, timelineSemaphore);
   CHECK_STR(icd_feature_name(timeline), "timelineSemaphore");
   CHECK(has_field(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, timeline));
   CHECK(has_field(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, timeline));
   CHECK(!has_field(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, timeline));
}

TEST_MAIN
