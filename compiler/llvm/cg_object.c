/* SPDX-License-Identifier: MIT
 * The object of a module. A large one's functions are divided into groups, and each group is an object of its own, made by whatever thread is free: LLVM works
 * on one thread in a context, so that each group goes to another as bitcode. Which function is in which group depends on the module alone, so that
 * code does not depend on time. The objects stand one behind the other; the loader finds functions of one for the others by their names. */
#include "compiler/llvm/cg.h"
#include "util/cpu.h"
#include "util/thread.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_INSTRS = 16000, MAX_GROUPS = COMP_MAX_OBJECTS, MAX_THREADS = 4 };

struct group {
   struct cg cg;  /* of its context */
   struct util_arena arena;
   struct cg_object object;
   VkResult result;
};

/* What the threads share. */
struct emission {
   LLVMMemoryBufferRef bitcode;
   const uint8_t *group_of; /* each function, in the module's order */
   uint32_t num_groups;
   uint32_t next;           /* atomic: the group that nobody has taken */
   struct group *groups;
};

static void emit(struct cg *cg, struct cg_object *object)
{
   char *problem = NULL;
   if (LLVMTargetMachineEmitToMemoryBuffer(cg->machine, cg->module, LLVMObjectFile, &problem, &cg->buffer)) {
      char copy[256];
      snprintf(copy, sizeof(copy), "%s", problem);
      LLVMDisposeMessage(problem);
      cg_fail(cg, "LLVM code generation: %s", copy);
   }
   if (cg->diagnostic)
      cg_fail(cg, "%s", cg->diagnostic);
   object->size_bytes = LLVMGetBufferSize(cg->buffer);
   object->bytes = util_malloc(object->size_bytes);
   if (object->bytes)
      memcpy(object->bytes, LLVMGetBufferStart(cg->buffer), object->size_bytes);
}

/* ---- a group ---- */

/* Another object has it. */
static void leave_out(struct cg *cg, LLVMValueRef fn)
{
   size_t length;
   const char *name = LLVMGetValueName2(fn, &length);
   name = util_arena_dup(cg->arena, name, length);
   LLVMValueRef declared = LLVMAddFunction(LLVMGetGlobalParent(fn), "", LLVMGlobalGetValueType(fn));
   LLVMSetVisibility(declared, LLVMHiddenVisibility);
   LLVMReplaceAllUsesWith(fn, declared);
   LLVMDeleteFunction(fn);
   LLVMSetValueName2(declared, name, length);
}

/* The module has been read but for its functions' bodies; a pass manager, even without passes, reads that of the function it is run on. */
static void read_group(const struct emission *emission, struct cg *cg, uint32_t group)
{
   LLVMPassManagerRef reader = LLVMCreateFunctionPassManagerForModule(cg->module);
   uint32_t i = 0;
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn)) {
      if (emission->group_of[i++] == group)
         LLVMRunFunctionPassManager(reader, fn);
   }
   LLVMDisposePassManager(reader);
   LLVMValueRef last = LLVMGetLastFunction(cg->module), next;
   i = 0;
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = next) {
      next = fn == last ? NULL : LLVMGetNextFunction(fn);
      if (emission->group_of[i++] != group && !LLVMIsDeclaration(fn))
         leave_out(cg, fn);
   }
   for (LLVMValueRef global = LLVMGetFirstGlobal(cg->module); global; global = next) {
      next = LLVMGetNextGlobal(global);
      if (!LLVMGetFirstUse(global))
         LLVMDeleteGlobal(global);
   }
}

static void emit_group(struct cg *cg, void *data)
{
   const struct emission *emission = data;
   struct group *group = UTIL_CONTAINER_OF(cg, struct group, cg);
   LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(LLVMGetBufferStart(emission->bitcode), LLVMGetBufferSize(emission->bitcode), "", false);
   cg_begin(cg, true);
   if (LLVMGetBitcodeModuleInContext2(cg->context, bitcode, &cg->module))
      cg_fail(cg, "LLVM cannot read what it wrote");
   read_group(emission, cg, (uint32_t)(group - emission->groups));
   emit(cg, &group->object);
}

static void *emit_groups(void *data)
{
   struct emission *emission = data;
   uint32_t index;
   while ((index = __atomic_fetch_add(&emission->next, 1, __ATOMIC_RELAXED)) < emission->num_groups) {
      struct group *group = &emission->groups[index];
      group->result = cg_guard(&group->cg, emit_group, emission);
   }
   return NULL;
}

/* ---- all groups ---- */

