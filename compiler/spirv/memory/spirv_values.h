/* SPDX-License-Identifier: MIT
 * Values: trees whose leaves are arrays of scalar IR values, or constants that become IR only where they are used.
 * Spec: SPIR-V, "Constant-Creation Instructions". */
#pragma once

#include "compiler/spirv/spirv_types.h"

enum spirv_val_class {
   SPIRV_VAL_SSA,       /* leaf: comps */
   SPIRV_VAL_CONST,     /* scalar or vector: bits */
   SPIRV_VAL_NULL,      /* zero of any type */
   SPIRV_VAL_UNDEF,     /* of any type */
   SPIRV_VAL_COMPOSITE, /* children, rest */
   SPIRV_VAL_MEMORY,    /* large array: pointer to memory that is not written as long as somebody may ask; parts are loaded where they are asked for */
   SPIRV_VAL_POINTER,   /* and rays: to a variable that holds the ray and that nobody else has */
};

struct spirv_pointer;

struct spirv_val {
   const struct spirv_type *type;
   uint8_t class; /* enum spirv_val_class */
   bool is_spec; /* constant that specialization may change */
   union {
      struct ir_instr **comps;
      uint64_t *bits; /* zero-extended components */
      struct {
         void **children;        /* spirv_children.c */
         struct spirv_val *origin; /* what it is a copy of with changes (spirv_with_child()); NULL: of none */
         struct spirv_val *rest; /* of the same type and no composite: has the children that are not there; NULL: all are */
      };
      struct spirv_pointer *pointer;
   };
};

/* Adds the constant that the instruction declares. False: not a constant. (spirv_constants.c) */
bool spirv_parse_constant(struct spirv_ctx *t, const struct spirv_instr *in);

/* The value of an id: constants, results so far, variables as pointers. */
struct spirv_val *spirv_value(struct spirv_ctx *t, uint32_t id);
void spirv_set_value(struct spirv_ctx *t, uint32_t id, struct spirv_val *val);
const struct spirv_type *spirv_value_type(struct spirv_ctx *t, uint32_t id);

struct spirv_val *spirv_new_leaf(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *const *comps);
struct spirv_val *spirv_new_scalar(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *comp);
/* A constant of a type of SPIRV_TYPE_NARROW and its number; the latter is rounded to nearest even, what is too large becomes infinite, or a NaN where there
 * is no infinity, or the largest there is (spirv_narrow.c). */
double spirv_narrow_to_double(const struct spirv_type *type, uint64_t bits);
uint64_t spirv_narrow_from_double(const struct spirv_type *type, double value, bool saturates);
/* With empty children, to be filled. */
struct spirv_val *spirv_new_composite(struct spirv_ctx *t, const struct spirv_type *type);
/* Sets child `index` of a new composite. spirv_set_child() fails where the value is not of the child's type. */
void spirv_put_child(struct spirv_ctx *t, struct spirv_val *composite, uint32_t index, struct spirv_val *child);
void spirv_set_child(struct spirv_ctx *t, struct spirv_val *composite, uint32_t index, struct spirv_val *child);
struct spirv_val *spirv_new_simple(struct spirv_ctx *t, const struct spirv_type *type, enum spirv_val_class class);

/* A composite whose child `index` is `child`, and whose others are those of `from`; fails where `from` has no parts or the child is of another type. */
struct spirv_val *spirv_with_child(struct spirv_ctx *t, struct spirv_val *from, uint32_t index, struct spirv_val *child);
/* The child that a composite has itself; NULL: its `rest` has it. And the first of those from `from` on; the count: there is none. */
struct spirv_val *spirv_own_child(const struct spirv_val *composite, uint32_t index);
uint32_t spirv_next_own_child(const struct spirv_val *composite, uint32_t from);
/* The children of a composite of `count`, but for one; NULL: it has none of its own. */
void **spirv_copy_children(struct spirv_ctx *t, uint32_t count, void **children, uint32_t index, struct spirv_val *child);

/* Child `index` of a composite or component of a vector. */
struct spirv_val *spirv_child(struct spirv_ctx *t, struct spirv_val *val, uint32_t index);
/* The IR values of a leaf; constants are made at the current position or before everything else. */
struct ir_instr **spirv_comps(struct spirv_ctx *t, struct spirv_val *val);
/* The same for the value of an id that must have `count` components (0: any). */
struct ir_instr **spirv_comps_of(struct spirv_ctx *t, uint32_t id, uint32_t count);
struct ir_instr *spirv_scalar(struct spirv_ctx *t, uint32_t id);
/* Room for as many. */
struct ir_instr **spirv_new_comps(struct spirv_ctx *t, uint32_t count);

/* Sets the result of an instruction with type and result id to these scalars; fails where its type is another. */
void spirv_set_result(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t count, struct ir_instr *const *comps);
/* The instruction's result type and, in the same order as everywhere, words 1 and 2. */
const struct spirv_type *spirv_result_type(struct spirv_ctx *t, const struct spirv_instr *in);

/* IR shorthands at the current position. */
struct ir_instr *spirv_u32(struct spirv_ctx *t, uint32_t value);
struct ir_instr *spirv_bool_to_u32(struct spirv_ctx *t, struct ir_instr *x);
struct ir_instr *spirv_u32_to_bool(struct spirv_ctx *t, struct ir_instr *x);
/* Resizes an integer to `bits`. */
struct ir_instr *spirv_resize(struct spirv_ctx *t, struct ir_instr *x, uint32_t bits, bool is_signed);
/* Extracts each component. */
void spirv_split(struct spirv_ctx *t, struct ir_instr *vec, uint32_t count, struct ir_instr **comps);
