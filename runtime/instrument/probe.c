/* SPDX-License-Identifier: MIT
 * Where probes arrive: lane by lane, what is found becomes a finding. */
#include "runtime/abort.h"
#include "runtime/instrument/instrument.h"

#include "runtime/instrument/hazards.h"
#include "runtime/instrument/prints.h"
#include "runtime/instrument/touches.h"
#include "runtime/instrument/races.h"
#include "runtime/instrument/uses.h"
#include "runtime/pool_internal.h"

#include <stdio.h>

void rt_finding_init(struct rt_finding *finding, const struct rt_worker *worker, const struct abi_probe_call *call, uint32_t lane)
{
   *finding = (struct rt_finding){.order = worker->order, .party.site = call->site};
   for (uint32_t i = 0; i < call->site->num_operands; i++)
      finding->party.operands[i] = call->operands[i][lane];
   const char *label = atomic_load_explicit(&worker->running, memory_order_relaxed);
   snprintf(finding->label, sizeof(finding->label), "%s", label ? label : "");
}

/* The lane's finding, unless a look at its operands says that there is none. */
static void find(struct rt_findings *findings, const struct rt_worker *worker, const struct abi_probe_call *call, uint32_t lane)
{
   uint64_t words[ABI_MAX_INVOCATION_WORDS] = {0};
   struct rt_finding finding;
   for (uint32_t i = 0; i < UTIL_MIN(call->site->num_words, (uint32_t)ABI_MAX_INVOCATION_WORDS); i++)
      words[i] = call->operands[i][lane];
   if (rt_findings_has(findings, call->site, worker->order, words))
      return;
   rt_finding_init(&finding, worker, call, lane);
   if (call->site->probe == ABI_PROBE_NOT_FINITE && !rt_makes_not_finite(call->site, finding.party.operands + call->site->num_words))
      return;
   rt_findings_add(findings, &finding);
}

/* An address of a buffer that may be addressed so: 1. */
static void check_address(struct rt_findings *findings, const struct rt_worker *worker, const struct abi_probe_call *call, uint32_t lane)
{
   const uint64_t address = call->operands[call->site->num_words][lane];
   call->result[lane] = rt_range_is_addressed(address, call->site->bytes) || rt_abort_has(worker, address, call->site->bytes);
   if (!call->result[lane])
      find(findings, worker, call, lane);
}

void rt_probe(const struct abi_probe_call *call)
{
   struct rt_worker *worker = call->worker->owner;
   if (abi_probe_is_abort(call->site->probe)) {
      rt_abort_probe(worker, call);
      return;
   }
   if (abi_probe_is_use(call->site->probe)) {
      if (worker->pool->options.hazards)
         rt_uses_probe(rt_hazards_uses(worker->pool->options.hazards), worker, call);
      return;
   }
   if (abi_probe_is_touch(call->site->probe)) {
      if (worker->pool->options.touches)
         rt_touches_probe(worker->pool->options.touches, worker, call);
      return;
   }
   if (abi_probe_is_followed(call->site->probe)) {
      rt_races_probe(call, worker);
      return;
   }
   if (abi_probe_is_print(call->site->probe)) {
      if (worker->pool->options.prints)
         rt_prints_add(worker->pool->options.prints, worker, call);
      return;
   }
   struct rt_findings *findings = worker->pool->options.findings;
   for (uint32_t mask = call->mask; mask && findings; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      if (call->site->probe == ABI_PROBE_ADDRESS_BOUNDS)
         check_address(findings, worker, call, lane);
      else
         find(findings, worker, call, lane);
   }
}
