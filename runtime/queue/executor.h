/* SPDX-License-Identifier: MIT
 * The executor: walks command streams, keeps the state that commands accumulate, turns dispatches and transfers into
 * tasks.
 *
 * Work is of a class of pipeline stages (enum rt_stages), and commands without a barrier between may overlap. A barrier joins all work of the
 * classes that it waits for; tasks of those that wait depend on that. Work that is too small to share runs at once in the queue's thread if
 * nothing that it must wait for is outstanding; with one thread everything does. Render passes are tasks like others (passes.c): several may be
 * alive, a bounded number. Threads: the queue's thread only. */
#pragma once

#include "runtime/cmd/cmd.h"
#include "runtime/instrument/instrument.h"
#include "runtime/instrument/watch.h"
#include "runtime/pool.h"
#include "runtime/queue/unwritten.h"
#include "runtime/render/render.h"
#include "util/arena.h"

struct rt_profile;
struct rt_queue;
struct rt_sparse_set;

enum {
   RT_MAX_WAVE = 256, /* tasks of a class between two barriers; more wait for those before */
   RT_MAX_PASSES = 16, /* that are alive */
   RT_MAX_PENDING_QUERIES = 64,
   RT_COST_SLOTS = 16,
   RT_MAX_LATE = 64,
   RT_MAX_JOB_BYTES = 512, /* of rt_executor_add() */
};

/* What an invocation of a compute shader has cost lately. */
struct rt_shader_cost {
   const struct rt_compute_pipeline *pipeline; /* a key only: never followed */
   _Atomic float ns_per_invocation;            /* relaxed */
   uint32_t num_seen;
};

struct rt_pending_query {
   struct rt_query_pool *pool;
   uint32_t first, count;
};

/* A render pass instance that was put off. */
struct rt_pass {
   struct rt_render *render;
   struct rt_render_tasks tasks;
   uint64_t bytes;
};

/* Tasks of one class. */
struct rt_stage_order {
   uint64_t join; /* what more of them wait for; 0: nothing */
   uint64_t end;  /* after all before the last barrier that waits for them; 0: there are none */
   uint64_t wave[RT_MAX_WAVE]; /* since then */
   uint32_t wave_size;
};

/* Work of one command: `count` items over `data` of `size` bytes, which is copied if the work is put off. */
struct rt_job {
   rt_item_fn *run;
   const void *data;
   size_t size;
   uint32_t count;
   double cost_ns; /* estimate of the whole */
   const char *describe;
   enum rt_stages stages;
};

struct rt_executor {
   struct rt_queue *queue;
   struct rt_device *device;
   struct rt_pool *pool;
   struct rt_sparse_set *sparses; /* the device's */
   struct rt_worker worker;
   struct rt_graph *graph;
   struct rt_render *render; /* the one that is collected, or was last; NULL: none yet, or all are put off */
   struct rt_render *held;   /* has ended: what comes next says where it runs; NULL: none */
   uint32_t held_src, held_dst; /* barriers behind the one that is held, together: bit sets of enum rt_stages */
   float small_pass_ns;      /* what small ones have taken lately */
   struct rt_pass passes[RT_MAX_PASSES]; /* put off, in the order of their ends */
   uint32_t num_passes;
   struct rt_render *spare[RT_MAX_PASSES]; /* that begin anew, the last one first */
   uint32_t num_spare;

   /* Tasks */
   struct util_arena arena; /* what tasks read; reset when the graph is idle */
   struct rt_stage_order orders[RT_NUM_STAGES];
   uint64_t last_timestamp; /* a task; 0: there is none */
   struct rt_job late[RT_MAX_LATE]; /* VK_SWRAST_DEBUG=order=…: that no barrier has come behind; their data is in the arena */
   uint32_t num_late;
   uint64_t num_items; /* of tasks since the graph was last waited for */
   struct rt_shader_cost costs[RT_COST_SLOTS];
   uint32_t num_touching; /* draws that store, or a launch, since instrument/touches.h was asked for races */
   int32_t num_storing;   /* draws of these, as rt_touches_expect() has heard */
   struct rt_races *races; /* of dispatches since the last submission's end; instrument/races.h */
   bool follows_writes; /* instrument/written.h */
   struct rt_attachments attachments; /* of the rendering in hand, where writes are followed */
   struct rt_profile *profile; /* profile.h; NULL: nobody asks for times */
   struct rt_watch *watch; /* NULL: nobody looks for missing barriers */
   struct rt_watch *readers; /* commands that read what nobody wrote; NULL: nobody looks for them */
   uint64_t num_runs; /* of rt_executor_run(), where somebody does */
   uint64_t num_orders; /* given to commands whose shaders may be instrumented */

