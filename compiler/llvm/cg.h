/* SPDX-License-Identifier: MIT
 * State of one code generation and the helpers that its files share: IR values as LLVM values of one lane or of all,
 * execution masks, the frame. Owns: nothing that outlives cg_compile_ir(). Threads: one user at a time. */
#pragma once

#include "compiler/ir/ir_map.h"
#include "compiler/llvm/codegen.h"
#include "util/cpu.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <llvm/Config/llvm-config.h>

#include <setjmp.h>

/* What a call gave in memory: a row of all lanes for each component. */
struct cg_rows {
   LLVMValueRef memory, call;
   uint32_t bit_size;   /* of a lane in a row */
   uint32_t num_takers; /* calls that will take all of it; 0: below the call the memory is used for others */
};

/* One component of a value. `scalar` is lane 0's; if is_scalar it stands for all lanes: scalar + lane * stride. `vector` has all lanes,
 * NULL until somebody asks. Both are integers or floats as the producer made them; readers cast with cg_as_*(). */
struct cg_comp {
   LLVMValueRef scalar, vector;
   int64_t stride;
   const struct cg_rows *rows; /* what a call gave: both are NULL until somebody asks (cg_rows.c); else NULL */
   uint32_t row;
   bool is_scalar;
};

/* Where an instruction is emitted; see cg_level.c. */
enum cg_level {
   CG_LEVEL_SEGMENT,   /* in a loop over the vectors of a workgroup (vertex: of a batch; fragment: of the blocks) */
   CG_LEVEL_WORKGROUP, /* in place, between such loops, once for the workgroup */
   CG_LEVEL_PRELUDE,   /* once, before everything that a workgroup does */
   CG_LEVEL_CALL,      /* once a call */
};

enum { CG_NO_SLOT = UINT32_MAX, CG_NUM_SCRATCH = 54, CG_NUM_VAR_TYPES = 16 };

/* What code generation knows about one IR instruction; indexed by ir_instr.index. */
struct cg_value {
   struct cg_comp *comp; /* [components of the value], as are `slot` and `variable` */
   uint32_t segment;     /* in which `comp` is valid; 0: everywhere below its definition */
   uint32_t def_segment; /* where it is defined */
   uint8_t level;        /* enum cg_level */
   bool crosses;         /* defined in one segment, read in another or at workgroup level */
   bool is_cheap;        /* computed again rather than kept in the frame */
   bool is_read;
   bool is_gathered;     /* by the call of a gather before it: cg_image.c */
   bool is_placed;       /* param or result of a construct at workgroup level */
   uint32_t *slot;         /* crosses: byte offset in a vector's part of the frame */
   LLVMValueRef *cross;    /* [components], crosses, one for the workgroup: memory promoted to SSA later, instead of slots */
   LLVMValueRef *variable; /* params and results: what jumps write, promoted to SSA later */
   bool variable_is_vector;
   /* constructs */
   bool needs_workgroup; /* emitted at workgroup level */
   bool is_masked;       /* loop, block: jumps to it turn lanes off; subgroup level */
   bool is_wg_masked;    /* the same at workgroup level; `if` too */
   bool has_beyond;      /* masked jumps inside leave it for a target further out */
   bool has_masked_continue;
   uint32_t mask_slot[2];    /* workgroup level: masks in the frame; if: then, else; loop, block: current, live */
   bool has_prologue;        /* workgroup level: a segment in front of it sets up params or masks */
};


/* Of code that looks at other lanes (cg_cross.c): reductions and scans; permutations through memory; what is an instruction or two of the machine. */
enum cg_crossing_class { CG_CROSSING_COMBINES, CG_CROSSING_PERMUTES, CG_CROSSING_SHORT, CG_NUM_CROSSINGS };

enum { CG_USUAL_DEPTH = 16 }; /* constructs in constructs, in shaders that people write */

/* A construct that is being emitted. */
struct cg_scope {
   struct cg_scope *parent;
   struct ir_instr *instr;
   bool is_workgroup;
   LLVMBasicBlockRef end;  /* target of break */
   LLVMBasicBlockRef cont; /* target of continue */
   LLVMValueRef saved;     /* subgroup level: mask variable, lanes that are on after the construct; NULL: as at its start */
   LLVMValueRef live;      /* subgroup level: mask variable of a masked loop, lanes still in it */
   LLVMValueRef live_is;   /* what `live` holds at this point, if that is known */
   uint32_t depth;         /* subgroup level: 1 within no other of that level; for cg.reconverge_at */
};

struct cg;
struct cg_segment;
struct cg_kept_rows;

/* What the file of a stage gives. */
struct cg_stage {
   uint32_t num_pointers, num_numbers; /* parameters of the entry point: pointers, the arguments and the worker first; then 32-bit numbers */
   void (*emit)(struct cg *cg);        /* the function's body */
   /* Around each segment: the loop over the vectors. */
   void (*segment_begin)(struct cg *cg, struct cg_segment *segment);
   void (*segment_end)(struct cg *cg, struct cg_segment *segment);
   void (*sysval)(struct cg *cg, struct ir_instr *instr);
   void (*load_input)(struct cg *cg, struct ir_instr *instr); /* NULL: it has no such interface; load_vertex too */
   void (*store_output)(struct cg *cg, struct ir_instr *instr); /* store_vertex too */
   void (*access_row)(struct cg *cg, struct ir_instr *instr);
};
#define X(NAME, name) extern const struct cg_stage cg_stage_##name;
ABI_STAGES(X)
#undef X

