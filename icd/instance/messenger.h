/* SPDX-License-Identifier: MIT
 * Messages to the application: VK_EXT_debug_utils messengers.
 * Spec: Debugging, "Debug Messengers". Threads: thread-safe; callbacks run in the caller's thread. */
#pragma once

#include "icd/object.h"

#include <stdbool.h>

/* Sends a message to the messengers that want it; `object` may be NULL. `id` is a short stable name, a rule's VUID where
 * there is one. Costs a load where nobody listens. With VK_SWRAST_DEBUG=verbose warnings and errors go to stderr too, with
 * =validate those of VALIDATION type. */
UTIL_PRINTF(6, 7) void icd_message(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                   VkDebugUtilsMessageTypeFlagsEXT types, const char *id,
                                   const struct icd_object *object, const char *format, ...);

/* The same for messengers alone, with a text of any length and a number for programs that look for it. */
void icd_message_text(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                      const char *id, int32_t number, const struct icd_object *object, const char *text);

/* The same with a structure chained to the message. */
void icd_message_chain(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types, const char *id,
                       const struct icd_object *object, const char *text, const void *chain);

/* Messengers chained to VkInstanceCreateInfo listen while the instance is created and destroyed. */
VkResult icd_messengers_init(struct icd_instance *instance, const void *chain);
/* Frees all that are left. */
void icd_messengers_finish(struct icd_instance *instance);
/* Turns those chained to the creation on or off. */
void icd_messengers_listen(struct icd_instance *instance, bool is_listening);