   /* Bound state */
   const struct rt_compute_pipeline *compute;
   const struct rt_ray_pipeline *rays;
   const struct rt_node_pipeline *nodes;
   uint32_t ray_stack_bytes;
   struct abi_set sets[RT_NUM_BIND_POINTS][ABI_MAX_SETS];
   _Alignas(16) uint8_t push[ABI_MAX_PUSH_BYTES];
   struct abi_resources resources[RT_NUM_BIND_POINTS]; /* point to these */
   /* Of compute, what tasks read, in the arena; NULL: it changed. */
   struct abi_resources kept;
   const struct abi_resources *snapshot; /* a copy of `kept` */
   struct rt_state state;
   struct rt_draw_state draw;

   struct rt_graphics_pipeline chosen; /* the shaders that generated commands have put together */

   uint32_t nesting; /* of secondary command buffers */
   bool is_skipping; /* conditional rendering says no */

   /* Rendering and queries */
   bool is_rendering;
   uint64_t rendering_since_ns; /* util/timeline.h */
   uint32_t view_mask;
   struct rt_xfb xfb; /* draw.xfb is its address while transform feedback is active */
   struct rt_pending_query pending_queries[RT_MAX_PENDING_QUERIES]; /* ended, available when the draws are flushed */
   uint32_t num_pending_queries;
   uint32_t num_closed_queries; /* the first ones: of passes that have ended */
};

UTIL_MUST_CHECK bool rt_executor_init(struct rt_executor *executor, struct rt_queue *queue);
void rt_executor_finish(struct rt_executor *executor);
/* Executes streams in order and waits for all their work. Failures lose the device. */
void rt_executor_run(struct rt_executor *executor, struct rt_cmd_stream *const *streams, uint32_t num_streams);

/* ---- what tasks wait for (order.c) ---- */

enum { RT_MAX_ENDS = 2 * RT_NUM_STAGES };

/* What all work so far of the classes ends before, and what it waits for. False: memory is out. */
UTIL_MUST_CHECK bool rt_order_find_ends(struct rt_executor *executor, uint32_t stages, uint64_t ends[RT_MAX_ENDS], uint32_t *count);
/* Later tasks of the second classes wait for all earlier ones of the first: bit sets of enum rt_stages. False: memory is out. */
UTIL_MUST_CHECK bool rt_order_join(struct rt_executor *executor, uint32_t src, uint32_t dst);
/* A task of the graph is work of a class: for barriers to come. */
void rt_order_note(struct rt_executor *executor, enum rt_stages stages, uint64_t task);
/* Waits for the graph: nothing is outstanding then, and what tasks read is gone. */
void rt_order_wait(struct rt_executor *executor);

/* VK_SWRAST_DEBUG=order=…: jobs between two barriers run in another order, after the passes beside them. True if this one does, when it is
 * time: it is copied. */
UTIL_MUST_CHECK bool rt_order_put_off(struct rt_executor *executor, const struct rt_job *job);
/* It is time: something comes that may depend on them. */
void rt_order_run_late(struct rt_executor *executor);

/* ---- tasks (tasks.c) ---- */

/* Runs the job now or later, in order with barriers. Its data, at most RT_MAX_JOB_BYTES, must not point into the executor's arena. The watchdog
 * sees how many of its items are done. */
void rt_executor_add(struct rt_executor *executor, const struct rt_job *job);
/* The two halves of it, for jobs whose data depends on the answer: true if work of this cost is to run now, in this
 * thread. */
bool rt_executor_runs_inline(struct rt_executor *executor, enum rt_stages stages, double cost_ns);
void rt_executor_defer(struct rt_executor *executor, const struct rt_job *job);
/* True if work may run right now in this thread: all that a barrier has put before work of the class, of any class, has completed. */
bool rt_executor_is_free_for(struct rt_executor *executor, enum rt_stages stages);
bool rt_executor_is_free(struct rt_executor *executor);
/* Later jobs of the second classes start after all earlier ones of the first: bit sets of enum rt_stages. */
void rt_executor_barrier(struct rt_executor *executor, uint32_t src, uint32_t dst);
/* The same where the application may have forgotten it: passes and transfers are in order whatever it says, as they are on other devices. */
void rt_executor_order(struct rt_executor *executor, enum rt_stages src, uint32_t dst);
/* A task that all work so far, and the timestamp before, come before; nothing waits for it. `data` is copied. False: nothing is outstanding, or
 * memory is out, and nothing was added. */
UTIL_MUST_CHECK bool rt_executor_add_timestamp(struct rt_executor *executor, rt_item_fn *run, const void *data, size_t size, const char *describe);
/* Waits for all jobs and passes that have ended. */
void rt_executor_sync(struct rt_executor *executor);
/* carry.c: `uninit`: copies shadows as the command, which comes next, copies what they are of. No work is running. False: it does not copy, or something of it
 * has no shadow. */