enum { CG_ZEROS_BYTES = 256 };

/* A descriptor set as a call finds it. */
struct cg_set {
   LLVMValueRef base;     /* ptr to its descriptors, or to zeros behind a head of zeros; NULL: not asked for yet */
   LLVMValueRef is_bound; /* i1: there is a set, of the layout's shape */
};

struct cg {
   LLVMContextRef context;
   LLVMModuleRef module;
   LLVMBuilderRef b;
   struct util_arena *arena;
   struct ir_shader *ir;
   const struct comp_layout *layout;
   const struct cg_stage *stage;
   char **texts; /* of comp_shader_desc */
   struct comp_target target;
   uint32_t lanes;
   jmp_buf on_error;
   char *message; /* malloc'ed */
   LLVMTargetMachineRef machine;
   bool is_quick; /* the machine */
   struct cg_cut_block *cut_blocks; /* cg_split.c */
   uint32_t num_groups; /* of functions, an object each; 0: one object, of the module as it is */
   LLVMMemoryBufferRef buffer;
   bool is_lost; /* LLVM met a fatal error or found no memory */
   const char *diagnostic; /* the first error that LLVM noted and went on from; NULL: none */

   LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr, void_type;
   LLVMTypeRef mask_type;     /* <lanes x i1> */
   LLVMTypeRef mask_var_type; /* how a mask crosses basic blocks */

   LLVMValueRef fn;
   LLVMBasicBlockRef entry;   /* allocas; open until the end */
   LLVMBasicBlockRef leave;   /* returns */
   LLVMBasicBlockRef give_up; /* says where and leaves; NULL until asked for */
   LLVMValueRef gave_up_at;   /* its phi */
   LLVMBasicBlockRef body_block; /* first block of the current segment's body, open until its end: values made on demand */

   struct cg_value *values;
   uint32_t num_values;
   uint32_t segment;      /* being emitted; 0: workgroup level */
   uint64_t stretch;      /* operations of segments since the last poll */
   uint32_t num_segments;
   LLVMValueRef exec;     /* lanes that are on, <lanes x i1>; NULL: all */
   LLVMBasicBlockRef skip; /* where code goes on when no lane is left */
   struct cg_scope *scope;
   uint32_t num_scopes;   /* constructs around what is emitted */
   uint64_t deep_blocks;  /* the sum over all blocks of num_scopes beyond CG_USUAL_DEPTH */
   uint64_t num_left;     /* constructs that masked jumps leave, summed over the jumps */
   LLVMValueRef reconverge_at; /* memory, <lanes x i32>: where lanes that jumped are on again, instead of masks: cg_flow.c; NULL: has masks */
   uint32_t num_records;  /* loads by cg_load_records() so far */
   uint32_t num_likely_runs; /* accesses in two forms so far, as runs of lanes are expected */
   uint32_t num_lane_loads; /* by cg_load_apart() instead of gathers so far */
   uint32_t wg_exec;  /* frame slot of the lanes that are on at workgroup level, CG_NO_SLOT: all of the workgroup */

   /* arguments */
   LLVMValueRef args, worker, bound_sets, push, helpers, cancel, frame, shared;
   struct cg_set sets[ABI_MAX_SETS];
   LLVMValueRef zeros; /* CG_ZEROS_BYTES or more readable zeros for accesses that are out of bounds, and for the first descriptors of no set */

   /* the vector being emitted */
   LLVMValueRef vector_index; /* in the workgroup, the batch or the blocks of the call; 32 bits */
   LLVMValueRef vector_frame; /* ptr to its part of the frame; NULL until asked for in this segment */
   uint32_t num_vectors, num_invocations;
   LLVMValueRef vectors_on; /* i32: so many of num_vectors have lanes in this call; NULL: all */
   uint32_t frame_bytes;      /* used so far of a vector's part */
   bool is_partial;           /* the last vector of a workgroup has lanes that are never on */

