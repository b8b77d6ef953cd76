/* SPDX-License-Identifier: MIT
 * Descriptors: reads union abi_descriptor from set memory at the offsets of the pipeline layout. An index beyond the binding's count,
 * a set that is not bound or of another shape, a binding that is not there and one that holds something else give the null descriptor; so does what
 * stands in the application's memory and is none of the driver's descriptors. */
#include "compiler/llvm/cg_memory.h"

#include <stddef.h>
#include <vulkan/vulkan_core.h>

static uint32_t class_of(const struct ir_instr *instr)
{
   if (instr->op == IR_structure_desc)
      return ABI_CLASS_STRUCTURE;
   return instr->op == IR_image_desc ? ABI_CLASS_IMAGE : instr->op == IR_sampler_desc ? ABI_CLASS_SAMPLER : ABI_CLASS_BUFFER;
}

static bool is_mutable(const struct comp_binding *binding)
{
   return binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
}

/* A pointer into the head of the set at `base`. */
static LLVMValueRef head_field(struct cg *cg, LLVMValueRef base, size_t field)
{
   return cg_gep(cg, base, cg_i64(cg, field - sizeof(struct abi_set_head)));
}

/* The binding, if it holds what the instruction asks for; NULL: a null descriptor. */
static const struct comp_binding *find_binding(struct cg *cg, const struct ir_instr *instr)
{
   const uint32_t set = instr->imm.u[0], binding = instr->imm.u[1];
   if (!cg->layout || set >= cg->layout->num_sets)
      return NULL;
   const struct comp_set *s = &cg->layout->sets[set];
   for (uint32_t i = 0; i < s->num_bindings; i++) {
      const struct comp_binding *b = &s->bindings[i];
      if (b->binding == binding && b->count != 0)
         return is_mutable(b) || abi_descriptor_classes(b->type) & class_of(instr) ? b : NULL;
   }
   return NULL;
}

static bool is_dynamic(const struct comp_binding *binding)
{
   return binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* The set that an instruction reads, once a call: struct cg_set. */
static const struct cg_set *find_set(struct cg *cg, const struct ir_instr *instr)
{
   const uint32_t index = instr->imm.u[0];
   struct cg_set *set = &cg->sets[index];
   if (set->base)
      return set;
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMPositionBuilderAtEnd(cg->b, cg->entry);
   LLVMValueRef none = cg_gep_const(cg, cg->zeros, sizeof(struct abi_set_head));
   LLVMValueRef base = cg_load_at(cg, cg->ptr, cg->bound_sets, index * sizeof(struct abi_set) + offsetof(struct abi_set, data));
   base = cg_select(cg, LLVMBuildIsNotNull(cg->b, base, ""), base, none);
   if (cg->layout->sets[index].is_bare) {
      set->is_bound = LLVMBuildICmp(cg->b, LLVMIntNE, base, none, "");
   } else {
      LLVMValueRef shape = cg_load(cg, cg->i64, head_field(cg, base, offsetof(struct abi_set_head, shape)), 8);
      set->is_bound = LLVMBuildICmp(cg->b, LLVMIntEQ, shape, cg_i64(cg, cg->layout->sets[index].shape), "");
   }
   set->base = cg_select(cg, set->is_bound, base, none);
   LLVMPositionBuilderAtEnd(cg->b, here);
   return set;
}

/* How many descriptors the binding has: a number, or what the set says. */
static LLVMValueRef binding_count(struct cg *cg, const struct cg_set *set, const struct comp_binding *binding)
{
   if (!binding->has_variable_count)
      return cg_i32(cg, binding->count);
   return cg_load(cg, cg->i32, head_field(cg, set->base, offsetof(struct abi_set_head, variable_count)), 4);
}

/* What stands at `field` bytes of the descriptor that lane or vector `index` chooses: zero for an index out of range. */
struct descriptor {
   const struct comp_binding *binding;
   const struct cg_set *set;
   bool has_tag;        /* its classes stand in it */
   bool is_sealed;      /* in the application's memory */
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
   d->ptr = cg_gep(cg, d->set->base, cg_i64(cg, offset));
   /* Where no set is bound there are zeros, so far. */
   if (offset + ABI_DESCRIPTOR_BYTES > CG_ZEROS_BYTES - sizeof(struct abi_set_head))
      d->ptr = cg_select(cg, d->set->is_bound, d->ptr, cg->zeros);
}

static void find_uniform(struct cg *cg, struct descriptor *d)
{
   LLVMValueRef in_range = LLVMBuildICmp(cg->b, LLVMIntULT, d->index, binding_count(cg, d->set, d->binding), "");
   LLVMValueRef offset = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, d->index, cg->i64, ""), cg_i64(cg, ABI_DESCRIPTOR_BYTES), "");
   offset = LLVMBuildAdd(cg->b, offset, cg_i64(cg, d->binding->offset_bytes), "");
   d->ok = LLVMBuildAnd(cg->b, d->set->is_bound, in_range, "");
   d->ptr = cg_select(cg, d->ok, cg_gep(cg, d->set->base, offset), cg->zeros);
}

