/* SPDX-License-Identifier: MIT
 * LLVM itself: set-up of the library, target machines, its errors, attributes of functions.
 * Threads: LLVM is set up once; everything else belongs to one compile. */
#include "compiler/llvm/cg.h"
#include "compiler/llvm/cg_target.h"
#include "compiler/no_memory.h"
#include "util/debug.h"
#include "util/thread.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
   MAX_IDLE_MACHINES = 8,
   /* Of the compiled function, on a stack of UTIL_STACK_BYTES: values that find no register. Nothing probes the pages of a frame, so that a larger one
    * would pass over the guard behind the stack. */
   MAX_STACK_BYTES = 6 << 20,
   MAX_RAY_STACK_BYTES = 512 << 10, /* of shaders that call each other: runtime/rays/launch.c */
};

static uint32_t max_stack_bytes(const struct cg *cg)
{
   const uint32_t stage = cg->ir->info.stage;
   return stage >= ABI_STAGE_RAYGEN && stage <= ABI_STAGE_CALLABLE ? MAX_RAY_STACK_BYTES : MAX_STACK_BYTES;
}

static pthread_once_t setup_once = PTHREAD_ONCE_INIT;
static LLVMTargetRef target;
static char *setup_problem;

/* Making a target machine costs more than compiling a small shader: idle ones are kept. */
static pthread_mutex_t machines_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
   LLVMTargetMachineRef machine;
   uint32_t level;
   bool is_quick;
} idle_machines[MAX_IDLE_MACHINES]; /* under machines_lock */
static uint32_t num_idle_machines;  /* under machines_lock */
static __thread struct cg *compiling; /* on this thread: who hears of fatal errors */

/* LLVM would end the process: the compile ends instead, and its context is lost. */
static void on_fatal_error(const char *reason)
{
   struct cg *cg = compiling;
   if (!cg)
      return;
   cg->is_lost = true;
   cg_fail(cg, "LLVM: %s", reason);
}

/* Of memory that LLVM asks malloc() for. */
extern void install_bad_alloc_error_handler(void (*handler)(void *data, const char *reason, bool with_crash_report), void *data)
   __asm__("_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");

static void on_bad_alloc(void *data, const char *reason, bool with_crash_report)
{
   comp_no_memory();
}

/* Errors that LLVM only notes, and would end the process for if nobody listened, and its warning of a large frame. cg_finish_module() fails
 * then. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
   struct cg *cg = data;
   const LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
   if (cg->diagnostic || (severity != LLVMDSError && severity != LLVMDSWarning))
      return;
   char *text = LLVMGetDiagInfoDescription(info);
   if (severity == LLVMDSError)
      cg->diagnostic = util_arena_printf(cg->arena, "LLVM: %.400s", text);
   else if (strstr(text, "stack frame size"))
      cg->diagnostic = util_arena_printf(cg->arena, "its values need more than %u KiB of a thread's stack", max_stack_bytes(cg) >> 10);
   LLVMDisposeMessage(text);
}

static void set_up_llvm(void)
{
   /* Passes that take up to a half of a compile and find little in what we emit: strides are explicit, equal expressions are one value and
    * what does not change has left the loops before the selection of instructions. */
   static const char *const common[] = {
      "vk_swrast", "-disable-lsr", "-disable-machine-cse", "-disable-machine-sink", "-disable-machine-licm", "-disable-postra-machine-licm",
      "-disable-copyprop", "-disable-constant-hoisting", "-disable-early-ifcvt",
      "-enable-misched=false", /* one scheduler of two */
      /* These change nothing in the corpus, but each costs a walk, or only its entry in the list of passes. */
      "-disable-machine-dce", "-disable-partial-libcall-inlining", "-disable-replace-with-vec-lib", "-enable-shrink-wrap=false", "-disable-postra-machine-sink",
      "-disable-tail-duplicate", "-disable-mergeicmps", "-disable-early-taildup",
      /* Of quick machines: the same selection of instructions as of the others. */
      "-fast-isel=false",
   };
   const char *options[UTIL_ARRAY_SIZE(common) + 16];
   uint32_t count = UTIL_ARRAY_SIZE(common);
   memcpy(options, common, sizeof(common));
   options[count++] = cg_target.scheduler(util_cpu_level());
   for (const char *const *option = cg_target.options; *option && count < UTIL_ARRAY_SIZE(options); option++)
      options[count++] = *option;
   LLVMParseCommandLineOptions((int)count, options, NULL);
   LLVMInstallFatalErrorHandler(on_fatal_error);
   install_bad_alloc_error_handler(on_bad_alloc, NULL);
   cg_target.initialize();
   if (LLVMGetTargetFromTriple(cg_target.triple, &target, &setup_problem))
      target = NULL;
}

