/* SPDX-License-Identifier: MIT */
#include "tests/icd/validate/spvasm.h"

#include "util/macros.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path)
{
   FILE *file = fopen(path, "rb");
   char *text = NULL;
   if (file && fseek(file, 0, SEEK_END) == 0) {
      const long size = ftell(file);
      rewind(file);
      text = size >= 0 ? malloc((size_t)size + 1) : NULL;
      if (text)
         text[fread(text, 1, (size_t)size, file)] = 0;
   }
   if (file)
      fclose(file);
   return text;
}

bool spvasm_value(const struct spvasm *module, const char *key, unsigned index, char *word, size_t size)
{
   const size_t key_length = strlen(key);
   for (const char *line = module->text; line && *line == ';'; line = strchr(line, '\n') + 1) {
      const char *at = line + 2, *const end = line + strcspn(line, "\n");
      if (end - at > (ptrdiff_t)key_length && !strncmp(at, key, key_length) && at[key_length] == ':') {
         for (at += key_length + 1; at < end; index--) {
            at += strspn(at, " ");
            const size_t length = strcspn(at, " \n");
            if (length && index == 0)
               return (size_t)snprintf(word, size, "%.*s", (int)length, at) < size;
            at += length;
         }
         return false;
      }
      if (!*end)
         break;
   }
   return false;
}

unsigned spvasm_version(const struct spvasm *module, const char *key, unsigned otherwise)
{
   char word[8];
   if (!spvasm_value(module, key, 0, word, sizeof(word)) || strlen(word) != 3)
      return otherwise;
   return (unsigned)(word[0] - '0') * 10 + (unsigned)(word[2] - '0');
}

static bool assemble(struct spvasm *module, const char *name)
{
   static const spv_target_env environments[] = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
                                                 SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
                                                 SPV_ENV_UNIVERSAL_1_6};
   const unsigned minor = spvasm_version(module, "spirv", 13) - 10;
   spv_context context = spvContextCreate(environments[minor < UTIL_ARRAY_SIZE(environments) ? minor : 3]);
   spv_binary binary = NULL;
   spv_diagnostic diagnostic = NULL;
   const bool is_good = spvTextToBinary(context, module->text, strlen(module->text), &binary, &diagnostic) == SPV_SUCCESS;
   if (is_good) {
      module->num_words = binary->wordCount;
      module->words = malloc(binary->wordCount * sizeof(uint32_t));
      if (module->words)
         memcpy(module->words, binary->code, binary->wordCount * sizeof(uint32_t));
   } else {
      fprintf(stderr, "%s:%zu: %s\n", name, diagnostic ? diagnostic->position.line + 1 : 0, diagnostic ? diagnostic->error : "?");
   }
   spvDiagnosticDestroy(diagnostic);
   spvBinaryDestroy(binary);
   spvContextDestroy(context);
   return is_good && module->words;
}

static bool ends_with(const char *path, const char *end)
{
   const size_t length = strlen(path), end_length = strlen(end);
   return length >= end_length && !strcmp(path + length - end_length, end);
}

/* The numbers "0x..." of a header's text. */
static bool read_numbers(struct spvasm *module, const char *text)
{
   module->words = malloc((strlen(text) / 3 + 1) * sizeof(uint32_t));
   for (const char *at = text; module->words && (at = strstr(at, "0x")); at += 2)
      module->words[module->num_words++] = (uint32_t)strtoul(at, NULL, 16);
   return module->words != NULL;
}

static bool read_words(struct spvasm *module, const char *path)
{
   FILE *file = fopen(path, "rb");
   if (file && fseek(file, 0, SEEK_END) == 0) {
      const long size = ftell(file);
      rewind(file);
      module->words = size > 0 ? malloc((size_t)size) : NULL;
      if (module->words)
         module->num_words = fread(module->words, sizeof(uint32_t), (size_t)size / sizeof(uint32_t), file);
   }
   if (file)
      fclose(file);
   module->text = strdup("");
   return module->words && module->text;
}

bool spvasm_load(struct spvasm *module, const char *path)
{
   *module = (struct spvasm){0};
   bool is_good;
   if (ends_with(path, ".spv")) {
      is_good = read_words(module, path);
   } else {
      module->text = read_text(path);
      is_good = module->text && (ends_with(path, ".h") ? read_numbers(module, module->text) : assemble(module, path));
   }
   if (is_good && module->num_words > 0)
      return true;
   fprintf(stderr, "%s: cannot be read\n", path);
   spvasm_free(module);
   return false;
}

bool spvasm_read(struct spvasm *module, const char *path)
{
   *module = (struct spvasm){.text = read_text(path)};
   return module->text != NULL;
}

bool spvasm_assemble(struct spvasm *module, const char *text)
{
   *module = (struct spvasm){.text = strdup(text)};
   if (module->text && assemble(module, "text"))
      return true;
   spvasm_free(module);
   return false;
}

void spvasm_free(struct spvasm *module)
{
   free(module->text);
   free(module->words);
   *module = (struct spvasm){0};
}
