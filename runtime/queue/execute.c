/* SPDX-License-Identifier: MIT
 * The walk over a command stream. Spec: Command Buffers. */
#include "runtime/cmd/print.h"
#include "runtime/instrument/prints.h"
#include "runtime/instrument/races.h"
#include "runtime/instrument/touches.h"
#include "runtime/instrument/written.h"
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "runtime/queue/profile.h"
#include "runtime/queue/queue.h"
#include "runtime/scale.h"
#include "util/debug.h"

#include <string.h>

struct secondaries {
   struct rt_executor *executor;
   const struct rt_cmd_execute *execute;
};

bool rt_executor_init(struct rt_executor *executor, struct rt_queue *queue)
{
   executor->queue = queue;
   executor->device = queue->device;
   executor->pool = rt_device_pool(queue->device);
   executor->sparses = rt_device_sparses(queue->device);
   executor->follows_writes = util_debug(UTIL_DEBUG_UNINIT);
   util_arena_init(&executor->arena, 0);
   executor->graph = rt_graph_create(executor->pool);
   if (!executor->graph)
      return false;
   rt_worker_init(&executor->worker, executor->pool);
   if (util_debug(UTIL_DEBUG_PROFILE))
      executor->profile = rt_profile_create();
   if (rt_pool_hazards(executor->pool))
      executor->watch = rt_watch_create(rt_pool_hazards(executor->pool), NULL, executor->worker.index);
   if (executor->follows_writes && rt_pool_findings(executor->pool))
      executor->readers = rt_watch_create(NULL, rt_pool_findings(executor->pool), executor->worker.index);
   return true;
}

void rt_executor_finish(struct rt_executor *executor)
{
   rt_profile_destroy(executor->profile);
   rt_watch_destroy(executor->watch);
   rt_watch_destroy(executor->readers);
   rt_passes_finish(executor);
   rt_graph_destroy(executor->graph);
   rt_worker_finish(&executor->worker);
   util_arena_finish(&executor->arena);
}

/* ---- order ---- */

static void barrier(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_barrier *it = (const struct rt_cmd_barrier *)cmd;
   if (executor->is_rendering)
      rt_passes_flush(executor);
   else
      rt_executor_barrier(executor, it->src, it->dst);
   rt_executor_forget_unbound(executor);
}

/* ---- conditional rendering ---- */

static void begin_conditional(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_begin_conditional *begin = (const struct rt_cmd_begin_conditional *)cmd;
   uint32_t value;
   if (!rt_executor_is_free(executor)) /* earlier commands write the value */
      rt_executor_sync(executor);
   memcpy(&value, begin->value, sizeof(value));
   executor->is_skipping = (value == 0) != begin->is_inverted;
}

static void end_conditional(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   executor->is_skipping = false;
}

/* Spec: Drawing Commands, "Conditional Rendering": what it affects; tracing rays is not among it. */
static const bool is_conditional[RT_NUM_COMMANDS] = {
   [RT_CMD_draw] = true,     [RT_CMD_draw_indexed] = true,      [RT_CMD_draw_indirect] = true,
   [RT_CMD_dispatch] = true, [RT_CMD_dispatch_indirect] = true, [RT_CMD_clear_attachments] = true,
   [RT_CMD_draw_byte_count] = true, [RT_CMD_draw_mesh] = true,
   [RT_CMD_execute_generated] = true, [RT_CMD_dispatch_nodes] = true,
};

/* ---- VK_SWRAST_DEBUG=order=… ---- */

