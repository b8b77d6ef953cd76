/* SPDX-License-Identifier: MIT
 * Commands that only change state. Spec: Pipelines, "Pipeline Binding", "Dynamic State"; Descriptor Sets, "Binding". */
#include "runtime/queue/executor.h"

#include <string.h>

void rt_execute_bind_compute(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   executor->compute = ((const struct rt_cmd_bind_compute *)cmd)->pipeline;
}

void rt_execute_bind_graphics(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_bind_graphics *bind = (const struct rt_cmd_bind_graphics *)cmd;
   executor->draw.pipeline = bind->pipeline;
   if (bind->state)
      rt_state_apply(&executor->state, &bind->state->state, bind->state->dynamic_mask);
   executor->draw.dirty |= RT_DIRTY_STATE;
}

void rt_execute_bind_rays(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   executor->rays = ((const struct rt_cmd_bind_rays *)cmd)->pipeline;
}

void rt_execute_bind_nodes(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   executor->nodes = ((const struct rt_cmd_bind_nodes *)cmd)->pipeline;
}

void rt_execute_set_ray_stack(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   executor->ray_stack_bytes = ((const struct rt_cmd_set_ray_stack *)cmd)->bytes;
}

/* Of sets without dynamic buffers, and of those for which none were given. */
static const uint32_t no_offsets[1];

void rt_execute_bind_sets(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_bind_sets *bind = (const struct rt_cmd_bind_sets *)cmd;
   for (uint32_t point = 0; point < RT_NUM_BIND_POINTS; point++) {
      for (uint32_t i = 0; bind->bind_points >> point & 1 && i < bind->num_sets; i++) {
         struct abi_set *set = &executor->sets[point][bind->first_set + i];
         set->data = bind->sets[i].data;
         set->dynamic_offsets = bind->sets[i].dynamic_offsets ? bind->sets[i].dynamic_offsets : no_offsets;
      }
   }
   if (bind->bind_points >> RT_BIND_COMPUTE & 1) {
      executor->kept.sets = NULL;
      executor->snapshot = NULL;
   }
   if (bind->bind_points >> RT_BIND_GRAPHICS & 1)
      executor->draw.dirty |= RT_DIRTY_SETS;
}

void rt_execute_push_constants(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_push_constants *push = (const struct rt_cmd_push_constants *)cmd;
   memcpy(&executor->push[push->offset_bytes], push->data, push->size_bytes);
   executor->kept.push = NULL;
   executor->snapshot = NULL;
   executor->draw.dirty |= RT_DIRTY_PUSH;
}

/* What is made of a group of state: see struct rt_state. */
static uint32_t dirty_of(enum rt_state_group group)
{
   if (group < RT_STATE_viewports)
      return RT_DIRTY_INPUTS;
   return (group <= RT_STATE_rasterization_samples ? RT_DIRTY_VIEWPORTS : 0) | (group >= RT_STATE_depth_clamp ? RT_DIRTY_CONTEXT : 0);
}

_Static_assert(RT_STATE_vertex_input < RT_STATE_viewports && RT_STATE_vertex_strides + 1 == RT_STATE_viewports &&
                  RT_STATE_scissor_count + 1 == RT_STATE_depth_clamp && RT_STATE_rasterization_samples + 1 == RT_STATE_topology,
               "groups stand in the order of what is made of them");

void rt_execute_set_state(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_set_state *set = (const struct rt_cmd_set_state *)cmd;
   char *to = (char *)&executor->state + rt_state_groups[set->group].offset + set->offset_bytes;
   if (memcmp(to, set->data, set->size_bytes) == 0)
      return;
   memcpy(to, set->data, set->size_bytes);
   executor->draw.dirty |= dirty_of((enum rt_state_group)set->group);
}

void rt_execute_bind_vertex_buffers(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_bind_vertex_buffers *bind = (const struct rt_cmd_bind_vertex_buffers *)cmd;
   memcpy(&executor->draw.vertex_buffers[bind->first], bind->buffers, bind->count * sizeof(bind->buffers[0]));
   if (bind->strides)
      memcpy(&executor->state.vertex_strides.strides[bind->first], bind->strides,
             bind->count * sizeof(bind->strides[0]));
   executor->draw.dirty |= RT_DIRTY_BUFFERS;
}

void rt_execute_bind_index_buffer(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_bind_index_buffer *bind = (const struct rt_cmd_bind_index_buffer *)cmd;
   executor->draw.index_buffer = (struct rt_vertex_buffer){bind->data, bind->size_bytes};
   executor->draw.index_bytes = bind->index_bytes;
   executor->draw.restart_index = UINT32_MAX >> (32 - 8 * bind->index_bytes);
}

void rt_execute_set_restart_index(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   executor->draw.restart_index = ((const struct rt_cmd_set_restart_index *)cmd)->index;
}

/* ---- of a new stream ---- */

static void reset_resources(struct rt_executor *executor)
{
   memset(executor->push, 0, sizeof(executor->push));
   for (uint32_t point = 0; point < RT_NUM_BIND_POINTS; point++) {
      for (uint32_t i = 0; i < ABI_MAX_SETS; i++)
         executor->sets[point][i] = (struct abi_set){NULL, no_offsets};
      executor->resources[point] = (struct abi_resources){executor->sets[point], executor->push};
   }
   executor->kept = (struct abi_resources){NULL, NULL};
   executor->snapshot = NULL;
}

void rt_executor_reset_state(struct rt_executor *executor)
{
   executor->compute = NULL;
   executor->rays = NULL;
   executor->nodes = NULL;
   executor->ray_stack_bytes = 0;
   executor->is_skipping = false;
   reset_resources(executor);
   executor->state = rt_default_state;
   memset(&executor->xfb, 0, sizeof(executor->xfb));
   executor->draw = (struct rt_draw_state){
      .dirty = RT_DIRTY_ALL,
      .state = &executor->state,
      .resources = &executor->resources[RT_BIND_GRAPHICS],
   };
}
