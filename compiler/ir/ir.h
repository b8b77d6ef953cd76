/* SPDX-License-Identifier: MIT
 * The compiler's intermediate representation: SSA with structured control flow, between SPIR-V and LLVM.
 *
 * Values have 1 to 4 components (of calls of routines to 16) of 1, 8, 16, 32 or 64 bits; arithmetic takes single components (`vec` and `extract`
 * convert). Each instruction gives at most one value; a value is named by its instruction.
 *
 * Control flow is a tree. A region is a list of instructions that ends in a jump; `if`, `loop` and `block` own regions:
 *
 *    if c         regions then, else; both end in yield (or a jump outwards)
 *    block        region body; break leaves it, yield at its end too
 *    loop init…   regions body and cont. The body's parameters take init… at entry. The body ends with `continue`
 *                 (to the cont region, whose parameters take its operands); cont ends with `yield`: back to the body with
 *                 new parameters. `break` leaves the loop.
 *
 * Values flow over region borders only by operands of jumps: a value defined within a region is not visible outside, so
 * everything that differs between lanes leaving at different times has a name: a `param` or `result`. break and continue name
 * their target and may leave several constructs at once. The shader's body ends in yield without operands; return is a
 * break out of a `block` around the body.
 *
 * Text form (printer and parser round-trip), result type is components x bits:
 *
 *    %3 = const 1x32 5
 *    %4 = sysval 3x32 sysval=local_id
 *    %5 = extract 1x32 %4 index=0
 *    %6 1x32, %7 1x32 = loop @L0 %3, %5 {
 *    body(%8 1x32, %9 1x32):
 *       …
 *       continue @L0 %12
 *    cont(%13 1x32):
 *       yield %14, %15
 *    }
 *    %16 1x32 = if %2 {
 *       yield %4
 *    } else {
 *       break @B1
 *    }
 *    block @B1 {
 *       …
 *    }
 *
 * Memory: everything lives in the shader's arena. Threads: one user at a time. */
#pragma once

#include "abi/ray.h"
#include "abi/shader.h"
#include "util/arena.h"
#include "util/list.h"

#include <stdbool.h>
#include <stdio.h>

enum ir_op {
#define IR_OP(name, ...) IR_##name,
#include "compiler/ir/ir_ops.h"
#undef IR_OP
   IR_NUM_OPS
};

enum ir_op_flags {
   IR_PURE = 1 << 0,
   IR_READS = 1 << 1,
   IR_EFFECT = 1 << 2,
   IR_CROSS = 1 << 3,
   IR_COMM = 1 << 4,
   IR_SCALAR = 1 << 5,
   IR_SUBGROUP = 1 << 6,
   IR_NAMES_VAR = 1 << 7,
};

enum ir_result_rule { IR_RESULT_NONE, IR_RESULT_SAME, IR_RESULT_BOOL, IR_RESULT_FREE };

struct ir_op_info {
   const char *name;
   int8_t num_srcs; /* -1: any */
   uint8_t result;  /* enum ir_result_rule */
   uint8_t flags;   /* enum ir_op_flags */
   const char *imm[4];
};

extern const struct ir_op_info ir_op_infos[IR_NUM_OPS];

/* Floating-point environment of one instruction. Spec: Vulkan Environment for SPIR-V, "Precision and Operation". */
enum ir_fp {
   IR_FP_CONTRACT = 1 << 0,
   IR_FP_REASSOC = 1 << 1,
   IR_FP_NO_NAN = 1 << 2,
   IR_FP_ZEROS = 1 << 3, /* NaN, infinity and the sign of zeros need not be kept: a product with 0 may be 0 */
   IR_FP_NO_SIGNED_ZERO = 1 << 4,
   IR_FP_RECIP = 1 << 5,
   IR_FP_RTZ = 1 << 6,
   IR_FP_FLUSH_DENORM = 1 << 7,
};

