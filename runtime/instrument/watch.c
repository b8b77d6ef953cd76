/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/watch.h"

#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/debug.h"

#include <stdio.h>
#include <string.h>

struct rt_watch *rt_watch_create(struct rt_hazards *hazards, struct rt_findings *findings, uint32_t worker)
{
   struct rt_watch *watch = util_calloc(1, sizeof(*watch));
   if (!watch) {
      util_log("no memory to follow commands");
      return NULL;
   }
   watch->hazards = hazards;
   watch->findings = findings;
   watch->worker = worker;
   if (hazards) {
      watch->uses = rt_hazards_uses(hazards);
      watch->queue = rt_hazards_queue(hazards);
   }
   return watch;
}

void rt_watch_destroy(struct rt_watch *watch)
{
   if (!watch)
      return;
   util_mfree(watch->commands);
   util_mfree(watch);
}

void rt_watch_begin(struct rt_watch *watch, const struct rt_submission_id *id)
{
   watch->id = *id;
   watch->num_commands = 0;
   watch->rendering = 0;
   watch->begin = NULL;
}

void rt_watch_stream(struct rt_watch *watch)
{
   watch->num_labels = 0;
}

/* ---- commands ---- */

static void open_label(struct rt_watch *watch, const struct rt_cmd_label *label)
{
   if (label->text && watch->num_labels < RT_MAX_LABELS)
      watch->labels[watch->num_labels] = label->text;
   if (label->text)
      watch->num_labels++;
   else if (watch->num_labels)
      watch->num_labels--;
}

static void join_labels(const struct rt_watch *watch, char *text, size_t size)
{
   size_t used = 0;
   text[0] = 0;
   for (uint32_t i = 0; i < UTIL_MIN(watch->num_labels, (uint32_t)RT_MAX_LABELS) && used < size; i++)
      used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "/" : "", watch->labels[i]);
}

static bool add_command(struct rt_watch *watch, const struct rt_cmd *cmd, uint64_t order)
{
   if (watch->count == watch->capacity) {
      const size_t capacity = UTIL_MAX(watch->capacity * 2, (size_t)64);
      struct rt_watched_command *larger = util_realloc(watch->commands, capacity * sizeof(*larger));
      if (!larger)
         return false;
      watch->commands = larger;
      watch->capacity = capacity;
   }
   struct rt_watched_command *command = &watch->commands[watch->count++];
   *command = (struct rt_watched_command){.order = order, .rendering = watch->rendering, .type = cmd->type, .number = ++watch->num_commands};
   join_labels(watch, command->labels, sizeof(command->labels));
   command->hash = UINT64_C(0xcbf29ce484222325);
   for (const char *c = command->labels; *c; c++)
      command->hash = (command->hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
   return true;
}

static void depend(struct rt_watch *watch, const struct rt_cmd_dependency *cmd, const struct rt_watched_command *command)
{
   char label[RT_HAZARD_LABEL];
   struct rt_command_site room;
   rt_watch_describe(watch, command, NULL, label, sizeof(label));
   const struct rt_hazard_access access = {.order = command->order, .site = rt_watch_site(&room, command), .label = label};
   struct rt_dependency *dependencies = util_malloc(cmd->count * sizeof(*dependencies));
   if (!dependencies) {
      util_log("no memory to follow a barrier");
      return;
   }
   for (uint32_t i = 0; i < cmd->count; i++) {
      const struct rt_cmd_scope *scope = &cmd->scopes[i];
      dependencies[i] = (struct rt_dependency){scope->src_stages, scope->dst_stages, scope->src_accesses, scope->dst_accesses,
                                               scope->num_ranges, (const struct rt_byte_range *)scope->ranges, scope->is_transition, scope->layout};
   }
   rt_hazards_depend(watch->hazards, &watch->id, cmd->event, dependencies, cmd->count, &access);
   util_mfree(dependencies);
}

bool rt_watch_waits(const struct rt_watch *watch, const struct rt_cmd *cmd)
{
   if (!watch->hazards)
      return rt_watch_decides(cmd);
   return cmd->type == RT_CMD_dependency || cmd->type == RT_CMD_build_accel /* what instances refer to */ ||
          cmd->type == RT_CMD_copy_accel /* sizes */ ||
          (cmd->type == RT_CMD_set_event && ((const struct rt_cmd_set_event *)cmd)->value);
}

static bool goes_on(const struct rt_watch *watch, const struct rt_cmd_begin_rendering *begin)
{
   return watch->rendering && (begin->is_resuming || (watch->begin && watch->begin->is_load));
}

void rt_watch_command(struct rt_watch *watch, const struct rt_cmd *cmd, uint64_t order)
{
   if (cmd->type == RT_CMD_label) {
      open_label(watch, (const struct rt_cmd_label *)cmd);
      return;
   }
   const bool waits = rt_watch_waits(watch, cmd);
   if (waits || !watch->hazards)
      rt_watch_settle(watch);
   if (cmd->type == RT_CMD_begin_rendering && !goes_on(watch, (const struct rt_cmd_begin_rendering *)cmd))
      watch->rendering = ((uint64_t)watch->id.queue << 40) + ++watch->num_renderings;
   if (!add_command(watch, cmd, order))
      return;
   if (watch->hazards || waits)
      rt_watch_uses(watch, cmd);
   if (!watch->hazards)
      return;
   if (cmd->type == RT_CMD_dependency)
      depend(watch, (const struct rt_cmd_dependency *)cmd, &watch->commands[watch->count - 1]);
   else if (cmd->type == RT_CMD_set_event && waits)
      rt_hazards_set_event(watch->hazards, &watch->id, ((const struct rt_cmd_set_event *)cmd)->event, ((const struct rt_cmd_set_event *)cmd)->stages);
   if (cmd->type == RT_CMD_end_rendering && watch->begin && !watch->begin->is_suspending && !watch->begin->is_load)
      watch->rendering = 0;
}

/* ---- settling ---- */

/* The last command that begins with an order of at most this. */
static const struct rt_watched_command *command_of(const struct rt_watch *watch, uint64_t order)
{
   size_t low = 0, high = watch->count;
   while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      if (watch->commands[middle].order <= order)
         low = middle;
      else
         high = middle;
   }
   return watch->count ? &watch->commands[low] : NULL;
}

void rt_watch_settle(struct rt_watch *watch)
{
   if (!watch->hazards) {
      watch->count = 0;
      return;
   }
   for (struct rt_use *use = rt_uses_take(watch->uses, watch->worker), *next; use; use = next) {
      next = use->next;
      const struct rt_watched_command *command = command_of(watch, use->access.order);
      struct rt_hazard_access access = use->access;
      char label[RT_HAZARD_LABEL] = "a command";
      if (command) {
         rt_watch_describe(watch, command, access.label, label, sizeof(label));
         access.order = command->order;
         access.rendering = command->rendering;
      }
      access.label = label;
      rt_hazards_access(watch->hazards, &watch->id, &access, &use->bytes);
      rt_use_free(watch->uses, use);
   }
   watch->count = 0;
   if (rt_uses_were_lost(watch->uses))
      util_log("no memory to follow all that a command uses");
}