/* What changes state, and work that does not wait for others without a barrier. */
static const bool is_independent[RT_NUM_COMMANDS] = {
   [RT_CMD_bind_compute] = true,      [RT_CMD_bind_graphics] = true,       [RT_CMD_bind_rays] = true,            [RT_CMD_bind_sets] = true,
   [RT_CMD_bind_nodes] = true,
   [RT_CMD_push_constants] = true,    [RT_CMD_bind_vertex_buffers] = true, [RT_CMD_bind_index_buffer] = true,    [RT_CMD_set_state] = true,
   [RT_CMD_set_restart_index] = true, [RT_CMD_label] = true,               [RT_CMD_execute] = true,              [RT_CMD_dispatch] = true,
   [RT_CMD_dispatch_indirect] = true, [RT_CMD_copy_buffer] = true,         [RT_CMD_fill_buffer] = true,          [RT_CMD_update_buffer] = true,
   [RT_CMD_copy_image] = true,        [RT_CMD_copy_buffer_to_image] = true, [RT_CMD_copy_image_to_buffer] = true, [RT_CMD_blit_image] = true,
   [RT_CMD_resolve_image] = true,     [RT_CMD_clear_color_image] = true,   [RT_CMD_clear_depth_stencil_image] = true,
   [RT_CMD_begin_rendering] = true,   [RT_CMD_end_rendering] = true,       [RT_CMD_clear_attachments] = true,    [RT_CMD_draw] = true,
   [RT_CMD_draw_indexed] = true,      [RT_CMD_draw_indirect] = true,       [RT_CMD_draw_mesh] = true,
   /* what runs at once, in front of what is put off: rt_executor_sync_but_late() */
   [RT_CMD_trace_rays] = true,        [RT_CMD_trace_rays_indirect] = true, [RT_CMD_set_ray_stack] = true,        [RT_CMD_build_accel] = true,
   [RT_CMD_copy_accel] = true,        [RT_CMD_dispatch_nodes] = true,      [RT_CMD_execute_generated] = true,    [RT_CMD_copy_indirect] = true,
   [RT_CMD_decompress] = true,        [RT_CMD_convert_matrices] = true,
};

static void run_late(struct rt_executor *executor)
{
   if (!executor->is_rendering)
      rt_passes_release(executor, true);
   rt_order_run_late(executor);
}

/* ---- what is there for messages alone ---- */

static void do_nothing(struct rt_executor *executor, const struct rt_cmd *cmd)
{
}

/* Before it is executed. */
static void watch_command(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   if (rt_watch_waits(executor->watch, cmd))
      rt_executor_settle(executor);
   rt_watch_command(executor->watch, cmd, rt_executor_next_order(executor));
}

void rt_executor_settle(struct rt_executor *executor)
{
   if (executor->is_rendering)
      rt_passes_flush(executor);
   rt_executor_sync(executor);
   rt_watch_settle(executor->watch);
}

/* ---- the walk ---- */

static void execute_secondaries(struct rt_executor *executor, const struct rt_cmd *cmd);

