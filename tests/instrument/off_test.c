/* SPDX-License-Identifier: MIT
 * Without checks the corpus compiles to code in which there is nothing of the instrument: no probe, no site, no call for a workgroup or a barrier, the
 * same bytes before and after other code was instrumented. With `hashes` it prints what two builds are compared by. */
#include "abi/probe.h"
#include "compiler/compiler.h"
#include "tests/corpus/corpus.h"
#include "tests/test.h"
#include "util/cpu.h"

#include <stdlib.h>
#include <string.h>

static bool prints_hashes;

struct code {
   struct util_hash hash; /* of the object */
   uint32_t bytes;
   bool has_probes;       /* in the IR */
   bool has_sites;        /* in what LLVM gets */
};

static struct code compile(const struct corpus_shader *shader, uint32_t checks)
{
   static const struct comp_binding bindings[] = {
      {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 0},
      {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 16},
      {.binding = 2, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 32},
   };
   static const struct comp_layout layout = {.sets[0] = {bindings, 3}, .num_sets = 1};
   const struct comp_library *library = comp_library();
   struct code code = {0};
   struct comp_binary *binary = NULL;
   char *message = NULL, *texts[COMP_NUM_TEXTS] = {NULL};
   CHECK(library != NULL);
   if (!library)
      return code;
   const struct comp_shader_desc desc = {.words = shader->words, .num_words = shader->size_bytes / 4, .stage = ABI_STAGE_COMPUTE, .entry_point = "main",
                                         .layout = &layout, .target = {.lanes = 16, .level = UTIL_CPU_V4, .max_lanes = 32}, .checks = checks,
                                         .texts = texts};
   if (library->compile(&desc, &binary, &message) != VK_SUCCESS)
      test_fail(__FILE__, __LINE__, message ? message : shader->name);
   if (binary) {
      code.hash = util_hash_bytes((const char *)binary + binary->object_offset, binary->object_bytes);
      code.bytes = binary->object_bytes;
   }
   code.has_probes = texts[COMP_TEXT_IR] && strstr(texts[COMP_TEXT_IR], "probe");
   code.has_sites = texts[COMP_TEXT_LLVM] && (strstr(texts[COMP_TEXT_LLVM], "@site") || strstr(texts[COMP_TEXT_LLVM], "%workgroup = alloca"));
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
      free(texts[i]);
   free(message);
   util_mfree(binary);
   return code;
}

TEST(off)
{
   const uint32_t all = ABI_CHECK_BOUNDS | ABI_CHECK_NUMBERS | ABI_CHECK_BARRIER | ABI_CHECK_RACE | ABI_CHECK_UNINIT | ABI_CHECK_SYNC;
   const uint32_t step = prints_hashes ? 1 : 8;
   for (uint32_t i = 0; i < corpus_num_shaders; i += step) {
      const struct corpus_shader *shader = &corpus_shaders[i];
      const struct code off = compile(shader, 0);
      CHECK(off.bytes && !off.has_probes && !off.has_sites);
      if (prints_hashes) {
         printf("%s %u %016llx%016llx\n", shader->name, off.bytes, (unsigned long long)off.hash.hi, (unsigned long long)off.hash.lo);
         continue;
      }
      const struct code on = compile(shader, all), again = compile(shader, 0);
      CHECK(on.has_probes && on.has_sites && on.bytes > off.bytes);
      CHECK(again.bytes == off.bytes && !memcmp(&again.hash, &off.hash, sizeof(off.hash)));
   }
}

int main(int argc, char **argv)
{
   prints_hashes = argc > 1 && !strcmp(argv[1], "hashes");
   return test_run_all(1, argv);
}
