/* SPDX-License-Identifier: MIT
 * VK_EXT_debug_utils: messengers. VK_EXT_debug_report: callbacks, which are messengers too. */
#include "icd/instance/messenger.h"

#include "icd/instance/instance.h"
#include "util/debug.h"
#include "util/thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct icd_messenger {
   struct icd_object base;
   struct util_list node; /* in icd_instance.messengers */
   VkDebugUtilsMessageSeverityFlagsEXT severities;
   VkDebugUtilsMessageTypeFlagsEXT types;
   PFN_vkDebugUtilsMessengerCallbackEXT callback;
   void *user_data;
   bool is_of_creation; /* chained to the instance's creation; `severities` is 0 while it does not listen */
   VkDebugUtilsMessageSeverityFlagsEXT wanted_severities;
   PFN_vkDebugReportCallbackEXT report; /* of VK_EXT_debug_report, then `callback` is not set */
   VkDebugReportFlagsEXT report_flags;
};

static struct icd_messenger *add_messenger(struct icd_instance *instance, const VkAllocationCallbacks *allocator,
                                           const VkDebugUtilsMessengerCreateInfoEXT *info,
                                           const VkDebugReportCallbackCreateInfoEXT *report)
{
   struct icd_messenger *messenger = util_zalloc(allocator, sizeof(*messenger), 16, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   if (!messenger)
      return NULL;
   icd_object_init(&messenger->base, NULL, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT);
   messenger->severities = messenger->wanted_severities = info->messageSeverity;
   messenger->types = info->messageType;
   messenger->callback = info->pfnUserCallback;
   messenger->user_data = info->pUserData;
   if (report) {
      messenger->report = report->pfnCallback;
      messenger->report_flags = report->flags;
   }
   pthread_mutex_lock(&instance->messengers_lock);
   util_list_add_before(&messenger->node, &instance->messengers);
   atomic_fetch_add(&instance->num_messengers, 1);
   pthread_mutex_unlock(&instance->messengers_lock);
   return messenger;
}

static struct icd_messenger *add_report(struct icd_instance *instance, const VkAllocationCallbacks *allocator,
                                        const VkDebugReportCallbackCreateInfoEXT *info)
{
   const VkDebugUtilsMessengerCreateInfoEXT all = {
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
      .pUserData = info->pUserData,
   };
   return add_messenger(instance, allocator, &all, info);
}

static struct icd_messenger *add_of_chain(struct icd_instance *instance, const VkBaseInStructure *s)
{
   if (s->sType == VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT)
      return add_report(instance, instance->allocator, (const VkDebugReportCallbackCreateInfoEXT *)s);
   return add_messenger(instance, instance->allocator, (const VkDebugUtilsMessengerCreateInfoEXT *)s, NULL);
}

VkResult icd_messengers_init(struct icd_instance *instance, const void *chain)
{
   util_list_init(&instance->messengers);
   if (!util_mutex_init(&instance->messengers_lock))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
      if (s->sType != VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT &&
          s->sType != VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT)
         continue;
      struct icd_messenger *messenger = add_of_chain(instance, s);
      if (!messenger) {
         icd_messengers_finish(instance);
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      }
      messenger->is_of_creation = true;
   }
   return VK_SUCCESS;
}

void icd_messengers_finish(struct icd_instance *instance)
{
   UTIL_LIST_FOR_EACH (struct icd_messenger, messenger, &instance->messengers, node) {
      util_list_remove(&messenger->node);
      icd_object_finish(&messenger->base);
      util_free(instance->allocator, messenger);
   }
   pthread_mutex_destroy(&instance->messengers_lock);
}

void icd_messengers_listen(struct icd_instance *instance, bool is_listening)
{
   pthread_mutex_lock(&instance->messengers_lock);
   UTIL_LIST_FOR_EACH (struct icd_messenger, messenger, &instance->messengers, node) {
      if (messenger->is_of_creation)
         messenger->severities = is_listening ? messenger->wanted_severities : 0;
   }
   pthread_mutex_unlock(&instance->messengers_lock);
}

