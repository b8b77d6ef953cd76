/* SPDX-License-Identifier: MIT
 * Who calls whom in a module, found out in walks that take time in proportion to its size, or end at a limit. SPIRV-Tools' validator walks from
 * every function for a call that leads back to it, and keeps of each function all entry points that lead there: 18 s and 180 MB for 176,000 words of entry
 * points that call a chain of functions. What is found here spares it the first (`-Wl,--wrap`, meson.build), and the second has a bound.
 * Spec: SPIR-V, "Universal Validation Rules"; Vulkan, "Validation Rules within a Module". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
   COMP_MAX_ENTRY_POINTS = 8192, /* each name is compared with each */
   COMP_MAX_ENTRY_POINT_CALLS = 1 << 20, /* functions that are reached, summed over entry points; in larger modules as many as they have words */
};

enum comp_calls {
   COMP_CALLS_UNKNOWN,   /* no module, or memory was out */
   COMP_CALLS_FINE,
   COMP_CALLS_RECURSIVE, /* an entry point reaches a function that calls itself, over others or not */
   COMP_CALLS_TOO_MANY,  /* entry points, or functions that they reach */
};

/* `instruction`: the number of the one that is the first of too many, or of the function that begins a recursion; 0 else. */
enum comp_calls comp_look_at_calls(const uint32_t *words, size_t num_words, size_t *instruction);

/* From here to the end the validator, on this thread, is not asked for recursion: who calls this knows of it. */
void comp_calls_begin(void);
void comp_calls_end(void);
