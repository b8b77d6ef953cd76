/* SPDX-License-Identifier: MIT
 * Whether the control flow of a module is structured, found out in one walk over its blocks. SPIRV-Tools' validator looks at each block once for every
 * construct that it stands in, and at all constructs for each loop; of a module that is found structured here it sees none (`-Wl,--wrap`, meson.build).
 * Spec: SPIR-V, "Structured Control Flow". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if each function is made of constructs as compilers write them, so that the rules about constructs hold: headers dominate merge blocks and continue
 * targets, back-edge blocks post-dominate the latter, exits are structured, cases fall through to the next one at the most. False says nothing:
 * constructs of other forms may be valid too, memory may be out, and the words may be no module. */
bool comp_is_structured(const uint32_t *words, size_t num_words);

/* From here to the end the validator, on this thread, sees no constructs if the module is structured. The rules about blocks, merge instructions, loop
 * headers and selections without a merge block are looked at as ever. */
void comp_structure_begin(const uint32_t *words, size_t num_words);
void comp_structure_end(void);
