/* SPDX-License-Identifier: MIT
 * Pointers as numbers: what they are where they are kept, and what loads and stores take. */
#include "compiler/spirv/memory/spirv_pointer.h"

uint32_t spirv_offset_bits(const struct spirv_pointer *pointer)
{
   return pointer->class == SPIRV_PTR_GLOBAL || (pointer->class == SPIRV_PTR_BUFFER && pointer->size->bit_size == 64) ? 64 : 32;
}

void spirv_add_offset(struct spirv_ctx *t, struct spirv_pointer *pointer, struct ir_instr *bytes)
{
   pointer->dyn = pointer->dyn ? ir_alu2(&t->b, IR_iadd, pointer->dyn, bytes) : bytes;
}

struct ir_instr *spirv_pointer_offset(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t more_bytes)
{
   const uint32_t constant = pointer->offset + more_bytes;
   const uint32_t bits = spirv_offset_bits(pointer);
   struct ir_instr *dyn = pointer->dyn;
   if (pointer->class == SPIRV_PTR_GLOBAL)
      dyn = dyn ? ir_alu2(&t->b, IR_iadd, pointer->addr, dyn) : pointer->addr;
   if (!dyn)
      return ir_const(&t->b, bits, bits == 64 ? (uint64_t)(int64_t)(int32_t)constant : constant);
   /* constants of 64 bits may be negative: OpPtrAccessChain */
   return constant ? ir_alu2(&t->b, IR_iadd, dyn,
                             ir_const(&t->b, bits, bits == 64 ? (uint64_t)(int64_t)(int32_t)constant : constant))
                   : dyn;
}

/* Of a size of 64 bits: the buffer from the dynamic offset on, cut to what 32 bits reach; nothing where that is past the end. */
static void buffer_from(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct ir_instr *from, struct ir_instr **addr, struct ir_instr **size)
{
   struct ir_instr *rest = pointer->size;
   *addr = pointer->addr;
   if (from) {
      rest = ir_alu2(&t->b, IR_isub, rest, ir_alu2(&t->b, IR_umin, rest, from));
      *addr = ir_alu2(&t->b, IR_iadd, *addr, from);
   }
   *size = ir_convert(&t->b, IR_u2u, 32, ir_alu2(&t->b, IR_umin, rest, ir_const(&t->b, 64, ABI_MAX_BUFFER_BYTES)));
}

uint32_t spirv_access_operands(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t more_bytes, struct ir_instr **srcs)
{
   const uint32_t constant = pointer->offset + more_bytes;
   if (pointer->class != SPIRV_PTR_BUFFER) {
      srcs[0] = spirv_pointer_offset(t, pointer, more_bytes);
      return 1;
   }
   if (spirv_offset_bits(pointer) == 32) {
      srcs[0] = pointer->addr;
      srcs[1] = pointer->size;
      srcs[2] = spirv_pointer_offset(t, pointer, more_bytes);
   } else if ((int32_t)constant < 0) {
      buffer_from(t, pointer, spirv_pointer_offset(t, pointer, more_bytes), &srcs[0], &srcs[1]);
      srcs[2] = ir_const(&t->b, 32, 0);
   } else {
      buffer_from(t, pointer, pointer->dyn, &srcs[0], &srcs[1]);
      srcs[2] = ir_const(&t->b, 32, constant);
   }
   return 3;
}

void spirv_pointer_comps(struct spirv_ctx *t, const struct spirv_pointer *pointer, const struct spirv_type *type,
                         struct ir_instr **comps)
{
   switch (pointer->class) {
   case SPIRV_PTR_BUFFER:
      comps[0] = pointer->addr;
      comps[1] = pointer->size;
      comps[2] = spirv_pointer_offset(t, pointer, 0);
      for (uint32_t i = 1; i < 3 && comps[i]->bit_size != spirv_leaf_bits(t, type, i); i++) /* into a heap, which has 32 bits */
         comps[i] = ir_convert(&t->b, i == 1 ? IR_u2u : IR_i2i, spirv_leaf_bits(t, type, i), comps[i]);
      break;
   case SPIRV_PTR_GLOBAL:
   case SPIRV_PTR_SHARED:
      comps[0] = spirv_pointer_offset(t, pointer, 0);
      if (spirv_leaf_count(t, type) == 3) { /* a buffer that is mapped to an address */
         const uint32_t bits = spirv_leaf_bits(t, type, 1);
         comps[1] = ir_const(&t->b, bits, bits == 64 ? ABI_MAX_LARGE_BUFFER_BYTES : ABI_MAX_BUFFER_BYTES);
         comps[2] = ir_const(&t->b, bits, 0);
      }
      break;
   default:
      spirv_fail(t, "a pointer to storage class %u cannot be a variable pointer", type->storage);
   }
}
