/* SPDX-License-Identifier: MIT
 * NonSemantic.DebugPrintf. The format is read here, where the types of the arguments are known, and handed on in a form that says all
 * (abi/probe.h): strings stand in it already, and a letter that does not go with its argument is one that does.
 * Spec: NonSemantic.DebugPrintf; the conversions are those that Khronos's validation layer has ("Debug Printf Format String"), and %s. */
#include "compiler/spirv/instructions/spirv_print.h"

#include "compiler/spirv/instructions/spirv_instructions.h"
#include "util/debug.h"

#include <stdio.h>
#include <string.h>

/* ---- pieces ---- */

struct spirv_print spirv_print_begin(struct spirv_ctx *t, enum abi_probe probe, struct ir_instr *condition)
{
   return (struct spirv_print){.t = t, .probe = probe, .condition = condition};
}

static void emit_piece(struct spirv_print *print, uint32_t flags)
{
   struct spirv_ctx *t = print->t;
   print->text[print->length] = 0;
   print->types[print->num_values] = 0;
   struct abi_site *site = ir_site_create_at(t->shader, print->probe, t->b.line, print->types, print->text);
   if (!site) {
      util_log("a shader has more than %u lines that print: the last ones do not", ABI_MAX_SITES);
      return;
   }
   site->limit = flags | (print->has_pieces ? 0u : ABI_PIECE_FIRST);
   site->num_operands = (uint8_t)(site->num_words + print->num_values);
   ir_probe(&t->instrument, &t->b, site, print->condition, print->num_values, print->values);
   t->shader->prints = true;
   print->has_pieces = true;
   print->length = print->num_values = 0;
}

static void make_room(struct spirv_print *print, size_t length, uint32_t num_values)
{
   if (print->length + length > ABI_MAX_PIECE_TEXT || print->num_values + num_values > ABI_MAX_PIECE_VALUES)
      emit_piece(print, 0);
}

void spirv_print_text(struct spirv_print *print, const char *text, size_t length)
{
   for (size_t i = 0; i < length; i++) {
      make_room(print, 2, 0);
      if (text[i] == '%')
         print->text[print->length++] = '%';
      print->text[print->length++] = text[i];
   }
}

void spirv_print_end(struct spirv_print *print)
{
   emit_piece(print, ABI_PIECE_LAST);
}

/* ---- values ---- */

enum { MAX_OF_VECTOR = 4 }; /* values of one conversion; longer vectors are several */

/* Of ABI_PRINT_*; 0: it cannot be printed. */
static char type_letter(const struct spirv_type *type)
{
   if (type->class == SPIRV_TYPE_VECTOR)
      type = type->elem;
   const uint32_t size = (uint32_t)__builtin_ctz(UTIL_MAX(type->bits, 8u)) - 3;
   switch (type->class) {
   case SPIRV_TYPE_BOOL: return ABI_PRINT_BOOL;
   case SPIRV_TYPE_INT: return type->is_signed ? ABI_PRINT_SIGNED[size] : ABI_PRINT_UNSIGNED[size];
   case SPIRV_TYPE_FLOAT: return type->bits >= 16 ? ABI_PRINT_FLOATS[size - 1] : 0;
   case SPIRV_TYPE_POINTER: return type->storage == SpvStorageClassPhysicalStorageBuffer ? ABI_PRINT_UNSIGNED[3] : 0;
   default: return 0;
   }
}

static struct ir_instr **values_of(struct spirv_print *print, struct spirv_val *value, uint32_t *count)
{
   struct spirv_ctx *t = print->t;
   *count = value->type->class == SPIRV_TYPE_VECTOR ? value->type->count : 1;
   struct ir_instr **values = UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, *count);
   if (value->type->class == SPIRV_TYPE_POINTER) {
      spirv_pointer_comps(t, spirv_val_pointer(t, value), value->type, values);
      return values;
   }
   memcpy(values, spirv_comps(t, value), *count * sizeof(*values));
   for (uint32_t i = 0; i < *count && values[i]->bit_size == 1; i++)
      values[i] = spirv_bool_to_u32(t, values[i]);
   return values;
}

/* What goes with the argument. */
static char fitting_letter(char letter, char type)
{
   const bool is_float = strchr(ABI_PRINT_FLOATS, type) != NULL, wants_float = strchr("aAeEfFgG", letter) != NULL;
   if (is_float == wants_float || letter == ABI_PRINT_NATURAL)
      return letter;
   return is_float ? 'g' : strchr(ABI_PRINT_SIGNED, type) ? 'd' : 'u';
}