static VkDebugReportFlagsEXT report_flag(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                         VkDebugUtilsMessageTypeFlagsEXT types)
{
   switch (severity) {
   case VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT:
      return VK_DEBUG_REPORT_ERROR_BIT_EXT;
   case VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT:
      return types & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT ? VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT
                                                                     : VK_DEBUG_REPORT_WARNING_BIT_EXT;
   case VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT:
      return VK_DEBUG_REPORT_INFORMATION_BIT_EXT;
   default:
      return VK_DEBUG_REPORT_DEBUG_BIT_EXT;
   }
}

/* Both enumerations number the objects of Vulkan 1.0 alike. */
static VkDebugReportObjectTypeEXT report_type(VkObjectType type)
{
   return type <= VK_OBJECT_TYPE_COMMAND_POOL ? (VkDebugReportObjectTypeEXT)type : VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT;
}

static void send_report(const struct icd_messenger *messenger, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                        VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data)
{
   const VkDebugReportFlagsEXT flag = report_flag(severity, types);
   const VkDebugUtilsObjectNameInfoEXT none = {0}, *object = data->objectCount ? &data->pObjects[0] : &none;
   if (messenger->report_flags & flag)
      messenger->report(flag, report_type(object->objectType), object->objectHandle, 0, data->messageIdNumber,
                        data->pMessageIdName ? data->pMessageIdName : "vk_swrast", data->pMessage ? data->pMessage : "",
                        messenger->user_data);
}

/* Callbacks may come back into the driver, so they run without the lock. The application keeps messengers alive that
 * a call of its own may reach. */
static void send(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                 VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data)
{
   struct icd_messenger *heard[16];
   uint32_t count = 0;
   pthread_mutex_lock(&instance->messengers_lock);
   UTIL_LIST_FOR_EACH (struct icd_messenger, messenger, &instance->messengers, node) {
      if ((messenger->severities & severity) && (messenger->types & types) && count < UTIL_ARRAY_SIZE(heard))
         heard[count++] = messenger;
   }
   pthread_mutex_unlock(&instance->messengers_lock);
   for (uint32_t i = 0; i < count; i++) {
      if (heard[i]->report)
         send_report(heard[i], severity, types, data);
      else
         heard[i]->callback(severity, types, data, heard[i]->user_data);
   }
}

void icd_message(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                 VkDebugUtilsMessageTypeFlagsEXT types, const char *id, const struct icd_object *object,
                 const char *format, ...)
{
   const bool is_loud = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT && util_debug(UTIL_DEBUG_VERBOSE);
   const bool is_found = !strncmp(id, "SANITIZE-", strlen("SANITIZE-")); /* whoever switched a check on reads stderr */
   const bool is_rule = (types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) && util_debug(UTIL_DEBUG_VALIDATE);
   if (!is_loud && !is_rule && !is_found && atomic_load(&instance->num_messengers) == 0)
      return;

   char text[4096];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (is_loud || is_rule || is_found)
      util_log("%s%s%s", strstr(text, id) ? "" : id, strstr(text, id) ? "" : ": ", text);

   icd_message_text(instance, severity, types, id, 0, object, text);
}

static void send_text(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                      const char *id, int32_t number, const struct icd_object *object, const char *text, const void *chain)
{
   const VkDebugUtilsObjectNameInfoEXT about = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = object ? object->type : VK_OBJECT_TYPE_UNKNOWN,
      .objectHandle = (uintptr_t)object,
      .pObjectName = object && *icd_object_name(object) ? icd_object_name(object) : NULL,
   };
   const VkDebugUtilsMessengerCallbackDataEXT data = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pNext = chain,
      .pMessageIdName = id,
      .messageIdNumber = number,
      .pMessage = text,
      .objectCount = object ? 1 : 0,
      .pObjects = &about,
   };
   send(instance, severity, types, &data);
}

void icd_message_text(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                      const char *id, int32_t number, const struct icd_object *object, const char *text)
{
   send_text(instance, severity, types, id, number, object, text, NULL);
}

