/* SPDX-License-Identifier: MIT
 * Launches of rays: what the files of this folder share.
 *
 * Shaders call each other through the runtime, each call with memory of its own from the launch's stack, so that code is re-entrant. The stack
 * of a worker has RT_RAY_MAX_DEPTH levels at most; what would go deeper is not called.
 * Spec: Ray Tracing Pipelines; Shader Binding Table; Ray Traversal. Threads: a struct rt_ray_state belongs to one thread. */
#pragma once

#include "abi/shader.h"
#include "runtime/pool.h"
#include "runtime/state.h"

enum {
   RT_RAY_MAX_RECURSION = 31, /* maxRayRecursionDepth */
   RT_RAY_MAX_DEPTH = 160,    /* of shaders that call each other, callable ones too */
   RT_RAY_STACK_BYTES = 32, /* what a shader counts for where applications set a stack's size: one level */
};

struct rt_watched_records;
struct rt_launch {
   const struct rt_ray_pipeline *pipeline;
   const struct abi_resources *resources;
   struct rt_ray_table table;
   uint32_t size[3];
   const struct rt_watched_records *records; /* `uninit`: who reports records that nobody wrote; NULL: nobody */
};

/* What a worker's stack is at one point: see rt_ray_push(). */
struct rt_ray_state {
   const struct rt_launch *launch;
   struct rt_worker *worker;
   uint8_t *stack; /* 64-byte aligned; holds what max_depth levels need */
   size_t stack_bytes, used_bytes;
   uint32_t depth, max_depth;   /* shaders that are being called */
   uint32_t traced;             /* rays that are being traced, one within another */
   uintptr_t native_end;        /* no shader is called further down the thread's stack */
};

/* ---- call.c ---- */

/* Bytes of stack for a launch of the pipeline with so many levels. */
size_t rt_ray_stack_bytes(const struct rt_ray_pipeline *pipeline, uint32_t levels);
/* 64-byte aligned memory until state->used_bytes is set back; NULL: the stack is at its end. */
UTIL_MUST_CHECK void *rt_ray_push(struct rt_ray_state *state, size_t size);

struct rt_trace;

/* Invocations of one shader that run together. */
struct rt_ray_call {
   struct abi_ray_args args; /* first: what the shader calls finds the call by it */
   struct rt_trace *trace;   /* NULL: of a generation or a callable shader */
   const struct rt_shader *shader;
   uint32_t count;
   uint8_t ray_of[ABI_RAY_LANES];  /* with a trace: which of its rays */
   uint8_t data_of[ABI_RAY_LANES]; /* which lane of `data` */
   uint32_t *data;                 /* [data_words][data_lanes]: the caller's payload or callable data; NULL: none */
   uint32_t data_words, data_lanes;
   struct abi_ray *rays[ABI_RAY_LANES] __attribute__((aligned(64)));
   uint64_t records[ABI_RAY_LANES] __attribute__((aligned(64)));
   uint32_t verdicts[ABI_RAY_LANES] __attribute__((aligned(64)));
   uint32_t attributes[ABI_ATTRIBUTE_WORDS * ABI_RAY_LANES] __attribute__((aligned(64)));
};

/* A call of `shader` with nothing in it yet; NULL: too deep. Memory of the state's stack. */
UTIL_MUST_CHECK struct rt_ray_call *rt_ray_call_begin(struct rt_ray_state *state, const struct rt_shader *shader);
/* Runs it: `worker` is the caller's. */
void rt_ray_call_run(struct rt_ray_state *state, struct rt_ray_call *call, struct abi_worker *worker);

/* ---- table.c ---- */

/* How many slots a pipeline of so many groups has; and fills them, zeros at first. At most 2^30 groups. */
uint32_t rt_ray_num_slots(uint32_t num_groups);
void rt_ray_slots_fill(uint32_t *slots, uint32_t num_slots, const struct rt_ray_group *groups, uint32_t num_groups);

/* The shaders of record `index` of a region, and the address of the record's data; NULL: a null record, or none of the region. */
const struct rt_ray_group *rt_ray_find_group(const struct rt_launch *launch, const struct rt_ray_region *region, uint64_t index, uint64_t *data);

/* ---- trace.c: for abi_helpers ---- */

abi_trace_ray_fn rt_trace_ray;
abi_trace_object_fn rt_trace_object;
abi_execute_object_fn rt_execute_object;
abi_call_shader_fn rt_call_shader;
abi_report_hit_fn rt_report_hit;
