/* SPDX-License-Identifier: MIT
 * Rows that make their own client, since what they measure is making one.  */
#pragma once

#include "tests/bench/bench.h"
#include "tests/compiler/shapes.h"

struct bench_start_row {
   const char *name, *unit;
   bool wants_disk_cache; /* else drivers are asked to use none */
   double (*run)(void);
   bool is_more_better;
};

extern const struct bench_start_row bench_start_rows[], bench_present_rows[], bench_ray_rows[]; /* ended by a NULL name */

/* How many times as much processor time a compile takes when the module's size doubles: the mean of five doublings. A row for each of shapes[]. */
double bench_growth_of(const struct shape *shape);
