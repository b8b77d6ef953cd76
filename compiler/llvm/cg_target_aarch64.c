/* SPDX-License-Identifier: MIT
 * Code for AArch64, any processor with NEON. A vector of more than four lanes is several registers. */
#include "compiler/llvm/cg_target.h"

#include <llvm-c/Target.h>

#include <stddef.h>

static void initialize(void)
{
   LLVMInitializeAArch64TargetInfo();
   LLVMInitializeAArch64Target();
   LLVMInitializeAArch64TargetMC();
   LLVMInitializeAArch64AsmPrinter();
}

static const char *cpu(enum util_cpu_level level)
{
   return "generic";
}

static const char *features(enum util_cpu_level level)
{
   return "";
}

/* The orders that follow the pressure on registers, list-ilp and list-hybrid, crash in LLVM 22. */
static const char *scheduler(enum util_cpu_level level)
{
   return "-pre-RA-sched=list-burr";
}

static uint32_t permuted_words(enum util_cpu_level level, uint32_t lanes)
{
   return 0;
}

/* Quick machines select instructions as the others do. */
static const char *const options[] = {"-aarch64-enable-global-isel-at-O=-1", NULL};

const struct cg_target cg_target = {
   .name = "AArch64",
   .triple = "aarch64-unknown-linux-gnu",
   .clock = "llvm.readsteadycounter", /* the counter of cycles is the system's */
   .max_level = UTIL_CPU_V3,
   .keeps_order = false,
   .permuted_words = permuted_words,
   .options = options,
   .scheduler = scheduler,
   .initialize = initialize,
   .cpu = cpu,
   .features = features,
};