static struct descriptor find(struct cg *cg, struct ir_instr *instr, const struct comp_binding *binding)
{
   struct descriptor d = {.binding = binding, .set = find_set(cg, instr)};
   d.is_sealed = cg->layout->sets[instr->imm.u[0]].is_bare;
   d.has_tag = is_mutable(binding) && !d.is_sealed;
   struct ir_instr *index = instr->srcs[0];
   if (cg_is_uniform(cg, index, 0)) {
      d.index = cg_as_int(cg, cg_scalar(cg, index, 0));
      if (LLVMIsAConstantInt(d.index) && !binding->has_variable_count)
         find_constant(cg, &d);
      else
         find_uniform(cg, &d);
      return d;
   }
   d.index = cg_as_int(cg, cg_vector(cg, index, 0));
   LLVMTypeRef type = LLVMTypeOf(d.index);
   d.ok = LLVMBuildICmp(cg->b, LLVMIntULT, d.index, cg_splat(cg, binding_count(cg, d.set, binding)), "");
   d.ok = LLVMBuildAnd(cg->b, d.ok, cg_splat(cg, d.set->is_bound), "");
   LLVMValueRef offset = LLVMBuildMul(cg->b, cg_select(cg, d.ok, d.index, LLVMConstNull(type)), cg_const_like(type, ABI_DESCRIPTOR_BYTES), "");
   offset = LLVMBuildAdd(cg->b, offset, cg_const_like(type, binding->offset_bytes), "");
   offset = cg_select(cg, d.ok, offset, LLVMConstNull(type));
   d.ptrs = LLVMBuildAdd(cg->b, cg_splat(cg, LLVMBuildPtrToInt(cg->b, d.set->base, cg->i64, "")),
                         LLVMBuildZExt(cg->b, offset, cg_vec_type(cg, cg->i64), ""), "");
   return d;
}

/* A 64-bit field of the descriptor of each lane. */
static LLVMValueRef read_lanes(struct cg *cg, const struct descriptor *d, uint32_t field)
{
   LLVMValueRef at = LLVMBuildAdd(cg->b, d->ptrs, cg_const_like(LLVMTypeOf(d->ptrs), field), "");
   if (cg_can_gather(cg))
      return cg_gather(cg, cg->i64, LLVMBuildIntToPtr(cg->b, at, cg_vec_type(cg, cg->ptr), ""), d->ok, 8);
   LLVMValueRef result = LLVMGetPoison(cg_vec_type(cg, cg->i64));
   for (uint32_t lane = 0; lane < cg->lanes; lane++) {
      LLVMValueRef ptr = LLVMBuildIntToPtr(cg->b, LLVMBuildExtractElement(cg->b, at, cg_i32(cg, lane), ""), cg->ptr, "");
      result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, cg->i64, ptr, 8), cg_i32(cg, lane), "");
   }
   return cg_select(cg, d->ok, result, LLVMConstNull(LLVMTypeOf(result)));
}

static LLVMValueRef read_word(struct cg *cg, const struct descriptor *d, uint32_t field)
{
   return d->ptr ? cg_load_at(cg, cg->i64, d->ptr, field) : read_lanes(cg, d, field);
}

/* The same of a sealed descriptor; 0 where it has no seal, or that of another class: abi_seal(). */
static LLVMValueRef read_sealed(struct cg *cg, const struct descriptor *d, uint32_t field, uint32_t class)
{
   LLVMValueRef words[2] = {read_word(cg, d, 0), read_word(cg, d, 8)}, seals[2];
   LLVMTypeRef type = LLVMTypeOf(words[0]);
   for (uint32_t i = 0; i < 2; i++) {
      seals[i] = LLVMBuildLShr(cg->b, words[i], cg_const_like(type, ABI_SEAL_SHIFT), "");
      words[i] = LLVMBuildAnd(cg->b, words[i], cg_const_like(type, (UINT64_C(1) << ABI_SEAL_SHIFT) - 1), "");
   }
   LLVMValueRef mixed = LLVMBuildShl(cg->b, words[1], cg_const_like(type, 16), "");
   mixed = LLVMBuildXor(cg->b, words[0], LLVMBuildOr(cg->b, mixed, cg_const_like(type, abi_seal_of_classes(class)), ""), "");
   LLVMValueRef wanted = LLVMBuildLShr(cg->b, LLVMBuildMul(cg->b, mixed, cg_const_like(type, ABI_SEAL_FACTOR), ""), cg_const_like(type, 32), "");
   LLVMValueRef seal = LLVMBuildOr(cg->b, seals[0], LLVMBuildShl(cg->b, seals[1], cg_const_like(type, 16), ""), "");
   return cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, seal, wanted, ""), words[field / 8], LLVMConstNull(type));
}

