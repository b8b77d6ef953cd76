/* SPDX-License-Identifier: MIT
 * Accesses to texels of a shader: the first one's code stands in line. It is some hundred instructions of LLVM's where the machine has no scatters and masks
 * and the format is known only when the code runs; later accesses call functions of the object, one a shape. */
#include "compiler/llvm/cg_texel.h"

enum {
   MAX_IN_LINE = 1,   /* accesses */
   MAX_OPERANDS = 11, /* of an access */
};

/* Of all accesses of one shape: what they take of the shader, besides their operands, are the runtime's helpers and the lanes that take part. */
struct cg_texel_function {
   struct cg_texel_function *next;
   uint32_t dim, flags;
   enum abi_texel_format format;
   uint32_t num_values;
   bool is_atomic;
   enum abi_atomic atomic;
   LLVMTypeRef type, result; /* a struct: whether the access is done, and what it gives */
   LLVMValueRef function;
};

static uint32_t operands_of(struct cg_texel *texel, LLVMValueRef *operands[MAX_OPERANDS])
{
   LLVMValueRef *const all[MAX_OPERANDS] = {&texel->image, &texel->at[0], &texel->at[1], &texel->at[2], &texel->layer, &texel->sample, &texel->level,
                                            &texel->data[0], &texel->data[1], &texel->data[2], &texel->data[3]};
   uint32_t count = 0;
   for (uint32_t i = 0; i < MAX_OPERANDS; i++) {
      if (*all[i])
         operands[count++] = all[i];
   }
   return count;
}

static void return_values(struct cg *cg, LLVMTypeRef type, struct cg_texel *texel)
{
   const uint32_t num_values = cg_texel_num_values(texel);
   LLVMValueRef values[4], result = LLVMGetPoison(type);
   for (uint32_t c = 0; c < num_values; c++)
      values[c] = cg_texel_join(cg, texel, c);
   result = LLVMBuildInsertValue(cg->b, result, LLVMConstInt(cg->i1, 1, false), 0, "");
   for (uint32_t c = 0; c < num_values; c++)
      result = LLVMBuildInsertValue(cg->b, result, values[c], c + 1, "");
   LLVMBuildRet(cg->b, result);
}

static void make_function(struct cg *cg, struct cg_texel_function *made, const struct cg_texel *first)
{
   struct cg_texel texel = *first;
   struct cg_function around;
   LLVMValueRef *operands[MAX_OPERANDS];
   const uint32_t count = operands_of(&texel, operands);
   made->function = cg_function_begin(cg, &around, "texels", made->type);
   for (uint32_t i = 0; i < count; i++)
      *operands[i] = LLVMGetParam(made->function, i);
   cg->helpers = LLVMGetParam(made->function, count);
   texel.mask = cg_mask_from_bits(cg, LLVMGetParam(made->function, count + 1));
   cg_texel_write(cg, &texel);
   LLVMBuildRet(cg->b, LLVMConstNull(made->result));
   cg_enter(cg, texel.join);
   return_values(cg, made->result, &texel);
   cg_function_end(cg, &around);
}

static LLVMValueRef function_of(struct cg *cg, const struct cg_texel *texel, const LLVMValueRef *args, uint32_t num_args)
{
   LLVMTypeRef types[MAX_OPERANDS + 2], results[5] = {cg->i1};
   for (uint32_t i = 0; i < num_args; i++)
      types[i] = LLVMTypeOf(args[i]);
   for (uint32_t i = 1; i < 5; i++)
      results[i] = cg_vec_type(cg, cg->i32);
   const uint32_t num_values = cg_texel_num_values(texel);
   LLVMTypeRef result = LLVMStructTypeInContext(cg->context, results, 1 + num_values, false), type = LLVMFunctionType(result, types, num_args, false);
   for (const struct cg_texel_function *it = cg->texel_functions; it; it = it->next) {
      if (it->dim == texel->dim && it->flags == texel->flags && it->format == texel->format && it->num_values == num_values &&
          it->is_atomic == texel->is_atomic && it->atomic == texel->atomic && it->type == type)
         return it->function;
   }
   struct cg_texel_function *made = UTIL_ARENA_NEW(cg->arena, struct cg_texel_function);
   *made = (struct cg_texel_function){.next = cg->texel_functions, .dim = texel->dim, .flags = texel->flags, .format = texel->format,
                                      .num_values = num_values, .is_atomic = texel->is_atomic, .atomic = texel->atomic, .type = type, .result = result};
   cg->texel_functions = made;
   make_function(cg, made, texel);
   return made->function;
}

static void call_access(struct cg *cg, struct cg_texel *texel)
{
   LLVMValueRef *operands[MAX_OPERANDS], args[MAX_OPERANDS + 2];
   uint32_t count = operands_of(texel, operands);
   for (uint32_t i = 0; i < count; i++)
      args[i] = *operands[i];
   args[count++] = cg->helpers;
   args[count++] = cg_mask_bits(cg, texel->mask);
   LLVMValueRef result = cg_call_own(cg, function_of(cg, texel, args, count), args, count);
   LLVMBasicBlockRef call = cg_new_block(cg, "texel_call");
   texel->join = cg_new_block(cg, "texel_end");
   texel->num_classes = cg_texel_num_values(texel) ? 1 : 0;
   texel->from[0] = LLVMGetInsertBlock(cg->b);
   for (uint32_t c = 0; c < cg_texel_num_values(texel); c++)
      texel->values[0][c] = LLVMBuildExtractValue(cg->b, result, c + 1, "");
   cg_branch_if(cg, LLVMBuildExtractValue(cg->b, result, 0, ""), texel->join, call);
   cg_enter(cg, call);
}

void cg_texel_begin(struct cg *cg, struct cg_texel *texel)
{
   if (cg->num_texels++ < MAX_IN_LINE)
      cg_texel_write(cg, texel);
   else
      call_access(cg, texel);
}

void cg_texel_end(struct cg *cg, struct cg_texel *texel, LLVMValueRef values[4])
{
   LLVMBasicBlockRef called = LLVMGetInsertBlock(cg->b);
   cg_branch(cg, texel->join);
   cg_enter(cg, texel->join);
   for (uint32_t c = 0; c < cg_texel_num_values(texel); c++) {
      LLVMValueRef phi = cg_texel_join(cg, texel, c);
      LLVMAddIncoming(phi, &values[c], &called, 1);
      values[c] = phi;
   }
}
