/* SPDX-License-Identifier: MIT
 * Tests of code generation: IR text is compiled for each vector width and each level that the machine has, loaded, run, and the
 * storage buffers compared. */
#pragma once

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/passes.h"
#include "compiler/llvm/codegen.h"
#include "tests/test.h"
#include "util/cpu.h"

#include <stdlib.h>

enum { CG_RUN_BUFFERS = 4, CG_RUN_WORDS = 4096 };

struct cg_run {
   uint32_t lanes, level;
   uint32_t workgroups[3];
   uint32_t buffer_words[CG_RUN_BUFFERS]; /* 0: CG_RUN_WORDS */
   uint32_t (*buffers)[CG_RUN_WORDS + 64];
   uint32_t push[64];
   uint32_t cancel;
   const struct abi_image *image;      /* binding 3 */
   const struct abi_helpers *helpers;  /* NULL: nothing is called */
};

/* Compiles; NULL with a failed check if that does not work. The result is freed with free(). `texts`: of comp_shader_desc. */
static inline struct comp_binary *cg_run_binary(const char *text, uint32_t lanes, uint32_t level, char **texts)
{
   static const struct comp_binding bindings[] = {
      {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 0},
      {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 16},
      {.binding = 2, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 2, .offset_bytes = 32},
      {.binding = 3, .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .count = 1, .offset_bytes = 64},
   };
   static const struct comp_layout layout = {.sets[0] = {bindings, 4}, .num_sets = 1};
   const bool has_gathers = lanes == 32 || (lanes == 16 && level == UTIL_CPU_V3); /* both forms */
   const struct comp_shader_desc desc = {.layout = &layout, .target = {.lanes = lanes, .level = level, .has_gathers = has_gathers}, .texts = texts};
   struct util_arena arena;
   jmp_buf oom;
   const char *error = NULL;
   char *message = NULL;
   struct cg_object object = {0};
   struct comp_binary *volatile binary = NULL;
   volatile VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   util_arena_init(&arena, 0);
   arena.on_oom = &oom;
   if (!setjmp(oom)) {
      struct ir_shader *ir = ir_parse(&arena, text, &error);
      if (ir)
         error = ir_validate(ir, &arena);
      if (ir && !error) {
         ir_expand_copies(ir);
         ir_outline(ir);
         ir_lower_math(ir);
         ir_shader_renumber(ir);
         ir_choose_lanes(ir, lanes);
         ir_analyze_divergence(ir);
         ir_analyze_likely_runs(ir);
         ir_analyze_ranges(ir);
         ir_analyze_numbers(ir);
         ir_outline_copies(ir);
         ir_outline_accesses(ir);
         for (uint32_t i = 0; i < ir->num_routines; i++) {
            ir->routines[i].code->info.lanes = ir->info.lanes;
            ir_analyze_divergence(ir->routines[i].code);
            ir_analyze_ranges(ir->routines[i].code);
            ir_analyze_numbers(ir->routines[i].code);
         }
         ir_analyze_polls(ir);
         ir_analyze_summary(ir);
         result = cg_compile_ir(ir, &desc, &object, &message);
      }
      if (result == VK_SUCCESS) {
         const size_t offset = util_align(sizeof(struct comp_binary), 16);
         binary = calloc(1, offset + object.size_bytes);
         binary->info = ir->info;
         binary->object_offset = (uint32_t)offset;
         binary->object_bytes = (uint32_t)object.size_bytes;
         memcpy((char *)binary + offset, object.bytes, object.size_bytes);
      }
   }
   if (result != VK_SUCCESS) {
      fprintf(stderr, "%s\nlanes %u, level %u: %s\n", text, lanes, level, error ? error : message ? message : "out of memory");
      test_fail(__FILE__, __LINE__, "the shader does not compile");
   }
   free(message);
   util_mfree(object.bytes);
   util_arena_finish(&arena);
   return binary;
}

/* Compiles and loads; NULL with a failed check if that does not work. */
static inline struct comp_code *cg_run_compile(const char *text, uint32_t lanes, uint32_t level, struct comp_code *code)
{
   struct comp_binary *binary = cg_run_binary(text, lanes, level, NULL);
   const bool is_loaded = binary && comp_code_load(binary, code) == VK_SUCCESS;
   if (binary && !is_loaded)
      test_fail(__FILE__, __LINE__, "the object cannot be loaded");
   free(binary);
   return is_loaded ? code : NULL;
}