/* The lightest group so far takes the next function. Declarations are of none. */
static uint8_t *divide(struct cg *cg, uint32_t num_groups)
{
   uint64_t instrs[MAX_GROUPS] = {0};
   uint32_t count = 0;
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn))
      count++;
   uint8_t *group_of = UTIL_ARENA_ARRAY(cg->arena, uint8_t, count), *at = group_of;
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn), at++) {
      if (LLVMIsDeclaration(fn)) {
         *at = MAX_GROUPS;
         continue;
      }
      for (uint32_t g = 1; g < num_groups; g++)
         *at = instrs[g] < instrs[*at] ? (uint8_t)g : *at;
      instrs[*at] += cg_function_instrs(cg, fn);
   }
   return group_of;
}

/* Visible to the other objects, and to nobody else. */
static void share_functions(struct cg *cg)
{
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn)) {
      if (LLVMIsDeclaration(fn))
         continue;
      LLVMSetLinkage(fn, LLVMExternalLinkage);
      LLVMSetVisibility(fn, LLVMHiddenVisibility);
   }
}

static void join_objects(struct emission *emission, struct cg_object *object)
{
   uint64_t offsets[MAX_GROUPS], end = 0;
   for (uint32_t i = 0; i < emission->num_groups; i++) {
      offsets[i] = util_align(end, COMP_OBJECT_ALIGN);
      end = offsets[i] + emission->groups[i].object.size_bytes;
   }
   object->size_bytes = end;
   object->bytes = util_calloc(1, end);
   for (uint32_t i = 0; i < emission->num_groups && object->bytes; i++)
      memcpy((char *)object->bytes + offsets[i], emission->groups[i].object.bytes, emission->groups[i].object.size_bytes);
}

/* Threads that cannot be started have their work done by this one. */
static void run_threads(struct emission *emission)
{
   pthread_t threads[MAX_THREADS];
   uint32_t count = UTIL_MIN(UTIL_MIN(emission->num_groups, (uint32_t)MAX_THREADS), UTIL_MAX(util_cpu_threads(), 1)) - 1, started = 0;
   while (started < count && util_thread_start(&threads[started], "vk-compile", emit_groups, emission))
      started++;
   emit_groups(emission);
   while (started)
      pthread_join(threads[--started], NULL);
}

static void emit_in_groups(struct cg *cg, struct cg_object *object)
{
   const uint32_t num_groups = cg->num_groups;
   struct emission emission = {.num_groups = num_groups, .group_of = divide(cg, num_groups)};
   emission.groups = UTIL_ARENA_ARRAY(cg->arena, struct group, num_groups);
   share_functions(cg);
   emission.bitcode = LLVMWriteBitcodeToMemoryBuffer(cg->module);
   LLVMDisposeModule(cg->module); /* its memory is of use to the groups */
   cg->module = NULL;
   for (uint32_t i = 0; i < num_groups; i++) {
      struct group *group = &emission.groups[i];
      util_arena_init(&group->arena, 0);
      group->cg = (struct cg){.arena = &group->arena, .target = cg->target, .ir = cg->ir};
   }
   run_threads(&emission);
   LLVMDisposeMemoryBuffer(emission.bitcode);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < num_groups; i++) {
      struct group *group = &emission.groups[i];
      if (group->result == VK_SUCCESS && !group->object.bytes)
         group->result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (result == VK_SUCCESS && group->result != VK_SUCCESS) {
         result = group->result;
         cg->message = group->cg.message;
      } else {
         free(group->cg.message);
      }
   }
   if (result == VK_SUCCESS)
      join_objects(&emission, object);
   for (uint32_t i = 0; i < num_groups; i++) {
      util_mfree(emission.groups[i].object.bytes);
      util_arena_finish(&emission.groups[i].arena);
   }
   if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
      longjmp(*cg->arena->on_oom, 1);
   if (result != VK_SUCCESS)
      longjmp(cg->on_error, 1);
}

void cg_cut_into_groups(struct cg *cg)
{
   uint64_t instrs = 0;
   if (util_cpu_threads() < 2)
      return; /* all would have to be read again for nothing */
   for (LLVMValueRef fn = LLVMGetFirstFunction(cg->module); fn; fn = LLVMGetNextFunction(fn))
      instrs += cg_function_instrs(cg, fn);
   cg->num_groups = (uint32_t)UTIL_MIN(instrs / GROUP_INSTRS, (uint64_t)MAX_GROUPS);
   if (cg->num_groups > 1)
      cg_cut_functions(cg, instrs / cg->num_groups);
}

void cg_emit_object(struct cg *cg, struct cg_object *object)
{
   if (cg->num_groups > 1)
      emit_in_groups(cg, object);
   else
      emit(cg, object);
}