enum ir_access {
   IR_ACCESS_COHERENT = 1 << 0,
   IR_ACCESS_VOLATILE = 1 << 1,
   IR_ACCESS_READ_ONLY = 1 << 2, /* nobody writes this memory while the shader runs: the load may move freely */
   IR_ACCESS_NON_UNIFORM = 1 << 3,
   IR_ACCESS_ATOMIC = 1 << 4, /* atomic load or store of one component */
   IR_ACCESS_NORMALIZED = 1 << 5, /* image_load, image_store: of a format of normalized integers: texels are numbers, and are taken as numbers */
   IR_ACCESS_FLOATS = 1 << 6, /* load_buffer, load_global: of an array of scalar floats, where no words are packed beside numbers */
   IR_ACCESS_DESCRIPTOR = 1 << 7, /* load_global: of what a descriptor points to, not of the application's memory */
   IR_ACCESS_FORMAT_SHIFT = 8,  /* image_load, image_store: the enum abi_texel_format that the shader names, 6 bits; 0: none */
};

/* Of barriers, beside SPIR-V's memory semantics: an interlocked section begins, or ends. */
#define IR_INTERLOCK_BEGIN (1u << 30)
#define IR_INTERLOCK_END (1u << 31)

/* 32-bit unless said otherwise. */
enum ir_sysval {
   IR_SYSVAL_LOCAL_ID,       /* 3 components */
   IR_SYSVAL_WORKGROUP_ID,   /* 3 */
   IR_SYSVAL_NUM_WORKGROUPS, /* 3 */
   IR_SYSVAL_LOCAL_INDEX,
   IR_SYSVAL_SUBGROUP_ID,
   IR_SYSVAL_SUBGROUP_LANE,
   IR_SYSVAL_VERTEX_INDEX,
   IR_SYSVAL_INSTANCE_INDEX,
   IR_SYSVAL_BASE_VERTEX,
   IR_SYSVAL_BASE_INSTANCE,
   IR_SYSVAL_DRAW_INDEX,
   IR_SYSVAL_VIEW_INDEX,
   IR_SYSVAL_DEVICE_INDEX,
   IR_SYSVAL_FRAG_COORD,     /* 4 */
   IR_SYSVAL_POINT_COORD,    /* 2 */
   IR_SYSVAL_FRONT_FACING,   /* 1 bit */
   IR_SYSVAL_PRIMITIVE_ID,
   IR_SYSVAL_LAYER,
   IR_SYSVAL_VIEWPORT_INDEX,
   IR_SYSVAL_SAMPLE_ID,
   IR_SYSVAL_SAMPLE_POS,     /* 2 */
   IR_SYSVAL_SAMPLE_MASK_IN,
   IR_SYSVAL_INVOCATION_ID,
   IR_SYSVAL_TESS_COORD,     /* 3 */
   IR_SYSVAL_PATCH_VERTICES,
   IR_SYSVAL_LAUNCH_ID,      /* 3 */
   IR_SYSVAL_LAUNCH_SIZE,    /* 3 */
   IR_SYSVAL_SHADING_RATE,   /* of the fragment, as SPIR-V's flags have it */
   IR_SYSVAL_FRAG_SIZE,      /* 2: the fragment's texels along its edges */
   IR_SYSVAL_FRAG_INVOCATIONS, /* of the fragment */
   IR_SYSVAL_TAKEN_OUTPUTS,    /* abi_fragment_args.taken_outputs, abi_control_args.taken_levels */
   IR_SYSVAL_SHADER_RECORD,  /* 64 bits: address of its data */
   IR_SYSVAL_RECORD_TABLES,  /* 4 of 64 bits: address and stride of the table of hit groups, of miss shaders */
   IR_SYSVAL_NODE,           /* 3 of 64 bits: a struct abi_node */
   IR_SYSVAL_COUNT
};
extern const char *const ir_sysval_names[IR_SYSVAL_COUNT];

