/* SPDX-License-Identifier: MIT
 * A program that measures or compares drivers runs itself again, once a configuration: what a process has loaded and read of its environment
 * stays with it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct client_variable {
   const char *name, *value; /* value NULL: as it is */
};

struct client_child {
   pid_t pid;
   FILE *out; /* what it prints */
   long peak_kib; /* the most memory that it had, when it has finished */
};

/* Starts this program with `arguments` (the first is argv[0]; ends with NULL) and `variables` (ends with a NULL name) in its environment.
 * Ends the program if it cannot. */
struct client_child client_child_start(const struct client_variable *variables, const char *const *arguments);

/* How a child runs: VK_SWRAST_LANES, VK_SWRAST_THREADS and VK_SWRAST_CPU; NULL: as it is. */
struct client_configuration {
   const char *lanes, *threads, *level;
};
struct client_child client_child_configured(const struct client_configuration *configuration, const char *const *arguments);

/* Runs this program, called `name`, with --child in each configuration. The first line of each is to be that of the first one and to have the word
 * "right". One whose level the machine has not runs at the machine's, and counts as skipped if it is right. Prints those that differ or are skipped and,
 * last, "N passed, N failed" and how many are skipped; returns main()'s status. */
int client_child_compare(const char *name, const struct client_configuration *configurations, size_t count);

/* Closes its output and waits; returns whether it exited with 0. */
bool client_child_finish(struct client_child *child);
