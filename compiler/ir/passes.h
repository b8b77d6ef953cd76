/* SPDX-License-Identifier: MIT
 * All passes over the IR; each is a file of its own in lower/, opt/ or analyze/, whose header comment says what it requires,
 * does and preserves. A pass returns true if it changed the shader. Their order: compiler/pipeline.c. */
#pragma once

#include "compiler/ir/ir.h"

/* opt/ */
bool ir_opt_promote_vars(struct ir_shader *shader);   /* variables with constant offsets become SSA values */
bool ir_opt_simplify(struct ir_shader *shader);       /* folding, algebra, copy propagation, CSE: one walk */
bool ir_opt_dead_code(struct ir_shader *shader);      /* values, params and results that nobody reads, stores to unread variables */
bool ir_opt_control_flow(struct ir_shader *shader);   /* constant ifs, empty constructs, blocks without breaks, loops that run once */
bool ir_opt_if_to_select(struct ir_shader *shader);   /* small ifs without effects become selects */
bool ir_opt_tables(struct ir_shader *shader);         /* arrays of constants stand once, beside the code */
bool ir_opt_whole_tables(struct ir_shader *shader);   /* the same of those without an element that nobody stores */
bool ir_opt_hoist(struct ir_shader *shader);          /* loop-invariant pure values move out of loops */
bool ir_opt_held(struct ir_shader *shader);           /* indices that need not be held within the memory that they reach */
bool ir_opt_merge_loads(struct ir_shader *shader);    /* loads of neighbouring words become loads of vectors */
bool ir_opt_merge_stores(struct ir_shader *shader);   /* the same of stores */
bool ir_opt_unroll(struct ir_shader *shader);         /* short counted loops whose body indexes variables dynamically, or folds */
bool ir_opt_elements(struct ir_shader *shader);      /* small arrays that lanes index each for itself become selects */
bool ir_opt_zeros(struct ir_shader *shader);          /* products with zero are zero, where that is allowed */
bool ir_opt_contract(struct ir_shader *shader);       /* products that feed sums become fused, where that is allowed */
bool ir_opt_divide(struct ir_shader *shader);         /* divisions by constants, and several by one divisor, become products */

/* x / c as a product and a fused multiply-add, to the last bit but for ties that are missed by less than 2^-22; 32 bits. opt/divide.c */
bool ir_can_divide_by_constant(const struct ir_instr *divisor);
struct ir_instr *ir_divide_by_constant(struct ir_builder *b, struct ir_instr *x, const struct ir_instr *divisor);

/* instrument/: each does nothing unless ir_shader.checks asks for it */
bool ir_instrument_bounds(struct ir_shader *shader);  /* accesses past the end */
bool ir_instrument_numbers(struct ir_shader *shader); /* NaN, infinity, undefined integer arithmetic */
bool ir_instrument_quads(struct ir_shader *shader);   /* derivatives that a part of a quad reaches */
bool ir_instrument_prune(struct ir_shader *shader);   /* removes probes whose conditions are never true, as analyze/range knows */
bool ir_instrument_uses(struct ir_shader *shader);    /* what the runtime needs to find missing barriers between commands */
bool ir_instrument_uninit(struct ir_shader *shader);  /* values that nobody wrote and that decide something; runs after the others */
bool ir_instrument_races(struct ir_shader *shader);   /* what the runtime needs to find races and barriers that not all reach */

/* lower/ */
bool ir_lower_nan(struct ir_shader *shader);          /* one NaN wherever a computed float's bits are seen */
bool ir_outline(struct ir_shader *shader);            /* operations that become much code are called where there are many */
bool ir_expand_copies(struct ir_shader *shader);      /* copies of memory become loops, but where there are many */
bool ir_outline_copies(struct ir_shader *shader);     /* and calls there; after the analyses */
bool ir_outline_accesses(struct ir_shader *shader);   /* and accesses of each lane's own address */
bool ir_can_lower_math(const struct ir_instr *instr); /* ir_lower_math() replaces it by much code */
bool ir_lower_math(struct ir_shader *shader);         /* transcendental functions to polynomials: the same bits everywhere */
bool ir_lower_float_env(struct ir_shader *shader);    /* rounding towards zero, flushing of denormals: plain operations */

/* analyze/ */
void ir_choose_lanes(struct ir_shader *shader, uint32_t lanes); /* fills info.lanes, uses_subgroups; `lanes`: the machine's */
uint32_t ir_subgroup_invocations(const struct ir_shader *shader); /* that a subgroup of this stage can hold */
/* Twice as many, up to max_lanes, where that pays; analyses are stale then. analyze/width.c */
bool ir_double_lanes(struct ir_shader *shader, uint32_t max_lanes);
void ir_analyze_divergence(struct ir_shader *shader); /* fills divergence, stride, is_divergent, has_barrier */
void ir_analyze_likely_runs(struct ir_shader *shader); /* fills likely_run, with ir_analyze_divergence()'s stride */
void ir_analyze_ranges(struct ir_shader *shader);     /* fills below, max_rounds */
/* The same, with what holds only of dispatches within the limits of the device: nothing that guards memory may rely on it, so it is to be forgotten. */
void ir_analyze_ranges_of_valid(struct ir_shader *shader);
void ir_forget_ranges(struct ir_shader *shader);
void ir_analyze_numbers(struct ir_shader *shader);    /* fills numbers */
uint32_t ir_analyze_polls(struct ir_shader *shader);  /* fills stretch, polls, polls_first; the longest stretch that there is */
void ir_analyze_summary(struct ir_shader *shader);    /* fills what info says of the instructions that are left */

/* What may run between two polls, in operations on a vector: about a millisecond. */
enum { IR_MAX_STRETCH = 1000000 };
/* Of one instruction, or construct; after ir_analyze_polls(). */
uint32_t ir_stretch(const struct ir_shader *shader, const struct ir_instr *instr);
