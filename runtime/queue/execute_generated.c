/* SPDX-License-Identifier: MIT
 * Generated commands: tokens in memory become the commands of a stream that they stand for, one sequence after the other.
 * Spec: Device-Generated Commands. What memory names is checked: an index that an execution set does not have ends the sequence. */
#include "runtime/parts.h"
#include "runtime/queue/executor.h"

#include <string.h>

/* Of DXGI_FORMAT, those that index buffers have. */
enum { DXGI_R32_UINT = 42, DXGI_R16_UINT = 57, DXGI_R8_UINT = 62 };

static uint32_t read_u32(const uint8_t *from)
{
   uint32_t value;
   memcpy(&value, from, sizeof(value));
   return value;
}

static void push(struct rt_executor *executor, const struct rt_token *token, const void *data)
{
   const struct rt_cmd_push_constants cmd = {.offset_bytes = token->first, .size_bytes = token->count, .data = data};
   rt_execute_push_constants(executor, &cmd.cmd);
}

static void bind_index_buffer(struct rt_executor *executor, const struct rt_token *token, const uint8_t *data)
{
   VkBindIndexBufferIndirectCommandEXT it;
   memcpy(&it, data, sizeof(it));
   const uint32_t type = (uint32_t)it.indexType;
   const uint32_t wide = token->is_dxgi ? (uint32_t)DXGI_R32_UINT : (uint32_t)VK_INDEX_TYPE_UINT32;
   const uint32_t half = token->is_dxgi ? (uint32_t)DXGI_R16_UINT : (uint32_t)VK_INDEX_TYPE_UINT16;
   const struct rt_cmd_bind_index_buffer cmd = {
      .data = (const uint8_t *)(uintptr_t)it.bufferAddress,
      .size_bytes = it.bufferAddress ? it.size : 0,
      .index_bytes = type == wide ? 4 : type == half ? 2 : 1,
   };
   rt_execute_bind_index_buffer(executor, &cmd.cmd);
}

static void bind_vertex_buffer(struct rt_executor *executor, const struct rt_token *token, const uint8_t *data)
{
   VkBindVertexBufferIndirectCommandEXT it;
   memcpy(&it, data, sizeof(it));
   const struct rt_vertex_buffer buffer = {(const uint8_t *)(uintptr_t)it.bufferAddress, it.bufferAddress ? it.size : 0};
   const struct rt_cmd_bind_vertex_buffers cmd = {.first = token->first, .count = 1, .buffers = &buffer, .strides = &it.stride};
   rt_execute_bind_vertex_buffers(executor, &cmd.cmd);
}

/* ---- execution sets ---- */

static const struct rt_execution_entry *entry_at(const struct rt_execution_set *set, uint32_t index)
{
   return set && index < set->count ? &set->entries[index] : NULL;
}

static bool choose_pipeline(struct rt_executor *executor, const struct rt_execution_entry *entry)
{
   if (!entry || (!entry->compute && !entry->graphics && !entry->rays))
      return false;
   const struct rt_cmd_bind_compute compute = {.pipeline = entry->compute};
   const struct rt_cmd_bind_graphics graphics = {.pipeline = entry->graphics, .state = entry->state};
   const struct rt_cmd_bind_rays rays = {.pipeline = entry->rays};
   if (entry->compute)
      rt_execute_bind_compute(executor, &compute.cmd);
   else if (entry->graphics)
      rt_execute_bind_graphics(executor, &graphics.cmd);
   else
      rt_execute_bind_rays(executor, &rays.cmd);
   return true;
}

/* Draws keep the address of the code that they run, so those with the shaders before are drawn first. */
static bool choose_shaders(struct rt_executor *executor, const struct rt_token *token, const struct rt_execution_set *set,
                           const uint8_t *data)
{
   if (!executor->draw.pipeline)
      return false;
   struct rt_graphics_pipeline chosen = *executor->draw.pipeline;
   for (uint32_t i = 0; i < token->num_stages; i++) {
      const struct rt_execution_entry *entry = entry_at(set, read_u32(data + i * sizeof(uint32_t)));
      if (!entry || !entry->shader)
         return false;
      chosen.shaders[token->stages[i]] = *entry->shader;
   }
   if (executor->draw.pipeline == &executor->chosen && memcmp(&chosen, &executor->chosen, sizeof(chosen)) == 0)
      return true;
   if (executor->is_rendering)
      rt_passes_flush(executor);
   executor->chosen = chosen;
   executor->draw.pipeline = &executor->chosen;
   executor->draw.dirty |= RT_DIRTY_CONTEXT | RT_DIRTY_INPUTS;
   return true;
}

