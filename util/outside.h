/* SPDX-License-Identifier: MIT
 * What comes from outside of the program, where others may have had a hand in it: the environment, and files in folders that everybody can
 * write to. All of the driver asks here. */
#pragma once

#include "util/macros.h"

#include <stdio.h>

/* The value of an environment variable; NULL where there is none, and in programs that run with more rights than who started them
 * (set-user-id, capabilities). */
const char *util_env(const char *name);

/* A new file for writing that only this user can read. Follows no link and opens nothing that is there already: that goes first, if it may.
 * NULL: errno says why. */
FILE *util_create_private(const char *path);
/* The same, but appends to what is there if it is a file of this user's alone. */
FILE *util_append_private(const char *path);
