/* SPDX-License-Identifier: MIT
 * Rays that a shader has in variables: queries and hit objects, each a struct abi_ray (abi/ray.h). */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

/* One ray: the variable that it is in, and its byte offset there. */
struct spirv_ray {
   struct ir_var *var;
   struct ir_instr *offset;
};

/* `id` points to a ray query or hit object, as `class` (enum spirv_type_class) says. */
struct spirv_ray spirv_find_ray(struct spirv_ctx *t, uint32_t id, uint8_t class);
/* Of a field: its byte offset in struct abi_ray. */
void spirv_store_ray(struct spirv_ctx *t, const struct spirv_ray *ray, uint32_t field, struct ir_instr *value);
struct ir_instr *spirv_load_ray(struct spirv_ctx *t, const struct spirv_ray *ray, uint32_t field);

/* Where the ray is, 64 bits: for ray_copy and the traces of hit objects. */
struct ir_instr *spirv_ray_address(struct spirv_ctx *t, const struct spirv_ray *ray);
/* Both point to rays of the same class in variables. Traversal of the copy goes on where that of the other is. */
void spirv_copy_ray(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from);

enum spirv_ray_form {
   SPIRV_RAY_WORDS,   /* `count` words at the field */
   SPIRV_RAY_BOOL,    /* the word is not 0 */
   SPIRV_RAY_FRONT,   /* of a hit kind */
   SPIRV_RAY_TYPE,
   SPIRV_RAY_T,       /* of a committed hit, and where there is none the ray's own tmax: both are tmax */
   SPIRV_RAY_IS_SPHERE, /* of a hit's type, and its hit kind */
   SPIRV_RAY_IS_SWEPT,
   SPIRV_RAY_RADII,   /* the first `count` radii of a sphere: a number, or an array of them */
   SPIRV_RAY_COLUMNS, /* fetched: a matrix or array of `count` columns of 3 words; 1: a vector */
};

/* What an instruction says of a ray, or of one of its hits, where `field` counts within struct abi_ray_hit. */
struct spirv_ray_getter {
   uint16_t op;
   uint8_t form; /* enum spirv_ray_form */
   uint8_t count;
   bool is_of_hit;
   uint16_t field; /* SPIRV_RAY_COLUMNS: enum abi_ray_fetch */
};

/* Ten operands of a trace from word `first` on, the structure, in the order of enum abi_trace_row; and a payload or callable data. spirv_trace.c. */
void spirv_trace_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t first, struct ir_instr **srcs);
struct ir_var *spirv_payload(struct spirv_ctx *t, uint32_t id);

/* Whether a hit of the type and hit kind is that of a sphere; or of a swept one. */
static inline struct ir_instr *spirv_is_round(struct spirv_ctx *t, struct ir_instr *type, struct ir_instr *hit_kind, bool is_sphere)
{
   return ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_ieq, type, spirv_u32(t, ABI_HIT_TRIANGLE)),
                  ir_alu2(&t->b, IR_ieq, hit_kind, spirv_u32(t, is_sphere ? ABI_HIT_KIND_SPHERE : ABI_HIT_KIND_SWEPT)));
}

/* Sets the result of `in`: of the committed hit, or the candidate. */
void spirv_get_of_ray(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_ray_getter *getter, const struct spirv_ray *ray,
                      bool is_committed);
