/* SPDX-License-Identifier: MIT */
#include "util/env.h"

#include "util/debug.h"
#include "util/outside.h"

#include <inttypes.h>
#include <stdlib.h>

uint64_t util_env_number(const char *name, uint64_t limit, uint64_t otherwise)
{
   const char *text = util_env(name);
   if (!text || !*text)
      return otherwise;
   char *end;
   const uint64_t value = strtoull(text, &end, 10);
   if (*text >= '0' && *text <= '9' && *end == '\0') {
      if (value > limit)
         util_log("%s=%s: %" PRIu64 " is the maximum", name, text, limit);
      return UTIL_MIN(value, limit);
   }
   util_log("%s=%s: not a number, so it counts as unset", name, text);
   return otherwise;
}
