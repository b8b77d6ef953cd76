/* SPDX-License-Identifier: MIT
 * The order of things: front end, passes, code generation. */
#include "compiler/pipeline.h"

#include "compiler/ir/passes.h"
#include "compiler/llvm/codegen.h"
#include "compiler/spirv/spirv.h"
#include "util/cpu.h"
#include "util/debug.h"
#include "util/thread.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPILE_BYTES = 1 << 30, MAX_ROUNDS = 4 };

struct compile {
   struct util_arena arena;
   struct ir_shader *ir;
   struct ir_shader *broken; /* UTIL_DEBUG_CHECK found the IR malformed */
   char **message;           /* malloc'ed */
   uint64_t last_ns;
};

static void report_time(struct compile *compile, const char *what)
{
   if (!util_debug(UTIL_DEBUG_TIME))
      return;
   const uint64_t now_ns = util_now_ns();
   util_log("%8.3f ms %s", (double)(now_ns - compile->last_ns) * 1e-6, what);
   compile->last_ns = util_now_ns();
}

static void check(struct compile *compile, const char *after)
{
   if (!util_debug(UTIL_DEBUG_CHECK) || compile->broken)
      return;
   const char *problem = ir_validate(compile->ir, &compile->arena);
   if (!problem)
      return;
   compile->broken = compile->ir;
   util_log("after %s: %s", after, problem);
   ir_print(compile->ir, stderr);
}

static bool run(struct compile *compile, const char *name, bool (*pass)(struct ir_shader *shader))
{
   const bool has_changed = pass(compile->ir);
   if (has_changed && util_debug(UTIL_DEBUG_PASSES)) {
      util_log("IR after %s", name);
      ir_print(compile->ir, stderr);
   }
   check(compile, name);
   report_time(compile, name);
   return has_changed;
}

#define RUN(pass) run(compile, #pass, pass)

/* The passes that make the shader smaller, until they find nothing more. */
static void simplify(struct compile *compile)
{
   bool has_changed = true;
   for (uint32_t round = 0; has_changed && round < MAX_ROUNDS; round++) {
      has_changed = RUN(ir_opt_simplify);
      has_changed = RUN(ir_opt_control_flow) || has_changed;
      has_changed = RUN(ir_opt_dead_code) || has_changed;
   }
}

/* Before ifs become selects and products are fused: what is reported is what the program says. */
static void instrument(struct compile *compile)
{
   /* What is a constant needs no shadow. */
   if (!util_list_is_empty(&compile->ir->vars) && RUN(ir_opt_whole_tables))
      simplify(compile);
   bool has_changed = RUN(ir_instrument_numbers);
   has_changed = RUN(ir_instrument_bounds) || has_changed;
   has_changed = RUN(ir_instrument_quads) || has_changed;
   has_changed = RUN(ir_instrument_prune) || has_changed; /* of the front end, too */
   has_changed = RUN(ir_instrument_races) || has_changed;
   has_changed = RUN(ir_instrument_uses) || has_changed;
   has_changed = RUN(ir_instrument_uninit) || has_changed;
   if (has_changed)
      simplify(compile);
}

static void analyze_values(struct compile *compile)
{
   ir_analyze_divergence(compile->ir);
   report_time(compile, "ir_analyze_divergence");
   ir_analyze_likely_runs(compile->ir);
   report_time(compile, "ir_analyze_likely_runs");
   ir_analyze_ranges(compile->ir);
   report_time(compile, "ir_analyze_ranges");
}

static void take_target(struct ir_shader *routine, const struct ir_shader *shader)
{
   routine->lacks_fma64 = shader->lacks_fma64;
   routine->goes_apart = shader->goes_apart;
}

/* The same passes that the shader's own operations go through before and in ir_lower_math(); the front end allows nothing there that looks across
 * the border of a routine. */
static void prepare_routines(struct compile *compile)
{
   struct ir_shader *shader = compile->ir;
   for (uint32_t i = 0; i < shader->num_routines; i++) {
      if (!shader->routines[i].is_from_spirv)
         continue;
      compile->ir = shader->routines[i].code;
      take_target(compile->ir, shader);
      if (shader->copies_memory)
         RUN(ir_expand_copies);
      if (shader->routines[i].is_function)
         RUN(ir_opt_promote_vars);
      simplify(compile);
      if (shader->routines[i].is_function) {
         if (RUN(ir_opt_zeros))
            simplify(compile);
         RUN(ir_opt_contract);
         RUN(ir_opt_divide);
         RUN(ir_opt_if_to_select);
         simplify(compile);
      }
      if (shader->routines[i].sees_bits)
         RUN(ir_lower_nan);
      RUN(ir_outline);
      RUN(ir_lower_math);
   }
   compile->ir = shader;
}

