/* SPDX-License-Identifier: MIT
 * Where the parts of a composite lie in two memories whose layouts differ: rows of matrices, padding. So that one loop copies all of it, they are taken as
 * units of one size; a table has the offsets of those that do not lie one behind the other. Spec: Vulkan, "Offset and Stride Assignment".
 *
 *    struct { mat2 m; float f; }, row-major with a stride of 16, to a variable:    offsets 0, 16, 4, 20, 32    to 4 * index
 *
 * Owns nothing: all is in the arena. Threads: those of the shader. */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

/* The same two layouts of one type are asked for again and again. */
struct spirv_spread {
   struct spirv_spread *next; /* of the same type in the target */
   const struct spirv_type *from_type;
   struct spirv_layout layouts[2]; /* of the target, of the source */
   uint8_t access[2];
   struct ir_shader *shader; /* which has the tables */
   const struct spirv_type *unit; /* NULL: parts differ in more than where they lie, are few or too many, and are copied otherwise */
   uint32_t count;
   struct ir_var *tables[2]; /* bytes from the beginning; NULL: one lies behind the other */
   uint32_t strides[2];      /* bytes from one to the next, without a table */
};

/* Both are composites in memory. */
const struct spirv_spread *spirv_find_spread(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from);
