/* SPDX-License-Identifier: MIT
 * Texts that shaders print: to stdout, and to debug messengers as Khronos's validation layer does, whose name and number of the message programs
 * look for. */
#include "icd/instance/messenger.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/instrument/print.h"
#include "runtime/format/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_NUMBER = 0x4fe1fef9 };

/* ---- values ---- */

/* Of a letter that is one of them, which begin with `first` bits. */
static uint32_t bits_of(const char *letters, uint32_t first, char type)
{
   return first << (strchr(letters, type) - letters);
}

static double float_of(uint64_t value, char type)
{
   union { uint64_t u; double d; } as_double = {.u = value};
   union { uint32_t u; float f; } as_float = {.u = (uint32_t)value};
   switch (bits_of(ABI_PRINT_FLOATS, 16, type)) {
   case 16: as_float.u = rt_half_decode((uint32_t)value); return (double)as_float.f;
   case 32: return (double)as_float.f;
   default: return as_double.d;
   }
}

static long long signed_of(uint64_t value, char type)
{
   const char *letters = strchr(ABI_PRINT_SIGNED, type) ? ABI_PRINT_SIGNED : ABI_PRINT_UNSIGNED;
   if (type == ABI_PRINT_BOOL)
      return (long long)value;
   const uint32_t above = 64 - bits_of(letters, 8, type);
   return (int64_t)(value << above) >> above;
}

/* As few digits as distinguish it from all others of its type. */
static void put_float(FILE *file, double value, char type)
{
   char text[40];
   const bool is_double = bits_of(ABI_PRINT_FLOATS, 16, type) == 64;
   for (int digits = 4; digits <= 17; digits++) {
      snprintf(text, sizeof(text), "%.*g", digits, value);
      const double read = strtod(text, NULL);
      if (is_double ? read == value : (float)read == (float)value)
         break;
   }
   fputs(text, file);
}

static void put_natural(FILE *file, uint64_t value, char type)
{
   if (strchr(ABI_PRINT_FLOATS, type))
      put_float(file, float_of(value, type), type);
   else if (type == ABI_PRINT_BOOL)
      fputs(value ? "true" : "false", file);
   else if (strchr(ABI_PRINT_SIGNED, type))
      fprintf(file, "%lld", signed_of(value, type));
   else
      fprintf(file, "%llu", (unsigned long long)value);
}

/* `flags` is what the compiler has found to be flags, width and precision. */
static void put_value(FILE *file, const char *flags, size_t length, char letter, uint64_t value, char type)
{
   char format[40];
   if (letter == ABI_PRINT_NATURAL) {
      put_natural(file, value, type);
      return;
   }
   if (strchr(ABI_PRINT_FLOATS, type)) {
      snprintf(format, sizeof(format), "%%%.*s%c", (int)length, flags, letter);
      fprintf(file, format, float_of(value, type));
      return;
   }
   if (letter == 'p') {
      fprintf(file, "0x%016llx", (unsigned long long)value);
      return;
   }
   snprintf(format, sizeof(format), "%%%.*sll%c", (int)length, flags, letter);
   if (letter == 'd' || letter == 'i')
      fprintf(file, format, signed_of(value, type));
   else
      fprintf(file, format, (unsigned long long)value);
}

/* ---- formats ---- */

static void put_piece(FILE *file, const struct rt_print *piece)
{
   const struct abi_site *site = piece->site;
   const char *text = site->texts + site->name, *types = site->texts + site->operation;
   const uint64_t *values = piece->operands + site->num_words;
   while (*text) {
      const size_t length = strcspn(text, "%");
      fwrite(text, 1, length, file);
      text += length;
      if (!*text)
         return;
      if (text[1] == '%') {
         fputc('%', file);
         text += 2;
         continue;
      }
      const size_t flags = strcspn(++text, "v");
      const uint32_t count = (uint32_t)(text[flags + 1] - '0');
      for (uint32_t i = 0; i < count && *types; i++) {
         fputs(i ? ", " : "", file);
         put_value(file, text, flags, text[flags + 2], *values++, *types++);
      }
      text += flags + 3;
   }
}

/* malloc'ed; NULL: memory is out. */
static char *format_text(const struct rt_print *const *pieces, uint32_t count)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   if (!file)
      return NULL;
   for (uint32_t i = 0; i < count; i++)
      put_piece(file, pieces[i]);
   if (fclose(file) == 0)
      return text;
   free(text);
   return NULL;
}

void icd_instrument_print(void *data, const struct rt_print *const *pieces, uint32_t count)
{
   struct icd_device *device = data;
   char *text = format_text(pieces, count);
   if (!text) {
      util_log("a shader prints more than there is memory for");
      return;
   }
   if (pieces[0]->site->probe == ABI_PROBE_TRACE) {
      icd_instrument_trace(device, pieces[0], text);
      free(text);
      return;
   }
   const size_t length = strlen(text);
   fwrite(text, 1, length, stdout);
   if (!length || text[length - 1] != '\n')
      fputc('\n', stdout);
   icd_message_text(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                    "VVL-DEBUG-PRINTF", MESSAGE_NUMBER, &device->base, text);
   free(text);
}
