/* SPDX-License-Identifier: MIT
 * Extensions: sets of them, which ones we offer, checks of what the application asks for.
 * Spec: Extending Vulkan, "Extensions". Names and versions come from the registry (gen/icd_entrypoints.h). */
#pragma once

#include "gen/icd_entrypoints.h"
#include "util/macros.h"

#include <stdbool.h>

/* What we offer: written by hand in extensions.c. */
const struct icd_extension_set *icd_instance_extensions(void);
const struct icd_extension_set *icd_device_extensions(void);

/* True if `id` is in the set. Ids are ICD_EXT_KHR_maintenance1 and so on. */
static inline bool icd_has_extension(const struct icd_extension_set *set, enum icd_extension id)
{
   return set->words[id / 64] >> (id % 64) & 1;
}

static inline void icd_add_extension(struct icd_extension_set *set, enum icd_extension id)
{
   set->words[id / 64] |= UINT64_C(1) << (id % 64);
}

static inline void icd_remove_extension(struct icd_extension_set *set, enum icd_extension id)
{
   set->words[id / 64] &= ~(UINT64_C(1) << (id % 64));
}

/* Adds the named extensions to *enabled. VK_ERROR_EXTENSION_NOT_PRESENT if one is not in `offered`. */
UTIL_MUST_CHECK VkResult icd_enable_extensions(const struct icd_extension_set *offered, uint32_t count,
                                               const char *const *names, struct icd_extension_set *enabled);

/* The two-call idiom of vkEnumerate*ExtensionProperties. */
VkResult icd_enumerate_extensions(const struct icd_extension_set *offered, uint32_t *count,
                                  VkExtensionProperties *properties);
