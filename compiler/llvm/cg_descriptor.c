/* SPDX-License-Identifier: MIT
 * Descriptors: reads union abi_descriptor from set memory at the offsets of the pipeline layout. An index beyond the binding's count,
 * a set that is not bound and a binding that is not there give the null descriptor. */
#include "compiler/llvm/cg_memory.h"

#include <stddef.h>
#include <vulkan/vulkan_core.h>

static const struct comp_binding *find_binding(struct cg *cg, const struct ir_instr *instr)
{
   const uint32_t set = instr->imm.u[0], binding = instr->imm.u[1];
   if (!cg->layout || set >= cg->layout->num_sets)
      return NULL;
   const struct comp_set *s = &cg->layout->sets[set];
   for (uint32_t i = 0; i < s->num_bindings; i++) {
      if (s->bindings[i].binding == binding && s->bindings[i].count != 0)
         return &s->bindings[i];
   }
   return NULL;
}

static bool is_dynamic(const struct comp_binding *binding)
{
   return binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

static LLVMValueRef set_base(struct cg *cg, const struct ir_instr *instr)
{
   return cg_load_at(cg, cg->ptr, cg->resources, offsetof(struct abi_resources, sets) + instr->imm.u[0] * sizeof(uint8_t *));
}

/* The set, or zeros where none is bound: for descriptors that lie as near its start as the zeros reach. */
static LLVMValueRef set_or_zeros(struct cg *cg, LLVMValueRef base)
{
   return cg_select(cg, LLVMBuildIsNotNull(cg->b, base, ""), base, cg->zeros);
}

/* What stands at `field` bytes of the descriptor that lane or vector `index` chooses: zero for an index out of range. */
struct descriptor {
   const struct comp_binding *binding;
   LLVMValueRef base;   /* ptr to the set */
   LLVMValueRef ok;     /* i1 or mask: the index is in range; NULL: the index is a constant */
   LLVMValueRef ptr;    /* uniform: ptr to the descriptor, or to zeros */
   LLVMValueRef ptrs;   /* varying */
   LLVMValueRef index;  /* i32 or vector */
};

static void find_constant(struct cg *cg, struct descriptor *d)
{
   const uint64_t i = LLVMConstIntGetZExtValue(d->index);
   if (i >= d->binding->count) {
      d->index = LLVMConstNull(LLVMTypeOf(d->index));
      d->ptr = cg->zeros;
      return;
   }
   const uint64_t offset = d->binding->offset_bytes + i * ABI_DESCRIPTOR_BYTES;
   if (offset + ABI_DESCRIPTOR_BYTES <= CG_ZEROS_BYTES) {
      d->ptr = cg_gep_const(cg, set_or_zeros(cg, d->base), offset);
      return;
   }
   d->ptr = cg_select(cg, LLVMBuildIsNotNull(cg->b, d->base, ""), cg_gep(cg, d->base, cg_i64(cg, offset)), cg->zeros);
}

static void find_uniform(struct cg *cg, struct descriptor *d)
{
   LLVMValueRef in_range = LLVMBuildICmp(cg->b, LLVMIntULT, d->index, cg_i32(cg, d->binding->count), "");
   LLVMValueRef offset = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, d->index, cg->i64, ""), cg_i64(cg, ABI_DESCRIPTOR_BYTES), "");
   offset = LLVMBuildAdd(cg->b, offset, cg_i64(cg, d->binding->offset_bytes), "");
   d->ok = LLVMBuildAnd(cg->b, LLVMBuildIsNotNull(cg->b, d->base, ""), in_range, "");
   d->ptr = cg_select(cg, d->ok, cg_gep(cg, d->base, offset), cg->zeros);
}

static struct descriptor find(struct cg *cg, struct ir_instr *instr, const struct comp_binding *binding)
{
   struct descriptor d = {.binding = binding, .base = set_base(cg, instr)};
   struct ir_instr *index = instr->srcs[0];
   if (cg_is_uniform(cg, index, 0)) {
      d.index = cg_as_int(cg, cg_scalar(cg, index, 0));
      if (LLVMIsAConstantInt(d.index))
         find_constant(cg, &d);
      else
         find_uniform(cg, &d);
      return d;
   }
   LLVMValueRef bound = LLVMBuildIsNotNull(cg->b, d.base, "");
   d.index = cg_as_int(cg, cg_vector(cg, index, 0));
   LLVMTypeRef type = LLVMTypeOf(d.index);
   d.ok = LLVMBuildICmp(cg->b, LLVMIntULT, d.index, cg_const_like(type, binding->count), "");
   d.ok = LLVMBuildAnd(cg->b, d.ok, cg_splat(cg, bound), "");
   LLVMValueRef offset = LLVMBuildMul(cg->b, cg_select(cg, d.ok, d.index, LLVMConstNull(type)), cg_const_like(type, ABI_DESCRIPTOR_BYTES), "");
   offset = LLVMBuildAdd(cg->b, offset, cg_const_like(type, binding->offset_bytes), "");
   LLVMValueRef base = cg_select(cg, bound, d.base, cg->zeros);
   offset = cg_select(cg, d.ok, offset, LLVMConstNull(type));
   d.ptrs = LLVMBuildAdd(cg->b, cg_splat(cg, LLVMBuildPtrToInt(cg->b, base, cg->i64, "")),
                         LLVMBuildZExt(cg->b, offset, cg_vec_type(cg, cg->i64), ""), "");
   return d;
}