/* The same passes that the shader's own operations go through after ir_lower_math(). Routines may call others. */
static void lower_routines(struct compile *compile)
{
   struct ir_shader *shader = compile->ir;
   for (uint32_t i = 0; i < shader->num_routines; i++) {
      compile->ir = shader->routines[i].code;
      take_target(compile->ir, shader);
      RUN(ir_lower_float_env);
      simplify(compile);
      lower_routines(compile);
   }
   compile->ir = shader;
}

static void analyze_routines(struct compile *compile)
{
   struct ir_shader *shader = compile->ir;
   for (uint32_t i = 0; i < shader->num_routines; i++) {
      compile->ir = shader->routines[i].code;
      compile->ir->info.lanes = shader->info.lanes;
      compile->ir->info.shared_bytes = shader->info.shared_bytes;
      ir_shader_renumber(compile->ir);
      analyze_values(compile);
      ir_analyze_numbers(compile->ir);
      if (shader->routines[i].is_function)
         shader->routines[i].size = UTIL_MAX(shader->routines[i].size, ir_analyze_polls(compile->ir));
      if (util_debug(UTIL_DEBUG_IR)) {
         util_log("IR of routine %u", i + 1);
         ir_print(compile->ir, stderr);
      }
      analyze_routines(compile);
   }
   compile->ir = shader;
}

static void run_passes(struct compile *compile, const struct comp_target *target)
{
   if (compile->ir->copies_memory)
      RUN(ir_expand_copies);
   RUN(ir_opt_promote_vars);
   simplify(compile);
   /* Offsets may have become constants. */
   if (!util_list_is_empty(&compile->ir->vars) && RUN(ir_opt_promote_vars))
      simplify(compile);
   if (compile->ir->checks)
      instrument(compile);
   if (!util_list_is_empty(&compile->ir->vars) && RUN(ir_opt_tables))
      simplify(compile);
   /* Before copies fold: what an expression gives does not depend on what becomes known of its operands. */
   if (RUN(ir_opt_zeros))
      simplify(compile);
   RUN(ir_opt_contract);
   RUN(ir_opt_divide);
   if (!util_debug(UTIL_DEBUG_NOOPT)) {
      RUN(ir_opt_hoist); /* what a round repeats is no reason not to copy it */
      for (uint32_t round = 0; round < MAX_ROUNDS && RUN(ir_opt_unroll); round++) { /* a loop around an unrolled one comes next */
         simplify(compile);
         if (RUN(ir_opt_promote_vars))
            simplify(compile);
         if (RUN(ir_opt_zeros))
            simplify(compile);
      }
      if (!util_list_is_empty(&compile->ir->vars) && RUN(ir_opt_elements)) {
         RUN(ir_opt_promote_vars);
         simplify(compile);
      }
      if (RUN(ir_opt_if_to_select))
         simplify(compile);
   }
   RUN(ir_lower_nan);
   prepare_routines(compile);
   RUN(ir_outline);
   lower_routines(compile);
   bool has_lowered = RUN(ir_lower_math);
   has_lowered = RUN(ir_lower_float_env) || has_lowered;
   if (has_lowered)
      simplify(compile);
   if (!util_debug(UTIL_DEBUG_NOOPT)) {
      if (compile->ir->holds_indices && RUN(ir_opt_held))
         simplify(compile);
      bool has_merged = RUN(ir_opt_merge_loads);
      has_merged = RUN(ir_opt_merge_stores) || has_merged;
      if (has_merged)
         simplify(compile);
      RUN(ir_opt_hoist);
   }
   ir_shader_renumber(compile->ir);
   ir_choose_lanes(compile->ir, target->lanes);
   analyze_values(compile);
   if (ir_double_lanes(compile->ir, target->max_lanes))
      analyze_values(compile);
   ir_analyze_numbers(compile->ir);
   report_time(compile, "ir_analyze_numbers");
   RUN(ir_outline_copies);
   if (!compile->ir->checks)
      RUN(ir_outline_accesses);
   analyze_routines(compile);
   ir_analyze_polls(compile->ir);
   report_time(compile, "ir_analyze_polls");
   ir_analyze_summary(compile->ir);
}

