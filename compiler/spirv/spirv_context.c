/* SPDX-License-Identifier: MIT
 * What is asked of ids without any code: decorations, strings, constants; and the end of a translation that fails. */
#include "compiler/spirv/spirv_context.h"

#include "compiler/spirv/memory/spirv_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spirv_fail(struct spirv_ctx *t, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   t->error = util_arena_strdup(t->arena, text);
   longjmp(t->failed, 1);
}

const struct spirv_decoration *spirv_find_decoration(struct spirv_ctx *t, uint32_t id, int32_t member,
                                                     uint32_t decoration)
{
   for (const struct spirv_decoration *d = spirv_id(t, id)->decorations; d; d = d->next) {
      if (d->member == member && d->decoration == decoration)
         return d;
   }
   return NULL;
}

uint32_t spirv_decoration_operand(struct spirv_ctx *t, uint32_t id, int32_t member, uint32_t decoration,
                                  uint32_t fallback)
{
   const struct spirv_decoration *d = spirv_find_decoration(t, id, member, decoration);
   if (!d)
      return fallback;
   if (!d->num_operands)
      spirv_fail(t, "decoration %u of id %u has no operand", decoration, id);
   return d->operands[0];
}

const char *spirv_string(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index)
{
   spirv_word(t, in, index);
   const char *text = (const char *)&in->words[index];
   const size_t room = (in->count - index) * 4;
   if (!memchr(text, 0, room))
      spirv_fail(t, "%s: string without an end", spirv_op_name(in->op));
   return util_arena_strdup(t->arena, text);
}

struct spirv_instr spirv_instr_at(struct spirv_ctx *t, size_t offset)
{
   if (offset >= t->num_words)
      spirv_fail(t, "the module ends within a function");
   const uint32_t first = t->words[offset];
   const struct spirv_instr in = {.op = first & 0xffff, .count = first >> 16, .words = &t->words[offset]};
   if (in.count == 0 || in.count > t->num_words - offset)
      spirv_fail(t, "instruction at word %zu has a wrong length", offset);
   return in;
}

bool spirv_is_constant(const struct spirv_val *val, uint64_t *bits)
{
   if (!spirv_is_scalar(val->type))
      return false;
   if (val->class == SPIRV_VAL_CONST)
      *bits = val->bits[0];
   else if (val->class == SPIRV_VAL_NULL)
      *bits = 0;
   else
      return false;
   return true;
}

uint32_t spirv_constant_u32(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_id *record = spirv_id(t, id);
   uint64_t bits;
   if (record->class != SPIRV_ID_VALUE || !spirv_is_constant(record->value, &bits))
      spirv_fail(t, "id %u is not a constant", id);
   if (bits > UINT32_MAX)
      spirv_fail(t, "constant %u is too large", id);
   return (uint32_t)bits;
}