bool spirv_print_value(struct spirv_print *print, const char *flags, size_t length, char letter, uint32_t count, struct spirv_val *value)
{
   const char type = type_letter(value->type);
   uint32_t num_values;
   if (!type || length > SPIRV_PRINT_FLAGS)
      return false;
   struct ir_instr **values = values_of(print, value, &num_values);
   num_values = UTIL_MIN(num_values, count ? count : num_values);
   for (uint32_t first = 0; first < num_values; first += MAX_OF_VECTOR) {
      const uint32_t part = UTIL_MIN(num_values - first, (uint32_t)MAX_OF_VECTOR);
      if (first)
         spirv_print_text(print, ", ", 2);
      make_room(print, length + 4, part);
      print->length += (uint32_t)sprintf(print->text + print->length, "%%%.*sv%u%c", (int)length, flags, part, fitting_letter(letter, type));
      for (uint32_t i = 0; i < part; i++) {
         print->types[print->num_values] = type;
         print->values[print->num_values++] = values[first + i];
      }
   }
   return true;
}

/* ---- formats ---- */

/* A conversion: % flags width .precision, v count, letter. */
struct conversion {
   size_t length, flags_length; /* of all; of what follows the % */
   uint32_t count;              /* of a vector; 0: not said */
   char letter;
   bool is_long; /* an l before or behind a letter u, x or d */
};

/* False: it is none. */
static bool parse_conversion(const char *text, struct conversion *conversion)
{
   const char *at = text + 1;
   at += strspn(at, "0-+ #");
   at += strspn(at, "0123456789");
   if (*at == '.')
      at += 1 + strspn(at + 1, "0123456789");
   *conversion = (struct conversion){.flags_length = (size_t)(at - text) - 1};
   if (*at == 'v' && at[1] >= '2' && at[1] <= '4') {
      conversion->count = (uint32_t)(at[1] - '0');
      at += 2;
   }
   if (*at == 'l' && at[1] && strchr("dioux", at[1])) {
      conversion->is_long = true;
      at++;
   }
   if (!*at || !strchr("diouxXaAeEfFgGps", *at))
      return false;
   conversion->letter = *at++;
   conversion->length = (size_t)(at - text);
   return true;
}

static const char *string_of(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_id *record = spirv_id(t, id);
   return record->class == SPIRV_ID_STRING ? record->string : NULL;
}

/* Another spelling of %lx. */
static void take_ul(const char *text, struct conversion *conversion, const struct spirv_val *value)
{
   if (conversion->letter != 'u' || conversion->is_long || text[conversion->length] != 'l' || spirv_scalar_type(value->type)->bits != 64)
      return;
   conversion->letter = 'x';
   conversion->length++;
}

/* One conversion with its argument, or as text where there is none for it; gives its length. */
static size_t print_argument(struct spirv_print *print, const char *text, const struct spirv_instr *in, uint32_t *argument)
{
   struct spirv_ctx *t = print->t;
   struct conversion conversion;
   if (!parse_conversion(text, &conversion)) {
      spirv_print_text(print, text, 1);
      return 1;
   }
   if (*argument >= in->count) {
      spirv_print_text(print, text, conversion.length);
      return conversion.length;
   }
   const uint32_t id = in->words[(*argument)++];
   const char *string = string_of(t, id);
   if (string) {
      spirv_print_text(print, string, strlen(string));
      return conversion.length;
   }
   struct spirv_val *value = spirv_value(t, id);
   take_ul(text, &conversion, value);
   if (conversion.letter == 's') /* a number all the same */
      conversion.letter = 'g';
   if (!spirv_print_value(print, text + 1, conversion.flags_length, conversion.letter, conversion.count, value))
      spirv_print_text(print, text, conversion.length);
   return conversion.length;
}

void spirv_debug_printf(struct spirv_ctx *t, const struct spirv_instr *in)
{
   enum { DEBUG_PRINTF = 1, FORMAT = 5 };
   if (!(t->shader->checks & ABI_CHECK_PRINT) || spirv_word(t, in, 4) != DEBUG_PRINTF)
      return;
   const char *format = string_of(t, spirv_word(t, in, FORMAT));
   if (!format)
      spirv_fail(t, "the format of DebugPrintf is not an OpString");
   struct spirv_print print = spirv_print_begin(t, ABI_PROBE_PRINT, ir_const(&t->b, 1, 1));
   uint32_t argument = FORMAT + 1;
   while (*format) {
      const size_t length = strcspn(format, "%");
      spirv_print_text(&print, format, length);
      format += length;
      if (format[0] == '%' && format[1] == '%') {
         spirv_print_text(&print, format, 1);
         format += 2;
      } else if (*format) {
         format += print_argument(&print, format, in, &argument);
      }
   }
   spirv_print_end(&print);
}
