/* SPDX-License-Identifier: MIT
 * Modules that are changed at random: words, or whole instructions that are removed, doubled or become others, so that what is left is
 * well-formed but means something else. Threads: one at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SPIRV_MUTATION_MAX_WORDS = 1 << 17, SPIRV_MUTATION_MORE_WORDS = 6 * 64 };

/* Changes `words`, of which there are 6 to SPIRV_MUTATION_MAX_WORDS and room for SPIRV_MUTATION_MORE_WORDS more; the same for the same seed.
 * Returns how many there are then, at least one. */
size_t spirv_mutate(uint32_t *words, size_t num_words, uint64_t seed);
