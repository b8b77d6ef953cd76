/* SPDX-License-Identifier: MIT
 * VK_SWRAST_TIMELINE=FILE: what threads did when, for chrome://tracing and Perfetto. Source: "Trace Event Format", complete events in its JSON array form;
 * the file is whole JSON after each. Threads: everything is thread-safe. */
#pragma once

#include <stdint.h>

/* The time now; 0: there is no timeline. */
uint64_t util_timeline_begin(void);
/* Something that began then is over; nothing for 0. `category`: compile, pass, submission, wait. */
void util_timeline_end(uint64_t begin_ns, const char *category, const char *name);