static bool choose(struct rt_executor *executor, const struct rt_token *token, const struct rt_execution_set *set, const uint8_t *data)
{
   return token->num_stages ? choose_shaders(executor, token, set, data) : choose_pipeline(executor, entry_at(set, read_u32(data)));
}

/* ---- work ---- */

static void draw(struct rt_executor *executor, const struct rt_token *token, const uint8_t *data)
{
   const struct rt_cmd_draw_indirect cmd = {.draw_type = token->draw_type, .args = data, .max_draws = 1};
   rt_execute_draw_indirect(executor, &cmd.cmd);
}

static void draw_count(struct rt_executor *executor, const struct rt_token *token, const uint8_t *data, uint32_t max_draws)
{
   VkDrawIndirectCountIndirectCommandEXT it;
   memcpy(&it, data, sizeof(it));
   const struct rt_cmd_draw_indirect cmd = {
      .draw_type = token->draw_type,
      .args = (const uint8_t *)(uintptr_t)it.bufferAddress,
      .max_draws = it.bufferAddress ? UTIL_MIN(it.commandCount, max_draws) : 0,
      .stride_bytes = it.stride,
   };
   rt_execute_draw_indirect(executor, &cmd.cmd);
}

static void dispatch(struct rt_executor *executor, const uint8_t *data)
{
   struct rt_cmd_dispatch cmd = {.base = {0}};
   memcpy(cmd.count, data, sizeof(cmd.count));
   rt_execute_dispatch(executor, &cmd.cmd);
}

static void trace_rays(struct rt_executor *executor, const uint8_t *data)
{
   const struct rt_cmd_trace_rays_indirect cmd = {.address = (uintptr_t)data, .has_table = true};
   rt_execute_trace_rays_indirect(executor, &cmd.cmd);
}

static void run_sequence(struct rt_executor *executor, const struct rt_cmd_execute_generated *it, uint32_t sequence)
{
   const uint8_t *memory = it->args + (uint64_t)sequence * it->list->stride_bytes;
   for (uint32_t i = 0; i < it->list->count; i++) {
      const struct rt_token *token = &it->list->tokens[i];
      const uint8_t *data = memory + token->offset_bytes;
      switch (token->type) {
      case RT_TOKEN_EXECUTION_SET:
         if (!choose(executor, token, it->set, data))
            return;
         break;
      case RT_TOKEN_PUSH: push(executor, token, data); break;
      case RT_TOKEN_SEQUENCE: push(executor, token, &sequence); break;
      case RT_TOKEN_INDEX_BUFFER: bind_index_buffer(executor, token, data); break;
      case RT_TOKEN_VERTEX_BUFFER: bind_vertex_buffer(executor, token, data); break;
      case RT_TOKEN_DRAW: draw(executor, token, data); break;
      case RT_TOKEN_DRAW_COUNT: draw_count(executor, token, data, it->max_draws); break;
      case RT_TOKEN_DISPATCH: dispatch(executor, data); break;
      case RT_TOKEN_TRACE_RAYS: trace_rays(executor, data); break;
      }
   }
}

void rt_execute_generated(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_execute_generated *it = (const struct rt_cmd_execute_generated *)cmd;
   uint32_t count = it->max_sequences;
   if (!rt_executor_is_free(executor)) /* earlier commands write what is read here */
      rt_executor_sync_but_late(executor);
   if (it->count) {
      uint32_t wanted;
      memcpy(&wanted, it->count, sizeof(wanted));
      count = UTIL_MIN(count, wanted);
   }
   for (struct rt_parts parts = rt_parts_of(&executor->worker, count); rt_parts_next(&parts);)
      run_sequence(executor, it, (uint32_t)parts.index);
}
