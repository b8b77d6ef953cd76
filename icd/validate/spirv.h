/* SPDX-License-Identifier: MIT
 * A module against all rules, without a device: what validate.c asks, and tests.
 * VK_SWRAST_VALIDATE and messages are not its business. Threads: pure. */
#pragma once

#include "icd/device/extensions.h"
#include "icd/device/features.h"
#include "icd/validate/report.h"
#include "gen/icd_properties.h"

/* What a device is and has enabled. */
struct icd_validate_env {
   uint32_t api_version;
   const struct icd_features *features;
   const struct icd_extension_set *extensions;
   const struct icd_properties *properties;
};

/* Checks `num_words` words: header, structure, our rules, SPIRV-Tools, capabilities and extensions. What is broken is added to
 * *report. VK_SUCCESS (also for a broken module), VK_ERROR_OUT_OF_HOST_MEMORY. Time and memory are bounded by the words' size. */
UTIL_MUST_CHECK VkResult icd_validate_spirv(const struct icd_validate_env *env, const uint32_t *words, size_t num_words,
                                            struct icd_report *report);
