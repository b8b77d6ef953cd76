/* SPDX-License-Identifier: MIT
 * Rays for tests of the numerics' contract: a crowd of random triangles, in instances that are turned and squeezed, seen by a query and by a pipeline. */
#pragma once

#include <stdio.h>

/* Prints hashes, each with a space behind: of a structure's bytes by both builders and after an update, of what the query sees, and of
 * what the pipeline does. Makes its own client. */
void crowd_print(FILE *out);
