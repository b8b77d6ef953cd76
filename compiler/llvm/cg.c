/* SPDX-License-Identifier: MIT
 * One code generation from start to end. */
#include "compiler/llvm/cg.h"
#include "compiler/llvm/cg_target.h"
#include "compiler/no_memory.h"
#include "util/debug.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct cg_stage *const stages[ABI_NUM_STAGES] = {
#define X(NAME, name) &cg_stage_##name,
   ABI_STAGES(X)
#undef X
};

static void make_types(struct cg *cg)
{
   LLVMContextRef c = cg->context;
   cg->i1 = LLVMInt1TypeInContext(c);
   cg->i8 = LLVMInt8TypeInContext(c);
   cg->i16 = LLVMInt16TypeInContext(c);
   cg->i32 = LLVMInt32TypeInContext(c);
   cg->i64 = LLVMInt64TypeInContext(c);
   cg->f16 = LLVMHalfTypeInContext(c);
   cg->f32 = LLVMFloatTypeInContext(c);
   cg->f64 = LLVMDoubleTypeInContext(c);
   cg->ptr = LLVMPointerTypeInContext(c, 0);
   cg->void_type = LLVMVoidTypeInContext(c);
   cg->mask_type = LLVMVectorType(cg->i1, cg->lanes);
   /* without mask registers a bit a lane would be squeezed and spread at each block's border */
   cg->mask_var_type = cg->target.level >= UTIL_CPU_V4 ? cg->mask_type : LLVMVectorType(cg->i32, cg->lanes);
}

static void find_queries(struct ir_instr *instr, void *data)
{
   if (instr->op == IR_image_query)
      *(bool *)data = true;
}

static void make_function(struct cg *cg)
{
   LLVMTypeRef params[8];
   const uint32_t num_params = cg->stage->num_pointers + cg->stage->num_numbers;
   for (uint32_t i = 0; i < num_params; i++)
      params[i] = i < cg->stage->num_pointers ? cg->ptr : cg->i32;
   cg->fn = LLVMAddFunction(cg->module, "shader", LLVMFunctionType(cg->void_type, params, num_params, false));
   cg_set_function_attributes(cg);
   cg->entry = cg_new_block(cg, "entry");
   cg->leave = cg_new_block(cg, "leave");
   cg_enter(cg, cg->leave);
   LLVMBuildRetVoid(cg->b);
   cg_enter(cg, cg->entry);

   /* what accesses out of bounds read; with queries also the image of a null descriptor */
   bool has_queries = false;
   ir_for_each(cg->ir, find_queries, &has_queries);
   LLVMTypeRef zeros = LLVMArrayType2(cg->i64, util_align(has_queries ? UTIL_MAX(sizeof(struct abi_image), CG_ZEROS_BYTES) : CG_ZEROS_BYTES, 64) / 8);
   cg->zeros = cg_const_global(cg, LLVMConstNull(zeros), 64, "zeros");

   cg->args = LLVMGetParam(cg->fn, 0);
   cg->worker = LLVMGetParam(cg->fn, 1);
   LLVMValueRef resources = cg_load_at(cg, cg->ptr, cg->args, 0); /* first in the args of all stages */
   cg->bound_sets = cg_load_at(cg, cg->ptr, resources, offsetof(struct abi_resources, sets));
   cg->push = cg_load_at(cg, cg->ptr, resources, offsetof(struct abi_resources, push));
   cg->helpers = cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, helpers));
   cg->cancel = cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, cancel));
   cg->shared = cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, shared));
   cg->frame = cg_load_at(cg, cg->ptr, cg->worker, offsetof(struct abi_worker, frame));
}
_Static_assert(offsetof(struct abi_compute_args, resources) == 0 && offsetof(struct abi_vertex_args, resources) == 0 &&
                  offsetof(struct abi_fragment_args, resources) == 0,
               "resources stand first");

static void describe_workgroup(struct cg *cg)
{
   const struct abi_shader_info *info = &cg->ir->info;
   cg->num_invocations = cg->lanes;
   cg->num_vectors = 1;
   if (info->stage == ABI_STAGE_CONTROL)
      cg->num_vectors = UTIL_MAX(abi_control_batch(info->num_rows) / cg->lanes, 1u) * info->vertices_out;
   if (!abi_has_workgroups(info->stage))
      return;
   const uint64_t count = (uint64_t)info->local_size[0] * info->local_size[1] * info->local_size[2];
   if (count == 0 || count > 4096)
      cg_fail(cg, "a workgroup of %llu invocations is not supported", (unsigned long long)count);
   cg->num_invocations = (uint32_t)count;
   cg->num_vectors = UTIL_DIV_ROUND_UP(cg->num_invocations, cg->lanes);
   cg->is_partial = cg->num_invocations % cg->lanes != 0;
}

static void generate(struct cg *cg, void *data)
{
   struct abi_shader_info *info = &cg->ir->info;
   cg_begin(cg, false);
   cg->module = LLVMModuleCreateWithNameInContext("shader", cg->context);
   cg->b = LLVMCreateBuilderInContext(cg->context);
   LLVMSetTarget(cg->module, cg_target.triple);
   if (cg->lanes < 4 || cg->lanes > 32 || cg->lanes & (cg->lanes - 1))
      cg_fail(cg, "%u lanes are not supported", cg->lanes);
   make_types(cg);
   make_function(cg);
   describe_workgroup(cg);
   cg->num_values = ir_shader_renumber(cg->ir);
   cg->values = UTIL_ARENA_ARRAY(cg->arena, struct cg_value, cg->num_values + 1);
   cg_analyze_levels(cg);
   cg_prepare_vars(cg);
   info->frame_bytes = cg_frame_finish(cg);
   info->has_loops |= cg->ir->uses_subgroups; /* garbage would be seen */

   LLVMBasicBlockRef start = cg_new_block(cg, "call");
   cg_enter(cg, start);
   cg->stage->emit(cg);
   cg_enter(cg, cg->entry);
   cg_branch(cg, start);
   cg_finish_module(cg, data);
}

/* About what LLVM will take, by what it took: 137 MB for 90,000 instructions in a row, 500 MB for 250,000 whose values all live. */
static size_t needed_bytes(struct ir_shader *ir)
{
   return ((size_t)8 << 20) + (size_t)ir_shader_renumber(ir) * 2048;
}

VkResult cg_compile_ir(struct ir_shader *ir, const struct comp_shader_desc *desc, struct cg_object *object, char **message)
{
   struct util_arena *arena = ir->arena;
   struct cg *cg = UTIL_ARENA_NEW(arena, struct cg); /* memory that longjmp leaves as it is */

   *object = (struct cg_object){0};
   *cg = (struct cg){.arena = arena, .ir = ir, .layout = desc->layout, .target = desc->target, .texts = desc->texts, .casts.arena = arena,
                     .mask_words.arena = arena, .wide.arena = arena, .tables.arena = arena, .var_calls.arena = arena};
   cg->target.level = UTIL_MIN(cg->target.level, (uint32_t)cg_target.max_level);
   cg->stage = stages[ir->info.stage];
   cg->lanes = ir->info.lanes;
   cg->wg_exec = CG_NO_SLOT;

   if (!comp_has_memory(needed_bytes(ir)))
      longjmp(*arena->on_oom, 1);
   VkResult result = cg_guard(cg, generate, object);
   if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
      longjmp(*arena->on_oom, 1);
   if (result == VK_SUCCESS && !object->bytes)
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   *message = cg->message;
   return result;
}