/* PER_VERTEX: not interpolated, the value at vertex "at" (0 to 2) of the primitive. */
enum ir_interp { IR_INTERP_PERSPECTIVE, IR_INTERP_LINEAR, IR_INTERP_FLAT, IR_INTERP_PER_VERTEX };
enum ir_interp_at { IR_AT_CENTER, IR_AT_CENTROID, IR_AT_SAMPLE, IR_AT_SAMPLE_INDEX, IR_AT_OFFSET };

/* Images. "dim", operations, flags and atomics are those of abi/image.h. Sources, in this order, those with a flag only where it is set:
 *    tex          image desc, sampler desc (the image desc again for fetches), coordinates (vec; array layer last), then
 *                 ABI_TEX_LOD lod | ABI_TEX_BIAS bias | ABI_TEX_GRAD ddx vec, ddy vec; ABI_TEX_OFFSET offset vec; ABI_TEX_DREF reference;
 *                 ABI_TEX_SAMPLE sample index; ABI_TEX_MIN_LOD least lod; ABI_TEX_COMPONENT gathered component;
 *                 ABI_TEX_GATHER_OFFSETS four offsets (vecs of 2)
 *    image_load   desc, coordinates; ABI_TEX_SAMPLE sample index; ABI_TEX_LOD lod
 *    image_store  desc, coordinates, value (4 components); ABI_TEX_SAMPLE, ABI_TEX_LOD
 *    image_atomic desc, coordinates, data[, compare]; ABI_TEX_SAMPLE
 *    image_query  desc[, sampler desc and coordinates for LOD, lod for SIZE]
 * Of a fetch imm.u[3] is not 0 where it is meant to reach outside of the image, too.
 * Coordinates are floats for sampling and 32-bit integers else. A result has 4 components of 32 bits (1 for dref), data and result of
 * image_atomic 32 or 64; the one component of a 64-bit texel is read and written as two, low half first. */
enum ir_image_query { IR_QUERY_SIZE, IR_QUERY_LEVELS, IR_QUERY_SAMPLES };

enum ir_var_class {
   IR_VAR_PLAIN,
   IR_VAR_QUERY, /* struct abi_ray, one or an array of them: ray queries */
   /* of ray pipelines: */
   IR_VAR_RAY,        /* the struct abi_ray that the shader is called for */
   IR_VAR_OUTGOING,   /* payload or callable data of calls */
   IR_VAR_INCOMING,   /* the caller's */
   IR_VAR_ATTRIBUTES, /* of the hit */
   IR_VAR_MATRICES,   /* cooperative matrices that are multiplied or transposed */
   IR_VAR_TABLE,      /* constants, once for all invocations: by opt/tables */
   IR_NUM_VAR_CLASSES
};
extern const char *const ir_var_class_names[IR_NUM_VAR_CLASSES]; /* in text, in front of "var" */

/* What a table holds: `count` elements, which load_table numbers. */
struct ir_table {
   uint32_t count, bit_size;
   uint8_t numbers; /* enum ir_numbers, of all elements; IR_MAY_BE_ANY where they are too small to be floats */
   uint64_t max;    /* unsigned */
   uint64_t *elements;
};

/* A variable of an invocation (Function, Private, or a copy of an interface variable) with its own natural layout.
 * Memory per lane; promoted to SSA values by opt/promote_vars where all offsets are constant.
 * Component i of an access stands at offset + i * bits / 8; a 1-bit component takes 4 bytes (0 or 1). */
struct ir_var {
   struct util_list link; /* in ir_shader.vars */
   uint32_t index;
   uint32_t size_bytes; /* multiple of 4; of a table: of its elements */
   enum ir_var_class class; /* only a plain one becomes values */
   bool stays; /* no loop is unrolled so that it could: its loops are long. By the front end */
   const char *name;    /* never NULL */
   struct ir_table *table; /* of class IR_VAR_TABLE */
};

struct ir_instr;

enum { IR_MAX_COMPONENTS = 16 }; /* of what a call gives; of other values 4 */

struct ir_region {
   struct util_list instrs; /* of ir_instr.link; the last one is a jump */
   struct ir_instr *owner;  /* if, loop or block; NULL: the shader's body */
   struct ir_instr **params;
   uint32_t num_params;
   uint32_t pass_index; /* scratch of the running pass */
};