bool rt_executor_carry(struct rt_executor *executor, const struct rt_cmd *cmd);
/* The same for a command that runs at once, but for what VK_SWRAST_DEBUG=order=… has put off: no barrier stands between them, so that it may come first. */
void rt_executor_sync_but_late(struct rt_executor *executor);
/* Before this thread reads what draws read before vertex work: indirect parameters, counters. */
void rt_executor_await_geometry(struct rt_executor *executor);
/* Waits, and reports to executor->watch, which is there, what was used. */
void rt_executor_settle(struct rt_executor *executor);
/* Where sparse resources have no memory: waits for all jobs, and what they wrote there is gone. */
void rt_executor_forget_unbound(struct rt_executor *executor);

/* ---- render passes (passes.c) ---- */

/* executor->render is one that can begin. False when memory is out. */
UTIL_MUST_CHECK bool rt_passes_begin(struct rt_executor *executor, const struct rt_cmd_begin_rendering *begin);
/* The pass has ended. */
void rt_passes_end(struct rt_executor *executor);
/* What to do with one that is held, and the barriers behind it. `is_awaited`: this thread has nothing else to do. */
void rt_passes_release(struct rt_executor *executor, bool is_awaited);
/* Waits for the graph, and for all passes but one that is held. */
void rt_passes_wait(struct rt_executor *executor);
/* Executes the draws collected so far and publishes ended queries. */
void rt_passes_flush(struct rt_executor *executor);
/* Queries of passes that have ended have results. */
void rt_passes_publish_queries(struct rt_executor *executor);
/* True if any that has ended may still run. */
static inline bool rt_passes_are_alive(const struct rt_executor *executor)
{
   return executor->held || executor->num_passes;
}
void rt_passes_finish(struct rt_executor *executor);

/* For rt_worker.order: greater than all before. */
static inline uint64_t rt_executor_next_order(struct rt_executor *executor)
{
   return ((uint64_t)executor->worker.index << RT_ORDER_BITS) + ++executor->num_orders;
}

/* ---- commands (execute_*.c) ---- */

typedef void rt_execute_fn(struct rt_executor *executor, const struct rt_cmd *cmd);

/* State: execute_state.c */
rt_execute_fn rt_execute_bind_compute, rt_execute_bind_graphics, rt_execute_bind_rays, rt_execute_bind_nodes, rt_execute_bind_sets, rt_execute_push_constants,
   rt_execute_bind_vertex_buffers, rt_execute_bind_index_buffer, rt_execute_set_state, rt_execute_set_restart_index, rt_execute_set_ray_stack;
/* What a stream begins with. */
void rt_executor_reset_state(struct rt_executor *executor);

/* Generated commands: execute_generated.c */
rt_execute_fn rt_execute_generated;

/* Graphics: execute_draw.c */
rt_execute_fn rt_execute_begin_rendering, rt_execute_end_rendering, rt_execute_clear_attachments, rt_execute_draw,
   rt_execute_draw_indexed, rt_execute_draw_indirect, rt_execute_draw_mesh, rt_execute_draw_byte_count;
/* Transform feedback: execute_xfb.c */
rt_execute_fn rt_execute_bind_xfb_buffers, rt_execute_begin_xfb, rt_execute_end_xfb;

/* Queries and events: execute_sync.c */
rt_execute_fn rt_execute_set_event, rt_execute_wait_events, rt_execute_begin_query, rt_execute_end_query,
   rt_execute_reset_queries, rt_execute_copy_query_results, rt_execute_write_timestamp;

/* Compute: runtime/compute/dispatch.c */
rt_execute_fn rt_execute_dispatch, rt_execute_dispatch_indirect;

/* Acceleration structures: execute_accel.c */
rt_execute_fn rt_execute_build_accel, rt_execute_copy_accel, rt_execute_write_accel_properties;

/* Execution graphs: runtime/nodes/dispatch.c */
rt_execute_fn rt_execute_dispatch_nodes;

/* Rays: runtime/rays/launch.c */
rt_execute_fn rt_execute_trace_rays, rt_execute_trace_rays_indirect;

/* Transfers: runtime/transfer/ */
rt_execute_fn rt_execute_copy_buffer, rt_execute_fill_buffer, rt_execute_update_buffer, rt_execute_copy_image,
   rt_execute_copy_buffer_to_image, rt_execute_copy_image_to_buffer, rt_execute_blit_image, rt_execute_resolve_image,
   rt_execute_clear_color_image, rt_execute_clear_depth_stencil_image, rt_execute_copy_indirect, rt_execute_decompress,
   rt_execute_convert_matrices, rt_execute_write_marker;
