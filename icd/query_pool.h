/* SPDX-License-Identifier: MIT
 * VkQueryPool. Spec: Queries. */
#pragma once

#include "icd/object.h"
#include "runtime/cmd/cmd.h"

struct icd_query_pool {
   struct icd_object base;
   struct rt_query_pool rt;
};
