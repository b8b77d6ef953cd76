/* SPDX-License-Identifier: MIT
 * Compiles shaders with the compiler that VK_SWRAST_COMPILER names, and prints a hash of all that comes out: a run whose profile shows
 * where the compiler's code is hot, and the proof that two builds of it generate the same code.
 *
 *    train NAME.STAGE.spv...      STAGE: comp, vert or frag
 *
 * Compute shaders have three storage buffers, others a sampled image. Nothing is executed: the machine need not know the instructions. */
#include "compiler/compiler.h"
#include "util/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct comp_binding buffers[] = {
   {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 0},
   {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 16},
   {.binding = 2, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 32},
};
static const struct comp_binding texture = {.binding = 0, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .count = 1};
static const struct comp_layout compute_layout = {.sets[0] = {buffers, UTIL_ARRAY_SIZE(buffers)}, .num_sets = 1, .push_bytes = 128};
static const struct comp_layout graphics_layout = {.sets[0] = {&texture, 1}, .num_sets = 1, .push_bytes = 128};

static _Noreturn void die(const char *path, const char *problem)
{
   fprintf(stderr, "train: %s: %s\n", path, problem);
   exit(1);
}

/* The words of a file, to be freed with free(). */
static uint32_t *read_words(const char *path, size_t *num_words)
{
   FILE *file = fopen(path, "rb");
   if (!file || fseek(file, 0, SEEK_END))
      die(path, "cannot be read");
   const long size = ftell(file);
   uint32_t *words = size > 0 ? malloc((size_t)size) : NULL;
   rewind(file);
   if (!words || fread(words, 1, (size_t)size, file) != (size_t)size)
      die(path, "cannot be read");
   fclose(file);
   *num_words = (size_t)size / 4;
   return words;
}

static enum abi_stage stage_of(const char *path)
{
   static const char *const suffixes[ABI_NUM_STAGES] = {
      [ABI_STAGE_VERTEX] = ".vert.",
      [ABI_STAGE_CONTROL] = ".tesc.",
      [ABI_STAGE_EVALUATION] = ".tese.",
      [ABI_STAGE_GEOMETRY] = ".geom.",
      [ABI_STAGE_TASK] = ".task.",
      [ABI_STAGE_MESH] = ".mesh.",
      [ABI_STAGE_FRAGMENT] = ".frag.",
      [ABI_STAGE_COMPUTE] = ".comp.",
      [ABI_STAGE_RAYGEN] = ".rgen.",
      [ABI_STAGE_ANY_HIT] = ".rahit.",
      [ABI_STAGE_CLOSEST_HIT] = ".rchit.",
      [ABI_STAGE_MISS] = ".rmiss.",
      [ABI_STAGE_INTERSECTION] = ".rint.",
      [ABI_STAGE_CALLABLE] = ".rcall.",
   };
   uint32_t stage = 0;
   while (stage < ABI_NUM_STAGES && !strstr(path, suffixes[stage]))
      stage++;
   if (stage == ABI_NUM_STAGES)
      die(path, "its name does not say the stage");
   return (enum abi_stage)stage;
}

static struct util_hash compile(struct util_hash hash, const char *path, const struct comp_target *target)
{
   char *message = NULL;
   size_t num_words, instruction;
   struct comp_binary *binary = NULL;
   uint32_t *words = read_words(path, &num_words);
   const enum abi_stage stage = stage_of(path);
   const struct comp_shader_desc desc = {
      .words = words, .num_words = num_words, .module_hash = util_hash_bytes(words, num_words * 4), .stage = stage, .entry_point = "main",
      .layout = stage == ABI_STAGE_COMPUTE ? &compute_layout : &graphics_layout, .target = *target,
   };
   const struct comp_library *library = comp_library();
   if (!library)
      die(path, "the compiler cannot be loaded");
   if (!library->validate(words, num_words, VK_API_VERSION_1_3, 0, &message, &instruction) ||
       library->compile(&desc, &binary, &message) != VK_SUCCESS)
      die(path, message ? message : "does not compile");
   hash = util_hash_more(hash, binary, binary->total_bytes);
   util_mfree(binary);
   free(words);
   return hash;
}

int main(int argc, char **argv)
{
   static const struct comp_target targets[] = {{.lanes = 16, .level = UTIL_CPU_V4, .max_lanes = 32}, {.lanes = 8, .level = UTIL_CPU_V3, .max_lanes = 16}};
   struct util_hash hash = {0};
   for (int i = 1; i < argc; i++)
      for (uint32_t t = 0; t < UTIL_ARRAY_SIZE(targets); t++)
         hash = compile(hash, argv[i], &targets[t]);
   printf("%016llx%016llx\n", (unsigned long long)hash.hi, (unsigned long long)hash.lo);
   return 0;
}
