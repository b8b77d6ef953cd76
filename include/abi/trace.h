/* SPDX-License-Identifier: MIT
 * The shaders of ray pipelines as the runtime calls them, and their calls of it: tracing a ray, calling a callable shader, reporting a hit.
 *
 * A hit object is a struct abi_ray in the frame of the shader that has it. trace_object() traces it as trace_ray() does but calls no closest hit or miss
 * shader: it leaves a hit or a miss there, the index of its record, and the hit's attributes. execute_object() calls the shader of that record. The other
 * instructions of hit objects are loads and stores of these fields. All zeros is an empty object.
 * Spec: Ray Tracing Pipelines; Ray Traversal; "Ray Tracing Instructions" of SPIR-V. Threads: all of it belongs to the thread that runs the shader. */
#pragma once

#include "abi/ray.h"

enum {
   ABI_RECORD_BYTES = 32,    /* of a handle, in front of a shader record's data */
   ABI_SLOT_VERDICT = 0,     /* output of an any-hit shader: enum abi_verdict */
};

/* What an any-hit shader says of the candidate. */
enum abi_verdict { ABI_VERDICT_ACCEPT, ABI_VERDICT_IGNORE, ABI_VERDICT_TERMINATE /* accepted, and the last one */ };

/* Of the six stages. A lane is an invocation; arrays of lanes have as many entries as the shader's vectors (abi_shader_info.lanes) unless they say
 * otherwise, all can be read, and those beyond the call's count count for nothing. */
struct abi_ray_args {
   const struct abi_resources *resources;
   struct abi_ray *const *rays; /* [lanes], 64-byte aligned: whose candidate or committed hit it is; NULL for generation and callable shaders */
   const uint64_t *records;     /* [lanes], 64-byte aligned: address of the shader record's data */
   uint32_t *payload;           /* [abi_shader_info.payload_words][lanes], 64-byte aligned: payload or callable data, in and out */
   uint32_t *attributes;        /* [ABI_ATTRIBUTE_WORDS][lanes], 64-byte aligned */
   uint32_t *verdicts;          /* [lanes], 64-byte aligned; zeros at first */
   uint64_t tables[4];          /* addresses and strides: of hit groups, of miss shaders */
   uint32_t launch_size[3];
   uint32_t pad;
   uint32_t launch_id[3][ABI_RAY_LANES] __attribute__((aligned(64)));
};

/* Runs the first `count` (1 to abi_shader_info.lanes) invocations. */
typedef void abi_ray_fn(const struct abi_ray_args *args, struct abi_worker *worker, uint32_t count);
typedef abi_ray_fn abi_raygen_fn, abi_any_hit_fn, abi_closest_hit_fn, abi_miss_fn, abi_intersection_fn, abi_callable_fn;

/* Operands of a call, a row of lanes each. */
enum abi_trace_row {
   ABI_TRACE_STRUCTURE, /* two rows: low words, high words */
   ABI_TRACE_FLAGS = 2,
   ABI_TRACE_CULL_MASK,
   ABI_TRACE_RECORD_OFFSET,
   ABI_TRACE_RECORD_STRIDE,
   ABI_TRACE_MISS_INDEX,
   ABI_TRACE_ORIGIN,
   ABI_TRACE_TMIN = ABI_TRACE_ORIGIN + 3,
   ABI_TRACE_DIRECTION,
   ABI_TRACE_TMAX = ABI_TRACE_DIRECTION + 3,
   ABI_TRACE_OBJECT, /* two rows, of trace_object: address of the object */
   ABI_TRACE_ROWS = ABI_TRACE_OBJECT + 2,
   ABI_EXECUTE_OBJECT = 0, /* two rows: the same */
   ABI_CALL_INDEX = 0, /* of a callable shader */
   ABI_REPORT_T = 0,   /* of a hit */
   ABI_REPORT_HIT_KIND,
};

struct abi_shader_call {
   const struct abi_ray_args *args; /* of the calling shader */
   uint32_t lanes, mask;            /* of its vector; those that call */
   uint32_t *data;                  /* [data_words][lanes]: payload or callable data, 64-byte aligned */
   uint32_t data_words;
   uint32_t ended; /* report_hit: lanes whose shader ends with it */
   uint32_t rows[ABI_TRACE_ROWS][ABI_RAY_LANES] __attribute__((aligned(64)));
};

typedef void abi_trace_ray_fn(struct abi_worker *worker, struct abi_shader_call *call);
typedef abi_trace_ray_fn abi_trace_object_fn, abi_execute_object_fn;
typedef void abi_call_shader_fn(struct abi_worker *worker, struct abi_shader_call *call);
/* Returns the lanes whose hit was accepted. */
typedef uint32_t abi_report_hit_fn(struct abi_worker *worker, struct abi_shader_call *call);
