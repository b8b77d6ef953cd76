/* SPDX-License-Identifier: MIT
 * Memory that runs out within a C++ library (LLVM, SPIRV-Tools): its `new` throws where nothing catches, which ends the process. A guarded
 * call ends alone instead, and what the library had in hand is lost. */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* From here on `jump` is taken on this thread when such memory runs out; NULL: nothing is guarded. Returns what was there before, for the end
 * of the call. The libraries' own allocations only: what the driver itself allocates has its own errors. */
jmp_buf *comp_guard_memory(jmp_buf *jump);

/* Whether so much memory could be had just now. What a library had in hand when its memory ran out is lost, so that it is better not called then. */
bool comp_has_memory(size_t bytes);

/* For a library that has an error handler of its own: takes the jump. Ends the process where nothing is guarded. */
_Noreturn void comp_no_memory(void);
