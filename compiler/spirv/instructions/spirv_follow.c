/* SPDX-License-Identifier: MIT
 * VK_SWRAST_TRACE: behind each instruction that stores, loads what comes from outside, or computes a number, a text says so, for one invocation:
 * `name[3].member = value` of a store, `name is value` of a load, `%12 OpFMul: value` of other results. What only moves values is left out, and
 * loads of variables of the invocation's own, whose stores were reported. Names are those of OpName and OpMemberName. */
#include "compiler/spirv/instructions/spirv_print.h"

#include "compiler/spirv/instructions/spirv_instructions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LEAVES = 16 }; /* of a composite; what has more ends with ... */

static void put(struct spirv_print *print, const char *text)
{
   spirv_print_text(print, text, strlen(text));
}

UTIL_PRINTF(2, 3) static void put_format(struct spirv_print *print, const char *format, ...)
{
   char text[64];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   put(print, text);
}

/* ---- values ---- */

static bool is_number(const struct spirv_type *type)
{
   return spirv_is_scalar_or_vector(type) || type->class == SPIRV_TYPE_MATRIX;
}

static void put_value(struct spirv_print *print, struct spirv_val *value, uint32_t *leaves)
{
   struct spirv_ctx *t = print->t;
   const struct spirv_type *type = value->type;
   const bool is_leaf = spirv_is_scalar_or_vector(type) || type->class == SPIRV_TYPE_POINTER;
   if (is_leaf && (*leaves)++ >= MAX_LEAVES)
      return;
   if (is_leaf) {
      put(print, type->class == SPIRV_TYPE_VECTOR ? "(" : "");
      if (!spirv_print_value(print, "", 0, ABI_PRINT_NATURAL, 0, value))
         put(print, "?");
      put(print, type->class == SPIRV_TYPE_VECTOR ? ")" : "");
      return;
   }
   if (type->class != SPIRV_TYPE_MATRIX && type->class != SPIRV_TYPE_ARRAY && type->class != SPIRV_TYPE_STRUCT) {
      put(print, "?");
      return;
   }
   put(print, "{");
   const uint32_t count = spirv_num_children(t, type);
   for (uint32_t i = 0; i < count && *leaves < MAX_LEAVES; i++) {
      put(print, i ? ", " : "");
      put_value(print, spirv_child(t, value, i), leaves);
   }
   put(print, *leaves >= MAX_LEAVES ? ", ...}" : "}");
}

/* ---- names ---- */

static const char *member_name(const struct spirv_ctx *t, const struct spirv_type *type, uint32_t member)
{
   const struct spirv_member_name *it = t->member_names;
   while (it && (it->type_id != type->id || it->member != member))
      it = it->next;
   return it ? it->name : "";
}

static void put_name(struct spirv_print *print, uint32_t id)
{
   const char *name = spirv_id(print->t, id)->name;
   if (name && *name)
      put(print, name);
   else
      put_format(print, "%%%u", id);
}

/* One step of an access chain; the type behind it, NULL: unknown. */
static const struct spirv_type *put_step(struct spirv_print *print, const struct spirv_type *type, uint32_t index_id, bool is_unnamed)
{
   struct spirv_ctx *t = print->t;
   struct spirv_val *index = spirv_value(t, index_id);
   uint64_t bits;
   const bool is_known = spirv_is_constant(index, &bits);
   uint32_t leaves = 0;
   if (type->class == SPIRV_TYPE_STRUCT && is_known && bits < type->count) {
      const char *name = member_name(t, type, (uint32_t)bits);
      put(print, is_unnamed ? "" : ".");
      if (*name)
         put(print, name);
      else
         put_format(print, "%u", (uint32_t)bits);
      return type->members[bits].type;
   }
   if (type->class == SPIRV_TYPE_VECTOR && is_known && bits < 4) {
      put_format(print, ".%c", "xyzw"[bits]);
      return type->elem;
   }
   put(print, "[");
   put_value(print, index, &leaves);
   put(print, "]");
   return type->elem;
}

/* What a pointer is to, by the access chains that made it. */
static void put_path(struct spirv_print *print, uint32_t id, uint32_t depth)
{
   enum { MAX_CHAINS = 16, FIRST_INDEX = 4 };
   struct spirv_ctx *t = print->t;
   const uint32_t *chain = t->chains[id];
   if (!chain || depth == MAX_CHAINS) {
      put_name(print, id);
      return;
   }
   const uint32_t count = chain[0] >> 16, base = chain[3];
   const struct spirv_type *pointer = spirv_value_type(t, base), *type = pointer->class == SPIRV_TYPE_POINTER ? pointer->elem : NULL;
   const char *name = spirv_id(t, base)->name;
   const bool is_block = type && type->class == SPIRV_TYPE_STRUCT && name && !*name; /* its members are known by their names alone */
   if (!is_block)
      put_path(print, base, depth + 1);
   for (uint32_t i = FIRST_INDEX; i < count && type; i++)
      type = put_step(print, type, chain[i], is_block && i == FIRST_INDEX);
}

/* ---- instructions ---- */

static struct spirv_print begin(struct spirv_ctx *t)
{
   if (!t->is_traced) {
      ir_const(&t->b, 1, 1); /* the shader is not empty */
      t->is_traced = ir_instrument_is_at(&t->instrument, t->desc->trace.num_coordinates, t->desc->trace.at);
   }
   return spirv_print_begin(t, ABI_PROBE_TRACE, t->is_traced);
}

static void follow_memory(struct spirv_ctx *t, uint32_t pointer, const char *verb, struct spirv_val *value)
{
   uint32_t leaves = 0;
   if (!spirv_is_scalar_or_vector(value->type) && value->type->class > SPIRV_TYPE_STRUCT)
      return;
   struct spirv_print print = begin(t);
   put_path(&print, pointer, 0);
   put(&print, verb);
   put_value(&print, value, &leaves);
   spirv_print_end(&print);
}

static void follow_load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_value_type(t, in->words[3]);
   const bool is_own = type->class == SPIRV_TYPE_POINTER && (type->storage == SpvStorageClassFunction || type->storage == SpvStorageClassPrivate);
   if (!is_own)
      follow_memory(t, in->words[3], " is ", spirv_value(t, in->words[2]));
}

static void follow_result(struct spirv_ctx *t, const struct spirv_instr *in)
{
   bool has_result = false, has_type = false;
   uint32_t leaves = 0;
   spirv_op_shape(in->op, &has_result, &has_type);
   if (!has_result || !has_type || in->count < 3)
      return;
   const struct spirv_id *id = spirv_id(t, in->words[2]);
   if (id->class != SPIRV_ID_VALUE || !is_number(id->value->type))
      return;
   struct spirv_print print = begin(t);
   put_name(&print, in->words[2]);
   put_format(&print, " %s: ", spirv_op_name(in->op));
   put_value(&print, id->value, &leaves);
   spirv_print_end(&print);
}

void spirv_follow(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpStore: follow_memory(t, in->words[1], " = ", spirv_value(t, in->words[2])); break;
   case SpvOpLoad: follow_load(t, in); break;
   case SpvOpAccessChain:
   case SpvOpInBoundsAccessChain: t->chains[in->words[2]] = in->words; break;
   case SpvOpCompositeConstruct: case SpvOpCompositeExtract: case SpvOpCompositeInsert: case SpvOpVectorShuffle: case SpvOpCopyObject:
   case SpvOpCopyLogical: case SpvOpUndef: case SpvOpVariable: break;
   default: follow_result(t, in); break;
   }
}
