/* SPDX-License-Identifier: MIT
 * What the cgroups of this process, of version 1 and 2, allow it.
 * Source: Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/. Threads: thread-safe. */
#pragma once

#include <stdint.h>

struct util_cgroup_limits {
   uint32_t cpus;         /* CPU quota rounded up; UINT32_MAX: none */
   uint64_t memory_bytes; /* UINT64_MAX: none */
};

/* Reads <root>/proc/self/{cgroup,mountinfo} and the controllers' files; `root` is "" but in tests. The limits of all
 * ancestors that are visible count. What cannot be read does not limit. */
struct util_cgroup_limits util_cgroup_read(const char *root);
