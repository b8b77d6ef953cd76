/* SPDX-License-Identifier: MIT
 * Bytes that commands use by themselves: the device's hazards get them, or nobody has written them; what commands are called. */
#include "runtime/instrument/watch.h"

#include "runtime/instrument/written.h"

#include <stdio.h>
#include <string.h>

void rt_watch_describe(const struct rt_watch *watch, const struct rt_watched_command *command, const char *shader, char *text, size_t size)
{
   const char *name = command->type == RT_CMD_dependency ? "barrier" : rt_cmd_name(command->type);
   size_t used = (size_t)snprintf(text, size, "%s, command %u of submission %llu of queue %u", name, command->number,
                                  (unsigned long long)watch->id.number, watch->id.queue);
   if (command->labels[0] && used < size)
      used += (size_t)snprintf(text + used, size - used, ", labels \"%s\"", command->labels);
   if (shader && used < size)
      snprintf(text + used, size - used, ", in %s", shader);
}

const struct abi_site *rt_watch_site(struct rt_command_site *room, const struct rt_watched_command *command)
{
   struct abi_site *site = (struct abi_site *)room->bytes;
   memset(room, 0, sizeof(*room));
   *site = (struct abi_site){
      .module = command->hash,
      .number = command->type,
      .probe = ABI_PROBE_USE,
      .stage = ABI_NUM_STAGES,
      .set = ABI_NO_SET,
      .total_bytes = sizeof(*room),
   };
   return site;
}

/* What is reported of a command that reads what nobody wrote; `room` has its site. */
static struct rt_finding describe_unwritten(const struct rt_watch *watch, const struct rt_watched_command *command, const struct rt_watched_use *use,
                                            struct rt_command_site *room)
{
   enum { NUM_ACCESSES = 64 };
   struct abi_site *site = (struct abi_site *)rt_watch_site(room, command);
   site->number = command->type * NUM_ACCESSES + (uint32_t)__builtin_ctzll(use->accesses);
   struct rt_finding finding = {.order = command->order, .party.site = site, .hazard = RT_HAZARD_UNWRITTEN,
                                .scopes[0] = {use->stages & -use->stages, use->accesses & -use->accesses}};
   rt_watch_describe(watch, command, NULL, finding.label, sizeof(finding.label));
   return finding;
}

static void check_written(struct rt_watch *watch, const struct rt_watched_command *command, const struct rt_watched_use *use, uint64_t begin, uint64_t end)
{
   const uint64_t bytes = end - begin, at = use->is_decisive ? rt_find_unwritten((const void *)(uintptr_t)begin, bytes) : bytes;
   struct rt_command_site room;
   if (at == bytes)
      return;
   struct rt_finding finding = describe_unwritten(watch, command, use, &room);
   finding.address = begin + at;
   rt_findings_add(watch->findings, &finding);
}

bool rt_watch_records(const struct rt_watch *watch, struct rt_watched_records *records)
{
   static const struct rt_watched_use use = {VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, false, false, true};
   if (!watch->count)
      return false;
   records->findings = watch->findings;
   records->finding = describe_unwritten(watch, &watch->commands[watch->count - 1], &use, &records->site);
   return true;
}

void rt_watched_record(const struct rt_watched_records *records, uint64_t address)
{
   struct rt_finding finding = records->finding;
   finding.address = address;
   rt_findings_add(records->findings, &finding);
}

void rt_watch_use(struct rt_watch *watch, const struct rt_watched_use *use, uint64_t begin, uint64_t end)
{
   const struct rt_watched_command *command = &watch->commands[watch->count - 1];
   struct rt_command_site room;
   if (!watch->hazards) {
      check_written(watch, command, use, begin, end);
      return;
   }
   const struct rt_hazard_access access = {
      .order = command->order,
      .stages = use->stages,
      .accesses = use->accesses,
      .is_write = use->is_write,
      .is_attachment = use->is_attachment,
      .site = rt_watch_site(&room, command),
   };
   rt_uses_add(watch->uses, watch->worker, &access, &(struct rt_byte_range){begin, end}, 1);
}
