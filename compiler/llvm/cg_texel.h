/* SPDX-License-Identifier: MIT
 * Texels at integer coordinates that compiled code reads and writes by itself: those of views with an enum abi_direct. */
#pragma once

#include "abi/texel_format.h"
#include "compiler/llvm/cg.h"

/* Classes of views: words, bytes, halves, small ones and others. */
enum { CG_TEXEL_CLASSES = 6 };

/* One access of all lanes. NULL: zeros. */
struct cg_texel {
   uint32_t dim, flags;               /* enum abi_dim, enum abi_tex_flags */
   LLVMValueRef image;                /* ptr to a struct abi_image; may be null */
   LLVMValueRef at[3], layer, sample; /* <lanes x i32>, or i32 where all lanes have the same */
   LLVMValueRef level;                /* i32 of all lanes */
   LLVMValueRef mask;                 /* lanes that take part; NULL: all */
   LLVMValueRef data[4];              /* what is stored, or the operands of an atomic operation; data[0] NULL: a load */
   bool is_atomic;
   enum abi_atomic atomic;
   enum abi_texel_format format;      /* that the shader names */

   LLVMBasicBlockRef join, from[CG_TEXEL_CLASSES];
   LLVMValueRef values[CG_TEXEL_CLASSES][4]; /* what each class gives, from its block */
   uint32_t num_classes;
};

/* How many components the access gives. */
static inline uint32_t cg_texel_num_values(const struct cg_texel *texel)
{
   return texel->is_atomic ? 1 : texel->data[0] ? 0 : 4;
}

/* Whether there is code for accesses of this dim, with these flags. */
bool cg_texel_is_direct(uint32_t dim, uint32_t flags);
/* Of two vectors, a vector and a scalar, two scalars; NULL is 0. */
LLVMValueRef cg_texel_add(struct cg *cg, LLVMValueRef a, LLVMValueRef b);
/* The access's code: what it gives turns up in texel->join, as cg_texel_join() of each component. On return the builder is where nothing was done. */
void cg_texel_write(struct cg *cg, struct cg_texel *texel);
LLVMValueRef cg_texel_join(struct cg *cg, struct cg_texel *texel, uint32_t c);
/* Emits the access (cg_texel_call.c); on return the builder is where the runtime is to be called for all other views. */
void cg_texel_begin(struct cg *cg, struct cg_texel *texel);
/* The end of that. `values`: what the call gave, then what the access gave; of loads only. */
void cg_texel_end(struct cg *cg, struct cg_texel *texel, LLVMValueRef values[4]);
