/* SPDX-License-Identifier: MIT
 * Shapes of valid compute shaders whose compile may take the square of their size, or more, in some pass. Each is written for any size. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct shape {
   const char *name;
   /* The shader as SPIR-V assembly, malloc'ed; its size in words is about in proportion to `count`. */
   char *(*write)(uint32_t count);
   uint32_t first; /* the smallest count of interest; it is doubled five times */
};

extern const struct shape shapes[]; /* ended by a NULL name */
extern const struct shape geometry_shapes[]; /* the same, of geometry shaders; they have no buffers */

struct shape_words {
   uint32_t *words; /* malloc'ed */
   size_t num_words;
};

/* Assembles; ends the process if that fails, as then the shape is not written well. All shaders read and write a buffer of uint in binding 0 and read
 * a uniform block, an array of `count` uvec4, in binding 1, both of set 0. */
struct shape_words shape_assemble(const struct shape *shape, uint32_t count);
/* The same of any SPIR-V assembly, for version 1.3 or 1.6; `name` is for what stderr says. */
struct shape_words shape_assemble_text(const char *name, const char *text, uint32_t minor_version);
