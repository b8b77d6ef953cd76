/* SPDX-License-Identifier: MIT
 * Which addresses are acceleration structures: a shader or an instance names one by a number, which is followed only if
 * it is in this table. Threads: lookups may run beside anything and take no lock; additions and removals are
 * thread-safe. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

struct rt_accel_table;

struct rt_accel_table *rt_accel_table_create(void); /* NULL: memory is out */
void rt_accel_table_destroy(struct rt_accel_table *table);
/* `size` bytes at `address` are a structure's, or will be. Several structures may have one address: the last one
 * counts, with all of them until they are removed. False when memory is out. */
UTIL_MUST_CHECK bool rt_accel_table_add(struct rt_accel_table *table, uint64_t address, uint64_t size);
void rt_accel_table_remove(struct rt_accel_table *table, uint64_t address);
/* How many bytes of memory the structure at `address` has; 0: there is none. NULL has none. */
uint64_t rt_accel_table_find(const struct rt_accel_table *table, uint64_t address);
