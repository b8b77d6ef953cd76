/* SPDX-License-Identifier: MIT
 * LLVM's end of a compile: the short list of LLVM's passes, which machine makes the code, texts of what was made. */
#include "compiler/llvm/cg.h"
#include "compiler/llvm/cg_target.h"
#include "util/debug.h"
#include "util/thread.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_module(struct cg *cg, const char *when)
{
   char *text = LLVMPrintModuleToString(cg->module);
   util_log("LLVM IR %s", when);
   fputs(text, stderr);
   LLVMDisposeMessage(text);
}

/* The code as assembly, malloc'ed; NULL if LLVM has none. */
static char *assembly_text(struct cg *cg)
{
   LLVMModuleRef copy = LLVMCloneModule(cg->module);
   LLVMMemoryBufferRef buffer = NULL;
   char *text = NULL, *problem = NULL;
   if (!LLVMTargetMachineEmitToMemoryBuffer(cg->machine, copy, LLVMAssemblyFile, &problem, &buffer)) {
      text = strndup(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
      LLVMDisposeMemoryBuffer(buffer);
   } else {
      LLVMDisposeMessage(problem);
   }
   LLVMDisposeModule(copy);
   return text;
}

static void print_assembly(struct cg *cg)
{
   char *text = assembly_text(cg);
   util_log("assembly");
   fputs(text ? text : "", stderr);
   free(text);
}

static void keep_texts(struct cg *cg)
{
   char *text = LLVMPrintModuleToString(cg->module);
   cg->texts[COMP_TEXT_LLVM] = strdup(text);
   cg->texts[COMP_TEXT_ASSEMBLY] = assembly_text(cg);
   LLVMDisposeMessage(text);
}

static void run_passes(struct cg *cg)
{
   const char *passes = util_debug(UTIL_DEBUG_NOOPT) ? "mem2reg" : "sroa,simplifycfg,dce";
   LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
   LLVMErrorRef error = LLVMRunPasses(cg->module, passes, cg->machine, options);
   LLVMDisposePassBuilderOptions(options);
   if (error) {
      char *text = LLVMGetErrorMessage(error);
      char copy[256];
      snprintf(copy, sizeof(copy), "%s", text);
      LLVMDisposeErrorMessage(text);
      cg_fail(cg, "LLVM passes: %s", copy);
   }
}

static void verify(struct cg *cg)
{
   char *problem = NULL;
   if (!util_debug(UTIL_DEBUG_CHECK))
      return;
   const bool broken = LLVMVerifyModule(cg->module, LLVMReturnStatusAction, &problem);
   char copy[400];
   snprintf(copy, sizeof(copy), "%s", problem ? problem : "");
   LLVMDisposeMessage(problem);
   if (broken) {
      print_module(cg, "that is malformed");
      cg_fail(cg, "malformed LLVM IR: %s", copy);
   }
}

static uint64_t report(const char *what, uint64_t since_ns)
{
   const uint64_t now_ns = util_now_ns();
   if (util_debug(UTIL_DEBUG_TIME))
      util_log("%8.3f ms %s", (double)(now_ns - since_ns) * 1e-6, what);
   return util_now_ns();
}

/* A function that would take too long gets a machine that leaves optimisations out. The same bits come out of both. */
static void bound_time(struct cg *cg)
{
   cg_split_blocks(cg, false);
   if (!cg_is_large(cg)) {
      cg_keep_blocks_apart(cg);
      return;
   }
   cg_split_blocks(cg, true);
   LLVMTargetMachineRef quick = cg_target_machine(&cg->target, true);
   if (!quick)
      cg_fail(cg, "LLVM could not be set up for %s", cg_target.name);
   cg_release_machine(cg->machine, &cg->target, false);
   cg->machine = quick;
   cg->is_quick = true;
   cg_cut_into_groups(cg);
   verify(cg);
}

void cg_finish_module(struct cg *cg, struct cg_object *object)
{
   uint64_t time_ns = util_now_ns();
   LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(cg->machine);
   char *data_layout = LLVMCopyStringRepOfTargetData(layout);
   LLVMSetDataLayout(cg->module, data_layout);
   LLVMDisposeMessage(data_layout);
   LLVMDisposeTargetData(layout);
   verify(cg);
   run_passes(cg);
   bound_time(cg);
   time_ns = report("LLVM passes", time_ns);
   if (util_debug(UTIL_DEBUG_LLVM))
      print_module(cg, "after passes");
   if (util_debug(UTIL_DEBUG_ASM))
      print_assembly(cg);
   if (cg->texts)
      keep_texts(cg);

   time_ns = util_now_ns();
   cg_emit_object(cg, object);
   report(cg->is_quick ? "LLVM code generation by the quick machine" : "LLVM code generation", time_ns);
}