   uint64_t var_bytes;          /* of variables in memory, one vector */
   LLVMValueRef *var_alloca;    /* by ir_var.index */
   uint32_t *var_slot;          /* in the frame, CG_NO_SLOT: alloca */
   LLVMValueRef scratch[CG_NUM_SCRATCH]; /* lane arrays for calls and lane loops, shared by all uses */
   struct cg *caller;           /* of a routine: what calls it; else NULL */
   uint32_t num_calls;          /* by cg_call_own() */
   struct cg_routine {
      LLVMValueRef function; /* NULL: it was not called yet */
      uint32_t context;      /* bits of what it takes of the caller besides its operands */
   } *routines;                 /* by number; NULL: nobody asked yet */
   LLVMValueRef routine_result; /* memory: what the routine that is emitted gives; NULL: it has its operands and results in rows */
   uint32_t num_first_rows; /* of these operands */
   struct cg_kept_rows *kept_rows; /* of calls with rows; NULL: there was none yet */
   LLVMValueRef call_rows;      /* memory for operands and results of a call: vectors of 64 bits */
   uint32_t num_call_rows;
   struct cg_free_vars {
      LLVMTypeRef type;
      struct cg_free_var {
         struct cg_free_var *next;
         LLVMValueRef var;
      } *first;
   } free_vars[CG_NUM_VAR_TYPES]; /* by type; the first without one ends the list */
   LLVMValueRef node_call;      /* a struct abi_node_call; NULL: not needed yet */
   LLVMValueRef shader_call;    /* a struct abi_shader_call; NULL: not needed yet */
   LLVMValueRef ray_functions[2][2]; /* loads, stores of a field of 32, of 64 bits; NULL: not made yet */
   uint32_t num_ray_fields;     /* such loads and stores so far */
   LLVMValueRef ray_words;      /* what ray_fetch() writes; NULL: not needed yet */
   struct cg_call_shape *tex_shapes, *image_shapes, *texel_shapes;
   uint32_t num_texels;         /* accesses that cg_texel.c emitted */
   struct cg_texel_function *texel_functions; /* of the later ones */
   LLVMValueRef probe_call;     /* struct abi_probe_call; NULL until asked for */
   struct cg_limit *limits;     /* bounds that are already computed */
   struct ir_map casts;         /* of LLVM values: the same bits as int or float */
   struct ir_map mask_words;    /* of masks: the same as a word a lane */
   struct ir_map wide;          /* of 16-bit values: the same floats in 32 bits */
   struct ir_map tables;        /* of constant vectors: where they stand in memory */
   LLVMValueRef reduce_angle[2][2]; /* functions: of vectors, of cosine; NULL: not made yet */
   uint32_t num_reduced; /* large arguments whose code stands in line */
   LLVMValueRef apart[2]; /* functions of lanes that read, write dwords apart; NULL: not made yet */
   uint32_t num_apart;    /* such reads and writes of batches so far */
   uint32_t num_vars_apart; /* dwords of variables that lanes read or write apart, so far */
   struct ir_map var_calls; /* functions that do so: cg_var.c */
   LLVMValueRef half_fma;   /* function of multiply-adds of 16 bits; NULL: not made yet */
   uint32_t num_half_fmas;  /* such vectors so far */
   LLVMValueRef copy_masks; /* function that copies masks of the workgroup; NULL: not made yet */
   LLVMValueRef lane_functions[2][4]; /* of cg_lane.c: loads, stores by the logarithm of bytes; NULL: not made yet */
   uint32_t num_lane_accesses;        /* such loads and stores so far */
   struct cg_emitted *emitted; /* of a geometry shader */
   struct cg_crossing *crossings; /* functions that look at other lanes: cg_cross.c */
   uint32_t num_crossings[CG_NUM_CROSSINGS]; /* how often that was done so far */

   struct {
      LLVMValueRef count; /* lanes of the call */
      LLVMValueRef first; /* index of lane 0 in the batch, 64 bits */
      LLVMValueRef inputs, outputs; /* rows */
      uint32_t lanes;     /* of a row */
   } batch; /* cg_batch.c */
   struct cg_compute *compute;
   struct cg_control *control;
   struct cg_evaluation *evaluation;
   struct cg_fragment *fragment;
   LLVMValueRef live_bits; /* of it, i32 in memory: lanes that are no helpers */
};

/* Ends the compile with VK_ERROR_INVALID_SHADER_NV. */
_Noreturn UTIL_PRINTF(2, 3) void cg_fail(struct cg *cg, const char *format, ...);

/* ---- LLVM shorthand (cg_build.c) ---- */

LLVMTypeRef cg_int_type(struct cg *cg, uint32_t bits);
LLVMTypeRef cg_float_type(struct cg *cg, uint32_t bits);
LLVMTypeRef cg_vec_type(struct cg *cg, LLVMTypeRef element);
/* int or float element type -> the same with all lanes if `vector`. */
LLVMTypeRef cg_type(struct cg *cg, LLVMTypeRef element, bool vector);
bool cg_is_vector(LLVMValueRef value);
uint32_t cg_bits(LLVMValueRef value); /* of an element */
LLVMValueRef cg_as_int(struct cg *cg, LLVMValueRef value);
LLVMValueRef cg_as_float(struct cg *cg, LLVMValueRef value);
/* Integer constant in the shape of `like`'s type (any scalar or vector integer type). */
LLVMValueRef cg_const_like(LLVMTypeRef type, uint64_t value);
LLVMValueRef cg_constf_like(LLVMTypeRef type, double value);
LLVMValueRef cg_i32(struct cg *cg, uint32_t value);
LLVMValueRef cg_i64(struct cg *cg, uint64_t value);
LLVMValueRef cg_splat(struct cg *cg, LLVMValueRef scalar);
LLVMValueRef cg_const_global(struct cg *cg, LLVMValueRef constant, uint32_t align, const char *name); /* ptr: it stands beside the code, once more each time */
LLVMValueRef cg_const_memory(struct cg *cg, LLVMValueRef constant); /* ptr to a vector in memory, aligned to 64 bytes */
/* <lanes x bits> 0, step, 2 * step, ... */
LLVMValueRef cg_iota(struct cg *cg, uint32_t bits, uint64_t step);
LLVMValueRef cg_iota_n(struct cg *cg, uint32_t count, uint32_t bits, uint64_t step); /* of `count` elements, up to 128 */
LLVMValueRef cg_const_vector_u32(struct cg *cg, const uint32_t *values);
LLVMValueRef cg_intrinsic(struct cg *cg, const char *name, LLVMTypeRef *types, uint32_t num_types, LLVMValueRef *args,
                          uint32_t num_args);