static rt_execute_fn *const functions[RT_NUM_COMMANDS] = {
   [RT_CMD_bind_compute] = rt_execute_bind_compute,
   [RT_CMD_bind_graphics] = rt_execute_bind_graphics,
   [RT_CMD_bind_sets] = rt_execute_bind_sets,
   [RT_CMD_push_constants] = rt_execute_push_constants,
   [RT_CMD_dispatch] = rt_execute_dispatch,
   [RT_CMD_dispatch_indirect] = rt_execute_dispatch_indirect,
   [RT_CMD_copy_buffer] = rt_execute_copy_buffer,
   [RT_CMD_fill_buffer] = rt_execute_fill_buffer,
   [RT_CMD_update_buffer] = rt_execute_update_buffer,
   [RT_CMD_copy_image] = rt_execute_copy_image,
   [RT_CMD_copy_buffer_to_image] = rt_execute_copy_buffer_to_image,
   [RT_CMD_copy_image_to_buffer] = rt_execute_copy_image_to_buffer,
   [RT_CMD_blit_image] = rt_execute_blit_image,
   [RT_CMD_resolve_image] = rt_execute_resolve_image,
   [RT_CMD_clear_color_image] = rt_execute_clear_color_image,
   [RT_CMD_clear_depth_stencil_image] = rt_execute_clear_depth_stencil_image,
   [RT_CMD_begin_rendering] = rt_execute_begin_rendering,
   [RT_CMD_end_rendering] = rt_execute_end_rendering,
   [RT_CMD_clear_attachments] = rt_execute_clear_attachments,
   [RT_CMD_set_state] = rt_execute_set_state,
   [RT_CMD_bind_vertex_buffers] = rt_execute_bind_vertex_buffers,
   [RT_CMD_bind_index_buffer] = rt_execute_bind_index_buffer,
   [RT_CMD_draw] = rt_execute_draw,
   [RT_CMD_draw_indexed] = rt_execute_draw_indexed,
   [RT_CMD_draw_indirect] = rt_execute_draw_indirect,
   [RT_CMD_draw_mesh] = rt_execute_draw_mesh,
   [RT_CMD_barrier] = barrier,
   [RT_CMD_set_event] = rt_execute_set_event,
   [RT_CMD_wait_events] = rt_execute_wait_events,
   [RT_CMD_begin_query] = rt_execute_begin_query,
   [RT_CMD_end_query] = rt_execute_end_query,
   [RT_CMD_reset_queries] = rt_execute_reset_queries,
   [RT_CMD_copy_query_results] = rt_execute_copy_query_results,
   [RT_CMD_write_timestamp] = rt_execute_write_timestamp,
   [RT_CMD_execute] = execute_secondaries,
   [RT_CMD_begin_conditional] = begin_conditional,
   [RT_CMD_end_conditional] = end_conditional,
   [RT_CMD_bind_xfb_buffers] = rt_execute_bind_xfb_buffers,
   [RT_CMD_begin_xfb] = rt_execute_begin_xfb,
   [RT_CMD_end_xfb] = rt_execute_end_xfb,
   [RT_CMD_draw_byte_count] = rt_execute_draw_byte_count,
   [RT_CMD_build_accel] = rt_execute_build_accel,
   [RT_CMD_copy_accel] = rt_execute_copy_accel,
   [RT_CMD_write_accel_properties] = rt_execute_write_accel_properties,
   [RT_CMD_bind_nodes] = rt_execute_bind_nodes,
   [RT_CMD_dispatch_nodes] = rt_execute_dispatch_nodes,
   [RT_CMD_bind_rays] = rt_execute_bind_rays,
   [RT_CMD_set_ray_stack] = rt_execute_set_ray_stack,
   [RT_CMD_trace_rays] = rt_execute_trace_rays,
   [RT_CMD_trace_rays_indirect] = rt_execute_trace_rays_indirect,
   [RT_CMD_set_restart_index] = rt_execute_set_restart_index,
   [RT_CMD_copy_indirect] = rt_execute_copy_indirect,
   [RT_CMD_decompress] = rt_execute_decompress,
   [RT_CMD_convert_matrices] = rt_execute_convert_matrices,
   [RT_CMD_write_marker] = rt_execute_write_marker,
   [RT_CMD_execute_generated] = rt_execute_generated,
   [RT_CMD_label] = do_nothing,
   [RT_CMD_dependency] = do_nothing,
};

/* Before it is executed. */
static void note_writes(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   if (!rt_command_writes(cmd))
      return;
   if (!rt_executor_is_free(executor))
      rt_executor_sync(executor);
   if (!rt_executor_carry(executor, cmd))
      rt_written_by_command(cmd);
   if (cmd->type == RT_CMD_begin_rendering)
      rt_attachments_begin(&executor->attachments, (const struct rt_cmd_begin_rendering *)cmd);
}

/* Before it is executed, too. */
static void note_reads(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   if (rt_watch_waits(executor->readers, cmd) && !rt_executor_is_free(executor))
      rt_executor_sync(executor);
   rt_watch_command(executor->readers, cmd, rt_executor_next_order(executor));
}

/* Behind it. */
static void note_end(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   if (cmd->type != RT_CMD_end_rendering || !rt_attachments_wait(&executor->attachments))
      return;
   rt_executor_sync(executor);
   rt_attachments_end(&executor->attachments);
}

static void wait_for_all(struct rt_executor *executor)
{
   if (executor->is_rendering)
      rt_passes_flush(executor);
   rt_executor_sync(executor);
}

/* Some stage of it has side effects; `pipeline` NULL: there is none. */
static bool draw_touches(const struct rt_graphics_pipeline *pipeline)
{
   bool touches = false;
   for (uint32_t stage = 0; pipeline && stage <= ABI_STAGE_FRAGMENT; stage++)
      touches |= pipeline->shaders[stage].info && pipeline->shaders[stage].info->has_side_effects;
   return touches;
}

