/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG=profile: how long each command takes, by shader, as a table on stderr when its queue is gone. Each command is run by itself, after
 * all before it and before all behind it, so that its time is its own; what overlaps without the switch takes longer with it.
 * Threads: the queue's. */
#pragma once

#include "runtime/cmd/cmd.h"

struct rt_profile;

/* NULL: memory is out, and that is reported. */
UTIL_MUST_CHECK struct rt_profile *rt_profile_create(void);
/* Prints the table, if anything was timed. */
void rt_profile_destroy(struct rt_profile *profile);
/* Whether commands of this type do work that counts. */
bool rt_profile_counts(enum rt_cmd_type type);
/* `shader`: what it ran, NULL: none. */
void rt_profile_add(struct rt_profile *profile, enum rt_cmd_type type, const char *shader, uint64_t ns);
