/* SPDX-License-Identifier: MIT
 * Pointers as numbers: what they are where they are kept, and what loads and stores take. */
#include "compiler/spirv/memory/spirv_pointer.h"

struct ir_instr *spirv_pointer_offset(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t more_bytes)
{
   const uint32_t constant = pointer->offset + more_bytes;
   const uint32_t bits = pointer->class == SPIRV_PTR_GLOBAL ? 64 : 32;
   struct ir_instr *dyn = pointer->dyn;
   if (bits == 64)
      dyn = dyn ? ir_alu2(&t->b, IR_iadd, pointer->addr, dyn) : pointer->addr;
   if (!dyn)
      return ir_const(&t->b, bits, constant);
   /* constants of global addresses may be negative: OpPtrAccessChain */
   return constant ? ir_alu2(&t->b, IR_iadd, dyn,
                             ir_const(&t->b, bits, bits == 64 ? (uint64_t)(int64_t)(int32_t)constant : constant))
                   : dyn;
}

void spirv_pointer_comps(struct spirv_ctx *t, const struct spirv_pointer *pointer, const struct spirv_type *type,
                         struct ir_instr **comps)
{
   switch (pointer->class) {
   case SPIRV_PTR_BUFFER:
      comps[0] = pointer->addr;
      comps[1] = pointer->size;
      comps[2] = spirv_pointer_offset(t, pointer, 0);
      break;
   case SPIRV_PTR_GLOBAL:
   case SPIRV_PTR_SHARED:
      comps[0] = spirv_pointer_offset(t, pointer, 0);
      if (spirv_leaf_count(t, type) == 3) { /* a buffer that is mapped to an address */
         comps[1] = ir_const(&t->b, 32, ABI_MAX_BUFFER_BYTES);
         comps[2] = ir_const(&t->b, 32, 0);
      }
      break;
   default:
      spirv_fail(t, "a pointer to storage class %u cannot be a variable pointer", type->storage);
   }
}
