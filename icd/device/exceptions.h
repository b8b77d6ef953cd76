/* SPDX-License-Identifier: MIT
 * Exceptions: what is withheld from programs that end when a device offers it. Each is named in docs/CLIENTS.md. */
#pragma once

#include "icd/device/extensions.h"
#include "icd/device/features.h"

/* Takes out of both what the program that creates an instance cannot bear. `application` may be NULL. */
void icd_exceptions_apply(const VkApplicationInfo *application, struct icd_extension_set *extensions,
                          struct icd_features *features);
