/* SPDX-License-Identifier: MIT
 * Copies of memory. OpCopyMemorySized: bytes from one pointer to another, by words where both are known to be aligned. Few are copied one after the
 * other, many or a number that is not constant by a loop. Spec: SPIR-V, "Memory Instructions" (SPV_KHR_untyped_pointers). */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/spirv_loop.h"

enum { MAX_UNROLLED = 32 }; /* accesses */

static bool is_explicit(const struct spirv_pointer *pointer)
{
   return pointer->class == SPIRV_PTR_BUFFER || pointer->class == SPIRV_PTR_GLOBAL || pointer->class == SPIRV_PTR_PUSH ||
          (pointer->class == SPIRV_PTR_SHARED && pointer->layout.class == SPIRV_LAYOUT_EXPLICIT);
}

/* As the scalars that it is copied by. */
static struct spirv_pointer as_units(struct spirv_ctx *t, const struct spirv_pointer *pointer, const struct spirv_type *unit)
{
   struct spirv_pointer copy = *pointer;
   spirv_retype(t, &copy, unit);
   return copy;
}

static void copy_unit(struct spirv_ctx *t, const struct spirv_pointer *target, const struct spirv_pointer *source, struct spirv_val *index)
{
   struct spirv_pointer to = *target, from = *source;
   spirv_add_index(t, &to, index, target->type->bits / 8);
   spirv_add_index(t, &from, index, source->type->bits / 8);
   spirv_store(t, &to, spirv_load(t, &from));
}

static void copy_constant(struct spirv_ctx *t, const struct spirv_pointer *target, const struct spirv_pointer *source, uint32_t count)
{
   for (uint64_t i = 0; i < count; i++) {
      struct spirv_val index = {.type = &spirv_type_u32, .class = SPIRV_VAL_CONST, .bits = &i};
      copy_unit(t, target, source, &index);
   }
}

/* for (i = 0; i < count; i++) copy unit i */
static void copy_loop(struct spirv_ctx *t, const struct spirv_pointer *target, const struct spirv_pointer *source, struct ir_instr *count)
{
   const struct spirv_loop loop = spirv_loop_begin(t, count);
   copy_unit(t, target, source, spirv_new_scalar(t, &spirv_type_u32, loop.index));
   spirv_loop_end(t, &loop);
}

/* A variable without an explicit layout: its bytes are those of its type laid out tightly, all of them or none. */
static void copy_value(struct spirv_ctx *t, struct spirv_pointer target, struct spirv_pointer source, const struct spirv_type *type, uint64_t bytes)
{
   const struct spirv_layout tight = {.class = SPIRV_LAYOUT_TIGHT};
   if (bytes != spirv_type_bytes(t, type, tight))
      spirv_fail(t, "OpCopyMemorySized of a part of a variable without an explicit layout is not supported");
   if (is_explicit(&target))
      spirv_retype(t, &target, type);
   else if (is_explicit(&source))
      spirv_retype(t, &source, type);
   spirv_store(t, &target, spirv_load(t, &source));
}

/* `size` is an integer that need not be constant. */
static void copy_bytes(struct spirv_ctx *t, const struct spirv_pointer *target, const struct spirv_pointer *source, struct spirv_val *size)
{
   uint64_t bytes = 0;
   const bool is_known = spirv_is_constant(size, &bytes);
   if (!spirv_is_scalar(size->type) || size->type->class != SPIRV_TYPE_INT || bytes > UINT32_MAX)
      spirv_fail(t, "OpCopyMemorySized of a size that is no integer of 32 bits");
   if (!is_explicit(target) || !is_explicit(source)) {
      copy_value(t, *target, *source, is_explicit(target) ? source->type : target->type, bytes);
      return;
   }
   const uint32_t size_align = is_known && bytes ? (uint32_t)(bytes & -bytes) : 1;
   const uint32_t align = UTIL_MIN(size_align, UTIL_MIN(spirv_pointer_align(target, 0), spirv_pointer_align(source, 0)));
   const struct spirv_type *unit = align >= 4 ? &spirv_type_u32 : align == 2 ? &spirv_type_u16 : &spirv_type_u8;
   const struct spirv_pointer to = as_units(t, target, unit), from = as_units(t, source, unit);
   const uint64_t count = bytes / (unit->bits / 8);
   if (is_known && count <= MAX_UNROLLED)
      copy_constant(t, &to, &from, (uint32_t)count);
   else
      copy_loop(t, &to, &from, is_known ? spirv_u32(t, (uint32_t)count) : spirv_resize(t, spirv_comps(t, size)[0], 32, false));
}

static void translate_copy(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t first_operand)
{
   struct spirv_pointer target = *spirv_pointer(t, spirv_word(t, in, 1));
   struct spirv_pointer source = *spirv_pointer(t, spirv_word(t, in, 2));
   const uint32_t second = spirv_memory_operands(t, in, first_operand, &target);
   spirv_memory_operands(t, in, second < in->count ? second : first_operand, &source);
   if (in->op == SpvOpCopyMemorySized) {
      copy_bytes(t, &target, &source, spirv_value(t, spirv_word(t, in, 3)));
      return;
   }
   if (spirv_value_type(t, in->words[1])->is_untyped) /* the other one says what is copied */
      spirv_retype(t, &target, source.type);
   else if (spirv_value_type(t, in->words[2])->is_untyped)
      spirv_retype(t, &source, target.type);
   else {
      spirv_copy_value(t, &target, &source);
      return;
   }
   spirv_store(t, &target, spirv_load(t, &source));
}

bool spirv_copy(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCopyMemory: translate_copy(t, in, 3); return true;
   case SpvOpCopyMemorySized: translate_copy(t, in, 4); return true;
   default: return false;
   }
}
