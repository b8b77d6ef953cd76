/* SPDX-License-Identifier: MIT
 * A table of faulty programs and their repaired twins, as cases.py makes it, and what both must be reported as. Threads: one user at a time. */
#pragma once

#include "tests/client/client.h"

enum { CASES_MAX_FINDINGS = 4, CASES_MAX_SHADERS = 6 };

struct expected {
   const char *id, *location, *by;
};

struct case_shader {
   VkShaderStageFlagBits stage; /* 0: there is none */
   const uint32_t *words[2]; /* faulty, fixed */
   size_t size_bytes[2];
};

struct instrument_case {
   const char *name;
   struct case_shader shaders[CASES_MAX_SHADERS]; /* those that there are come first */
   uint32_t groups, instances, num_expected;
   struct expected expected[CASES_MAX_FINDINGS];
};

/* client_options.on_message */
void cases_listen(void *data, const char *id, const char *message);
/* Runs both twins of each case whose name has `wanted` (NULL: all); `run` waits until its work is over. The pipeline has the case's name. */
void cases_check(const struct instrument_case *cases, uint32_t count, const char *wanted, void (*run)(const struct instrument_case *it, uint32_t twin));
