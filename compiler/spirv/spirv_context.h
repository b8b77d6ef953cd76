/* SPDX-License-Identifier: MIT
 * What all parts of the front end share while one entry point is translated: the module's ids and the position in the IR.
 * Owns nothing: all is in the arena. Errors leave through spirv_fail(), which jumps back to spirv_to_ir(). */
#pragma once

#include "compiler/instrument/instrument.h"
#include "compiler/ir/ir_map.h"
#include "compiler/spirv/spirv.h"

#include <setjmp.h>

#include <spirv/unified1/spirv.h>

struct spirv_type;
struct spirv_val;
struct spirv_variable;
struct spirv_function;
struct spirv_block;
struct spirv_frame;
struct spirv_held;

enum {
   SPIRV_MAX_DEPTH = 400,             /* of nested control flow and calls together */
   SPIRV_MAX_FRAMES = 1000,           /* of regions within regions */
   SPIRV_MAX_TYPE_DEPTH = 256,        /* structs in structs; the universal limit is 255 */
   SPIRV_MAX_TYPE_PARTS = 1 << 18,    /* of a type written out, arrays as one element: structs of two equal ones double with each */
   SPIRV_MAX_PARTS = 1 << 26,         /* that all instructions together look at one by one */
   SPIRV_MAX_INSTRUCTIONS = 1 << 19,  /* after inlining */
   SPIRV_MAX_OPERATIONS = 1 << 20,    /* of the IR, as the front end makes them: a load of a structure may make many */
   SPIRV_MAX_LEAVES = 1 << 20,        /* scalars that one load, store or constant may touch */
   SPIRV_MAX_MOVED = 1 << 17,         /* parts of composites that are loaded and stored one by one: spirv_memory.c */
   SPIRV_MAX_VAR_BYTES = 1 << 26,     /* of one variable of an invocation */
};

/* One instruction in place. */
struct spirv_instr {
   uint32_t op, count; /* SpvOp; words, this one included */
   const uint32_t *words;
};

struct spirv_decoration {
   struct spirv_decoration *next;
   int32_t member; /* -1: the id itself */
   uint32_t decoration, num_operands;
   const uint32_t *operands;
};

enum spirv_id_class {
   SPIRV_ID_NONE,
   SPIRV_ID_TYPE,
   SPIRV_ID_VALUE,
   SPIRV_ID_VARIABLE, /* of the module; becomes a pointer when used */
   SPIRV_ID_FUNCTION,
   SPIRV_ID_BLOCK,
   SPIRV_ID_STRING,
   SPIRV_ID_EXT_SET,
};

enum spirv_ext_set { SPIRV_EXT_UNKNOWN, SPIRV_EXT_GLSL, SPIRV_EXT_DEBUG_INFO, SPIRV_EXT_PRINT, SPIRV_EXT_IGNORED,
                     SPIRV_EXT_AMD_TRINARY, SPIRV_EXT_AMD_GCN };

struct spirv_id {
   uint8_t class;   /* enum spirv_id_class */
   uint8_t ext_set; /* enum spirv_ext_set */
   const char *name; /* may be NULL */
   const char *source_file; /* of a DebugSource */
   uint32_t result_type;    /* id, for results of instructions in functions */
   struct spirv_decoration *decorations;
   union {
      struct spirv_type *type;
      struct spirv_val *value;
      struct spirv_variable *variable;
      struct spirv_function *function;
      struct spirv_block *block;
      const char *string;
   };
};

/* OpMemberName; kept where values are traced. */
struct spirv_member_name {
   struct spirv_member_name *next;
   uint32_t type_id, member;
   const char *name;
};

struct spirv_ctx {
   struct util_arena *arena;
   const struct comp_shader_desc *desc;
   const char *error;
   jmp_buf failed;

   /* the module */
   const uint32_t *words;
   size_t num_words;
   uint32_t bound;
   struct spirv_id *ids; /* [bound] */
   uint32_t entry_id;
   const uint32_t *interface_ids;
   uint32_t num_interface_ids;
   uint32_t code_line; /* of the last instruction that does something: that of the end of a function may be a brace's */
   bool addresses_are_physical;
   bool has_cooperative; /* matrices */
   bool has_64bit_indices;
   bool has_buffer_blocks; /* decorated so: storage buffers of SPIR-V before 1.3, in the storage class of uniform ones */
   struct ir_var *products, *transposes; /* matrices of calls, one call after the other; NULL: there was none yet */
   struct ir_var *vector_inputs, *vector_results; /* words of cooperative vectors in products, one product after the other; NULL: likewise */
   struct ir_var *e4m3_numbers, *e5m2_numbers; /* tables of all that 8 bits stand for; NULL: not needed yet */
   uint32_t local_size_ids[3]; /* LocalSizeId; 0: none */
   uint32_t local_size_constant; /* id of the constant decorated WorkgroupSize; 0: none */
   uint8_t fp_by_width[3];     /* enum ir_fp for 16, 32, 64 bits, by execution modes */
   uint32_t compute_derivatives; /* 0, or the execution mode of derivative groups */
   struct ir_var *ray; /* of a ray pipeline: what the shader is called for; NULL: not needed yet */
   struct spirv_emission *emission; /* of a geometry shader, else NULL: spirv_emission.c */
   bool is_captured; /* execution mode Xfb: spirv_xfb.c */
   bool has_early_and_late_tests, replaces_depth_or_stencil; /* execution modes of fragment shaders */
   struct {
      struct ir_instr *addr, *size;
   } heaps[ABI_NUM_HEAPS]; /* of descriptors; NULL: not needed yet */
   struct spirv_member_name *member_names;
   const uint32_t **chains; /* [bound], while values are traced (spirv_follow.c), else NULL: the last OpAccessChain with that result, its words */
   struct ir_instr *is_traced; /* 1 bit, with chains; NULL: not needed yet */

