/* SPDX-License-Identifier: MIT
 * Bytes that commands use by themselves: the device's hazards get them. */
#include "runtime/instrument/watch.h"

#include <string.h>

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

void rt_watch_use(struct rt_watch *watch, const struct rt_watched_use *use, uint64_t begin, uint64_t end)
{
   const struct rt_watched_command *command = &watch->commands[watch->count - 1];
   struct rt_command_site room;
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
