/* SPDX-License-Identifier: MIT */
#include "icd/validate/stream.h"

#include "icd/device/device.h"
#include "icd/pipeline.h"
#include "icd/pipeline/shader_object.h"
#include "icd/validate/stream_check.h"
#include "util/debug.h"

#include <string.h>

static void bind_sets(struct icd_stream_walk *walk, const struct rt_cmd_bind_sets *cmd)
{
   for (uint32_t point = 0; point < RT_NUM_BIND_POINTS; point++) {
      for (uint32_t i = 0; cmd->bind_points >> point & 1 && i < cmd->num_sets && cmd->first_set + i < ABI_MAX_SETS; i++)
         walk->sets[point][cmd->first_set + i] = cmd->sets[i].data;
   }
}

/* What is bound at a bind point: one pipeline, or shader objects. */
struct bound {
   struct icd_stream_code codes[ABI_NUM_STAGES];
   uint32_t count;
};

static void bind_pipeline(struct bound *bound, const struct icd_pipeline *pipeline)
{
   bound->codes[0] = (struct icd_stream_code){
      .object = &pipeline->base,
      .label = pipeline->labels[0],
      .uses = pipeline->uses,
      .has_vertex_input =
         pipeline->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS && !(pipeline->state.dynamic_mask >> RT_STATE_vertex_input & 1),
   };
   bound->count = 1;
}

static void bind_shader_object(struct bound *bound, const struct icd_shader_object *object)
{
   if (object)
      bound->codes[bound->count++] = (struct icd_stream_code){.object = &object->base, .label = object->label, .uses = object->uses};
}

static void bind_compute(struct bound *bound, const struct rt_cmd_bind_compute *cmd)
{
   bound->count = 0;
   if (cmd->pipeline && cmd->is_shader_object)
      bind_shader_object(bound, UTIL_CONTAINER_OF(cmd->pipeline, struct icd_shader_object, code));
   else if (cmd->pipeline)
      bind_pipeline(bound, UTIL_CONTAINER_OF(cmd->pipeline, struct icd_pipeline, compute));
}

static void bind_graphics(struct icd_stream_walk *walk, struct bound *bound, const struct rt_cmd_bind_graphics *cmd)
{
   bound->count = 0;
   if (cmd->state == &rt_shader_object_state) {
      const struct icd_bound_shaders *shaders = UTIL_CONTAINER_OF(cmd->pipeline, struct icd_bound_shaders, graphics);
      for (uint32_t i = 0; i < ABI_NUM_STAGES; i++)
         bind_shader_object(bound, shaders->objects[i]);
   } else {
      bind_pipeline(bound, UTIL_CONTAINER_OF(cmd->pipeline, struct icd_pipeline, graphics));
   }
   rt_state_apply(&walk->state, &cmd->state->state, cmd->state->dynamic_mask);
}

/* Follows what a command sets, as the executor does. */
static void follow(struct icd_stream_walk *walk, struct bound *bound, const struct rt_cmd *cmd)
{
   const struct rt_cmd_set_state *set = (const struct rt_cmd_set_state *)cmd;
   switch (cmd->type) {
   case RT_CMD_bind_compute:
      bind_compute(&bound[RT_BIND_COMPUTE], (const struct rt_cmd_bind_compute *)cmd);
      break;
   case RT_CMD_bind_graphics:
      bind_graphics(walk, &bound[RT_BIND_GRAPHICS], (const struct rt_cmd_bind_graphics *)cmd);
      break;
   case RT_CMD_bind_sets:
      bind_sets(walk, (const struct rt_cmd_bind_sets *)cmd);
      break;
   case RT_CMD_set_state:
      memcpy((char *)&walk->state + rt_state_groups[set->group].offset + set->offset_bytes, set->data, set->size_bytes);
      break;
   case RT_CMD_begin_rendering:
      walk->rendering = (const struct rt_cmd_begin_rendering *)cmd;
      memset(&walk->state.color_locations, 0, sizeof(walk->state.color_locations));
      break;
   case RT_CMD_end_rendering:
      walk->rendering = NULL;
      break;
   default:
      break;
   }
}

/* `outer`: what a secondary command buffer goes on with, or NULL. */
static void validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream, const struct icd_stream_walk *outer)
{
   static const char *const commands[RT_NUM_COMMANDS] = {
      [RT_CMD_draw] = "vkCmdDraw",
      [RT_CMD_draw_indexed] = "vkCmdDrawIndexed",
      [RT_CMD_draw_indirect] = "vkCmdDrawIndirect",
      [RT_CMD_draw_byte_count] = "vkCmdDrawIndirectByteCountEXT",
      [RT_CMD_draw_mesh] = "vkCmdDrawMeshTasksEXT",
      [RT_CMD_dispatch] = "vkCmdDispatch",
      [RT_CMD_dispatch_indirect] = "vkCmdDispatchIndirect",
   };
   struct bound bound[RT_NUM_BIND_POINTS] = {0};
   struct icd_stream_walk walk = {.device = device};
   if (outer) {
      walk.rendering = outer->rendering;
      walk.state.color_locations = outer->state.color_locations;
   }
   for (const struct rt_cmd *cmd = stream->first; cmd; cmd = cmd->next) {
      const struct rt_cmd_execute *execute = (const struct rt_cmd_execute *)cmd;
      const enum rt_bind_point point =
         cmd->type == RT_CMD_dispatch || cmd->type == RT_CMD_dispatch_indirect ? RT_BIND_COMPUTE : RT_BIND_GRAPHICS;
      follow(&walk, bound, cmd);
      for (uint32_t i = 0; cmd->type == RT_CMD_execute && i < execute->count; i++)
         validate_stream(device, execute->streams[i], &walk);
      walk.command = commands[cmd->type];
      for (uint32_t i = 0; walk.command && i < bound[point].count; i++) {
         walk.code = &bound[point].codes[i];
         icd_check_views(&walk, point);
         if (point == RT_BIND_GRAPHICS) {
            icd_check_draw_formats(&walk);
            icd_check_draw_targets(&walk);
         }
      }
   }
}

void icd_validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream)
{
   if (util_debug(UTIL_DEBUG_VALIDATE))
      validate_stream(device, stream, NULL);
}