static VkResult fail(struct compile *compile, const char *message)
{
   *compile->message = strdup(message);
   return VK_ERROR_INVALID_SHADER_NV;
}

/* Says so where it is the shader that asks for much, not the process that has little. */
static VkResult out_of_memory(struct compile *compile)
{
   const size_t taken_bytes = compile->arena.total_bytes;
   if (taken_bytes > MAX_COMPILE_BYTES / 2 &&
       asprintf(compile->message, "memory is out: the compile has taken %zu MiB, of %u MiB at most", taken_bytes >> 20, MAX_COMPILE_BYTES >> 20) < 0)
      *compile->message = NULL;
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* The IR as text, malloc'ed; NULL if there is no memory. */
static char *ir_text(const struct ir_shader *ir)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   if (!file)
      return NULL;
   ir_print(ir, file);
   fclose(file);
   return text;
}

static VkResult make_binary(struct compile *compile, const struct cg_object *object, struct comp_binary **result)
{
   const uint32_t offset = (uint32_t)util_align(sizeof(struct comp_binary), 16);
   const size_t total = util_align(offset + object->size_bytes, 8);
   if (total > UINT32_MAX)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct comp_binary *binary = util_calloc(1, total);
   if (!binary)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   binary->magic = COMP_BINARY_MAGIC;
   binary->total_bytes = (uint32_t)total;
   binary->info = compile->ir->info;
   binary->subgroup_size = compile->ir->subgroup_size;
   binary->num_unchecked = compile->ir->num_unchecked;
   binary->object_offset = offset;
   binary->object_bytes = (uint32_t)object->size_bytes;
   memcpy((char *)binary + offset, object->bytes, object->size_bytes);
   *result = binary;
   return VK_SUCCESS;
}

static VkResult compile_shader(struct compile *compile, const struct comp_shader_desc *desc, struct comp_binary **binary)
{
   const char *error = NULL;
   compile->last_ns = util_now_ns();
   compile->ir = spirv_to_ir(&compile->arena, desc, &error);
   if (!compile->ir)
      return fail(compile, error);
   /* Always, as nobody else need have looked at the module: the passes rely on it. */
   error = ir_validate(compile->ir, &compile->arena);
   if (error)
      return fail(compile, error);
   report_time(compile, "spirv_to_ir");
   compile->ir->lacks_fma64 = desc->target.level < UTIL_CPU_V3;
   compile->ir->goes_apart = desc->target.level < UTIL_CPU_V4;
   compile->ir->loads_apart = compile->ir->goes_apart && !(desc->target.level == UTIL_CPU_V3 && desc->target.has_gathers);
   compile->ir->ignored_outputs = desc->ignored_outputs;
   compile->ir->info.source_hash = desc->module_hash.lo;
   if (util_debug(UTIL_DEBUG_IR)) {
      util_log("IR of %s from the front end", desc->entry_point);
      ir_print(compile->ir, stderr);
   }
   run_passes(compile, &desc->target);
   if (util_debug(UTIL_DEBUG_IR)) {
      util_log("IR of %s after all passes", desc->entry_point);
      ir_print(compile->ir, stderr);
   }
   if (compile->broken)
      return fail(compile, "a pass of the compiler broke the shader");
   if (desc->texts)
      desc->texts[COMP_TEXT_IR] = ir_text(compile->ir);

   struct cg_object object = {0};
   VkResult result = cg_compile_ir(compile->ir, desc, &object, compile->message);
   report_time(compile, "code generation");
   if (result == VK_SUCCESS)
      result = make_binary(compile, &object, binary);
   util_mfree(object.bytes);
   return result;
}

VkResult comp_compile(const struct comp_shader_desc *desc, struct comp_binary **binary, char **message)
{
   struct compile compile = {.message = message};
   jmp_buf on_oom;
   VkResult result;

   *binary = NULL;
   *message = NULL;
   const uint64_t float_state = util_float_enter(); /* constants are folded by this thread's arithmetic */
   util_arena_init(&compile.arena, MAX_COMPILE_BYTES);
   compile.arena.on_oom = &on_oom;
   if (!setjmp(on_oom))
      result = compile_shader(&compile, desc, binary);
   else
      result = out_of_memory(&compile);
   util_arena_finish(&compile.arena);
   util_float_leave(float_state);
   return result;
}
