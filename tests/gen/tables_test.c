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

TEST(classes)
{
   CHECK_EQ(icd_command_find("vkCreateInstance")->level, ICD_COMMAND_GLOBAL);
   CHECK_EQ(icd_command_find("vkGetInstanceProcAddr")->level, ICD_COMMAND_GLOBAL);
   CHECK_EQ(icd_command_find("vkDestroyInstance")->level, ICD_COMMAND_INSTANCE);
   CHECK_EQ(icd_command_find("vkCreateDevice")->level, ICD_COMMAND_PHYSICAL_DEVICE);
   CHECK_EQ(icd_command_find("vkGetDeviceProcAddr")->level, ICD_COMMAND_DEVICE);
   CHECK_EQ(icd_command_find("vkQueueSubmit")->level, ICD_COMMAND_DEVICE);
   CHECK_EQ(icd_command_find("vkCmdDraw")->level, ICD_COMMAND_DEVICE);
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

/* A command that two extensions have together is also there with what the one was promoted to. */
TEST(promoted_owners)
{
   static const struct {
      enum icd_extension older, newer;
   } lines[] = {
      {ICD_EXT_EXT_line_rasterization, ICD_EXT_KHR_line_rasterization},
      {ICD_EXT_EXT_vertex_attribute_divisor, ICD_EXT_KHR_vertex_attribute_divisor},
      {ICD_EXT_EXT_buffer_device_address, ICD_EXT_KHR_buffer_device_address},
      {ICD_EXT_EXT_calibrated_timestamps, ICD_EXT_KHR_calibrated_timestamps},
      {ICD_EXT_EXT_global_priority, ICD_EXT_KHR_global_priority},
      {ICD_EXT_EXT_index_type_uint8, ICD_EXT_KHR_index_type_uint8},
      {ICD_EXT_EXT_load_store_op_none, ICD_EXT_KHR_load_store_op_none},
      {ICD_EXT_AMD_draw_indirect_count, ICD_EXT_KHR_draw_indirect_count},
   };
   /* The other may be the one that such commands come with. */
   static const enum icd_extension owners[] = {ICD_EXT_EXT_extended_dynamic_state3, ICD_EXT_EXT_shader_object,
                                               ICD_EXT_KHR_maintenance6, ICD_EXT_KHR_push_descriptor, ICD_EXT_KHR_swapchain};
   const struct icd_command *command;
   uint32_t num_with_extension = 0, num_with_version = 0;
   for (uint32_t i = 0; (command = icd_command_at(i)) != NULL; i++) {
      const char *name = icd_command_name(command);
      for (uint32_t first = 0; first < sizeof(owners) / sizeof(owners[0]); first++) {
         const enum icd_extension a = owners[first];
         const struct icd_extension_set alone = set_of(a, NONE);
         if (icd_command_is_exposed(command, VK_API_VERSION_1_0, &alone))
            continue;
         for (uint32_t k = 0; k < sizeof(lines) / sizeof(lines[0]); k++) {
            const struct icd_extension_set older = set_of(lines[k].older, NONE), both = set_of(a, lines[k].older);
            if (icd_command_is_exposed(command, VK_API_VERSION_1_0, &older) ||
                !icd_command_is_exposed(command, VK_API_VERSION_1_0, &both))
               continue;
            num_with_extension++;
            CHECK(is_exposed(name, VK_API_VERSION_1_0, a, lines[k].newer));
         }
         for (int second = 0; second < ICD_NUM_EXTENSIONS; second++) {
            const enum icd_extension b = (enum icd_extension)second;
            const struct icd_extension_set other = set_of(b, NONE), both = set_of(a, b);
            const uint32_t minor = icd_extension_infos[b].promoted_minor;
            if (minor == 255 || icd_command_is_exposed(command, VK_API_VERSION_1_0, &other) ||
                !icd_command_is_exposed(command, VK_API_VERSION_1_0, &both) ||
                icd_extension_infos[a].promoted_minor == minor) /* the command is core's then, under another name */
               continue;
            num_with_version++;
            CHECK(is_exposed(name, VK_MAKE_API_VERSION(0, 1, minor, 0), a, NONE));
         }
      }
   }
   CHECK(num_with_extension >= 2);
   CHECK(num_with_version >= 4);
   CHECK(is_exposed("vkCmdSetLineRasterizationModeEXT", VK_API_VERSION_1_0, ICD_EXT_EXT_extended_dynamic_state3,
                    ICD_EXT_KHR_line_rasterization));
   CHECK(is_exposed("vkCmdSetLineStippleEnableEXT", VK_API_VERSION_1_4, ICD_EXT_EXT_extended_dynamic_state3, NONE));
   CHECK(!is_exposed("vkCmdSetLineStippleEnableEXT", VK_API_VERSION_1_3, ICD_EXT_EXT_extended_dynamic_state3, NONE));
   CHECK(is_exposed("vkCmdSetLineStippleEnableEXT", VK_API_VERSION_1_3, ICD_EXT_EXT_shader_object, NONE));
   CHECK(!is_exposed("vkCmdSetLineStippleEnableEXT", VK_API_VERSION_1_3, ICD_EXT_KHR_line_rasterization, NONE));
}

/* Twins under an author's suffix and without it are one function. */
TEST(aliases)
{
   static const char *const suffixes[] = {"KHR", "EXT", "AMD", "NV", "VALVE", "GOOGLE"};
   const struct icd_command *command;
   uint32_t num_twins = 0;
   for (uint32_t i = 0; (command = icd_command_at(i)) != NULL; i++) {
      char base[128];
      const size_t length = strlen(icd_command_name(command));
      for (uint32_t s = 0; s < sizeof(suffixes) / sizeof(suffixes[0]); s++) {
         const size_t end = strlen(suffixes[s]);
         if (length < end || strcmp(icd_command_name(command) + length - end, suffixes[s]) != 0)
            continue;
         snprintf(base, sizeof(base), "%.*s", (int)(length - end), icd_command_name(command));
         const struct icd_command *twin = icd_command_find(base);
         if (!twin)
            continue;
         num_twins++;
         CHECK_EQ(twin->function, command->function);
         CHECK_EQ(twin->level, command->level);
      }
   }
   CHECK(num_twins >= 100);
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
