/* SPDX-License-Identifier: MIT
 * Identity of the library that this code is part of: what caches and UUIDs depend on. */
#pragma once

#include "util/hash.h"

/* A hash of the linker's build id of this library; of the version where there is none. Computed once. */
struct util_hash util_build_hash(void);