/* A 64-bit field of the descriptor of each lane. */
static LLVMValueRef read_lanes(struct cg *cg, const struct descriptor *d, uint32_t field)
{
   LLVMValueRef at = LLVMBuildAdd(cg->b, d->ptrs, cg_const_like(LLVMTypeOf(d->ptrs), field), "");
   if (cg->target.level >= UTIL_CPU_V4)
      return cg_gather(cg, cg->i64, LLVMBuildIntToPtr(cg->b, at, cg_vec_type(cg, cg->ptr), ""), d->ok, 8);
   LLVMValueRef result = LLVMGetPoison(cg_vec_type(cg, cg->i64));
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef ptr = LLVMBuildIntToPtr(cg->b, LLVMBuildExtractElement(cg->b, at, cg_i32(cg, lane), ""), cg->ptr, "");
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, cg->i64, ptr, 8), cg_i32(cg, lane), "");
   }
   return cg_select(cg, d->ok, result, LLVMConstNull(LLVMTypeOf(result)));
}

static LLVMValueRef read_field(struct cg *cg, const struct descriptor *d, uint32_t field)
{
   return d->ptr ? cg_load_at(cg, cg->i64, d->ptr, field) : read_lanes(cg, d, field);
}

static void set_either(struct cg *cg, struct ir_instr *instr, LLVMValueRef value)
{
   if (cg_is_vector(value))
      cg_set_vector(cg, instr, 0, value);
   else
      cg_set_scalar(cg, instr, 0, value, 0);
}

/* Dynamic buffers: the offset of the bind call, of the element where it is an array. */
static LLVMValueRef dynamic_offset(struct cg *cg, const struct descriptor *d)
{
   const uint64_t first = offsetof(struct abi_resources, dynamic_offsets) + d->binding->dynamic_index * sizeof(uint32_t);
   LLVMTypeRef type = LLVMTypeOf(d->index);
   if (d->ptr) {
      LLVMValueRef index = d->ok ? cg_select(cg, d->ok, d->index, LLVMConstNull(type)) : d->index;
      LLVMValueRef at = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, index, cg->i64, ""), cg_i64(cg, 4), "");
      LLVMValueRef ptr = cg_gep(cg, cg_gep_const(cg, cg->resources, first), at);
      return LLVMBuildZExt(cg->b, cg_load(cg, cg->i32, ptr, 4), cg->i64, "");
   }
   LLVMValueRef index = cg_select(cg, d->ok, d->index, LLVMConstNull(type)), result = LLVMGetPoison(cg_vec_type(cg, cg->i32));
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef i = LLVMBuildExtractElement(cg->b, index, cg_i32(cg, lane), "");
      LLVMValueRef ptr = LLVMBuildGEP2(cg->b, cg->i32, cg_gep_const(cg, cg->resources, first), &i, 1, "");
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, cg->i32, ptr, 4), cg_i32(cg, lane), "");
   }
   return LLVMBuildZExt(cg->b, result, cg_vec_type(cg, cg->i64), "");
}

static void emit_buffer(struct cg *cg, struct ir_instr *instr, const struct comp_binding *binding)
{
   const bool wants_size = instr->op == IR_buffer_size;
   if (binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      LLVMValueRef base = set_base(cg, instr), bound = LLVMBuildIsNotNull(cg->b, base, "");
      if (wants_size)
         cg_set_scalar(cg, instr, 0, cg_select(cg, bound, cg_i32(cg, binding->count), cg_i32(cg, 0)), 0);
      else
         cg_set_scalar(cg, instr, 0, LLVMBuildPtrToInt(cg->b, cg_gep_const(cg, base, binding->offset_bytes), cg->i64, ""), 0);
      return;
   }
   struct descriptor d = find(cg, instr, binding);
   if (!wants_size) {
      LLVMValueRef address = read_field(cg, &d, offsetof(union abi_descriptor, buffer.data));
      if (is_dynamic(binding))
         address = LLVMBuildAdd(cg->b, address, dynamic_offset(cg, &d), "");
      set_either(cg, instr, address);
      return;
   }
   /* No more than ABI_MAX_BUFFER_BYTES: the low half of the field is all. */
   const uint32_t field = offsetof(union abi_descriptor, buffer.size_bytes);
   if (d.ptr)
      cg_set_scalar(cg, instr, 0, cg_load_at(cg, cg->i32, d.ptr, field), 0);
   else
      cg_set_vector(cg, instr, 0, LLVMBuildTrunc(cg->b, read_lanes(cg, &d, field), cg_vec_type(cg, cg->i32), ""));
}

void cg_emit_descriptor(struct cg *cg, struct ir_instr *instr)
{
   const struct comp_binding *binding = find_binding(cg, instr);
   if (!binding) {
      cg_set_scalar(cg, instr, 0, LLVMConstNull(cg_int_type(cg, instr->bit_size)), 0);
      return;
   }
   if (instr->op == IR_buffer_addr || instr->op == IR_buffer_size) {
      emit_buffer(cg, instr, binding);
      return;
   }
   const struct descriptor d = find(cg, instr, binding);
   set_either(cg, instr, read_field(cg, &d, instr->op == IR_image_desc ? offsetof(union abi_descriptor, image.image)
                                                                        : offsetof(union abi_descriptor, image.sampler)));
}
