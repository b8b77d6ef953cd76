/* SPDX-License-Identifier: MIT
 * Identity of this build of the driver: what caches and UUIDs depend on. */
#pragma once

#include "util/hash.h"

/* A hash of the linker's build id of this library; of the version where there is none. Computed once. */
struct util_hash icd_build_hash(void);