/* Calls a function of the object; cg_is_large() counts these. */
LLVMValueRef cg_call_own(struct cg *cg, LLVMValueRef fn, LLVMValueRef *args, uint32_t num_args);
/* One overloaded type, that of args[0]. */
LLVMValueRef cg_intrinsic1(struct cg *cg, const char *name, uint32_t num_args, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
LLVMValueRef cg_select(struct cg *cg, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b);
/* What is stored where `old` was loaded from: the value in lanes of the mask. Without mask registers LLVM must not make a masked store of it, which takes
 * many processors dozens of operations, and what loads the same next has to wait until it has left for the cache. */
LLVMValueRef cg_merge(struct cg *cg, LLVMValueRef mask, LLVMValueRef value, LLVMValueRef old);
/* Elements of a, or of a and b side by side. */
LLVMValueRef cg_shuffle(struct cg *cg, LLVMValueRef a, LLVMValueRef b, const uint32_t *indices, uint32_t count);
LLVMValueRef cg_part_of(struct cg *cg, LLVMValueRef all, uint32_t count, uint32_t index); /* number `index` of those of `count` elements */
/* words[index[i]] of one register of cg_target.permuted_words(); of the index the low bits count. */
LLVMValueRef cg_permute_words(struct cg *cg, LLVMValueRef words, LLVMValueRef index);
LLVMValueRef cg_gep(struct cg *cg, LLVMValueRef base, LLVMValueRef offset_bytes);
LLVMValueRef cg_gep_const(struct cg *cg, LLVMValueRef base, uint64_t offset_bytes);
LLVMValueRef cg_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef ptr, uint32_t align);
LLVMValueRef cg_load_at(struct cg *cg, LLVMTypeRef type, LLVMValueRef base, uint64_t offset_bytes);
LLVMValueRef cg_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr, uint32_t align);
LLVMValueRef cg_alloca(struct cg *cg, LLVMTypeRef type, uint32_t align, const char *name);
/* A variable for a while: of unknown contents, aligned to 64 bytes if a vector, else to 8. The time that LLVM takes to make values of variables is
 * their number by that of all blocks, so that those of loops one after the other are the same ones. */
LLVMValueRef cg_take_var(struct cg *cg, LLVMTypeRef type, const char *name);
/* From here on nobody reads it, on any path. */
void cg_give_var(struct cg *cg, LLVMTypeRef type, LLVMValueRef var);
/* Memory of one vector with at most 64-bit lanes, for lane loops and calls; `index` below UTIL_ARRAY_SIZE(cg->scratch). */
LLVMValueRef cg_scratch(struct cg *cg, uint32_t index);
LLVMBasicBlockRef cg_new_block(struct cg *cg, const char *name);
void cg_enter(struct cg *cg, LLVMBasicBlockRef block);
void cg_branch(struct cg *cg, LLVMBasicBlockRef to);
void cg_branch_if(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);
/* To `expected` if the condition holds, as it nearly always does: the code of `rare` stands apart and takes no registers from the other. */
void cg_branch_expected(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef expected, LLVMBasicBlockRef rare);
/* A loop from here into `round`, which is empty: its index, 32 bits, from 0 on, up to `count` in steps. At least one round; goes on in `end`. It is no variable
 * on the stack: for each of these LLVM walks over all blocks that come behind. */
LLVMValueRef cg_count_begin(struct cg *cg, LLVMBasicBlockRef round);
void cg_count_end(struct cg *cg, LLVMValueRef index, uint32_t step, LLVMValueRef count, LLVMBasicBlockRef end);

/* ---- masks (cg_build.c) ---- */

