/* SPDX-License-Identifier: MIT
 * Code for x86-64. */
#include "compiler/llvm/cg_target.h"

#include "util/macros.h"

#include <llvm-c/Target.h>

static void initialize(void)
{
   LLVMInitializeX86TargetInfo();
   LLVMInitializeX86Target();
   LLVMInitializeX86TargetMC();
   LLVMInitializeX86AsmPrinter();
}

static const char *cpu(enum util_cpu_level level)
{
   static const char *const names[] = {"x86-64", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
   return names[UTIL_MIN((uint32_t)level, UTIL_ARRAY_SIZE(names) - 1)];
}

static const char *features(enum util_cpu_level level)
{
   static const char *const texts[] = {[UTIL_CPU_V4] = "-prefer-256-bit", [UTIL_CPU_V4_VNNI] = "-prefer-256-bit,+avx512vnni",
                                       [UTIL_CPU_V4_FP16] = "-prefer-256-bit,+avx512vnni,+avx512fp16"};
   return level < UTIL_CPU_V4 ? "+fast-gather" : texts[UTIL_MIN(level, UTIL_CPU_V4_FP16)];
}

static const char *scheduler(enum util_cpu_level level)
{
   return level >= UTIL_CPU_V4 ? "-pre-RA-sched=list-burr" : "-pre-RA-sched=list-ilp";
}

static uint32_t permuted_words(enum util_cpu_level level, uint32_t lanes)
{
   if (level >= UTIL_CPU_V4 && lanes >= 16)
      return 16;
   return level >= UTIL_CPU_V3 && lanes >= 8 ? 8 : 0;
}

static const char *dot_halves(uint32_t halves)
{
   switch (halves) {
   case 8: return "llvm.x86.sse2.pmadd.wd";
   case 16: return "llvm.x86.avx2.pmadd.wd";
   case 32: return "llvm.x86.avx512.pmaddw.d.512";
   default: return NULL;
   }
}

static const char *dot_bytes(enum util_cpu_level level, uint32_t words)
{
   if (level < UTIL_CPU_V4_VNNI)
      return NULL;
   switch (words) {
   case 4: return "llvm.x86.avx512.vpdpbusd.128";
   case 8: return "llvm.x86.avx512.vpdpbusd.256";
   case 16: return "llvm.x86.avx512.vpdpbusd.512";
   default: return NULL;
   }
}

/* These change nothing in the corpus, but each costs a walk. */
static const char *const options[] = {"-x86-machine-combiner=false", "-disable-x86-domain-reassignment", "-disable-x86-lea-opt", NULL};

const struct cg_target cg_target = {
   .name = "x86-64",
   .triple = "x86_64-unknown-linux-gnu",
   .clock = "llvm.readcyclecounter",
   .max_level = UTIL_CPU_V4_FP16,
   .keeps_order = true,
   .permuted_words = permuted_words,
   .dot_halves = dot_halves,
   .dot_bytes = dot_bytes,
   .options = options,
   .scheduler = scheduler,
   .initialize = initialize,
   .cpu = cpu,
   .features = features,
};