enum ir_divergence { /* how a value differs between the invocations of a workgroup; found by analyze/divergence */
   IR_UNIFORM,          /* one for the whole workgroup (or draw, for graphics) */
   IR_SUBGROUP_UNIFORM, /* one for each vector */
   IR_STRIDED,          /* first lane's value + lane * constant (ir_instr.stride) */
   IR_VARYING,
};

/* What a float may be, in order but for NaN: bits of ir_instr.numbers. */
enum ir_numbers {
   IR_MAY_BE_MINUS_INF = 1 << 0,
   IR_MAY_BE_NEGATIVE = 1 << 1, /* finite, below zero */
   IR_MAY_BE_MINUS_ZERO = 1 << 2,
   IR_MAY_BE_ZERO = 1 << 3, /* +0 */
   IR_MAY_BE_POSITIVE = 1 << 4,
   IR_MAY_BE_INF = 1 << 5,
   IR_MAY_BE_NAN = 1 << 6,
   IR_MAY_BE_ANY = (1 << 7) - 1,
   IR_ZERO_SIGN = 1 << 7, /* not what it is: of a zero the sign is looked at */
   IR_MAY_BE_SIGNALLING = 1 << 8, /* if it is NaN: no arithmetic has made it */
};

/* What a copy of memory does with one of its two memories: unit i stands `stride` bytes times i, or what element i of a table says, behind where all begin. */
struct ir_copy_side {
   enum ir_op op; /* of loads or stores: what an access of one unit would be; IR_undef for a source: there is none but zeros */
   uint32_t access, align; /* of that, of a unit */
   uint32_t stride;
   struct ir_var *offsets; /* NULL: by stride */
};

struct ir_copy_form {
   uint32_t count, bit_size; /* units; of one: 8, 16 or 32 */
   struct ir_copy_side sides[2]; /* the target, the source */
};

struct ir_instr {
   struct util_list link;
   struct ir_region *region; /* where it stands */
   uint16_t op;              /* enum ir_op */
   uint8_t num_components;   /* 0: gives no value */
   uint8_t bit_size;
   uint8_t fp;         /* enum ir_fp */
   uint8_t divergence; /* enum ir_divergence; of an if: its condition's; of a loop or block: how the lanes leave it, see
                        * analyze/divergence.c (IR_UNIFORM: all lanes of the workgroup together; never IR_STRIDED) */
   uint16_t pass_flags; /* scratch of the running pass */
   uint32_t num_srcs;
   uint32_t index; /* of the value or instruction; dense after ir_shader_renumber() */
   uint32_t line;  /* in ir_shader.lines; 0: unknown */
   uint32_t likely_run; /* IR_VARYING in no runs: aligned runs of so many lanes are mostly strided; 0: none. By analyze/likely */
   int64_t stride; /* IR_STRIDED: difference between neighbouring lanes; the same in runs, and in likely ones */
   uint16_t routine; /* of ir_shader.routines, from 1 on: the operation became a call; 0: it is none. By lower/outline */
   uint16_t numbers; /* enum ir_numbers, of every component; 0: unknown. By analyze/numbers */
   uint8_t unread; /* tex, image_load: a bit for each component of the result that nothing reads. By analyze/summary */
   uint32_t run;   /* IR_VARYING: aligned runs of so many lanes, a part of the vector, are strided; 0: none of 4 or more are known */
   uint64_t below; /* unsigned, every component that an invocation makes here is smaller; 0: unknown. By analyze/range */
   struct ir_instr **srcs;
   struct ir_instr *forward; /* a pass replaced this value by that; see ir_resolve() */
   void *pass_data;
   union {
      uint64_t c[4]; /* const */
      uint32_t u[4];
      struct {
         struct ir_var *var;
         uint32_t mask; /* stores: stands where u[2] does */
         uint32_t field; /* of rays: u[3] */
      } var;
      struct {
         struct ir_copy_form *form;
         struct ir_var *vars[2]; /* what the target and the source are, where they are variables or tables */
         bool polls_first;       /* as of loops */
      } copy;
      struct {
         struct ir_region *regions[2]; /* if: then, else; loop: body, cont; block: body */
         struct ir_instr **results;    /* if, loop, block */
         uint32_t num_results;
         bool has_barrier;             /* a workgroup barrier inside */
         bool is_divergent;            /* if: condition varies; loop, block: lanes leave at different times */
         bool polls;                   /* loop: asks in every round whether the device is lost */
         bool polls_first;             /* asks once before it begins */
         uint32_t max_rounds;          /* loop: it makes no more, or ends after UINT32_MAX or more; 0: unknown. By analyze/range */
         uint32_t stretch;             /* operations that may run in it without a poll; polls, polls_first: by analyze/polls */
         struct ir_instr *target;      /* break, continue; result: its owner. (imm.u[0] of result and param: its index in the list) */
      } cf;
   } imm;
};