LLVMValueRef cg_mask_bits(struct cg *cg, LLVMValueRef mask); /* i32; NULL: all lanes */
LLVMValueRef cg_mask_from_bits(struct cg *cg, LLVMValueRef bits);
LLVMValueRef cg_mask_any(struct cg *cg, LLVMValueRef mask);  /* i1 */
LLVMValueRef cg_mask_all(struct cg *cg, LLVMValueRef mask);  /* i1 */
/* Bits of masks or of any integers. Without mask registers comparisons give words of ones; LLVM would pack those to join masks, and then spread the lanes. */
LLVMValueRef cg_mask_logic(struct cg *cg, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cg_mask_not(struct cg *cg, LLVMValueRef mask);
LLVMValueRef cg_mask_and(struct cg *cg, LLVMValueRef a, LLVMValueRef b); /* NULL: all lanes */
LLVMValueRef cg_mask_and_not(struct cg *cg, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cg_mask_full(struct cg *cg);
LLVMValueRef cg_mask_or_full(struct cg *cg, LLVMValueRef mask); /* never NULL */
LLVMValueRef cg_mask_var(struct cg *cg, const char *name); /* to be given back */
LLVMValueRef cg_mask_load(struct cg *cg, LLVMValueRef var);
void cg_mask_store(struct cg *cg, LLVMValueRef var, LLVMValueRef mask);
/* The same mask for use in the block that is emitted: without mask registers one that another block made comes as a word a lane, as code that
 * compares and selects has it; LLVM would pack it there and unpack it here. */
LLVMValueRef cg_mask_here(struct cg *cg, LLVMValueRef mask);
bool cg_is_same_mask(struct cg *cg, LLVMValueRef a, LLVMValueRef b); /* as far as it is known */
/* Lanes whose stores and atomics count: exec without helper invocations; NULL: all. */
LLVMValueRef cg_effect_mask(struct cg *cg);

/* A loop over the lanes of a mask; code between begin and end runs once for each, `lane` is its index (32 bits). */
struct cg_lane_loop {
   LLVMBasicBlockRef body, end;
   LLVMValueRef bits_var, lane;
};
void cg_lane_loop_begin(struct cg *cg, LLVMValueRef mask, struct cg_lane_loop *loop);
void cg_lane_loop_end(struct cg *cg, struct cg_lane_loop *loop);
/* Puts a vector into scratch memory and reads one lane of it. */
LLVMValueRef cg_spill(struct cg *cg, uint32_t scratch, LLVMValueRef vector);
LLVMValueRef cg_lane_ptr(struct cg *cg, LLVMValueRef memory, uint32_t bits, LLVMValueRef lane);
/* Each lane's index (32 bits, unsigned) as a number of 64 bits in a general register. */
void cg_lane_numbers(struct cg *cg, LLVMValueRef index, LLVMValueRef numbers[ABI_MAX_LANES]);
/* A load a lane, of the element at base + index, counted in `unit`s: all of them can be read. */
LLVMValueRef cg_load_apart(struct cg *cg, LLVMTypeRef element, LLVMTypeRef unit, LLVMValueRef base, LLVMValueRef index, uint32_t align);
/* Rows: vectors of all lanes one after the other in memory, of integers of so many bits. The second load: lane 0. */
uint32_t cg_row_bytes(const struct cg *cg, uint32_t bit_size);
uint32_t cg_row_align(const struct cg *cg, uint32_t bit_size);
LLVMValueRef cg_load_row(struct cg *cg, LLVMValueRef rows, uint32_t bit_size, uint32_t index);
LLVMValueRef cg_load_row_lane(struct cg *cg, LLVMValueRef rows, uint32_t bit_size, uint32_t index);
void cg_store_row(struct cg *cg, LLVMValueRef rows, uint32_t bit_size, uint32_t index, LLVMValueRef vector);
/* Puts the builder right below the definition of `value` (not a constant); returns the block to go back to with cg_enter(). */
LLVMBasicBlockRef cg_go_below(struct cg *cg, LLVMValueRef value);
/* Lanes of a fragment shader that write memory, and those that do not. */
LLVMValueRef cg_fragment_live(struct cg *cg);
LLVMValueRef cg_fragment_is_helper(struct cg *cg);

/* ---- values (cg_value.c) ---- */

struct cg_value *cg_value(struct cg *cg, const struct ir_instr *instr);
/* It is made before the conditions around it are asked: what they imply of its operands is not to be relied on. */
bool cg_is_hoisted(struct cg *cg, const struct ir_instr *instr);
bool cg_is_uniform(struct cg *cg, struct ir_instr *instr, uint32_t comp);  /* one scalar for all lanes */
bool cg_is_strided(struct cg *cg, struct ir_instr *instr, uint32_t comp, int64_t *stride); /* scalar + lane * stride; also uniform */
LLVMValueRef cg_scalar(struct cg *cg, struct ir_instr *instr, uint32_t comp); /* lane 0 */
LLVMValueRef cg_vector(struct cg *cg, struct ir_instr *instr, uint32_t comp);
/* The first active lane's value. */
LLVMValueRef cg_first_active(struct cg *cg, struct ir_instr *instr, uint32_t comp);
void cg_set_scalar(struct cg *cg, struct ir_instr *instr, uint32_t comp, LLVMValueRef value, int64_t stride);
void cg_set_vector(struct cg *cg, struct ir_instr *instr, uint32_t comp, LLVMValueRef value);
void cg_set_comp(struct cg *cg, struct ir_instr *instr, uint32_t comp, const struct cg_comp *value);
/* Row `comp` of the call's results, which are vectors, is loaded for who asks. */
void cg_set_row(struct cg *cg, struct ir_instr *call, uint32_t comp, const struct cg_rows *rows);
/* After all components are set: keeps the value in the frame if it is read elsewhere. */
void cg_value_done(struct cg *cg, struct ir_instr *instr);
/* The components as the current position can read them: reloads or computes again what another segment made. */
const struct cg_comp *cg_comps(struct cg *cg, struct ir_instr *instr);

/* Params and results: variables that jumps write. */
void cg_variable_init(struct cg *cg, struct ir_instr *value);   /* at the construct's start */
void cg_variable_write(struct cg *cg, struct ir_instr *value, struct ir_instr *from, LLVMValueRef mask); /* mask NULL: all lanes */
void cg_variable_read(struct cg *cg, struct ir_instr *value);   /* defines the value from now on */
void cg_variable_finish(struct cg *cg, struct ir_instr *value); /* nobody writes or reads the variable any more */

/* ---- the frame (cg_frame.c) ---- */

uint32_t cg_frame_alloc(struct cg *cg, uint64_t bytes, uint32_t align);
/* The frame of the whole workgroup, once all slots are given. */
uint32_t cg_frame_finish(struct cg *cg);
LLVMValueRef cg_frame_ptr(struct cg *cg, uint32_t offset); /* of the current vector */
LLVMValueRef cg_wg_mask_load(struct cg *cg, uint32_t slot);
void cg_wg_mask_store(struct cg *cg, uint32_t slot, LLVMValueRef mask);

/* ---- instructions by family; each sets the instruction's components ---- */

void cg_emit_instr(struct cg *cg, struct ir_instr *instr); /* cg_emit.c: dispatch by operation */
LLVMValueRef cg_alu(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a, bool vector); /* cg_alu.c */
LLVMValueRef cg_int_divide(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b, uint64_t below); /* cg_divide.c; `below`: of a, as ir_instr.below */
LLVMValueRef cg_int_divide_by_scalar(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b); /* a vector of at most 32 bits; b for all lanes */
LLVMValueRef cg_dot_bytes(struct cg *cg, uint32_t signs, LLVMValueRef a, LLVMValueRef b); /* cg_dot.c; signs: of IR_dot_bytes */
void cg_call_routine(struct cg *cg, struct ir_instr *instr); /* cg_routine.c: of an operation that has one */
void cg_call_copy(struct cg *cg, struct ir_instr *copy); /* the same, of a copy of memory; polls first where that is asked for */
void cg_call_access(struct cg *cg, struct ir_instr *instr); /* the same, of a load or store */
/* cg_v4.c. Whether the functions below can do with such a value: a vector of 32-bit floats on a machine with AVX-512. */
bool cg_v4_has(const struct cg *cg, LLVMValueRef value);
LLVMValueRef cg_v4_scale(struct cg *cg, LLVMValueRef x, LLVMValueRef n); /* IR_fscale */
LLVMValueRef cg_v4_exponent(struct cg *cg, LLVMValueRef x);    /* IR_fexponent */
LLVMValueRef cg_v4_significand(struct cg *cg, LLVMValueRef x); /* IR_fsignificand */
/* The other operand if one is NaN, -0 < +0; neither may be a signalling NaN. */
LLVMValueRef cg_v4_min_or_max(struct cg *cg, bool is_max, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cg_v4_fma_to_odd(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z); /* of 16 lanes or 32, see cg_sum_to_odd() */
/* Whether the functions below can do with vectors of all lanes. */
bool cg_v4_has_registers(const struct cg *cg);
/* Bytes of words as fractions of 255; `shift` is 0, 8, 16 or 24, an i32. */
LLVMValueRef cg_v4_decode_bytes(struct cg *cg, LLVMValueRef words, LLVMValueRef shift);
/* Number c of the four 16-bit parts of each lane's 64 bits. */
LLVMValueRef cg_v4_quarter(struct cg *cg, LLVMValueRef texels, uint32_t c);
/* 32-bit words at base + 4 * index, below 2^31, for the lanes of the mask; the others 0. Blocks: of 16 neighbouring texels, else words in a row. The
 * first word can be read, also if no lane is on. */
bool cg_has_gathers(const struct cg *cg); /* of all lanes at once, faster than what else there is */
LLVMValueRef cg_v4_gather_words(struct cg *cg, bool are_blocks, LLVMValueRef base, LLVMValueRef index, LLVMValueRef mask);
LLVMValueRef cg_float_op(struct cg *cg, struct ir_instr *instr, LLVMValueRef *a); /* cg_float.c */
LLVMValueRef cg_float_compare(struct cg *cg, enum ir_op op, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cg_float_convert(struct cg *cg, struct ir_instr *instr, LLVMValueRef a);
/* cg_odd.c */
LLVMValueRef cg_round_to_odd(struct cg *cg, LLVMValueRef rounded, LLVMValueRef error); /* of a value rounded to nearest, and what is missing */
LLVMValueRef cg_sum_to_odd(struct cg *cg, LLVMValueRef p, LLVMValueRef c); /* p + c rounded to odd */
/* cg_half.c. 16-bit floats are integers here. */
LLVMValueRef cg_half_to_float(struct cg *cg, LLVMValueRef value);
LLVMValueRef cg_float_to_half(struct cg *cg, LLVMValueRef value);
LLVMValueRef cg_exact_half(struct cg *cg, LLVMValueRef wide); /* of 32-bit floats that 16 bits hold */
LLVMValueRef cg_half_sign(struct cg *cg, enum ir_op op, LLVMValueRef a); /* fneg, fabs */
LLVMValueRef cg_half_select(struct cg *cg, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cg_half_fma(struct cg *cg, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z); /* of 32-bit floats that 16 bits hold; rounds once */
LLVMValueRef cg_one_nan(struct cg *cg, LLVMValueRef value); /* IR_fone_nan */
LLVMValueRef cg_reduce_angle(struct cg *cg, LLVMValueRef x, bool is_cosine); /* IR_freduce */
LLVMValueRef cg_fmin(struct cg *cg, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef cg_fmax(struct cg *cg, LLVMValueRef a, LLVMValueRef b);
void cg_emit_descriptor(struct cg *cg, struct ir_instr *instr);
void cg_emit_load(struct cg *cg, struct ir_instr *instr);   /* cg_load.c: buffer, global, shared, push */
void cg_emit_store(struct cg *cg, struct ir_instr *instr);
void cg_emit_atomic(struct cg *cg, struct ir_instr *instr);
static inline bool cg_is_float_atomic(enum abi_atomic atomic)
{
   return atomic == ABI_ATOMIC_FADD || atomic == ABI_ATOMIC_FMUL || atomic == ABI_ATOMIC_FMIN || atomic == ABI_ATOMIC_FMAX;
}
/* a op b for a reduction or an atomic on plain memory; ints or floats by the operation. cg_cross.c */
LLVMValueRef cg_atomic_combine(struct cg *cg, enum abi_atomic atomic, LLVMValueRef a, LLVMValueRef b);
/* One operation of one lane, in a workgroup's memory or another; returns the old value. `compare`: of exchanges with a comparison. */
LLVMValueRef cg_atomic_apply(struct cg *cg, enum abi_atomic atomic, bool is_shared, LLVMValueRef ptr, LLVMValueRef data, LLVMValueRef compare);
/* In each lane of integers those of the lanes before it, combined; `none` is what changes nothing. cg_cross.c */
LLVMValueRef cg_scan_before(struct cg *cg, enum abi_atomic atomic, LLVMValueRef value, LLVMValueRef none);
void cg_emit_load_var(struct cg *cg, struct ir_instr *instr);
void cg_emit_store_var(struct cg *cg, struct ir_instr *instr);
void cg_emit_load_table(struct cg *cg, struct ir_instr *instr);
void cg_prepare_vars(struct cg *cg);
LLVMValueRef cg_var_base(struct cg *cg, const struct ir_var *var); /* of the current vector's lanes */
void cg_emit_ray(struct cg *cg, struct ir_instr *instr); /* cg_ray.c */
void cg_emit_shader_call(struct cg *cg, struct ir_instr *instr); /* cg_trace.c */
void cg_emit_node_call(struct cg *cg, struct ir_instr *instr); /* cg_node.c */
void cg_emit_tex(struct cg *cg, struct ir_instr *instr);
void cg_emit_image(struct cg *cg, struct ir_instr *instr);
void cg_emit_cross(struct cg *cg, struct ir_instr *instr);
void cg_emit_matrices(struct cg *cg, struct ir_instr *instr);
void cg_emit_probe(struct cg *cg, struct ir_instr *instr); /* cg_probe.c */
bool cg_follows(const struct cg *cg); /* the code reports workgroups, accesses and barriers */
void cg_follow_workgroup(struct cg *cg, LLVMValueRef id[3]);
void cg_emit_sysval(struct cg *cg, struct ir_instr *instr);

/* ---- control flow ---- */

void cg_analyze_levels(struct cg *cg);                    /* cg_level.c */
bool cg_is_workgroup_barrier(struct cg *cg, const struct ir_instr *instr);
/* The params or results that a jump's operands go to. */
uint32_t cg_jump_destinations(const struct ir_instr *jump, struct ir_instr ***destinations);
bool cg_jump_is_masked(struct cg *cg, const struct ir_instr *jump);
bool cg_is_sole_continue(struct cg *cg, const struct ir_instr *jump);
/* Takes the lanes that are on out of all masks up to the target. They are those of `before` that are not in `staying`, if that is not NULL. */
void cg_leave_constructs(struct cg *cg, const struct ir_instr *jump, LLVMValueRef before, LLVMValueRef staying);
void cg_init_variables(struct cg *cg, struct ir_instr *const *values, uint32_t count);
void cg_read_variables(struct cg *cg, struct ir_instr *const *values, uint32_t count);
void cg_write_operands(struct cg *cg, struct ir_instr *const *destinations, struct ir_instr *const *srcs, uint32_t count,
                       LLVMValueRef mask);
void cg_emit_region(struct cg *cg, struct ir_region *region); /* cg_flow.c: subgroup level; the last jump included */
void cg_emit_construct(struct cg *cg, struct ir_instr *instr);
void cg_emit_jump(struct cg *cg, struct ir_instr *instr);
/* i1: the worker is to end this call. */
LLVMValueRef cg_is_cancelled(struct cg *cg);
/* Leaves the function then, and says that it was in `construct`; NULL: says nothing. */
void cg_poll_cancel(struct cg *cg, const struct ir_instr *construct);
void cg_emit_hoisted(struct cg *cg, enum cg_level level); /* values of CALL or PRELUDE level, at the current position */
void cg_emit_workgroup(struct cg *cg);                    /* cg_workgroup.c: the whole body at workgroup level */
void cg_emit_body(struct cg *cg); /* all of the above, of stages that run their body once a call, and the exit */

/* ---- stages: the function's frame and what only that stage has ---- */

struct cg_segment {
   LLVMBasicBlockRef main, next, end; /* body_block branches to main */
   LLVMValueRef index; /* of the vector; NULL: there is one alone */
   bool polls;              /* between the vectors: together they may take long */
   struct ir_instr *clears; /* construct whose masks are none where the segment is skipped; NULL: no such */
};
/* Stages that run over a batch (cg_batch.c). */
void cg_batch_segment_begin(struct cg *cg, struct cg_segment *segment);
void cg_batch_segment_end(struct cg *cg, struct cg_segment *segment);
/* Their loops: `index` (32 bits, returned) counts from 0 in steps up to `count`. */
LLVMValueRef cg_batch_loop_begin(struct cg *cg, struct cg_segment *segment);
void cg_batch_loop_end(struct cg *cg, struct cg_segment *segment, uint32_t step, LLVMValueRef count);
/* Takes the rows from the arguments, `lanes` each. */
void cg_batch_begin(struct cg *cg, uint32_t lanes, size_t inputs_field, size_t outputs_field);
/* Lanes that are on, if others must not run. */
void cg_batch_mask(struct cg *cg, LLVMValueRef first);
/* This vector's lanes of row `row` (64 bits). */
LLVMValueRef cg_batch_row(struct cg *cg, LLVMValueRef base, LLVMValueRef row);
uint32_t cg_batch_align(const struct cg *cg); /* of these */
LLVMValueRef cg_batch_load(struct cg *cg, LLVMValueRef ptr);
void cg_batch_store(struct cg *cg, LLVMValueRef value, LLVMValueRef ptr); /* what is off stays */
/* The same where lanes go to different locations: at base + dwords (64 bits), all of which can be read and written. */
LLVMValueRef cg_batch_load_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords);
void cg_batch_store_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords, LLVMValueRef value);
/* So many reads and writes of lanes apart (cg.num_apart) stand where they are made; others are calls. What a call does: */
enum { CG_MAX_APART = 128 };
void cg_batch_scatter(struct cg *cg, LLVMValueRef base, LLVMValueRef dwords, LLVMValueRef value);
/* Operations of stages whose outputs are rows by slot. */
void cg_batch_store_output(struct cg *cg, struct ir_instr *instr);
void cg_batch_load_ids(struct cg *cg, struct ir_instr *instr, size_t field);
LLVMValueRef cg_batch_clamp(struct cg *cg, LLVMValueRef index, LLVMValueRef last); /* scalars, or a vector and a scalar */
/* Position of a slot among those that are set; fails if it is not. */
uint32_t cg_batch_rank(struct cg *cg, const uint64_t *set, uint32_t slot);
uint32_t cg_slot_rank(const uint64_t *set, uint32_t slot);

void cg_segment_begin(struct cg *cg, struct cg_segment *segment);
void cg_segment_end(struct cg *cg, struct cg_segment *segment);
void cg_fragment_attachment(struct cg *cg, struct ir_instr *instr);
void cg_fragment_interp(struct cg *cg, struct ir_instr *instr);
void cg_fragment_demote(struct cg *cg, struct ir_instr *instr);
LLVMValueRef cg_fragment_quad_bits(struct cg *cg); /* i32: lanes of quads that have coverage */
LLVMValueRef cg_fragment_pixel(struct cg *cg, uint32_t axis); /* integer window coordinates */
LLVMValueRef cg_fragment_layer(struct cg *cg);     /* i32: of the attachments that is rendered to */
LLVMValueRef cg_fragment_view(struct cg *cg);      /* i32 */

/* ---- LLVM (cg_module.c) ---- */

/* A context and a machine; until cg_guard() is over, errors within LLVM on this thread end this compile, not the process. */
void cg_begin(struct cg *cg, bool is_quick);
/* Calls `run` and releases what cg_begin() made; without memory VK_ERROR_OUT_OF_HOST_MEMORY, after cg_fail() VK_ERROR_INVALID_SHADER_NV. */
VkResult cg_guard(struct cg *cg, void (*run)(struct cg *cg, void *data), void *data);
/* One that nobody else uses meanwhile; NULL if it cannot be made. Goes back with cg_release_machine(). A quick one takes time in
 * proportion to the function, for code that moves more values through memory. */
LLVMTargetMachineRef cg_target_machine(const struct comp_target *target, bool is_quick);
void cg_release_machine(LLVMTargetMachineRef machine, const struct comp_target *target, bool is_quick);
LLVMValueRef cg_add_own_function(struct cg *cg, const char *name, LLVMTypeRef type); /* of the object */
/* What is emitted from begin to end is the code of a function of the object, which sees its parameters and constants alone; all lanes are on at its
 * start. `around` keeps what the function is called from. */
struct cg_function {
   LLVMBasicBlockRef here, entry, body;
   LLVMValueRef fn, exec, helpers;
   LLVMValueRef scratch[CG_NUM_SCRATCH]; /* memory of that function */
   struct cg_free_vars free_vars[CG_NUM_VAR_TYPES];
   struct cg_call_shape *texel_shapes;
};
LLVMValueRef cg_function_begin(struct cg *cg, struct cg_function *around, const char *name, LLVMTypeRef type);
void cg_function_end(struct cg *cg, const struct cg_function *around);
LLVMValueRef cg_add_cold_function(struct cg *cg, const char *name, LLVMTypeRef type); /* of the object, called where few come */
void cg_set_function_attributes(struct cg *cg);
/* Its frame is one of so many that stand at once on the stack that a thread has for shaders. */
void cg_limit_stack(struct cg *cg, LLVMValueRef fn, uint32_t num_frames);

/* ---- the end of a compile (cg_finish.c) ---- */

/* Optimises and emits; ends the compile on an error. */
void cg_finish_module(struct cg *cg, struct cg_object *object);

/* ---- large functions (cg_split.c) ---- */

/* Whether LLVM's usual passes would take too long for a function of the module. */
bool cg_is_large(struct cg *cg);
/* Cuts the large blocks of its functions; smaller ones, too, where one is large. */
void cg_split_blocks(struct cg *cg, bool is_large);
/* The quick machine does so by itself. */
void cg_keep_blocks_apart(struct cg *cg);
/* Instructions that LLVM will make of one block, of a function, roughly. */
uint32_t cg_count_instrs(struct cg *cg, LLVMBasicBlockRef block);
uint64_t cg_function_instrs(struct cg *cg, LLVMValueRef fn);
/* Makes functions of parts of those that have much more than `part_instrs` (cg_parts.c). */
void cg_cut_functions(struct cg *cg, uint64_t part_instrs);

/* ---- dominators (cg_dominators.c) ---- */

/* Of a function's blocks as they are; in the arena. */
struct cg_dominators *cg_find_dominators(struct cg *cg, LLVMValueRef fn);
/* Whether all paths to `other` pass `block`, or it is the same; of blocks that no path leads to it is false. */
bool cg_dominates(const struct cg_dominators *dominators, LLVMBasicBlockRef block, LLVMBasicBlockRef other);

/* ---- objects (cg_object.c) ---- */

/* A large module's functions become such that threads can divide them among each other: cg->num_groups. */
void cg_cut_into_groups(struct cg *cg);
/* Ends the compile on an error. The module is gone afterwards. */
void cg_emit_object(struct cg *cg, struct cg_object *object);
