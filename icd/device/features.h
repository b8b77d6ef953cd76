/* SPDX-License-Identifier: MIT
 * Features: what is true, and the chains of structures that ask for it or enable it.
 * Spec: Features. Threads: all functions are pure. */
#pragma once

#include "gen/icd_features.h"
#include "util/macros.h"

/* What works: the table of features.c. */
void icd_features_fill(struct icd_features *features);

/* Writes VkPhysicalDeviceFeatures. */
void icd_features_get_core(const struct icd_features *features, VkPhysicalDeviceFeatures *core);
/* Answers every feature structure of the chain, VkPhysicalDeviceFeatures2 too; others are left alone. */
void icd_features_answer(const struct icd_features *features, void *chain);

/* Adds what `info` enables to *enabled. VK_ERROR_FEATURE_NOT_PRESENT if something is not supported; then *missing is the byte
 * offset of the field in struct icd_features. */
UTIL_MUST_CHECK VkResult icd_features_collect(const struct icd_features *supported, const VkDeviceCreateInfo *info,
                                              struct icd_features *enabled, uint32_t *missing);
