/* SPDX-License-Identifier: MIT
 * Control flow: a function's blocks, their dominator tree, and its translation to if, loop and block.
 * Spec: SPIR-V, "Structured Control Flow". */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

struct spirv_block {
   uint32_t id;
   size_t first; /* word offset of the first instruction after OpLabel */
   struct spirv_instr terminator;
   uint32_t merge, continue_target; /* ids; 0: none */
   struct spirv_function *function;

   /* found by spirv_analyze_function() */
   struct spirv_block **succs; /* distinct */
   uint32_t num_succs;
   bool is_decided; /* ends in a branch by a constant of the module: its one successor alone is taken */
   bool is_reachable, is_visited;
   bool is_loop;   /* has a back edge */
   bool is_target; /* merge block, continue target, or joined by several edges: code of its own after a block */
   uint32_t order; /* in reverse postorder */
   uint32_t num_forward_preds;
   struct spirv_block *idom;
   struct spirv_block **children; /* in the dominator tree, by order */
   uint32_t num_children;
   bool has_steps;             /* ends in a switch of many cases, some of which fall through */
   struct spirv_block *step_of; /* the switch with steps that this is a case of; NULL: none */

   /* of the call being translated */
   struct ir_var *step; /* has_steps: order of the case that is to be entered */
   struct spirv_pointer **phis; /* in program order */
   uint32_t num_phis;
};

struct spirv_call_site {
   uint32_t callee; /* id */
   struct spirv_call_site *next;
};

struct spirv_function {
   uint32_t id;
   const struct spirv_type *type, *return_type;
   uint32_t *params;
   uint32_t num_params, num_param_ids;
   struct spirv_block **blocks; /* the first is the entry */
   uint32_t num_blocks, cap_blocks;
   struct spirv_block **sorted; /* reachable ones in reverse postorder */
   uint32_t num_sorted;
   uint32_t num_returns; /* reachable ones with a value */
   uint32_t num_instructions;
   struct spirv_call_site *calls;
   uint32_t inlined_size; /* instructions with those of all calls, SPIRV_MAX_INSTRUCTIONS + 1 at most; 0: not known yet */
   uint32_t emitted_size; /* the same without those that calls of routines have */
   uint16_t routine; /* that calls of it call: spirv_pure.c; 0: none yet */
   uint8_t purity; /* whether it may be a routine: spirv_pure.c */
   bool is_analyzed, is_active; /* active: being translated (calls itself if met again) */
};

void spirv_analyze_function(struct spirv_ctx *t, struct spirv_function *function);
/* The id of the block that OpBranchConditional or OpSwitch leads to with this condition or selector. */
uint32_t spirv_branch_target(struct spirv_ctx *t, const struct spirv_instr *in, uint64_t bits);
/* Words of each literal of an OpSwitch: 2 for selectors of 64 bits, else 1. */
uint32_t spirv_switch_literal_words(struct spirv_ctx *t, const struct spirv_instr *in);
static inline uint64_t spirv_switch_literal(const uint32_t *words, uint32_t num_words)
{
   return words[0] | (num_words == 2 ? (uint64_t)words[1] << 32 : 0);
}

/* A construct that is being filled. */
enum spirv_frame_class {
   SPIRV_FRAME_IF,       /* an arm: what follows the if is what follows the arm */
   SPIRV_FRAME_IF_ALONE, /* an arm that more code follows: it must be left by a jump */
   SPIRV_FRAME_BLOCK,    /* follow comes after it */
   SPIRV_FRAME_STEP,     /* a case of header's switch with steps: those of higher order come after it */
   SPIRV_FRAME_LOOP,     /* body */
   SPIRV_FRAME_CONT,     /* continue region */
   SPIRV_FRAME_FUNCTION, /* returns leave it */
};

struct spirv_frame {
   struct spirv_frame *parent;
   uint8_t class; /* enum spirv_frame_class */
   uint32_t num_breaks;
   struct ir_instr *instr;
   const struct spirv_block *follow;        /* BLOCK; LOOP, CONT: the merge block, NULL: none of its own */
   const struct spirv_block *header, *cont; /* LOOP, CONT; STEP: header alone */
   struct ir_region *outer;                 /* where the construct stands */
   struct spirv_pointer *return_value;      /* FUNCTION: where returns store; NULL: direct or none */
   struct spirv_val *returned;              /* FUNCTION: the only return's value */
};

/* Translates the function's body at the current position with its parameters set; gives the returned value or NULL. */
struct spirv_val *spirv_emit_function(struct spirv_ctx *t, struct spirv_function *function);
/* A call that is one of a routine, not inlined: spirv_pure.c; false: it is to be inlined. Gives the result or NULL. `emit`: spirv_emit_function(). */
typedef struct spirv_val *spirv_emit_body(struct spirv_ctx *t, struct spirv_function *function);
bool spirv_call_routine(struct spirv_ctx *t, struct spirv_function *function, struct spirv_val *const *args, spirv_emit_body *emit,
                        struct spirv_val **returned);
/* Calls of it may be those of a routine, if arguments do not name the same memory, where a shader is large. */
bool spirv_may_be_routine(struct spirv_ctx *t, struct spirv_function *function);
/* Fails if too much code comes out of the function and of all calls that are inlined: before any of it is made. */
void spirv_check_inlined_size(struct spirv_ctx *t, struct spirv_function *function);
/* Dissolves the block around the entry point's body if nothing leaves it early. */
void spirv_finish_entry(struct spirv_ctx *t);
bool spirv_call(struct spirv_ctx *t, const struct spirv_instr *in);

/* Values used outside of the region that defines them pass through variables (spirv_scopes.c). */
void spirv_fix_scopes(struct spirv_ctx *t);
