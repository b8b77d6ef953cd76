/* SPDX-License-Identifier: MIT
 * Identity of libraries, of the one that this code is part of for one: what caches and UUIDs depend on. */
#pragma once

#include "util/hash.h"

/* A hash of the linker's build id of this library; of the version where there is none. Computed once. */
struct util_hash util_build_hash(void);
/* The same of the library in a file, which need not be loaded; of all of the file where there is no build id. Zeros: it cannot be read. */
struct util_hash util_file_build_hash(const char *path);