struct ir_line {
   const char *file; /* may be NULL */
   uint32_t line, column;
};

/* Text of a file that ir_line.file names, if the module has it. */
struct ir_source {
   struct ir_source *next;
   const char *file, *text;
};

/* What SPIR-V calls the variable behind a descriptor. */
struct ir_resource_name {
   struct ir_resource_name *next;
   uint32_t set, binding;
   const char *name;
};

struct abi_site;

/* Of info.stage: the code of a routine is of none. */
enum { IR_STAGE_ROUTINE = ABI_NUM_STAGES, IR_NUM_STAGES };

/* Code of an operation that stands once, because it is called often: reads its operands as inputs 0, 1, … and stores outputs 0, 1, … */
struct ir_routine {
   struct ir_shader *code;
   uint32_t size; /* instructions; from analyze/polls on, of those with loops: the most that run from one poll to the next */
   bool is_from_spirv; /* it has not been through any pass; what it takes and gives are floats, or integers where the call says so */
   bool is_function; /* of SPIR-V: products and sums in it may be contracted, divisions are as they were written */
   bool sees_bits; /* it has integers and floats, whose NaNs are one where their bits are seen */
   uint32_t num_first; /* operands that belong together, as those of a matrix; 0: all do */
};

/* What ir_opt_unroll() has made of loops so far. */
struct ir_unrolled {
   uint32_t cost;         /* of those of which less is left, in the units of opt/unroll_cost.c */
   uint32_t num_indexing; /* instructions of those that index variables */
};

struct ir_shader {
   struct util_arena *arena; /* of the whole compile; jumps out when memory is out */
   struct ir_region *body;
   struct util_list vars;
   uint32_t num_values; /* indices given so far */
   uint32_t num_vars;
   struct abi_shader_info info; /* filled by front end and passes */
   struct ir_line *lines;
   uint32_t num_lines, cap_lines;
   struct ir_source *sources;
   struct ir_resource_name *resource_names;
   uint32_t checks;         /* enum abi_check: what it is instrumented for */
   bool copies_memory;      /* it moves so many composites that they are copied by loops from variable to variable */
   bool holds_indices;      /* of accesses, where they are past the end: ir_opt_held() */
   bool prints;             /* must run even where nothing is stored */
   bool moves_bits;         /* bits that are data become floats, texels are copied, or a NaN is a constant */
   bool is_interlocked;     /* fragments of a pixel run one after the other */
   struct ir_routine *routines; /* room for a power of two */
   uint32_t num_routines;
   struct abi_site **sites; /* of probes */
   uint32_t num_sites, cap_sites;
   uint32_t num_unchecked; /* sites that were asked for beyond ABI_MAX_SITES */
   struct abi_node_output *node_outputs; /* of node_call */
   uint32_t num_node_outputs;
   uint32_t subgroup_size; /* that the shader sees; info.lanes: that of the code's vectors. 0 in text: the machine's lanes */
   bool uses_subgroups;    /* looks at other invocations of its subgroup: which of them are there matters */
   bool sees_subgroups;    /* the same, or reads where it stands in its own */
   bool maximal_reconvergence;
   uint32_t ignored_outputs; /* bits by slot: a fragment shader's stores to these have no effect */
   struct ir_unrolled unrolled;
   bool lacks_fma64; /* the target has no fused multiply-add: that of 64 bits is made of other operations */
   bool goes_apart;  /* lane by lane, or by much code, the target stores words that are apart, and converts numbers of 64 bits and unsigned ones */
   bool loads_apart; /* and loads words that are apart */
};

