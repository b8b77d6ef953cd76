/* SPDX-License-Identifier: MIT
 * VK_EXT_debug_utils and VK_EXT_debug_marker: names, tags and labels of objects and commands. Messages: messenger.c. */
#include "gen/icd_entrypoints.h"
#include "icd/cmd/dependency.h"
#include "icd/pipeline/shader_object.h"
#include "icd/pipeline/shaders.h"

/* Surfaces and displays belong to the loader: they have no base of ours. */
static bool is_ours(VkObjectType type)
{
   return type != VK_OBJECT_TYPE_UNKNOWN && type != VK_OBJECT_TYPE_SURFACE_KHR && type != VK_OBJECT_TYPE_DISPLAY_KHR &&
          type != VK_OBJECT_TYPE_DISPLAY_MODE_KHR;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetDebugUtilsObjectNameEXT(VkDevice device,
                                                              const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
   if (!is_ours(pNameInfo->objectType) || !pNameInfo->objectHandle)
      return VK_SUCCESS;
   struct icd_object *object = icd_object_from_handle(pNameInfo->objectHandle);
   const VkResult result = icd_object_set_name(object, pNameInfo->pObjectName);
   if (pNameInfo->objectType == VK_OBJECT_TYPE_PIPELINE)
      icd_pipeline_label(UTIL_CONTAINER_OF(object, struct icd_pipeline, base));
   else if (pNameInfo->objectType == VK_OBJECT_TYPE_SHADER_EXT)
      icd_shader_object_label(UTIL_CONTAINER_OF(object, struct icd_shader_object, base));
   return result;
}

/* Tags carry data for layers and tools: nothing here reads them. */
VKAPI_ATTR VkResult VKAPI_CALL icd_SetDebugUtilsObjectTagEXT(VkDevice device,
                                                             const VkDebugUtilsObjectTagInfoEXT *pTagInfo)
{
   return VK_SUCCESS;
}

/* VK_EXT_debug_marker: the same by older names. Its types have the numbers of VkObjectType up to that of command pools;
 * what comes after them belongs to window systems and to extensions, and has none. */
VKAPI_ATTR VkResult VKAPI_CALL icd_DebugMarkerSetObjectNameEXT(VkDevice device, const VkDebugMarkerObjectNameInfoEXT *pNameInfo)
{
   const VkDebugUtilsObjectNameInfoEXT name = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = (VkObjectType)pNameInfo->objectType,
      .objectHandle = pNameInfo->object,
      .pObjectName = pNameInfo->pObjectName,
   };
   return pNameInfo->objectType <= VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT ? icd_SetDebugUtilsObjectNameEXT(device, &name) : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_DebugMarkerSetObjectTagEXT(VkDevice device, const VkDebugMarkerObjectTagInfoEXT *pTagInfo)
{
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDebugMarkerBeginEXT(VkCommandBuffer commandBuffer, const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
   icd_note_label(icd_command_buffer_from_handle(commandBuffer), pMarkerInfo->pMarkerName);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDebugMarkerEndEXT(VkCommandBuffer commandBuffer)
{
   icd_note_label(icd_command_buffer_from_handle(commandBuffer), NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdDebugMarkerInsertEXT(VkCommandBuffer commandBuffer, const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
}

/* Labels are for tools that capture the API; those of commands for findings too. */
VKAPI_ATTR void VKAPI_CALL icd_QueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL icd_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
}

VKAPI_ATTR void VKAPI_CALL icd_QueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer,
                                                          const VkDebugUtilsLabelEXT *pLabelInfo)
{
   icd_note_label(icd_command_buffer_from_handle(commandBuffer), pLabelInfo->pLabelName);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer)
{
   icd_note_label(icd_command_buffer_from_handle(commandBuffer), NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commandBuffer,
                                                           const VkDebugUtilsLabelEXT *pLabelInfo)
{
}
