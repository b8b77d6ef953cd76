/* SPDX-License-Identifier: MIT
 * The benchmark's rows. A row measures one thing on one driver and gives a number; bench.c runs all rows on all drivers in turn and prints ratios. */
#pragma once

#include "tests/client/client.h"

enum bench_need {
   BENCH_NEEDS_NOTHING,
   BENCH_NEEDS_STAGES, /* geometry and tessellation shaders */
   BENCH_NEEDS_CAPTURE,
   BENCH_NEEDS_CONVERSION,
   BENCH_NEEDS_VERTICES, /* clip distances, indirect calls of many draws */
   BENCH_NEEDS_BLOCKS, /* ETC2 and ASTC */
   BENCH_NEEDS_OBJECTS, /* shader objects */
   BENCH_NEEDS_MESHES,
   BENCH_NEEDS_GENERATED, /* device-generated commands */
   BENCH_NEEDS_DESCRIPTOR_BUFFERS,
   BENCH_NEEDS_SPARSE,
   BENCH_NEEDS_MATRICES, /* cooperative ones */
};

/* A client with a device that has it. */
void bench_client_init(struct client *client, enum bench_need need);

struct bench_row {
   const char *name;
   const char *unit;
   bool is_less_better; /* times and sizes */
   /* Measures on a device of its own. */
   double (*run)(struct client *client);
   enum bench_need need; /* a driver without it has no number */
};

extern const struct bench_row bench_compute_rows[], bench_graphics_rows[], bench_draw_rows[], bench_binding_rows[], bench_pass_rows[], bench_texel_rows[],
   bench_blend_rows[], bench_transfer_rows[], bench_fixed_rows[], bench_vertex_rows[], bench_call_rows[], bench_ordinary_rows[]; /* ended by a NULL name */

/* The environment's variable by which --cpu reaches children: medians are of processor time. */
extern const char bench_cpu_variable[];
/* The median of so many values, which are sorted. */
double bench_middle(double *values, uint32_t count);
/* Runs body(data) repeatedly for about `seconds`, at least 5 times after one warm-up; the median time of one run in seconds. */
double bench_median(double seconds, void (*body)(void *data), void *data);

/* The kernels, for rows that compile them: `stage` by name ending. */
struct bench_kernel {
   const char *name;
   const uint32_t *words;
   size_t size_bytes;
   uint32_t num_buffers;
};
extern const struct bench_kernel bench_kernels[];
extern const uint32_t bench_num_kernels;

/* Milliseconds from SPIR-V to the end of the first dispatch of each kernel, summed; `cache` may be VK_NULL_HANDLE. */
double bench_compile_ms(struct client *client, VkPipelineCache cache);
/* Bytes of this process that are resident. */
double bench_resident_bytes(void);
