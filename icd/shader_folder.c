/* SPDX-License-Identifier: MIT */
#include "icd/shader_folder.h"

#include "util/alloc.h"
#include "util/debug.h"
#include "util/outside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PATH_BYTES = 4096, MAX_FILE_BYTES = 1 << 28 };

/* False: the variable names no folder, or one with too long a name. */
static bool path_of(char path[MAX_PATH_BYTES], const char *folder, struct util_hash hash)
{
   if (!folder || !*folder)
      return false;
   const int length = snprintf(path, MAX_PATH_BYTES, "%s/%016llx.spv", folder, (unsigned long long)hash.lo);
   return length > 0 && length < MAX_PATH_BYTES;
}

void icd_shader_folder_dump(struct util_hash hash, const uint32_t *words, size_t size_bytes)
{
   char path[MAX_PATH_BYTES];
   if (!path_of(path, util_env("VK_SWRAST_SHADER_DUMP"), hash))
      return;
   FILE *file = util_create_private(path);
   const bool is_written = file && fwrite(words, 1, size_bytes, file) == size_bytes;
   const bool is_closed = file && fclose(file) == 0;
   if (!is_written || !is_closed)
      util_log("VK_SWRAST_SHADER_DUMP: %s cannot be written", path);
}

/* NULL: it is no module by its size, or memory or the disk fail. */
static uint32_t *read_words(FILE *file, size_t *size_bytes)
{
   if (fseek(file, 0, SEEK_END) != 0)
      return NULL;
   const long size = ftell(file);
   if (size <= 0 || size > MAX_FILE_BYTES || size % (long)sizeof(uint32_t) || fseek(file, 0, SEEK_SET) != 0)
      return NULL;
   uint32_t *words = util_malloc((size_t)size);
   if (words && fread(words, 1, (size_t)size, file) != (size_t)size) {
      util_mfree(words);
      return NULL;
   }
   *size_bytes = (size_t)size;
   return words;
}

uint32_t *icd_shader_folder_replacement(struct util_hash hash, size_t *size_bytes)
{
   char path[MAX_PATH_BYTES];
   if (!path_of(path, util_env("VK_SWRAST_SHADER_REPLACE"), hash))
      return NULL;
   FILE *file = fopen(path, "rbe");
   if (!file && errno == ENOENT)
      return NULL;
   uint32_t *words = file ? read_words(file, size_bytes) : NULL;
   if (file)
      fclose(file);
   if (words)
      util_log("VK_SWRAST_SHADER_REPLACE: %s is taken", path);
   else
      util_log("VK_SWRAST_SHADER_REPLACE: %s is no module that can be read", path);
   return words;
}