/* Code of a routine; it may have some of its own. */
static inline bool ir_is_routine(const struct ir_shader *shader)
{
   return shader->info.stage == IR_STAGE_ROUTINE;
}

/* ---- building (ir_builder.c) ---- */

/* `stage`: enum abi_stage or IR_STAGE_ROUTINE. */
struct ir_shader *ir_shader_create(struct util_arena *arena, uint32_t stage);

/* Where the next instructions go, and what they inherit. */
struct ir_builder {
   struct ir_shader *shader;
   struct ir_region *region;
   struct util_list *before; /* insert before this node; the region's list head: at its end */
   uint8_t fp;
   uint32_t line;
};

struct ir_builder ir_builder_at_end(struct ir_shader *shader, struct ir_region *region);
struct ir_builder ir_builder_before(struct ir_shader *shader, struct ir_instr *instr);
struct ir_builder ir_builder_after(struct ir_shader *shader, struct ir_instr *instr);

/* The general form; components and bits are derived where the operation's rule says so (pass 0), else taken. imm is zero. */
struct ir_instr *ir_emit(struct ir_builder *b, enum ir_op op, uint32_t num_components, uint32_t bit_size,
                         uint32_t num_srcs, struct ir_instr *const *srcs);
/* The same without inserting it anywhere. */
struct ir_instr *ir_instr_create(struct ir_shader *shader, enum ir_op op, uint32_t num_components, uint32_t bit_size,
                                 uint32_t num_srcs, struct ir_instr *const *srcs);
void ir_insert(struct ir_builder *b, struct ir_instr *instr);

struct ir_instr *ir_alu1(struct ir_builder *b, enum ir_op op, struct ir_instr *x);
struct ir_instr *ir_alu2(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y);
struct ir_instr *ir_alu3(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z);
struct ir_instr *ir_convert(struct ir_builder *b, enum ir_op op, uint32_t bit_size, struct ir_instr *x);
struct ir_instr *ir_select(struct ir_builder *b, struct ir_instr *c, struct ir_instr *x, struct ir_instr *y);
struct ir_instr *ir_const(struct ir_builder *b, uint32_t bit_size, uint64_t value);
struct ir_instr *ir_const_f(struct ir_builder *b, uint32_t bit_size, double value); /* 16, 32 or 64 bits, to nearest */
struct ir_instr *ir_undef(struct ir_builder *b, uint32_t num_components, uint32_t bit_size);
struct ir_instr *ir_vec(struct ir_builder *b, uint32_t count, struct ir_instr *const *components);
struct ir_instr *ir_extract(struct ir_builder *b, struct ir_instr *vec, uint32_t index); /* vec itself if it has one */
struct ir_instr *ir_sysval(struct ir_builder *b, enum ir_sysval which, uint32_t num_components, uint32_t bit_size);
struct ir_instr *ir_load_var(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, uint32_t num_components, uint32_t bit_size);
struct ir_instr *ir_store_var(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, struct ir_instr *value, uint32_t mask);
/* `field`: an offset in struct abi_ray. */
struct ir_instr *ir_load_ray(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, uint32_t field, uint32_t num_components,
                             uint32_t bit_size);
struct ir_instr *ir_store_ray(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, uint32_t field, struct ir_instr *value);
struct ir_var *ir_var_create(struct ir_shader *shader, uint32_t size_bytes, const char *name);
/* The variable is a table of these elements from now on, at least one; nothing may load or store it as a variable. `elements` stay the caller's arena's. */
void ir_var_make_table(struct ir_shader *shader, struct ir_var *var, uint32_t count, uint32_t bit_size, uint64_t *elements);

