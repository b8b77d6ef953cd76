/* SPDX-License-Identifier: MIT
 * Lanes side by side in memory: between cg_load.c and cg_store.c. */
#pragma once

#include "compiler/llvm/cg_memory.h"

/* Lanes whose addresses are at one distance from each other. */
struct cg_runs {
   uint32_t lanes; /* of a run; 0: there are none */
   uint32_t step;  /* components from one lane's first to the next one's; 0: all of a run have one address */
};

enum { CG_MAX_RUN_COMPONENTS = 128 }; /* of a vector of runs */

/* Where `value` is loaded or stored. */
struct cg_runs cg_runs_of(struct cg *cg, const struct cg_mem *mem, const struct ir_instr *value);
/* The same of lanes of which that is only expected: analyze/likely. */
struct cg_runs cg_likely_runs_of(struct cg *cg, const struct cg_mem *mem, const struct ir_instr *value);
LLVMTypeRef cg_run_type(struct cg *cg, const struct ir_instr *value, struct cg_runs runs);
uint32_t cg_run_bytes(const struct ir_instr *value, struct cg_runs runs);
/* The offset of the first lane of run `index`; of lanes at one distance, of all. */
LLVMValueRef cg_first_offset(struct cg *cg, const struct cg_mem *mem, uint32_t run, uint32_t index);
/* Pointer to the first lane, below `base` where the lanes in bounds come after some that have not wrapped around to zero. */
LLVMValueRef cg_contiguous_ptr(struct cg *cg, const struct cg_mem *mem, LLVMValueRef first);
/* Elements of runs that are loaded or stored at once, a power of two: LLVM takes masks of others apart bit by bit. */
struct cg_piece {
   uint32_t first, count; /* elements, counted over all runs */
   LLVMValueRef offset;   /* of the first, bytes */
};
/* Of how many elements pieces are: a run or, where that has three components, a third of it. */
uint32_t cg_piece_elements(struct cg_runs runs);
struct cg_piece cg_piece_at(struct cg *cg, const struct cg_mem *mem, struct cg_runs runs, uint32_t index, uint32_t bytes);
/* One bit an element of `bytes`: in bounds. NULL: all of the lanes that are on. */
LLVMValueRef cg_elements_in_bounds(struct cg *cg, const struct cg_mem *mem, const struct cg_piece *piece, struct cg_runs runs, uint32_t bytes);
/* i1: every run of `bytes` is in bounds and none wraps. */
LLVMValueRef cg_all_in_bounds(struct cg *cg, const struct cg_mem *mem, uint32_t run, uint32_t bytes);
/* i1: the lanes that are on are in such runs, all of which are in bounds. */
LLVMValueRef cg_all_in_runs(struct cg *cg, const struct cg_mem *mem, struct cg_runs runs, uint32_t bits);

/* Of elements lane by lane, `step` a lane: a vector of component `comp`. */
LLVMValueRef cg_pick_component(struct cg *cg, LLVMValueRef all, uint32_t comp, uint32_t step);
/* The other direction: vectors of `comps` components to elements lane by lane. */
LLVMValueRef cg_join_components(struct cg *cg, LLVMValueRef *values, uint32_t comps);
/* Of the piece's elements, the bit of the lane that each belongs to, `step` a lane. */
LLVMValueRef cg_spread_mask(struct cg *cg, LLVMValueRef mask, const struct cg_piece *piece, uint32_t step);
/* A vector of `count` parts, a power of two or three times one, which are lost. */
LLVMValueRef cg_join_parts(struct cg *cg, LLVMValueRef *parts, uint32_t count);