/* Runs what is compiled. */
static inline void cg_run_code(const struct comp_code *code, struct cg_run *run)
{
   struct abi_set sets[ABI_MAX_SETS] = {0};
   const struct abi_resources resources = {sets, (const uint8_t *)run->push};
   struct {
      struct abi_set_head head;
      union abi_descriptor at[CG_RUN_BUFFERS + 1];
   } set = {0};
   for (uint32_t i = 0; i < CG_RUN_BUFFERS; i++) {
      set.at[i].buffer.data = (uint8_t *)run->buffers[i];
      set.at[i].buffer.size_bytes = (run->buffer_words[i] ? run->buffer_words[i] : CG_RUN_WORDS) * 4;
   }
   set.at[CG_RUN_BUFFERS].image.image = run->image;
   sets[0].data = (const uint8_t *)set.at;
   static const struct abi_helpers nothing;
   struct abi_worker worker = {.helpers = run->helpers ? run->helpers : &nothing, .cancel = &run->cancel};
   worker.shared = util_malloc64(util_align(code->info.shared_bytes + 64, 64));
   worker.frame = util_malloc64(util_align(code->info.frame_bytes + 64, 64));
   memset(worker.frame, 0x5a, code->info.frame_bytes + 64);
   const struct abi_compute_args args = {.resources = &resources, .num_workgroups = {run->workgroups[0], run->workgroups[1], run->workgroups[2]}};
   for (uint32_t z = 0; z < run->workgroups[2]; z++) {
      for (uint32_t y = 0; y < run->workgroups[1]; y++)
         code->run.compute(&args, &worker, 0, y, z, run->workgroups[0]);
   }
   for (uint32_t i = 0; i < 64; i++) { /* nothing is written behind the frame */
      if (worker.frame[code->info.frame_bytes + i] != 0x5a) {
         test_fail(__FILE__, __LINE__, "written behind the frame");
         break;
      }
   }
   util_mfree(worker.shared);
   util_mfree(worker.frame);
}

static inline void cg_run_once(const char *text, struct cg_run *run)
{
   struct comp_code code;
   if (!cg_run_compile(text, run->lanes, run->level, &code))
      return;
   cg_run_code(&code, run);
   comp_code_unload(&code);
}

typedef void cg_run_setup(struct cg_run *run);
typedef void cg_run_expect(const struct cg_run *run, uint32_t (*expected)[CG_RUN_WORDS + 64]);

/* Runs `text` in all forms. `setup` fills run->buffers and what else differs from one workgroup; `expect` turns a copy of the buffers as
 * they were into what they must be. */
static inline void cg_run_all(const char *text, cg_run_setup *setup, cg_run_expect *expect, const char *file, int line)
{
   static uint32_t buffers[CG_RUN_BUFFERS][CG_RUN_WORDS + 64], expected[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   for (uint32_t level = 1; level <= util_cpu_level(); level++) {
      for (uint32_t lanes = 4; lanes <= 32; lanes *= 2) {
         struct cg_run run = {.lanes = lanes, .level = level, .workgroups = {1, 1, 1}, .buffers = buffers};
         memset(buffers, 0, sizeof(buffers));
         setup(&run);
         memcpy(expected, buffers, sizeof(expected));
         expect(&run, expected);
         cg_run_once(text, &run);
         for (uint32_t i = 0; i < CG_RUN_BUFFERS; i++) {
            for (uint32_t w = 0; w < CG_RUN_WORDS + 64; w++) {
               if (buffers[i][w] == expected[i][w])
                  continue;
               char problem[160];
               snprintf(problem, sizeof(problem), "lanes %u, level %u: buffer %u word %u is 0x%x, not 0x%x", lanes, level, i, w,
                        buffers[i][w], expected[i][w]);
               test_fail(file, line, problem);
               w = CG_RUN_WORDS + 64;
            }
         }
      }
   }
}

#define CG_RUN(text, setup, expect) cg_run_all(text, setup, expect, __FILE__, __LINE__)

/* The start of most shaders: %0 zero, %1 four, buffer 0 at %2 of size %3, buffer 1 at %4 of size %5, %10 global index, %11 its byte
 * offset; one dimension. */
#define CG_HEAD(local_size, more)                                                                                      \
   "shader compute\nlocal_size " #local_size " 1 1\n" more "{\n"                                                       \
   "%0 = const 1x32 0\n%1 = const 1x32 4\n"                                                                            \
   "%2 = buffer_addr 1x64 %0 set=0 binding=0\n%3 = buffer_size 1x32 %0 set=0 binding=0\n"                              \
   "%4 = buffer_addr 1x64 %0 set=0 binding=1\n%5 = buffer_size 1x32 %0 set=0 binding=1\n"                              \
   "%6 = sysval 3x32 sysval=workgroup_id\n%7 = extract 1x32 %6 index=0\n%8 = const 1x32 " #local_size "\n"             \
   "%9 = imul 1x32 %7, %8\n%90 = sysval 3x32 sysval=local_id\n%91 = extract 1x32 %90 index=0\n"                        \
   "%10 = iadd 1x32 %9, %91\n%11 = imul 1x32 %10, %1\n"
#define CG_LOAD(result, addr, size, offset) #result " = load_buffer 1x32 " #addr ", " #size ", " #offset " access=0 align=4\n"
#define CG_STORE(offset, value) "store_buffer %2, %3, " #offset ", " #value " access=0 align=4 mask=1\n"
