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
};

/* Starts this program with `arguments` (the first is argv[0]; ends with NULL) and `variables` (ends with a NULL name) in its environment.
 * Ends the program if it cannot. */
struct client_child client_child_start(const struct client_variable *variables, const char *const *arguments);

/* Closes its output and waits; returns whether it exited with 0. */
bool client_child_finish(struct client_child *child);