/* The same; 0 where the descriptor is of mutable type and was not written as one of `class`. */
static LLVMValueRef read_field(struct cg *cg, const struct descriptor *d, uint32_t field, uint32_t class)
{
   if (d->is_sealed)
      return read_sealed(cg, d, field, class);
   LLVMValueRef value = read_word(cg, d, field);
   if (!d->has_tag)
      return value;
   const uint32_t second = ABI_CLASS_WORD;
   LLVMValueRef tagged = field == second ? value : read_word(cg, d, second);
   LLVMTypeRef type = LLVMTypeOf(value);
   LLVMValueRef tag = LLVMBuildAnd(cg->b, tagged, cg_const_like(type, (uint64_t)class << ABI_CLASS_SHIFT), "");
   if (field == second)
      value = LLVMBuildAnd(cg->b, value, cg_const_like(type, (UINT64_C(1) << ABI_CLASS_SHIFT) - 1), "");
   LLVMValueRef is_class = LLVMBuildICmp(cg->b, LLVMIntNE, tag, LLVMConstNull(type), "");
   return cg_select(cg, is_class, value, LLVMConstNull(type));
}

static void set_either(struct cg *cg, struct ir_instr *instr, LLVMValueRef value)
{
   if (cg_is_vector(value))
      cg_set_vector(cg, instr, 0, value);
   else
      cg_set_scalar(cg, instr, 0, value, 0);
}

/* Dynamic buffers: the offset of the bind call, of the element where it is an array; 0 of one that the call did not give. */
static LLVMValueRef dynamic_offset(struct cg *cg, uint32_t set, const struct descriptor *d)
{
   LLVMValueRef offsets = cg_load_at(cg, cg->ptr, cg->bound_sets, set * sizeof(struct abi_set) + offsetof(struct abi_set, dynamic_offsets));
   LLVMValueRef count = cg_load(cg, cg->i32, offsets, 4), result;
   LLVMTypeRef type = LLVMTypeOf(d->index);
   LLVMValueRef index = d->ok ? cg_select(cg, d->ok, d->index, LLVMConstNull(type)) : d->index;
   index = LLVMBuildAdd(cg->b, index, cg_const_like(type, d->binding->dynamic_index), "");
   LLVMValueRef is_given = LLVMBuildICmp(cg->b, LLVMIntULT, index, d->ptr ? count : cg_splat(cg, count), "");
   index = LLVMBuildAdd(cg->b, index, cg_const_like(type, 1), "");
   index = cg_select(cg, is_given, index, LLVMConstNull(type));
   if (d->ptr) {
      LLVMValueRef at = LLVMBuildMul(cg->b, LLVMBuildZExt(cg->b, index, cg->i64, ""), cg_i64(cg, sizeof(uint32_t)), "");
      result = cg_load(cg, cg->i32, cg_gep(cg, offsets, at), 4);
   } else {
      result = LLVMGetPoison(cg_vec_type(cg, cg->i32));
      for (uint32_t lane = 0; lane < cg->lanes; lane++) {
         LLVMValueRef i = LLVMBuildExtractElement(cg->b, index, cg_i32(cg, lane), "");
         LLVMValueRef ptr = LLVMBuildGEP2(cg->b, cg->i32, offsets, &i, 1, "");
         result = LLVMBuildInsertElement(cg->b, result, cg_load(cg, cg->i32, ptr, 4), cg_i32(cg, lane), "");
      }
   }
   result = cg_select(cg, is_given, result, LLVMConstNull(LLVMTypeOf(result)));
   return LLVMBuildZExt(cg->b, result, d->ptr ? cg->i64 : cg_vec_type(cg, cg->i64), "");
}

static void emit_inline_block(struct cg *cg, struct ir_instr *instr, const struct comp_binding *binding)
{
   const struct cg_set *set = find_set(cg, instr);
   if (instr->op == IR_buffer_addr)
      cg_set_scalar(cg, instr, 0, LLVMBuildPtrToInt(cg->b, cg_gep_const(cg, set->base, binding->offset_bytes), cg->i64, ""), 0);
   else
      cg_set_scalar(cg, instr, 0, cg_select(cg, set->is_bound, binding_count(cg, set, binding), cg_i32(cg, 0)), 0);
}

