/* SPDX-License-Identifier: MIT
 * What differs between the families of processors that code is made for. A file each, of which the build takes that of the machine:
 * cg_target_x86.c, cg_target_aarch64.c. */
#pragma once

#include "util/cpu.h"

#include <stdbool.h>
#include <stdint.h>

struct cg_target {
   const char *name;   /* in messages */
   const char *triple;
   const char *clock;  /* LLVM's intrinsic that reads util_cpu_has_common_clock()'s counter */
   enum util_cpu_level max_level; /* of code: what is above does not exist in the family */
   /* Other threads see loads in the order of the program, and stores: only LLVM has to be kept from changing it. */
   bool keeps_order;
   /* Words whose order one instruction changes by a register of indices, for the code of a vector of so many lanes; 0: there is no such. */
   uint32_t (*permuted_words)(enum util_cpu_level level, uint32_t lanes);
   /* LLVM's intrinsic that multiplies so many signed halves and adds the products in pairs; NULL, or a result that is NULL: there is no such. */
   const char *(*dot_halves)(uint32_t halves);
   /* The one that adds to each of so many words the products of four unsigned bytes by four signed ones; NULL likewise. */
   const char *(*dot_bytes)(enum util_cpu_level level, uint32_t words);
   const char *const *options; /* for LLVM's passes, ended by NULL */
   /* The option of LLVM's order of instructions. With 32 registers the best is one that needs few of them; with 16, values move to memory anyway. */
   const char *(*scheduler)(enum util_cpu_level level);
   void (*initialize)(void);   /* LLVM's parts */
   const char *(*cpu)(enum util_cpu_level level);      /* in LLVM's words */
   const char *(*features)(enum util_cpu_level level); /* in LLVM's words */
};

extern const struct cg_target cg_target;
