/* SPDX-License-Identifier: MIT
 * A fuzzer without its engine: each file of the command line once, in their order. Of folders all files. */
#include "tests/fuzz/input.h"
#include "tests/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_FILE_S = 60 };

static uint32_t num_files;

static void replay_file(const char *path)
{
   static uint8_t bytes[1 << 20];
   FILE *file = fopen(path, "rb");
   if (!file) {
      perror(path);
      exit(1);
   }
   const size_t size = fread(bytes, 1, sizeof(bytes), file);
   fclose(file);
   /* In memory of its exact size, so that a sanitizer sees what is read beyond. */
   uint8_t *copy = malloc(size + !size);
   if (!copy)
      exit(1);
   memcpy(copy, bytes, size);
   fprintf(stderr, "%s\n", path);
   test_limit_time(MAX_FILE_S);
   (void)LLVMFuzzerTestOneInput(copy, size);
   test_limit_time(0);
   free(copy);
   num_files++;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
   return strcmp((*a)->d_name, (*b)->d_name);
}

static void replay(const char *path)
{
   struct dirent **entries;
   const int count = scandir(path, &entries, NULL, compare);
   if (count < 0) {
      replay_file(path);
      return;
   }
   for (int i = 0; i < count; i++) {
      char name[4096];
      snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
      if (entries[i]->d_name[0] != '.')
         replay_file(name);
      free(entries[i]);
   }
   free(entries);
}

int main(int argc, char **argv)
{
   LLVMFuzzerInitialize(&argc, &argv);
   for (int i = 1; i < argc; i++)
      replay(argv[i]);
   printf("%u passed, %u failed\n", num_files, num_files ? 0 : 1);
   return num_files ? 0 : 1;
}