/* Control flow: creates the instruction with empty regions; the caller fills these, and ends them with ir_jump(). */
struct ir_instr *ir_if(struct ir_builder *b, struct ir_instr *condition);
struct ir_instr *ir_loop(struct ir_builder *b, uint32_t num_init, struct ir_instr *const *init); /* makes the body's params */
struct ir_instr *ir_block(struct ir_builder *b);
/* Adds a `result` to if, loop or block, placed after it and its other results. */
struct ir_instr *ir_add_result(struct ir_shader *shader, struct ir_instr *owner, uint32_t num_components, uint32_t bit_size);
struct ir_instr *ir_add_param(struct ir_shader *shader, struct ir_region *region, uint32_t num_components, uint32_t bit_size);
/* op: IR_yield (target NULL), IR_break, IR_continue. */
struct ir_instr *ir_jump(struct ir_builder *b, enum ir_op op, struct ir_instr *target, uint32_t num_srcs, struct ir_instr *const *srcs);

/* A shader for the code of a routine; b: its end. */
struct ir_shader *ir_routine_create(struct ir_shader *shader, struct ir_builder *b);
struct ir_instr *ir_routine_operand(struct ir_builder *b, uint32_t index, uint32_t bit_size);
struct ir_instr *ir_routine_operand_for(struct ir_builder *b, uint32_t index, const struct ir_instr *value); /* one for all lanes, if the value is */
void ir_routine_result(struct ir_builder *b, uint32_t index, struct ir_instr *value);
void ir_routine_end(struct ir_builder *b); /* numbers its values */
/* Its number, from 1 on; 0: there are too many. */
uint16_t ir_routine_add(struct ir_shader *shader, const struct ir_routine *routine);

/* ---- looking and changing ---- */

static inline const struct ir_op_info *ir_info(const struct ir_instr *instr)
{
   return &ir_op_infos[instr->op];
}
static inline bool ir_is_call(const struct ir_instr *instr)
{
   return instr->op == IR_call || instr->op == IR_call_ordered;
}
/* The routine that this is a call of, from 1 on; 0: it is none. */
static inline uint32_t ir_called_routine(const struct ir_instr *instr)
{
   return ir_is_call(instr) ? instr->imm.u[0] : instr->routine;
}
/* Of a store to memory: all components. */
static inline bool ir_writes_all(const struct ir_instr *store)
{
   return store->imm.u[2] == (1u << store->srcs[store->num_srcs - 1]->num_components) - 1;
}
static inline bool ir_is_jump(const struct ir_instr *instr)
{
   return instr->op == IR_yield || instr->op == IR_break || instr->op == IR_continue;
}
static inline bool ir_is_construct(const struct ir_instr *instr)
{
   return instr->op == IR_if || instr->op == IR_loop || instr->op == IR_block;
}
static inline uint32_t ir_num_regions(const struct ir_instr *instr)
{
   return instr->op == IR_block ? 1 : ir_is_construct(instr) ? 2 : 0;
}
/* imm.var.var is set. */
static inline bool ir_names_var(const struct ir_instr *instr)
{
   return ir_info(instr)->flags & IR_NAMES_VAR;
}
/* The variable that it reads, or writes; NULL: it is of other memory, or no access at all. */
static inline struct ir_var *ir_read_var(const struct ir_instr *instr)
{
   return instr->op == IR_load_var ? instr->imm.var.var : instr->op == IR_copy ? instr->imm.copy.vars[1] : NULL;
}
static inline struct ir_var *ir_written_var(const struct ir_instr *instr)
{
   return instr->op == IR_store_var ? instr->imm.var.var : instr->op == IR_copy ? instr->imm.copy.vars[0] : NULL;
}
/* One scalar for all lanes of a vector; after analyze/divergence. */
static inline bool ir_is_lane_uniform(const struct ir_instr *value)
{
   return value->divergence <= IR_SUBGROUP_UNIFORM;
}
static inline bool ir_is_int_division(const struct ir_instr *instr)
{
   return instr->op >= IR_idiv && instr->op <= IR_umod;
}

