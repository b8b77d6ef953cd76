/* SPDX-License-Identifier: MIT */
#include "runtime/abort.h"

#include "runtime/pool_internal.h"
#include "util/alloc.h"

#include <stdio.h>

/* The first lane of the first vector gets the address, all others 0. */
static void begin(struct rt_abort *abort, const struct rt_worker *worker, const struct abi_probe_call *call)
{
   const uint32_t lane = (uint32_t)__builtin_ctz(call->mask);
   const struct rt_worker *nobody = NULL;
   for (uint32_t mask = call->mask; mask; mask &= mask - 1)
      call->result[__builtin_ctz(mask)] = 0;
   if (!atomic_compare_exchange_strong(&abort->owner, &nobody, worker))
      return;
   abort->size_bytes = call->operands[0][lane];
   abort->message = util_calloc(1, abort->size_bytes); /* what lies between members is zero */
   call->result[lane] = (uintptr_t)abort->message;
}

/* The message is written. */
static void end(struct rt_abort *abort, struct rt_worker *worker, const struct abi_probe_call *call)
{
   char reason[512];
   const char *label = atomic_load_explicit(&worker->running, memory_order_relaxed);
   const char *file = call->site->texts + call->site->file;
   if (atomic_load(&abort->owner) != worker || atomic_exchange(&abort->is_complete, true))
      return;
   const int length = snprintf(reason, sizeof(reason), "a shader aborted: %s", label ? label : "");
   if (*file && length > 0 && (size_t)length < sizeof(reason))
      snprintf(reason + length, sizeof(reason) - (size_t)length, ", at %s:%u", file, call->site->line);
   rt_pool_fail(worker->pool, reason);
}

void rt_abort_probe(struct rt_worker *worker, const struct abi_probe_call *call)
{
   struct rt_abort *abort = &worker->pool->abort;
   if (call->site->probe == ABI_PROBE_ABORT)
      begin(abort, worker, call);
   else
      end(abort, worker, call);
}

bool rt_abort_has(const struct rt_worker *worker, uint64_t address, uint64_t bytes)
{
   const struct rt_abort *abort = &worker->pool->abort;
   if (atomic_load(&abort->owner) != worker)
      return false;
   const uint64_t offset = address - (uintptr_t)abort->message;
   return abort->message && offset <= abort->size_bytes && bytes <= abort->size_bytes - offset;
}

const void *rt_abort_message(const struct rt_pool *pool, uint64_t *size_bytes)
{
   const bool is_complete = atomic_load(&pool->abort.is_complete);
   *size_bytes = is_complete ? pool->abort.size_bytes : 0;
   return is_complete ? pool->abort.message : NULL;
}