/* Once for good: without the memory for it nothing can be compiled in this process. */
static void setup(void)
{
   jmp_buf no_memory;
   jmp_buf *const outer = comp_guard_memory(&no_memory);
   if (!setjmp(no_memory))
      set_up_llvm();
   else
      target = NULL;
   comp_guard_memory(outer);
}

/* From here on errors within LLVM on this thread end this compile. */
static void listen(struct cg *cg)
{
   LLVMContextSetDiagnosticHandler(cg->context, on_diagnostic, cg);
   compiling = cg;
}

static LLVMTargetMachineRef take_idle(uint32_t level, bool is_quick)
{
   LLVMTargetMachineRef machine = NULL;
   pthread_mutex_lock(&machines_lock);
   for (uint32_t i = 0; i < num_idle_machines && !machine; i++) {
      if (idle_machines[i].level == level && idle_machines[i].is_quick == is_quick) {
         machine = idle_machines[i].machine;
         idle_machines[i] = idle_machines[--num_idle_machines];
      }
   }
   pthread_mutex_unlock(&machines_lock);
   return machine;
}

LLVMTargetMachineRef cg_target_machine(const struct comp_target *comp, bool is_quick)
{
   pthread_once(&setup_once, setup);
   LLVMTargetMachineRef machine = take_idle(comp->level, is_quick);
   if (machine || !target)
      return machine;
   return LLVMCreateTargetMachine(target, cg_target.triple, cg_target.cpu(comp->level), cg_target.features(comp->level),
                                  is_quick ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
}

void cg_release_machine(LLVMTargetMachineRef machine, const struct comp_target *comp, bool is_quick)
{
   bool is_kept = false;
   pthread_mutex_lock(&machines_lock);
   if (num_idle_machines < MAX_IDLE_MACHINES) {
      idle_machines[num_idle_machines].machine = machine;
      idle_machines[num_idle_machines].is_quick = is_quick;
      idle_machines[num_idle_machines++].level = comp->level;
      is_kept = true;
   }
   pthread_mutex_unlock(&machines_lock);
   if (!is_kept)
      LLVMDisposeTargetMachine(machine);
}

/* With `is_lost` LLVM stopped somewhere within and nothing of it can be used again. */
static void release(struct cg *cg)
{
   if (cg->is_lost || !cg->machine)
      return;
   if (cg->buffer)
      LLVMDisposeMemoryBuffer(cg->buffer);
   if (cg->b)
      LLVMDisposeBuilder(cg->b);
   if (cg->module)
      LLVMDisposeModule(cg->module);
   LLVMContextDispose(cg->context);
   cg_release_machine(cg->machine, &cg->target, cg->is_quick);
}

void cg_begin(struct cg *cg, bool is_quick)
{
   cg->machine = cg_target_machine(&cg->target, is_quick);
   if (!cg->machine)
      cg_fail(cg, "LLVM could not be set up for %s", cg_target.name);
   cg->is_quick = is_quick;
   cg->context = LLVMContextCreate();
   LLVMContextSetDiscardValueNames(cg->context, !cg->texts && !util_debug(UTIL_DEBUG_LLVM | UTIL_DEBUG_ASM | UTIL_DEBUG_CHECK)); /* for readers */
   listen(cg);
}

VkResult cg_guard(struct cg *cg, void (*run)(struct cg *cg, void *data), void *data)
{
   struct util_arena *arena = cg->arena;
   jmp_buf on_oom, llvm_oom;
   jmp_buf *const outer_oom = arena->on_oom, *const outer_guard = comp_guard_memory(&llvm_oom);
   struct cg *const outer = compiling;
   VkResult result;
   if (setjmp(llvm_oom)) {
      cg->is_lost = true;
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   } else if (setjmp(on_oom)) {
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   } else if (setjmp(cg->on_error)) {
      result = VK_ERROR_INVALID_SHADER_NV;
   } else {
      arena->on_oom = &on_oom;
      run(cg, data);
      result = VK_SUCCESS;
   }
   arena->on_oom = outer_oom;
   compiling = outer;
   release(cg);
   comp_guard_memory(outer_guard);
   return result;
}

const char *cg_llvm_version(void)
{
   return "LLVM " LLVM_VERSION_STRING;
}

static void add_attribute(struct cg *cg, LLVMValueRef fn, const char *key, const char *value)
{
   LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(cg->context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
   LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, attribute);
}

static void add_enum_attribute(struct cg *cg, LLVMValueRef fn, uint32_t index, const char *name)
{
   const unsigned attribute_id = LLVMGetEnumAttributeKindForName(name, strlen(name));
   LLVMAddAttributeAtIndex(fn, index, LLVMCreateEnumAttribute(cg->context, attribute_id, 0));
}

void cg_limit_stack(struct cg *cg, LLVMValueRef fn, uint32_t num_frames)
{
   char limit[16];
   snprintf(limit, sizeof(limit), "%u", max_stack_bytes(cg) / num_frames);
   add_attribute(cg, fn, "warn-stack-size", limit);
}

static void set_attributes(struct cg *cg, LLVMValueRef fn)
{
   add_enum_attribute(cg, fn, LLVMAttributeFunctionIndex, "nounwind");
   add_attribute(cg, fn, "no-builtins", "");
   add_attribute(cg, fn, "no-jump-tables", "true");
   cg_limit_stack(cg, fn, 1);
   if (cg->target.level >= UTIL_CPU_V4) {
      add_attribute(cg, fn, "prefer-vector-width", "512");
      add_attribute(cg, fn, "min-legal-vector-width", "512");
   }
}

void cg_set_function_attributes(struct cg *cg)
{
   set_attributes(cg, cg->fn);
   for (uint32_t i = 0; i < 2; i++) /* args, worker */
      add_enum_attribute(cg, cg->fn, 1 + i, "noalias");
}

LLVMValueRef cg_add_own_function(struct cg *cg, const char *name, LLVMTypeRef type)
{
   LLVMValueRef fn = LLVMAddFunction(cg->module, name, type);
   LLVMSetLinkage(fn, LLVMInternalLinkage);
   set_attributes(cg, fn);
   return fn;
}

LLVMValueRef cg_function_begin(struct cg *cg, struct cg_function *around, const char *name, LLVMTypeRef type)
{
   *around = (struct cg_function){.here = LLVMGetInsertBlock(cg->b), .entry = cg->entry, .fn = cg->fn, .exec = cg->exec, .helpers = cg->helpers,
                                  .texel_shapes = cg->texel_shapes};
   memcpy(around->scratch, cg->scratch, sizeof(cg->scratch));
   memcpy(around->free_vars, cg->free_vars, sizeof(cg->free_vars));
   memset(cg->scratch, 0, sizeof(cg->scratch));
   memset(cg->free_vars, 0, sizeof(cg->free_vars));
   cg->texel_shapes = NULL;
   cg->helpers = NULL;
   cg->fn = cg_add_own_function(cg, name, type);
   cg->entry = cg_new_block(cg, "entry"); /* casts of parameters go there until the end */
   around->body = cg_new_block(cg, "body");
   cg->exec = NULL;
   cg_enter(cg, around->body);
   return cg->fn;
}

void cg_function_end(struct cg *cg, const struct cg_function *around)
{
   cg_enter(cg, cg->entry);
   cg_branch(cg, around->body);
   cg->fn = around->fn;
   cg->entry = around->entry;
   cg->exec = around->exec;
   cg->helpers = around->helpers;
   cg->texel_shapes = around->texel_shapes;
   memcpy(cg->scratch, around->scratch, sizeof(cg->scratch));
   memcpy(cg->free_vars, around->free_vars, sizeof(cg->free_vars));
   cg_enter(cg, around->here);
}

LLVMValueRef cg_add_cold_function(struct cg *cg, const char *name, LLVMTypeRef type)
{
   LLVMValueRef fn = cg_add_own_function(cg, name, type);
   add_enum_attribute(cg, fn, LLVMAttributeFunctionIndex, "cold");
   add_enum_attribute(cg, fn, LLVMAttributeFunctionIndex, "noinline");
   return fn;
}