void icd_message_chain(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types, const char *id,
                       const struct icd_object *object, const char *text, const void *chain)
{
   if (atomic_load(&instance->num_messengers))
      send_text(instance, severity, types, id, 0, object, text, chain);
}

/* ---- entry points ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDebugUtilsMessengerEXT(VkInstance _instance,
                                                                const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
                                                                const VkAllocationCallbacks *pAllocator,
                                                                VkDebugUtilsMessengerEXT *pMessenger)
{
   struct icd_instance *instance = icd_instance_from_handle(_instance);
   struct icd_messenger *messenger =
      add_messenger(instance, pAllocator ? pAllocator : instance->allocator, pCreateInfo, NULL);
   if (!messenger)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   *pMessenger = icd_messenger_to_handle(messenger);
   return VK_SUCCESS;
}

static void remove_messenger(struct icd_instance *instance, struct icd_messenger *messenger,
                             const VkAllocationCallbacks *pAllocator)
{
   if (!messenger)
      return;
   pthread_mutex_lock(&instance->messengers_lock);
   util_list_remove(&messenger->node);
   atomic_fetch_sub(&instance->num_messengers, 1);
   pthread_mutex_unlock(&instance->messengers_lock);
   icd_object_finish(&messenger->base);
   util_free(pAllocator ? pAllocator : instance->allocator, messenger);
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                                             const VkAllocationCallbacks *pAllocator)
{
   remove_messenger(icd_instance_from_handle(instance), icd_messenger_from_handle(messenger), pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDebugReportCallbackEXT(VkInstance _instance,
                                                                const VkDebugReportCallbackCreateInfoEXT *pCreateInfo,
                                                                const VkAllocationCallbacks *pAllocator,
                                                                VkDebugReportCallbackEXT *pCallback)
{
   struct icd_instance *instance = icd_instance_from_handle(_instance);
   struct icd_messenger *messenger = add_report(instance, pAllocator ? pAllocator : instance->allocator, pCreateInfo);
   if (!messenger)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   *pCallback = (VkDebugReportCallbackEXT)(uintptr_t)messenger;
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDebugReportCallbackEXT(VkInstance instance, VkDebugReportCallbackEXT callback,
                                                             const VkAllocationCallbacks *pAllocator)
{
   remove_messenger(icd_instance_from_handle(instance), (struct icd_messenger *)(uintptr_t)callback, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL icd_DebugReportMessageEXT(VkInstance instance, VkDebugReportFlagsEXT flags,
                                                     VkDebugReportObjectTypeEXT objectType, uint64_t object,
                                                     size_t location, int32_t messageCode, const char *pLayerPrefix,
                                                     const char *pMessage)
{
   const bool is_warning = flags & (VK_DEBUG_REPORT_WARNING_BIT_EXT | VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT);
   const VkDebugUtilsObjectNameInfoEXT about = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = (VkObjectType)objectType,
      .objectHandle = object,
   };
   const VkDebugUtilsMessengerCallbackDataEXT data = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessageIdName = pLayerPrefix,
      .messageIdNumber = messageCode,
      .pMessage = pMessage,
      .objectCount = 1,
      .pObjects = &about,
   };
   send(icd_instance_from_handle(instance),
        flags & VK_DEBUG_REPORT_ERROR_BIT_EXT         ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
        : is_warning                                  ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
        : flags & VK_DEBUG_REPORT_INFORMATION_BIT_EXT ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT
                                                      : VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT,
        flags & VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT ? VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT
                                                            : VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        &data);
}

VKAPI_ATTR void VKAPI_CALL icd_SubmitDebugUtilsMessageEXT(VkInstance instance,
                                                          VkDebugUtilsMessageSeverityFlagBitsEXT messageSeverity,
                                                          VkDebugUtilsMessageTypeFlagsEXT messageTypes,
                                                          const VkDebugUtilsMessengerCallbackDataEXT *pCallbackData)
{
   send(icd_instance_from_handle(instance), messageSeverity, messageTypes, pCallbackData);
}
