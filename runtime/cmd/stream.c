/* SPDX-License-Identifier: MIT
 * Command streams: appending. */
#include "runtime/cmd/cmd.h"

#include "util/size.h"

#include <string.h>

void rt_cmd_stream_init(struct rt_cmd_stream *stream)
{
   util_arena_init(&stream->arena, 0);
   stream->first = NULL;
   stream->last = &stream->first;
   stream->num_cmds = 0;
   stream->is_out_of_memory = false;
}

void rt_cmd_stream_finish(struct rt_cmd_stream *stream)
{
   util_arena_finish(&stream->arena);
   stream->first = NULL;
   stream->last = &stream->first;
   stream->num_cmds = 0;
}

void rt_cmd_stream_reset(struct rt_cmd_stream *stream)
{
   util_arena_reset(&stream->arena);
   stream->first = NULL;
   stream->last = &stream->first;
   stream->num_cmds = 0;
   stream->is_out_of_memory = false;
}

void *rt_cmd_append(struct rt_cmd_stream *stream, enum rt_cmd_type type, size_t size)
{
   struct rt_cmd *cmd = util_arena_zalloc(&stream->arena, size);
   if (!cmd) {
      stream->is_out_of_memory = true;
      return NULL;
   }
   cmd->type = type;
   *stream->last = cmd;
   stream->last = &cmd->next;
   stream->num_cmds++;
   return cmd;
}

struct rt_cmd_bind_sets *rt_cmd_append_sets(struct rt_cmd_stream *stream, uint32_t bind_points, uint32_t first_set, uint32_t num_sets)
{
   struct rt_cmd_bind_sets *cmd = rt_cmd_append(stream, RT_CMD_bind_sets, util_size_add(sizeof(*cmd), util_size_mul(num_sets, sizeof(cmd->sets[0]))));
   if (!cmd)
      return NULL;
   cmd->bind_points = bind_points;
   cmd->first_set = first_set;
   cmd->num_sets = num_sets;
   return cmd;
}

void *rt_cmd_data(struct rt_cmd_stream *stream, const void *data, size_t size)
{
   void *copy = util_arena_alloc(&stream->arena, size);
   if (!copy) {
      stream->is_out_of_memory = true;
      return NULL;
   }
   if (data && size)
      memcpy(copy, data, size);
   return copy;
}