/* All work is over. */
static void judge_touches(struct rt_executor *executor)
{
   struct rt_touches *touches = rt_pool_touches(executor->pool);
   rt_touches_judge(touches, executor->worker.index, rt_pool_findings(executor->pool));
   rt_touches_expect(touches, -executor->num_storing);
   executor->num_touching = 0;
   executor->num_storing = 0;
}

/* Before a command is executed. Of each granule that draws and rays touch something is kept until their work is over: that of a few draws, and of one
 * launch. */
static void bound_touches(struct rt_executor *executor, enum rt_cmd_type type)
{
   enum { MAX_DRAWS = 16 };
   uint32_t count;
   switch (type) {
   case RT_CMD_draw:
   case RT_CMD_draw_indexed:
   case RT_CMD_draw_indirect:
   case RT_CMD_draw_byte_count:
   case RT_CMD_draw_mesh: count = draw_touches(executor->draw.pipeline); break;
   case RT_CMD_execute_generated: count = 1; break; /* it may draw with any of its shaders */
   case RT_CMD_trace_rays:
   case RT_CMD_trace_rays_indirect: count = MAX_DRAWS; break;
   default: return;
   }
   if (count && executor->num_touching + count > MAX_DRAWS) {
      wait_for_all(executor);
      judge_touches(executor);
   }
   executor->num_touching += count;
   if (count == 1) {
      rt_touches_expect(rt_pool_touches(executor->pool), 1);
      executor->num_storing++;
   }
}

/* The last stage of a draw that has a shader says what it is. */
static const char *shader_of(const struct rt_executor *executor, enum rt_cmd_type type)
{
   const struct rt_graphics_pipeline *pipeline = executor->draw.pipeline;
   switch (type) {
   case RT_CMD_dispatch:
   case RT_CMD_dispatch_indirect: return executor->compute ? executor->compute->shader.name : NULL;
   case RT_CMD_draw:
   case RT_CMD_draw_indexed:
   case RT_CMD_draw_indirect:
   case RT_CMD_draw_byte_count:
   case RT_CMD_draw_mesh: break;
   default: return NULL;
   }
   const struct rt_shader *shader = pipeline ? &pipeline->shaders[ABI_STAGE_FRAGMENT] : NULL;
   if (shader && !shader->info)
      shader = &pipeline->shaders[pipeline->shaders[ABI_STAGE_MESH].info ? ABI_STAGE_MESH : ABI_STAGE_VERTEX];
   return shader ? shader->name : NULL;
}

static void execute_timed(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   wait_for_all(executor);
   const uint64_t begin_ns = util_now_ns();
   functions[cmd->type](executor, cmd);
   wait_for_all(executor);
   rt_profile_add(executor->profile, (enum rt_cmd_type)cmd->type, shader_of(executor, (enum rt_cmd_type)cmd->type), util_now_ns() - begin_ns);
}

static void execute(struct rt_executor *executor, const struct rt_cmd *cmd, bool is_printing)
{
   if (UTIL_UNLIKELY(is_printing))
      rt_cmd_print(cmd, executor->nesting);
   if (UTIL_UNLIKELY(executor->is_skipping) && is_conditional[cmd->type])
      return;
   if (UTIL_UNLIKELY(executor->num_late) && !is_independent[cmd->type])
      run_late(executor);
   if (UTIL_UNLIKELY(rt_pool_touches(executor->pool) != NULL))
      bound_touches(executor, (enum rt_cmd_type)cmd->type);
   if (UTIL_UNLIKELY(executor->readers != NULL))
      note_reads(executor, cmd);
   if (UTIL_UNLIKELY(executor->follows_writes))
      note_writes(executor, cmd);
   if (UTIL_UNLIKELY(executor->watch != NULL))
      watch_command(executor, cmd);
   if (UTIL_UNLIKELY(executor->profile != NULL) && rt_profile_counts((enum rt_cmd_type)cmd->type)) {
      execute_timed(executor, cmd);
      return;
   }
   functions[cmd->type](executor, cmd);
   if (UTIL_UNLIKELY(executor->follows_writes))
      note_end(executor, cmd);
}