/* Counts bits, or says where they are. */
static inline bool ir_is_of_bits(const struct ir_instr *instr)
{
   return instr->op == IR_bitreverse || instr->op == IR_bitcount || (instr->op >= IR_find_lsb && instr->op <= IR_find_imsb);
}

/* Between a float and an integer. */
static inline bool ir_is_int_conversion(const struct ir_instr *instr)
{
   return instr->op >= IR_i2f && instr->op <= IR_f2u;
}
/* What stands for a descriptor: source 0 is its index in the binding. u[2], where `bounds` is on: the module says that invocations may have several. */
static inline bool ir_is_handle(const struct ir_instr *instr)
{
   return instr->op >= IR_buffer_addr && instr->op <= IR_structure_desc;
}

/* Of a tex: levels of detail come from differences between neighbours. */
static inline bool ir_has_implicit_lod(const struct ir_instr *tex)
{
   return tex->imm.u[0] == ABI_TEX_OP_QUERY_LOD || (tex->imm.u[0] == ABI_TEX_OP_SAMPLE && !(tex->imm.u[2] & (ABI_TEX_LOD | ABI_TEX_GRAD)));
}

static inline bool ir_is_const(const struct ir_instr *instr)
{
   return instr->op == IR_const;
}

/* A pass that replaces a value sets old->forward = new and removes old; later readers call this on their sources. */
static inline struct ir_instr *ir_resolve(struct ir_instr *value)
{
   while (value->forward)
      value = value->forward;
   return value;
}
/* Takes it out of its region (instr->region becomes NULL); a construct goes with all that is in it. */
void ir_remove(struct ir_instr *instr);
/* Appends a source: to a jump, a loop's initial values. */
void ir_append_src(struct ir_shader *shader, struct ir_instr *instr, struct ir_instr *value);
/* True if `region` is one of the construct's regions or lies in one. */
bool ir_is_inside(const struct ir_region *region, const struct ir_instr *construct);
/* Resolves every source in the shader, after a pass has set forwards. */
void ir_resolve_all(struct ir_shader *shader);
/* Removes operand `index` of every jump to, and the param or result `index` of, a construct or region. */
void ir_remove_result(struct ir_instr *owner, uint32_t index);
void ir_remove_param(struct ir_instr *owner, uint32_t region, uint32_t index);
/* The jump at the region's end, or NULL while it is being built. */
struct ir_instr *ir_terminator(const struct ir_region *region);
/* True if a jump in the region, or in a construct in it, goes on with the next round of `loop`. */
bool ir_contains_continue(const struct ir_region *region, const struct ir_instr *loop);
/* Gives dense indices in program order and returns how many. */
uint32_t ir_shader_renumber(struct ir_shader *shader);
/* Calls visit() for each instruction in program order, a construct before its regions; visit() may remove the one it is called for. */
void ir_for_each(struct ir_shader *shader, void (*visit)(struct ir_instr *instr, void *data), void *data);
/* Sets pass_flags and pass_data of all values, params too, to nothing. */
void ir_clear_pass_data(struct ir_shader *shader);

#define IR_FOR_EACH(it, region) UTIL_LIST_FOR_EACH(struct ir_instr, it, &(region)->instrs, link)

/* ---- text (ir_print.c, ir_parse.c) and check (ir_validate.c) ---- */

void ir_print(const struct ir_shader *shader, FILE *out);
/* The printed text, in the arena. */
char *ir_print_to_string(const struct ir_shader *shader, struct util_arena *arena);
/* NULL on a syntax error, with "line N: …" in *error (in the arena). */
struct ir_shader *ir_parse(struct util_arena *arena, const char *text, const char **error);
/* NULL if the shader is well formed, else what is wrong (in the arena): scopes, types, arities, jumps, operand counts. */
const char *ir_validate(const struct ir_shader *shader, struct util_arena *arena);