static void emit_buffer(struct cg *cg, struct ir_instr *instr, const struct comp_binding *binding)
{
   const struct descriptor d = find(cg, instr, binding);
   if (instr->op == IR_buffer_addr) {
      LLVMValueRef address = read_field(cg, &d, offsetof(union abi_descriptor, buffer.data), ABI_CLASS_BUFFER);
      if (is_dynamic(binding))
         address = LLVMBuildAdd(cg->b, address, dynamic_offset(cg, instr->imm.u[0], &d), "");
      set_either(cg, instr, address);
      return;
   }
   LLVMValueRef size = read_field(cg, &d, offsetof(union abi_descriptor, buffer.size_bytes), ABI_CLASS_BUFFER);
   LLVMTypeRef type = LLVMTypeOf(size);
   if (instr->bit_size == 64) {
      set_either(cg, instr, size);
      return;
   }
   size = cg_intrinsic(cg, "llvm.umin", &type, 1, (LLVMValueRef[]){size, cg_const_like(type, ABI_MAX_BUFFER_BYTES)}, 2);
   set_either(cg, instr, LLVMBuildTrunc(cg->b, size, d.ptr ? cg->i32 : cg_vec_type(cg, cg->i32), ""));
}

/* ---- heaps, bound instead of sets ---- */

/* A field of the heap as it is bound, once a call: struct cg_set has its address as `base`, its size as `is_bound`. */
static const struct cg_set *find_heap(struct cg *cg, uint32_t heap)
{
   struct cg_set *set = &cg->sets[heap];
   if (set->base)
      return set;
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMPositionBuilderAtEnd(cg->b, cg->entry);
   const size_t at = heap * sizeof(struct abi_set);
   set->base = cg_load_at(cg, cg->i64, cg->bound_sets, at + offsetof(struct abi_set, data));
   set->is_bound = cg_load(cg, cg->i32, cg_load_at(cg, cg->ptr, cg->bound_sets, at + offsetof(struct abi_set, dynamic_offsets)), 4);
   LLVMPositionBuilderAtEnd(cg->b, here);
   return set;
}

/* The sampler stands with the code. */
static LLVMValueRef embedded_sampler(struct cg *cg, uint32_t number)
{
   if (number >= cg->layout->num_samplers)
      return cg_i64(cg, 0);
   LLVMValueRef bytes = LLVMConstStringInContext2(cg->context, (const char *)&cg->layout->samplers[number], sizeof(struct abi_sampler), true);
   return LLVMBuildPtrToInt(cg->b, cg_const_global(cg, bytes, _Alignof(struct abi_sampler), "sampler"), cg->i64, "");
}

static LLVMValueRef emit_heap(struct cg *cg, const struct ir_instr *instr)
{
   const uint32_t heap = instr->imm.u[0];
   if (instr->op == IR_sampler_desc)
      return embedded_sampler(cg, instr->imm.u[1]);
   if (heap >= ABI_NUM_HEAPS || class_of(instr) != ABI_CLASS_BUFFER)
      return LLVMConstNull(cg_int_type(cg, instr->bit_size));
   return instr->op == IR_buffer_addr ? find_heap(cg, heap)->base : find_heap(cg, heap)->is_bound;
}

void cg_emit_descriptor(struct cg *cg, struct ir_instr *instr)
{
   if (cg->layout && cg->layout->has_heaps) {
      cg_set_scalar(cg, instr, 0, emit_heap(cg, instr), 0);
      return;
   }
   const struct comp_binding *binding = find_binding(cg, instr);
   if (!binding) {
      cg_set_scalar(cg, instr, 0, LLVMConstNull(cg_int_type(cg, instr->bit_size)), 0);
   } else if (binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      emit_inline_block(cg, instr, binding);
   } else if (class_of(instr) == ABI_CLASS_BUFFER) {
      emit_buffer(cg, instr, binding);
   } else {
      const struct descriptor d = find(cg, instr, binding);
      set_either(cg, instr, instr->op == IR_structure_desc ? read_field(cg, &d, 0, ABI_CLASS_STRUCTURE)
                            : instr->op == IR_image_desc ? read_field(cg, &d, offsetof(union abi_descriptor, image.image), ABI_CLASS_IMAGE)
                                                        : read_field(cg, &d, offsetof(union abi_descriptor, image.sampler), ABI_CLASS_SAMPLER));
   }
}