   /* the IR */
   struct ir_shader *shader;
   struct ir_instrument instrument; /* probes of the front end's own: spirv_bounds.c */
   struct ir_builder b;        /* where the next instruction goes */
   struct ir_builder prologue; /* before everything else: input copies, descriptors */
   struct ir_instr *entry;     /* the block around the entry point's body: OpKill leaves it */
   uint32_t entry_breaks;
   struct spirv_frame *frames; /* innermost construct */
   struct spirv_function *function;
   struct spirv_variable *outputs; /* used ones, by spirv_variable.next_output */
   uint64_t num_parts; /* that instructions have looked at: spirv_take_apart() */
   bool copies_memory; /* composites of more than a few parts are no values of the IR, but copies in memory */
   struct ir_instr *written[ABI_WRITTEN_WORDS]; /* which outputs are, so far: spirv_written.c; NULL: none */
   uint32_t inlined_size; /* instructions of the entry point with those of all calls */
   uint32_t num_not_called; /* instructions of calls that could have been those of routines, but for what their arguments are */
   uint64_t num_written; /* operations of formulas: spirv_formula.c */
   struct spirv_routine *routines;
   bool calls_formulas; /* some are calls already */
   uint64_t num_moved; /* parts of composites that were loaded and stored one by one, by what they cost: spirv_memory.c */
   uint32_t copied_operations; /* of loops that copies may become: spirv_memory.c */
   struct ir_map constants; /* of 32 bits, in the prologue: spirv_u32() */
   struct ir_map spreads; /* struct spirv_spread by the target's type */
   uint64_t *spread_offsets; /* room for looking at one; NULL: not needed yet */
   uint32_t num_spread; /* elements of their tables */
   uint8_t *mentions; /* [bound]: spirv_memory.c; NULL: not needed yet */
   struct spirv_held *held; /* [bound]: spirv_held.c; NULL: not needed yet */
   uint32_t depth, num_frames;
};

/* Ends the translation with a message. */
_Noreturn UTIL_PRINTF(2, 3) void spirv_fail(struct spirv_ctx *t, const char *format, ...);

/* Shaders of ray pipelines. */
static inline bool spirv_is_ray_stage(const struct spirv_ctx *t)
{
   return t->desc->stage >= ABI_STAGE_RAYGEN && t->desc->stage <= ABI_STAGE_CALLABLE;
}

/* For instructions that end or ask about fragments. */
static inline void spirv_require_fragment(struct spirv_ctx *t)
{
   if (t->desc->stage != ABI_STAGE_FRAGMENT)
      spirv_fail(t, "only fragments can be killed");
}

const char *spirv_op_name(uint32_t op);
/* Whether instructions with this opcode start with a result type and a result id. */
void spirv_op_shape(uint32_t op, bool *has_result, bool *has_type);

/* Word `index` of the instruction (0 is the opcode); fails where the instruction ends before. */
static inline uint32_t spirv_word(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index)
{
   if (UTIL_UNLIKELY(index >= in->count))
      spirv_fail(t, "%s: operand %u is missing", spirv_op_name(in->op), index);
   return in->words[index];
}

/* The id's record; fails where it is outside of the bound. */
static inline struct spirv_id *spirv_id(struct spirv_ctx *t, uint32_t id)
{
   if (UTIL_UNLIKELY(id == 0 || id >= t->bound))
      spirv_fail(t, "id %u is out of bounds", id);
   return &t->ids[id];
}

/* This decoration of the id (member -1) or its member; NULL: none. */
const struct spirv_decoration *spirv_find_decoration(struct spirv_ctx *t, uint32_t id, int32_t member,
                                                     uint32_t decoration);
static inline bool spirv_has_decoration(struct spirv_ctx *t, uint32_t id, uint32_t decoration)
{
   return spirv_find_decoration(t, id, -1, decoration) != NULL;
}
/* The decoration's first operand; `fallback` where there is none. */
uint32_t spirv_decoration_operand(struct spirv_ctx *t, uint32_t id, int32_t member, uint32_t decoration,
                                  uint32_t fallback);

/* Reads the module up to and including its functions. */
void spirv_parse_module(struct spirv_ctx *t);
/* The enum ir_fp of SpvFPFastMathMode bits. */
uint8_t spirv_fp_of_fast_math(uint32_t mode);
/* The nul-terminated literal that starts at the word; copies it. */
const char *spirv_string(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index);
/* The instruction at a word offset; fails where it is not whole. */
struct spirv_instr spirv_instr_at(struct spirv_ctx *t, size_t offset);

/* Value of a 32-bit (or narrower, zero-extended) integer constant; fails where it is none. */
uint32_t spirv_constant_u32(struct spirv_ctx *t, uint32_t id);
/* True if the value is a scalar constant. */
bool spirv_is_constant(const struct spirv_val *val, uint64_t *bits);
