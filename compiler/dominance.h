/* SPDX-License-Identifier: MIT
 * Answers for SPIRV-Tools' validator, which asks anew, and walks anew, whether a block dominates another: the third power of how deep constructs
 * nest, 12 s for 400 loops in each other. The linker passes its questions on to here (`-Wl,--wrap`, meson.build); the answers are the same. */
#pragma once

/* From here to the end what was found out is kept, on this thread: blocks must not move or change between, as within one call of the validator.
 * Without memory, and outside, the answers come as slowly as ever. */
void comp_dominance_begin(void);
void comp_dominance_end(void);