static void walk(struct rt_executor *executor, const struct rt_cmd_stream *stream)
{
   const bool is_printing = util_debug(UTIL_DEBUG_CMD);
   for (const struct rt_cmd *cmd = stream->first; cmd && !UTIL_UNLIKELY(rt_pool_is_cancelled(executor->pool)); cmd = cmd->next)
      execute(executor, cmd, is_printing);
}

/* Streams may execute streams, each many times, so that a few commands are more than will ever end: the watchdog sees how far the outermost
 * command that executes some is, and looks also if none of them does any work. */
static void walk_secondaries(void *data, uint32_t item, struct rt_worker *worker)
{
   const struct secondaries *secondaries = data;
   struct rt_executor *executor = secondaries->executor;
   const bool is_printing = util_debug(UTIL_DEBUG_CMD);
   (void)item;
   for (struct rt_parts parts = rt_parts_of(worker, secondaries->execute->count); rt_parts_next(&parts);) {
      const struct rt_cmd_stream *stream = secondaries->execute->streams[parts.index];
      const struct rt_cmd *cmd = stream->first;
      for (struct rt_parts cmds = rt_parts_of(worker, stream->num_cmds); rt_parts_next(&cmds); cmd = cmd->next)
         execute(executor, cmd, is_printing);
      rt_worker_progress(worker);
   }
}

static void execute_secondaries(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct secondaries secondaries = {executor, (const struct rt_cmd_execute *)cmd};
   if (executor->nesting == RT_MAX_NESTING) {
      rt_device_lose(executor->device, "secondary command buffers are nested too deeply");
      return;
   }
   executor->nesting++;
   if (executor->nesting == 1)
      rt_pool_run_inline(&executor->worker, walk_secondaries, &secondaries, 1, "secondary command buffers");
   else
      walk_secondaries(&secondaries, 0, &executor->worker);
   executor->nesting--;
}

/* After all work: nobody follows races any more. */
static void report_findings(struct rt_executor *executor)
{
   for (struct rt_races *races = executor->races, *next; races; races = next) {
      next = rt_races_next(races);
      rt_races_destroy(races);
   }
   executor->races = NULL;
   if (rt_pool_touches(executor->pool))
      judge_touches(executor);
   if (rt_pool_prints(executor->pool))
      rt_prints_report(rt_pool_prints(executor->pool), executor->worker.index);
   rt_findings_report(rt_pool_findings(executor->pool), executor->worker.index);
}

void rt_executor_run(struct rt_executor *executor, struct rt_cmd_stream *const *streams, uint32_t num_streams)
{
   rt_scale_submission(executor->pool, true);
   if (UTIL_UNLIKELY(executor->readers != NULL)) {
      const struct rt_submission_id id = {.queue = executor->worker.index - rt_pool_num_threads(executor->pool), .number = ++executor->num_runs};
      rt_watch_begin(executor->readers, &id);
   }
   for (uint32_t i = 0; i < num_streams; i++) {
      rt_executor_reset_state(executor);
      if (UTIL_UNLIKELY(executor->readers != NULL))
         rt_watch_stream(executor->readers);
      if (UTIL_UNLIKELY(executor->watch != NULL))
         rt_watch_stream(executor->watch);
      walk(executor, streams[i]);
   }
   /* Command buffers may overlap like commands; only the submission's signals wait. */
   rt_executor_sync(executor);
   rt_executor_forget_unbound(executor);
   if (UTIL_UNLIKELY(executor->watch != NULL))
      rt_watch_settle(executor->watch);
   if (UTIL_UNLIKELY(rt_pool_findings(executor->pool) != NULL))
      report_findings(executor);
   if (UTIL_UNLIKELY(executor->is_rendering)) {
      /* Cancelled midway: leave the renderer as the next stream expects it. */
      const VkResult result = rt_render_end(executor->render);
      (void)result; /* the device is lost already */
      executor->is_rendering = false;
      executor->num_pending_queries = executor->num_closed_queries = 0;
   }
   rt_scale_submission(executor->pool, false);
}
